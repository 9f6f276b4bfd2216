"""The differences between two studies, or between two states of one."""

from __future__ import annotations

from typing import Any

import pandas as pd

from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, alt
from altfs.evaluation.results import SET_KEY, Results

#: What two sets of the same setting are compared by; times may differ between any two runs.
COMPARED = ("set", "status", "objective", "score")
#: The columns of a row of the summary.
GROUP = ["selector", "search", "aggregation"]


def paired_sets(a: Results, b: Results) -> pd.DataFrame:
    """Pair the feature sets of two studies by dataset, fold and setting.

    Returns
    -------
    DataFrame
        A row for each set that one of the studies has. ``study`` is ``a``, ``b`` or ``both``. Of
        each study there are `COMPARED` and ``seconds``, with the suffixes ``_a`` and ``_b``. A
        score is the mean over the models, by the first metric of the dataset. A column such as
        ``set_differs`` says of a pair if the two differ.
    """
    pairs = _rows(a).merge(
        _rows(b), how="outer", on=SET_KEY, suffixes=("_a", "_b"), indicator="study"
    )
    names = {"left_only": "a", "right_only": "b", "both": "both"}
    pairs["study"] = pairs["study"].astype(str).map(names)
    both = pairs["study"] == "both"
    for name in COMPARED:
        one, other = pairs[f"{name}_a"], pairs[f"{name}_b"]
        pairs[f"{name}_differs"] = both & (one != other) & ~(one.isna() & other.isna())
    return pairs


def summary(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each selector and search: what changed from the first study to the second.

    Means of changes are over the pairs in which both studies have a value.
    """
    rows = pairs.assign(
        n_pairs=pairs["study"] == "both",
        n_only_a=pairs["study"] == "a",
        n_only_b=pairs["study"] == "b",
        objective_change=pairs["objective_b"] - pairs["objective_a"],
        score_change=pairs["score_b"] - pairs["score_a"],
    )
    of_pairs = rows["n_pairs"]
    for name in ("seconds_a", "seconds_b"):
        rows[name] = rows[name].where(of_pairs)
    sums = ["n_pairs", "n_only_a", "n_only_b", *(f"{name}_differs" for name in COMPARED)]
    aggregates: dict[str, Any] = {
        **dict.fromkeys(sums, "sum"), "objective_change": "mean", "score_change": "mean",
        "seconds_a": "sum", "seconds_b": "sum",
    }  # fmt: skip
    return rows.groupby(GROUP, sort=False).agg(aggregates).reset_index()


def are_same(pairs: pd.DataFrame) -> bool:
    """Tell whether both studies have the same sets with the same values."""
    differs = pairs[[f"{name}_differs" for name in COMPARED]]
    return bool((pairs["study"] == "both").all() and not differs.to_numpy().any())


def changes_figure(pairs: pd.DataFrame) -> Chart:
    """Draw the mean change of the test score, or of the objective if there are no scores.

    There is a point for each dataset.
    """
    name = "score" if pairs["score_a"].notna().any() else "objective"
    rows = pairs.assign(change=pairs[f"{name}_b"] - pairs[f"{name}_a"])
    rows = rows[rows["change"].notna()]
    if rows.empty:
        return draw.styled(draw.absent("Changes", "The studies share no feature set."))
    means = rows.groupby(["dataset", *GROUP], sort=False)["change"].mean().reset_index()
    means["of"] = means["selector"] + ", " + means["search"]
    title = "Change of the test score" if name == "score" else "Change of the training objective"
    points = alt.Chart(means).mark_point(filled=True, size=60, opacity=0.7).encode(
        x=alt.X("change:Q", title=f"{title}, B - A"),
        y=alt.Y("of:N", title=None, sort=None),
        color=draw.colour("selector", "Selector", list(dict.fromkeys(means["selector"]))),
        tooltip=draw.tips("dataset", *GROUP, "change"),
    )  # fmt: skip
    zero = (
        alt.Chart(pd.DataFrame({"change": [0.0]})).mark_rule(strokeDash=[4, 3]).encode(x="change:Q")
    )
    note = "A point per dataset: the mean over the folds and settings of both studies."
    return draw.styled(draw.captioned(zero + points, title, note))


def _rows(results: Results) -> pd.DataFrame:
    """Return the sets of a study as they are compared."""
    scores = results.first_scores.groupby("set")["test_score"].mean()
    names = results.table["feature_names"].to_pandas()
    rows = results.sets[SET_KEY].astype(dict.fromkeys(_TEXT, str))
    return rows.assign(
        set=[", ".join(sorted(one)) for one in names],
        status=results.sets["status"].astype(str),
        objective=results.sets["train_objective"],
        score=scores.reindex(results.sets.index).astype(float),
        seconds=results.sets["seconds"],
    )


_TEXT = ["dataset", "selector", "tau", "search", "aggregation"]
