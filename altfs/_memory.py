"""The memory of the machine, for sentences on what an input needs."""

from __future__ import annotations

import os

_GB = 10**9


def memory() -> float:
    """Return the memory of the machine in bytes."""
    return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


def size_of(n_bytes: float) -> str:
    """Write a number of bytes in words.

    >>> size_of(25.6e9)
    '25.6 GB'
    """
    return f"{n_bytes / _GB:,.1f} GB"
