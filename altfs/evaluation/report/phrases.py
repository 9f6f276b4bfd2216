"""Numbers and lists in words, for the sentences of the report."""

from collections.abc import Callable
from typing import Any

import pandas as pd

from altfs.catalogue import figures, tables
from altfs.evaluation.names import in_words, selector_name
from altfs.evaluation.rules import enough


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


def about_share(value: float) -> str:
    """Write a share in whole percent; with three digits if it is near to none or all, but neither.

    Examples
    --------
    >>> about_share(0.8642), about_share(0.00359), about_share(0.9961), about_share(1.0)
    ('86 %', '0.359 %', '99.6 %', '100 %')
    """
    near = 0 < value < 0.01 or 0.99 < value < 1.01
    return share(value) if near else f"{100 * value:.0f} %"


def p_value(p: float) -> str:
    """Write a p value with two significant digits.

    Examples
    --------
    >>> p_value(0.0312), p_value(1e-9)
    ('p = 0.031', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def model_name(name: str) -> str:
    """Return the name of a model in a sentence.

    Examples
    --------
    >>> model_name("decision_tree"), model_name("nearest_neighbours")
    ('a decision tree', 'nearest neighbours')
    """
    words = in_words(name).lower()
    return words if words.endswith("s") else f"a{'n' * (words[0] in 'aeiou')} {words}"


def listed(parts: list[str]) -> str:
    """Join parts of a sentence.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def across(rows: pd.DataFrame, value: str, form: Callable[[float], str] = number) -> str:
    """Write the values of datasets and selectors.

    For fewer than six datasets, these are the smallest and the largest one with their names.
    For more, it is the median over datasets for each selector. The number of datasets of most
    selectors is said once, at the end.

    Parameters
    ----------
    rows : DataFrame
        With the columns ``dataset``, ``selector`` and `value`.
    value : str
    form : callable, optional

    Examples
    --------
    >>> rows = pd.DataFrame({"dataset": ["a", "b"], "selector": ["mrmr"] * 2, "x": [0.5, 0.25]})
    >>> across(rows, "x", share)
    '25 % (mRMR, b) to 50 % (mRMR, a)'
    >>> more = pd.concat([rows.assign(dataset=[f"{i}", f"{-i}"]) for i in range(1, 4)])
    >>> across(more, "x", share)
    '37.5 % with mRMR (median over 6 datasets)'
    >>> few = more.assign(selector="rar").iloc[:3]
    >>> across(pd.concat([more, few]), "x", share)
    '37.5 % with mRMR and too few datasets (3) with rar (medians over 6 datasets)'
    """
    rows = rows[rows[value].notna()]
    if not enough(rows["dataset"].nunique()):
        ordered = rows.sort_values(value, kind="stable").to_dict("records")
        ends = ordered[:1] if len(ordered) == 1 else [ordered[0], ordered[-1]]
        return " to ".join(
            f"{form(row[value])} ({selector_name(row['selector'])}, {row['dataset']})"
            for row in ends
        )
    groups: Any = rows.groupby("selector", sort=False)
    counts = groups["dataset"].nunique()
    usual = counts.mode().max()
    said = []
    for selector, own in groups:
        n, name = counts[selector], selector_name(str(selector))
        median = f"{form(own[value].median())} with {name}"
        about = "" if n == usual else f" (over {n})"
        said.append(f"{median}{about}" if enough(n) else f"too few datasets ({n}) with {name}")
    medians = f" (median{'s' * (len(said) > 1)} over {usual} datasets)" * bool(enough(usual))
    return listed(said) + medians


def extremes(
    rows: pd.DataFrame, value: str, form: Callable[[float], str] = number
) -> tuple[str, str]:
    """Write the smallest and the largest value in a few words, and what was summarised.

    For fewer than six datasets, these are values of a dataset (and a selector). For more, they are
    the medians over datasets of the selectors.

    Parameters
    ----------
    rows : DataFrame
        With the columns ``dataset`` and `value`, and perhaps ``selector``.
    value : str
    form : callable, optional

    Returns
    -------
    words, about : str

    Examples
    --------
    >>> rows = pd.DataFrame({"dataset": ["a", "b"], "selector": ["mrmr"] * 2, "x": [0.5, 0.25]})
    >>> extremes(rows, "x", share)
    ('25 % (mRMR, b) to 50 % (mRMR, a)', '')
    >>> extremes(rows.assign(x=0.5), "x", share)
    ('50 % (mRMR, a to mRMR, b)', '')
    >>> more = pd.concat([rows.assign(dataset=[f"{i}", f"{-i}"]) for i in range(1, 4)])
    >>> extremes(more, "x", share)
    ('37.5 % (mRMR)', 'medians over 6 datasets')
    """
    rows = rows[rows[value].notna()]
    if not enough(rows["dataset"].nunique()):
        columns = [c for c in ("selector", "dataset") if c in rows]
        found, about = rows[[*columns, value]], ""
    else:
        groups: Any = rows.groupby("selector", sort=False)
        found, n = groups[value].median().reset_index(), groups["dataset"].nunique()
        few = [f"too few datasets with {selector_name(str(name))} ({count})"
               for name, count in n.items() if not enough(count)]  # fmt: skip
        found, n = found[enough(n).to_numpy()], n[enough(n)]
        counts = " to ".join(map(str, sorted({n.min(), n.max()}))) if len(n) else ""
        about = "; ".join([f"medians over {counts} datasets"] * bool(counts) + few)
    if not len(found):
        return "an unknown share", about
    ordered = found.sort_values(value, kind="stable").to_dict("records")
    ends = ordered[:1] if len(ordered) == 1 else [ordered[0], ordered[-1]]
    said = [
        (form(row[value]), [row[c] for c in ("selector", "dataset") if c in row]) for row in ends
    ]
    texts = [text for text, _ in said]
    named = [", ".join(selector_name(str(name)) for name in names) for _, names in said]
    if len(set(texts)) == 1:
        texts, named = texts[:1], [" to ".join(named)]
    return " to ".join(f"{text} ({names})" for text, names in zip(texts, named, strict=True)), about


def signed(value: float) -> str:
    """Write a change with its sign and two significant digits.

    Examples
    --------
    >>> signed(0.5), signed(-0.0312), signed(0.0)
    ('+0.5', '−0.031', '0')
    """
    text = f"{abs(value):.2g}"
    return text if value == 0 else f"{'+' if value > 0 else '−'}{text}"


#: Ranks among alternatives, in words.
ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}


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
