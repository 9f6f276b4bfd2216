"""Numbers and lists in words, for the report."""

from typing import Any


def two(value: float) -> str:
    """Write a score with two decimals, a large one with three digits.

    >>> two(0.678), two(-0.5), two(1234.0), two(-0.001)
    ('0.68', '−0.50', '1,230', '0.00')
    """
    if abs(value) >= 10:
        digits = float(f"{value:.3g}")
        return f"{digits:,.10g}".replace("-", "−")
    text = f"{value:.2f}"
    return "0.00" if float(text) == 0 else text.replace("-", "−")


def signed(value: float) -> str:
    """Write a change with its sign, as :func:`two`.

    >>> signed(0.5), signed(-0.0312), signed(0.001)
    ('+0.50', '−0.03', '0.00')
    """
    text = two(value)
    return text if text.startswith("−") or text == "0.00" else f"+{text}"


def listed(parts: list[str]) -> str:
    """Join parts of a sentence."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def few_of(parts: list[str], most: int = 3) -> str:
    """Join the first of many parts, and say how many more there are.

    >>> few_of(["a", "b"], 2), few_of([*"abcde"], 2)
    ('a and b', 'a, b and 3 more')
    """
    return listed(parts if len(parts) <= most + 1 else [*parts[:most], f"{len(parts) - most} more"])


def ends_in_words(row: Any, name: str, many: bool) -> str:
    """Write the ends of an interval, or of a range if there are few datasets."""
    ends = [row[f"{name}_low"], row[f"{name}_high"]]
    low, high = map(signed, ends)
    if many and (ends[0] > 0 or ends[1] < 0):
        # An end near 0 that is not 0.
        low, high = ((">0" if ends[0] > 0 else "<0") if t == "0.00" else t for t in (low, high))
    return f"[{low}, {high}]" if many else f"{low} to {high}"
