"""Quality against dissimilarity, with the Pareto front."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs._numbers import FloatArray
from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures._focus import CHOOSE, best_first, ends_of, search_names
from altfs.evaluation.names import count, selector_name, size_name
from altfs.evaluation.results import RUN_KEY, Results, text_columns_as_text
from altfs.evaluation.stats.controls import NOISE, controls_of, relative_quality
from altfs.evaluation.stats.members import joined, members, side_by_side
from altfs.evaluation.stats.roles import CASE, originals, random_searches
from altfs.evaluation.stats.runs import cut_to_the_same_number
from altfs.evaluation.tables import rows_of
from altfs.evaluation.tables.dissimilarity import pair_dissimilarities
from altfs.evaluation.tables.overview import best_selector

_TITLE = "Quality against dissimilarity"


@figures.add(place=6, needs=("overview",))
def quality_against_dissimilarity(results: Results, tables: Tables) -> Chart:
    """Draw how different the sets of a run are, and how good."""
    points = draw.choosable(partial(trade_off, results))
    points = points[points["n_features"] == points["n_features"].max()]
    if points.empty:
        return draw.absent(_TITLE, "No complete run exists.")
    overview = rows_of(tables, "overview", dataset="")
    points = best_first(points, tables)
    has_choice = bool((points["selector"] == "").any())
    # Points at the edge would be cut in two.
    wide = alt.Scale(zero=False, nice=False, padding=8)
    x = alt.X("dissimilarity:Q", title="Mean dissimilarity of the sets of a run", scale=wide)
    drawn = bool(random_searches(results))
    title = "Relative objective" if drawn else "Objective / best found"
    y = alt.Y("quality:Q", title=title, scale=alt.Scale(zero=False))
    numbers = sorted(points["n_alternatives"].unique())
    fields = ("panel:N", "run:N", "tau:N", "n_alternatives:N", "dissimilarity:Q", "quality:Q",
              "n_datasets:Q")  # fmt: skip
    base = alt.Chart().encode(x=x, y=y, tooltip=draw.tips(*fields))
    front = base.transform_filter("datum.front").mark_line(
        color="#555", strokeDash=[4, 3], strokeWidth=1.2
    )
    dots = base.mark_point(filled=True, size=32, opacity=1).encode(
        color=draw.shades("n_alternatives", "Number of alternatives", numbers),
        shape=draw.by_shape("run", "Search", list(dict.fromkeys(points["run"]))),
    )

    def label(rows: pd.DataFrame) -> Any:
        labels: Any = draw.apart(rows["selector"].map(selector_name), rows["dataset"])
        return labels.str.removeprefix(", ")

    shown = points.assign(panel=label(points)).sort_values("dissimilarity", kind="stable")
    names = results.sets["selector"].unique()
    left = [name for name in names if name not in {*points["selector"]}]
    n, k = points["n_datasets"].max(), points["n_features"].iloc[0]
    most = int(max(n, points.loc[points["dataset"] != "", "dataset"].nunique()))
    return draw.captioned(
        draw.panels(
            [front.encode(order="dissimilarity:Q"), dots],
            points,
            label,
            shared_y=True,
        ),
        _TITLE,
        f"{size_name(k, results.sizes)}. A point per search, number of alternatives and τ: means "
        "of a run's sets, the first one too, over runs of datasets that have them in all folds.",
        CHOOSE.format(selector_name(points["method"].iloc[0])) * has_choice,
        "A relative objective of 0 is that of random sets, 1 that of the best set." * bool(drawn),
        f"Dashed: Pareto front of points with the most datasets{', without random sets' * drawn}.",
        f"n = {'up to ' * (most > 1)}{count(most, 'dataset')}.",
        *_left_out(results, left),
        seen=draw.described(
            shown[shown["front"]], "run", "dissimilarity", "quality", dataset="", selector=""
        ),
        finding=_of_front(shown[shown["front"]], best_selector(overview), title.lower()),
    )


def _of_front(front: pd.DataFrame, best: str, quality: str) -> str:
    """Say the ends of the front of a selector, of all datasets or of a single one."""
    own = front[front["selector"] == best]
    own = own[own["dataset"] == own["dataset"].min()]
    if own.empty or (own["dataset"].iloc[0] and len({*front["dataset"]}) > 1):
        return ""
    ends = ends_of(own, "dissimilarity", "quality", lambda at: f"at dissimilarity {at:.2f}")
    return f"In the best runs of {selector_name(best)}, {quality} is {ends}."


def _left_out(results: Results, names: Sequence[str]) -> list[str]:
    """Say why selectors are not shown."""
    runs = results.once(complete_runs)
    by = ["selector", "dataset", "search", "aggregation", "n_features", "n_alternatives", "tau"]
    every = runs.groupby(by, observed=True).size() == results.sets["fold"].nunique()
    in_all_folds = {*every.index[every].get_level_values("selector")}
    lacking = [selector_name(name) for name in names if name not in in_all_folds]
    unscaled = [selector_name(name) for name in names if name in in_all_folds]
    why = "some objectives are negative, and there are no random sets to compare them with"
    if random_searches(results):
        why = "original sets do not exceed random ones by more than these vary"
    return [
        *([f"{', '.join(lacking)}: no run is complete in all folds."] if lacking else []),
        *([f"{', '.join(unscaled)}: by the training objective, {why}."] if unscaled else []),
    ]


def pareto_front(x: FloatArray, y: FloatArray) -> npt.NDArray[np.bool_]:
    """Mark the points that no other beats in one coordinate without being worse in the other.

    Values are rounded to 12 decimals, because of rounding errors.

    Examples
    --------
    >>> pareto_front(np.array([0.3, 0.1 + 0.2]), np.array([2.0, 1.0])).tolist()
    [True, False]
    >>> pareto_front(np.array([1.0, 2.0, 3.0, 2.0]), np.array([3.0, 2.0, 1.0, 1.0])).tolist()
    [True, True, True, False]
    """
    x, y = x.round(12), y.round(12)
    better = (x[:, None] >= x) & (y[:, None] >= y) & ((x[:, None] > x) | (y[:, None] > y))
    return np.asarray(~better.any(axis=0))


def complete_runs(results: Results) -> pd.DataFrame:
    """Compute mean pairwise dissimilarity and mean training objective of complete runs.

    Sequential runs are cut to the numbers of alternatives of the other searches.
    """
    parts = []
    for matrix in results.once(members):
        rows = matrix.rows.iloc[np.flatnonzero(matrix.chosen.any(axis=1))]
        cut = cut_to_the_same_number(rows, results.settings)
        size = cut.groupby(RUN_KEY, observed=True)["row"].transform("size")
        cut = cut[size == cut["n_alternatives"] + 1]
        for _, part in cut.sort_values([*RUN_KEY, "set_index"]).groupby("n_alternatives"):
            table, layers = side_by_side(part, RUN_KEY, "set_index", matrix.chosen)
            pairs = pair_dissimilarities(layers, results.design.dissimilarity)
            objectives = part["train_objective"].to_numpy().reshape(len(table), -1)
            # The sum starts with the pairs of the first sets, so that its rounding is fixed.
            order = np.argsort(np.triu_indices(layers.shape[1], 1)[1], kind="stable")
            # A run of a single set has no pair.
            table["dissimilarity"] = sum(pairs[:, order].T) / (pairs.shape[1] or np.nan)
            parts.append(table.assign(train_objective=objectives.mean(axis=1)))
    return joined(results, parts, RUN_KEY, ["dissimilarity", "train_objective"])


def trade_off(results: Results, split: Sequence[str] = ()) -> pd.DataFrame:
    """Compute mean dissimilarity and relative training objective by search, alternatives and tau.

    A mean over folds is 0 at that of random sets and 1 at that of the largest ones of the same
    dataset, selector and size: of the unconstrained best sets; of a wrapper, the best sets found.
    In a study without random sets it is divided by the largest one, and selectors whose objectives
    can be clearly negative are left out. If the study has
    original sets, cases without them do not count. A dataset counts if every fold has a
    complete run. The front is among the points in which most datasets count, without random sets,
    of which there are as many numbers of alternatives as of the other searches. With `split`,
    ``["dataset"]``, each dataset has its own points and front.
    """
    runs = results.once(complete_runs)
    by = [*split, "selector", "search", "aggregation", "n_features", "n_alternatives", "tau"]
    columns = [*by, "run", "dissimilarity", "quality", "n_datasets", "front"]
    if runs.empty:
        return pd.DataFrame(columns=columns)
    sets = results.sets
    best = sets.groupby(CASE, observed=True)["train_objective"].max()
    cases = sets.loc[originals(results).index, CASE]
    if len(cases):
        # In an incomplete study, the best existing set may be far from the best set.
        best = best[best.index.isin(pd.MultiIndex.from_frame(cases))]
    runs = runs.join(best.rename("best"), on=CASE).assign(**{"floor": 0.0, NOISE: 0.0})
    if random_searches(results):
        limits = controls_of(results, sets.assign(value=sets["train_objective"]))
        runs = runs.drop(columns=["floor", NOISE]).join(limits[["floor", NOISE]], on=CASE)
    else:
        extremes = sets.groupby("selector", observed=True)["train_objective"].agg(["min", "max"])
        # Scores that are corrected for chance may be a little below 0.
        scaled = extremes["min"] >= -0.05 * extremes["max"]
        runs = runs[runs["selector"].map(scaled).astype(bool)]
    folds = results.sets["fold"].nunique()
    # Of a fold in which random sets are nearly as good, a ratio says nothing.
    values = ["train_objective", "floor", "best", NOISE]
    grouped = runs.dropna(subset=values).groupby([*dict.fromkeys([*by, "dataset"])], observed=True)
    means = grouped[["dissimilarity", *values]].mean()[grouped.size() == folds]
    means["quality"] = relative_quality(*(means[column] for column in values))
    means = means.dropna(subset="quality")
    groups = means.reset_index().groupby(by, observed=True)
    points = groups[["dissimilarity", "quality"]].mean()
    points["n_datasets"] = groups.size()
    points = text_columns_as_text(points.reset_index())
    # Random sets have as many alternatives as the others, and are no part of a front.
    drawn = points["search"].isin(random_searches(results))
    numbers = points.loc[~drawn, "n_alternatives"].unique()
    points = points[~drawn | points["n_alternatives"].isin(numbers) | bool(drawn.all())]
    points = points.assign(run=search_names(points), front=False)
    for _, part in points[~drawn[points.index]].groupby([*split, "selector", "n_features"]):
        wide = part[part["n_datasets"] == part["n_datasets"].max()]
        front = pareto_front(wide["dissimilarity"].to_numpy(), wide["quality"].to_numpy())
        points.loc[wide.index[front], "front"] = True
    return points[columns]
