"""Test score of the first alternative against its dissimilarity from the original set."""

from __future__ import annotations

import numpy as np
import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures._focus import CHOOSE, best_first
from altfs.evaluation.names import (
    LATER_RUNS,
    METRICS,
    in_words,
    search_name,
    selector_name,
    size_name,
    tau_in_words,
)
from altfs.evaluation.report.phrases import listed, two
from altfs.evaluation.results import Results
from altfs.evaluation.rules import enough, whole_population
from altfs.evaluation.tables import rows_of
from altfs.evaluation.tables.kept import widest
from altfs.evaluation.tables.overview import OBJECTIVE, best_measure, best_selector

_TITLE = "What being different costs"
_ORIGINAL, _FIRST, _DRAWN = "original", "1st alternative", "random sets"
_LINE = ["dataset", "selector"]


@figures.add(place=1, needs=("kept", "overview"))
def score_by_dissimilarity(results: Results, tables: Tables) -> Chart:
    """Draw scores of first alternatives, from the original sets to the random ones.

    They are those of the model that predicts best. Without a model, they are training objectives,
    of which 1 is the original set, and 0 a random one if the study has any.
    """
    measure, model = best_measure(rows_of(tables, "overview", dataset=""))
    firsts = widest(tables, measure=measure, model=model, set_index=1)
    rows = firsts[firsts["alternative"].notna()] if len(firsts) else firsts
    relative, words = measure == OBJECTIVE, METRICS.get(measure.removeprefix("test_"), measure)
    if len(rows):
        rows = _scaled(rows) if relative else rows
        rows = rows[rows["alternative"].notna() & rows["dissimilarity"].notna()]
    if rows.empty:
        return draw.absent(_TITLE, "No alternative exists.")
    k = rows["n_features"].iloc[0]
    points = each = _points(rows)
    many = enough(rows["dataset"].nunique())
    if many:
        points = _means(each)
    overview = rows_of(tables, "overview", measure=measure, model=model, n_features=k)
    # The best selector comes first.
    ranked = map(selector_name, dict.fromkeys(overview["selector"]))
    methods = [name for name in ranked if name in set(points["method"])]
    # Up to the next tick of the axis.
    end = min(1.0, np.ceil(5 * max(points["dissimilarity"].max(), 0.2) - 1e-9) / 5)
    x = alt.X("dissimilarity:Q", title="Dissimilarity from the original set",
              scale=alt.Scale(domain=[-0.04 * end, 1.04 * end], nice=False),
              axis=alt.Axis(values=[*np.linspace(0, end, 5)], format=".2~f"))  # fmt: skip
    title = "Training objective, relative" if relative else f"Test {words}"
    y = alt.Y("score:Q", title=title, scale=alt.Scale(zero=False))
    fields = ("panel:N", "method:N", "set:N", "tau:N", "dissimilarity:Q", "score:Q", "runs:N")
    base = alt.Chart().encode(
        x=x, color=draw.colour("method", "", methods), order="place:Q", tooltip=draw.tips(*fields)
    )
    drawn = _DRAWN in set(points["set"])
    shape = draw.by_shape("set", "", [_ORIGINAL, _FIRST, *[_DRAWN] * drawn])
    # A reader may choose a dataset of many.
    shown = pd.concat([points, each], ignore_index=True) if many else points
    shown = _with_spans(shown, overview.assign(tau=overview["tau"].astype(str)))
    shown = shown.sort_values("method", key=lambda names: names.map(methods.index), kind="stable")
    # A few datasets have a panel each, at first of the best selector; else selectors have one.
    if few := not many and len(set(shown["dataset"])) > 1:
        shown = best_first(shown, tables)
        shown["method"] = shown["method"].map(selector_name)
    # A mean with the largest change of a fold may lie above 1, the best score of all metrics.
    shown["high"] = shown["high"].clip(upper=None if relative else 1.0)
    spread = base.mark_rule(strokeWidth=0.8).encode(y=alt.Y("low:Q", title=title), y2="high:Q")
    line = draw.line_and_points(base, y, shape, f"datum.same && datum.set != '{_DRAWN}'")
    # An axis spans a tenth at least, so that small differences look small.
    room = alt.Chart().transform_calculate(under="datum.score - 0.05", over="datum.score + 0.05")
    line.append(room.mark_rule(opacity=0).encode(y=alt.Y("under:Q", title=title), y2="over:Q"))
    if drawn:
        floor = alt.Chart().transform_filter(f"datum.set == '{_DRAWN}'")
        line.append(floor.mark_rule(color="#999", strokeDash=[4, 3]).encode(y=y))
    panel = shown["dataset" if few else "method"]
    figure = draw.panels([spread, *line], shown, lambda _: panel, shared_y=not few)
    n, planned = int(rows["n"].sum()), int(firsts["n_planned"].sum())
    scale = f" (1: original set{', 0: random sets' * drawn})" if relative else ""
    of = f", {in_words(model).lower()}" if model else ""
    searches = ", ".join(search_name(name).lower() for name in rows["search"].unique())
    lines = points[points["set"] != _DRAWN].assign(panel=points["dataset"])
    return draw.captioned(
        figure,
        _TITLE,
        f"{title}{scale}{of}.",
        f"Means over folds{' and datasets' * many}, {size_name(k, results.sizes)}, {searches} "
        "search. "
        f"Each square is a τ, which grows to the right{'; triangles: random sets' * drawn}.",
        CHOOSE.format(shown["method"].iloc[0]) * few,
        "Upright lines: "
        f"{'95 % interval of the mean' if many else 'smallest and largest'} change"
        f"{' of a fold, up to a score of 1' * (not many)}.",
        f"n = {n} of {planned} runs that have a 1st alternative, of "
        f"{draw.number_of(rows['dataset'], 'dataset')}.",
        LATER_RUNS if not shown.loc[shown["set"] != _DRAWN, "same"].all() else "",
        seen=draw.described(lines, "method", "dissimilarity", "score"),
        finding=_cost(_means(each), best_selector(rows_of(tables, "overview", dataset=""))),
    )


def _cost(means: pd.DataFrame, best: str) -> str:
    """Say the mean scores of the best selector, of the points that rest on the most runs."""
    every = means[means["selector"] == best]
    own = every[every["n"] == every["n"].max()]
    last = own["tau"][own["set"] == _FIRST].tail(1).map(tau_in_words).to_list()
    upto = f" up to τ = {last[0]}" * (len(own) < len(every)) if last else ""
    names = {_ORIGINAL: "original sets", _FIRST: f"first alternatives{upto}", _DRAWN: "random sets"}
    ends = own.groupby("set", sort=False)["score"].agg(["min", "max"]).map(two)
    said = [f"{' to '.join(dict.fromkeys(row))} with {names[str(name)]}"
            for name, *row in ends.itertuples()]  # fmt: skip
    return f"{selector_name(best)}: {listed(said)}." * bool(last)


def _with_spans(points: pd.DataFrame, spans: pd.DataFrame) -> pd.DataFrame:
    """Add the ends of the change of first alternatives, as the first screen has them."""
    ends = {f"{end}_of": spans[f"change_{end}"] - spans["change"] for end in ("low", "high")}
    keys = [*_LINE, "tau"]
    joined = points.merge(spans[keys].assign(**ends), on=keys, how="left")
    # Originals of fewer folds than those of another selector are hollow.
    most = spans.groupby("dataset")["n_original"].transform("max")
    whole = spans.assign(whole=spans["n_original"] == most).drop_duplicates(_LINE)
    is_whole = joined[_LINE].merge(whole[[*_LINE, "whole"]], on=_LINE, how="left")["whole"]
    joined["same"] &= (joined["set"] != _ORIGINAL) | is_whole.fillna(False).to_numpy(bool)
    # Means of fewer datasets have no interval.
    ended = (joined["set"] == _FIRST) & (joined["same"] | (joined["dataset"] != ""))
    return joined.assign(**{
        end: joined["score"] + joined.pop(f"{end}_of").where(ended).fillna(0)
        for end in ("low", "high")
    })  # fmt: skip


def _scaled(rows: pd.DataFrame) -> pd.DataFrame:
    """Scale values to 1 at the original set, and to 0 at random sets, if there are any."""
    if rows["random"].isna().all():
        rows = rows[rows["share"].notna()]
    floor = rows["random"].fillna(0.0) if rows["random"].isna().all() else rows["random"]
    span = rows["original"] - floor
    scaled = {c: (rows[c] - floor) / span for c in ("alternative", "random")}
    return rows.assign(original=1.0, **scaled)


def _points(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the points of each dataset and selector: original, first alternatives, random sets."""
    rows = rows.assign(
        method=rows["selector"].map(selector_name),
        place=rows["tau"].astype(float),
        score=rows["alternative"],
        runs=rows["n"].astype(str) + " of " + rows["n_planned"].astype(str),
    )
    rows["same"] = whole_population(rows, _LINE, along="place")
    # Those of the smallest threshold are of the most runs.
    first = rows.sort_values("place", kind="stable").drop_duplicates(_LINE)
    original = first.assign(
        set=_ORIGINAL, tau="", place=-1.0, dissimilarity=0.0, score=first["original"]
    )
    drawn = first.assign(
        set=_DRAWN, tau="", place=2.0, dissimilarity=first["random_dissimilarity"],
        score=first["random"],
    )  # fmt: skip
    drawn = drawn[drawn["score"].notna() & drawn["dissimilarity"].notna()]
    columns = [
        *_LINE, "method", "set", "tau", "place", "dissimilarity", "score", "runs", "same", "n"
    ]  # fmt: skip
    points = pd.concat([original, rows.assign(set=_FIRST), drawn], ignore_index=True)[columns]
    return points.sort_values("place", kind="stable")


def _means(points: pd.DataFrame) -> pd.DataFrame:
    """Return the means over datasets; a line ends where there are fewer of them."""
    by = ["selector", "method", "set", "tau", "place"]
    groups = points.groupby(by, sort=False)
    means = groups[["dissimilarity", "score"]].mean()
    means["n"], n = groups["n"].sum(), groups["dataset"].nunique()
    means = means.assign(dataset="")
    means["runs"] = means["n"].astype(str) + " of " + n.astype(str) + " datasets"
    ordered: pd.DataFrame = means.reset_index().sort_values("place", kind="stable")
    return ordered.assign(same=whole_population(ordered, ["selector"], along="place"))
