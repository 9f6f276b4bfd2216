"""The largest size of sets that can be listed."""

from __future__ import annotations

from math import comb

from altfs.errors import AltfsError


def largest_size(n: int, most_affordable: int, most: int | None, limit: int) -> int:
    """Return the largest number measured: the given one, or what the limit of sets allows.

    >>> largest_size(30, 30, None, 200_000)
    5
    """
    counts = [sum(comb(n, i) for i in range(k + 1)) for k in range(n + 1)]
    fits = max(k for k in range(n + 1) if counts[k] <= max(limit, n + 1))
    wanted = min(n if most is None else most, most_affordable, n)
    if most is not None and wanted > fits:
        reason = f"{wanted} of {n} features are {counts[wanted]:,} sets, more than {limit:,}"
        raise AltfsError("most", reason, f"use {fits}")
    return min(wanted, fits)
