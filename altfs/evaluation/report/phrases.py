"""Numbers and lists in words, for the sentences of the report."""

from typing import Any

from altfs.evaluation.collect.comparisons import FEWEST_DATASETS
from altfs.evaluation.names import in_words
from altfs.study.catalogue import figures, tables


def number(value: float) -> str:
    """Write a number with three significant digits.

    Examples
    --------
    >>> number(0.12345), number(1234567.0), number(3.0), number(0.00001234)
    ('0.123', '1,234,567', '3', '1.23e-05')
    """
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def share(value: float) -> str:
    """Write a share in percent.

    Examples
    --------
    >>> share(0.42), share(0.0001), share(1.0)
    ('42 %', '0.01 %', '100 %')
    """
    return f"{100 * value:.3g} %"


def p_value(p: float) -> str:
    """Write a p value with two significant digits.

    Examples
    --------
    >>> p_value(0.0312), p_value(1e-9)
    ('p = 0.031', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def listed(parts: list[str]) -> str:
    """Join parts of a sentence.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def interval(row: Any, prefix: str = "", form: Any = number) -> str:
    """Write a median with its interval, if it has one.

    Examples
    --------
    >>> row = {"median": 0.5, "median_low": 0.4, "median_high": 0.7, "n_datasets": 30}
    >>> interval(row)
    '0.5 (95 % interval 0.4 to 0.7)'
    >>> interval({**row, "n_datasets": 2})  # no interval of so few holds 95 %
    '0.5 (bootstrap over 2 datasets: 0.4 to 0.7)'
    """
    low, high = row[f"{prefix}median_low"], row[f"{prefix}median_high"]
    few = row["n_datasets"] < FEWEST_DATASETS
    named = f"bootstrap over {row['n_datasets']} datasets:" if few else "95 % interval"
    known = f" ({named} {form(low)} to {form(high)})" if low == low else ""
    return f"{form(row[f'{prefix}median'])}{known}"


def ordinal(rank: int) -> str:
    """Write a rank among alternatives.

    Examples
    --------
    >>> ordinal(1), ordinal(5)
    ('1st', '5th')
    """
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(rank, f"{rank}th")


def caption_of(name: str) -> str:
    """Return the sentence of a table or figure; its name if it is not in a catalogue.

    Examples
    --------
    >>> caption_of("datasets")
    'The datasets as used; constant and duplicated features are kept.'
    >>> caption_of("my_table")
    'My table'
    """
    for catalogue in (tables, figures):
        if name in catalogue.names():
            return catalogue.get(name).caption
    return in_words(name)
