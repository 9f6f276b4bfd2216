"""The one search and selector that some figures show."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from altfs.evaluation.names import search_name, selector_name
from altfs.evaluation.report.phrases import two
from altfs.evaluation.results import Results
from altfs.evaluation.tables import Tables, rows_of
from altfs.evaluation.tables.overview import best_selector

#: What a caption says of a figure that shows one selector at first.
CHOOSE = "{} at first; choose another selector above."


def focus(sets: pd.DataFrame) -> pd.DataFrame:
    """Choose the sets of (d) to (f): MI if it was used, and the longest sequential search."""
    ranked = sets[sets["aggregation"] == "none"]
    pool = ranked if len(ranked) else sets
    selectors = [str(name) for name in pool["selector"].unique()]
    selector = "mutual_information" if "mutual_information" in selectors else selectors[0]
    of_selector = pool[pool["selector"] == selector]
    # A search may be for other selectors alone.
    searches = [str(name) for name in of_selector["search"].unique()]
    search = "sequential" if "sequential" in searches else min(searches)
    chosen = of_selector[of_selector["search"] == search]
    longest: pd.DataFrame = chosen[chosen["n_alternatives"] == chosen["n_alternatives"].max()]
    return longest


def longest_of(rows: pd.DataFrame, by: Sequence[str] = ("selector", "search")) -> pd.DataFrame:
    """Return the rows of the most alternatives, by groups."""
    longest = rows.groupby(list(by), observed=True)["n_alternatives"].transform("max")
    kept: pd.DataFrame = rows[rows["n_alternatives"] == longest]
    return kept


def focus_name(chosen: pd.DataFrame) -> str:
    """Return the names of the search and the selector."""
    names = defaults(chosen)
    return f"{names['run']} search, {selector_name(names['selector'])}"


def longest_ranked(results: Results) -> pd.DataFrame:
    """Return the sets of the longest runs of each search whose sets have ranks, random ones too."""
    ranked = results.sets[results.sets["aggregation"] == "none"]
    return longest_of(ranked, ["search"]).assign(run=search_names)


def defaults(chosen: pd.DataFrame) -> dict[str, str]:
    """Return the selector and the run of :func:`focus`, as choices of the page."""
    selector, search = (str(chosen[c].iloc[0]) for c in ("selector", "search"))
    return {"selector": selector, "run": search_name(search)}


def best_first(rows: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """Add the rows of the selector that predicts best as those of no choice.

    They have an empty selector, and `method` has its name. Only datasets with panels of their own
    need a choice.
    """
    rows, names = rows.assign(method=rows["selector"]), list(rows["selector"].unique())
    if not names or not (rows["dataset"] != "").all():
        return rows
    best = best_selector(rows_of(tables, "overview", dataset=""))
    first = rows[rows["selector"] == (best if best in names else names[0])]
    return pd.concat([first.assign(selector=""), rows], ignore_index=True)


def ends_of(rows: pd.DataFrame, along: str, value: str, place: Callable[[float], str]) -> str:
    """Say what values are at both ends of a column of numbers, from the smallest to the largest.

    >>> rows = pd.DataFrame({"tau": [0.25, 0.25, 1.0], "kept": [0.9, 0.8, 0.1]})
    >>> ends_of(rows, "tau", "kept", lambda tau: f"at τ = {tau:g}")
    '0.80 to 0.90 at τ = 0.25, 0.10 at τ = 1'
    """
    ends = rows.groupby(along)[value].agg(["min", "max"]).map(two).iloc[[0, -1]]
    return ", ".join(dict.fromkeys(
        f"{' to '.join(dict.fromkeys(span))} {place(at)}" for at, *span in ends.itertuples()
    ))  # fmt: skip


def one_search(sets: pd.DataFrame) -> pd.DataFrame:
    """Choose the search of :func:`focus`, with all selectors."""
    keys = ["search", "n_alternatives", "aggregation"]
    same = sets[keys] == focus(sets)[keys].iloc[0]
    return sets[same.all(axis="columns")]


def search_names(rows: pd.DataFrame) -> Any:
    """Return the name of the search of each row, with its aggregation if it has one."""
    search, searches = pd.factorize(rows["search"])
    aggregation, aggregations = pd.factorize(rows["aggregation"])
    names = [search_name(s, a) for s in searches for a in aggregations]
    return np.array(names, dtype=object)[search * len(aggregations) + aggregation]
