"""Average ranks of selectors, or scores of few datasets."""

from typing import Any

import numpy as np
import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.names import METRICS, count, in_words, selector_name, size_name
from altfs.evaluation.report.phrases import listed, two
from altfs.evaluation.results import Results
from altfs.evaluation.rules import ALPHA, enough
from altfs.evaluation.stats.controls import controls_of
from altfs.evaluation.stats.summaries import measures
from altfs.evaluation.tables import rows_of
from altfs.evaluation.tables.overview import OBJECTIVE

# The width of a letter of a name, and the room beside it, in pixels.
_OF_A_LETTER, _BESIDE = 6.2, 8
_RANDOM = "random sets"
# What a panel is of.
_SETTING = ["measure", "model", "n_features"]
_TITLE = "Prediction performance with the original feature sets, by dataset"


@figures.add(place=2, per_size=True, needs=("friedman", "overview", "pairwise"))
def critical_difference(results: Results, tables: Tables) -> Chart:
    """Draw average ranks of selectors, and join those that cannot be told apart."""
    compared = {"compared": "selectors", "sets": "original sets"}
    ranks = rows_of(tables, "friedman", **compared)

    def panel(part: pd.DataFrame, width: float, *setting: Any) -> Chart:
        measure, model, k = setting
        tests = rows_of(tables, "pairwise", **compared, **dict(zip(_SETTING, setting, strict=True)))
        metric = METRICS[measure.removeprefix("test_")]
        words = f"{in_words(model)}, {size_name(k, results.sizes)}: test {metric}"
        title = alt.TitleParams(words, fontSize=draw.LETTERS, anchor="start")
        ranked = _ranks(part.sort_values("average_rank"), tests, width)
        return ranked.properties(title=title, width=width)

    if not len(ranks):
        return draw.absent(_TITLE, "No two selectors have sets.")
    if not enough(ranks["n_datasets"].max()):
        return _one_by_one(results, tables["overview"])
    # A size may have fewer datasets in which every selector has a set.
    ranks = ranks[enough(ranks["n_datasets"])]
    groups = ranks.sort_values(_SETTING, kind="stable").groupby(_SETTING, sort=False)
    width = draw.ALONE["width"] if len(groups) == 1 else draw.WIDTH
    best = ranks.sort_values("average_rank").drop_duplicates(_SETTING)
    return draw.captioned(
        alt.concat(*(panel(part, width, *setting) for setting, part in groups), columns=2),
        "Average ranks of feature-selection methods by prediction performance",
        "Original feature sets; the mean over folds of each dataset is ranked, 1 is best.",
        "Bars join methods that differ in no pair (Wilcoxon, Holm, 5 %).",
        _counted(ranks),
        seen=draw.described(best, "model", "treatment", "average_rank"),
        finding=f"{size_name(best['n_features'].max(), results.sizes)}, "
        + _who_differs(best, rows_of(tables, "pairwise", **compared), tables["overview"]),
    )


def _who_differs(ranks: pd.DataFrame, pairs: pd.DataFrame, scores: pd.DataFrame) -> str:
    """Say which method is first at the largest size, and how many pairs of methods differ.

    The first screen compares means of all datasets, by which another one may be first.
    """
    first = ranks[ranks["n_features"] == ranks["n_features"].max()].iloc[0]
    tests, means = (part[(part[_SETTING] == first[_SETTING]).all(axis=1)]
                    for part in (pairs, scores[scores["dataset"] == ""]))  # fmt: skip
    means = means[means["n_original"] == means["n_original"].max()]
    name = str(means.loc[means["original"].idxmax(), "selector"]) if len(means) else ""
    by_mean = f" (by mean score, {selector_name(name)})" * (name not in ("", first["treatment"]))
    name, model = selector_name(first["treatment"]), in_words(first["model"]).lower()
    differ = f"{(tests['p_holm'] < ALPHA).sum()} of {count(len(tests), 'pair')} of methods differ"
    return f"{model}: {name} ranks first{by_mean}; {differ}."


def _counted(ranks: pd.DataFrame) -> str:
    """Say of how many datasets the ranks are, and how many lack a set of a method."""
    few, most = int(ranks["n_datasets"].min()), int(ranks["n_datasets"].max())
    n = f"n = {few} datasets" if few == most else f"n = {few} to {most} datasets"
    left = {name for names in ranks["left_out"] for name in str(names).split(", ") if name}
    lack = "lacks" if len(left) == 1 else "lack"
    rest = f"; {len(left)} more {lack} a set of a method (table friedman)" if left else ""
    return f"{n}{rest}."


def _one_by_one(results: Results, scores: pd.DataFrame) -> Chart:
    """Draw the scores of few datasets as dots, without ranks and tests."""
    scores = scores[(scores["dataset"] != "") & (scores["measure"] != OBJECTIVE)]
    data = scores.drop_duplicates(["dataset", "selector", *_SETTING]).rename(
        columns={"original": "value"}
    )
    data = data[data["value"].notna()].assign(method=data["selector"].map(selector_name))
    most = data.groupby(["dataset", *_SETTING])["n_original"].transform("max")
    data["same"] = data["n_original"] == most
    floors = data[data["same"] & data["random"].notna()].groupby(["dataset", *_SETTING], sort=False)
    floor = (
        floors[["random", "n_original"]].median().reset_index().assign(method=_RANDOM, same=True)
    )
    data = pd.concat([data, floor.rename(columns={"random": "value"})], ignore_index=True)
    # The best of the first panel comes first; those of fewer folds and random sets come last.
    first = data[(data[_SETTING] == data[_SETTING].iloc[0]).all(axis=1)].groupby("method")
    ranks = first.agg(same=("same", "all"), value=("value", "mean")).reset_index()
    ranks = ranks.assign(is_set=ranks["method"] != _RANDOM)
    ranks = ranks.sort_values(["is_set", "same", "value"], ascending=False)
    scores_of = ranks[ranks["is_set"] & ranks["same"]].set_index("method")["value"].map(two)
    best = [*scores_of.index[scores_of == scores_of.iloc[0]]] if len(scores_of) else []
    order = [*dict.fromkeys([*ranks["method"], *data["method"]])]
    names = sorted(data["dataset"].unique())
    methods = [selector_name(one.name) for one in results.design.selectors]
    hues, grey = draw.colour("method", "", methods).legend(None), alt.value("#767676")

    def label(rows: pd.DataFrame) -> list[str]:
        return [
            f"{in_words(model)}, {size_name(k, results.sizes)}, test {METRICS[name[5:]]}"
            for name, model, k in rows[_SETTING].itertuples(index=False)
        ]

    legend = alt.Legend() if len(names) > 1 else None
    base = alt.Chart().encode(
        x=alt.X("value:Q", title="Mean test score").scale(zero=False, padding=10).axis(tickCount=4),
        y=alt.Y("method:N", title=None, axis=alt.Axis(grid=True), sort=order),
        color=alt.condition(alt.datum.method == _RANDOM, grey, hues),
        tooltip=draw.tips("panel:N", "method:N", "dataset:N", "value:Q", "n_original:Q"),
    )
    fill = alt.condition(alt.datum.method == _RANDOM, grey, alt.Fill.from_dict(hues.to_dict()))
    full = alt.condition("datum.same", alt.value(1), alt.value(0))
    shape = draw.by_shape("dataset", "", names).legend(legend)
    points = base.mark_point(filled=False, size=45, opacity=1)
    points = points.encode(fill=fill, fillOpacity=full, shape=shape)
    kept = data[["dataset", "method", "value", "n_original", "same", *_SETTING]]
    layers = [points.transform_filter("datum.n_original > 0")]
    if len(names) == 1:
        kept = pd.concat([kept, _folds(results).assign(dataset=names[0], n_original=0, same=True)])
        ticks = base.mark_tick(thickness=1.5, size=9, opacity=0.6)
        layers.insert(0, ticks.transform_filter("datum.n_original == 0"))
    figure = draw.panels(layers, kept, label, free_x=True)
    figure.spacing = {"row": 50, "column": 30 + 7 * max(map(len, methods))}
    return draw.captioned(
        figure,
        _TITLE,
        "Means over folds; lines are the single folds." if len(names) == 1 else "Means over folds.",
        "A hollow mark is of fewer folds, as the method has no set in the others. They may be "
        "easier, so such methods come last." * (not data["same"].all()),
        f"n = {count(len(names), 'dataset')}. Ranks need six with sets of all methods.",
        seen=draw.described(data.assign(panel=data["method"]), "model", "dataset", "value"),
        finding=f"{label(data[:1])[0]}: {listed(best)} {'have' if best[1:] else 'has'} the largest "
        f"mean score of methods with all sets, {scores_of.iloc[0]}." * bool(best),
    )


def _folds(results: Results) -> pd.DataFrame:
    """Return the scores of original sets in each fold."""
    parts = [controls_of(results, rows).assign(measure=measure, model=model)
             for measure, model, rows in measures(results) if model]  # fmt: skip
    folds = pd.concat(parts).reset_index().rename(columns={"ceiling": "value"})
    folds = folds.dropna(subset="value")
    folds = folds.assign(method=folds["selector"].astype(str).map(selector_name))
    return folds[["method", "model", "n_features", "measure", "value"]]


def _ranks(ranks: pd.DataFrame, tests: pd.DataFrame, width: float) -> Any:
    names = list(ranks["treatment"])
    alike = {
        frozenset(pair)
        for *pair, p in zip(tests["first"], tests["second"], tests["p_holm"], strict=True)
        if p >= ALPHA
    }
    groups: list[tuple[int, int]] = []
    for i in range(len(names)):
        last = i
        while last + 1 < len(names) and all(
            frozenset((a, names[last + 1])) in alike for a in names[i : last + 1]
        ):
            last += 1
        if last > i and not any(a <= i and last <= b for a, b in groups):
            groups.append((i, last))
    at = ranks["average_rank"].to_numpy()
    rows = len(groups) + 0.6
    labels = [f"{selector_name(n)} ({r:.2f})" for n, r in zip(names, at, strict=True)]
    points = pd.DataFrame({
        "rank": at, "row": rows + np.arange(len(names)), "top": 0.0, "name": labels,
        "method": [*map(selector_name, names)],
    })  # fmt: skip
    bars = pd.DataFrame(
        {"from": at[a] - 0.03, "to": at[b] + 0.03, "row": 0.6 + i}
        for i, (a, b) in enumerate(groups)
    )
    # Names are to the right of all ranks, and need this part of the width.
    room = min((_OF_A_LETTER * max(map(len, labels)) + _BESIDE) / width, 0.7)
    ranked = alt.Scale(domain=[0.9, (len(names) - 0.9 * room) / (1 - room)], nice=False)
    top = alt.Axis(orient="top", values=list(range(1, len(names) + 1)), grid=False)
    scale = alt.Scale(domain=[rows + len(names) - 0.4, 0])
    y = alt.Y("row:Q", axis=None, scale=scale)
    base = alt.Chart(points).encode(
        x=alt.X("rank:Q", title="Average rank", axis=top, scale=ranked), y=y
    )
    stems = base.mark_rule(color="#767676")
    hue = draw.colour("method", "", list(points["method"])).legend(None)
    layers = [
        stems.encode(y=alt.Y("top:Q", axis=None, scale=scale), y2="row:Q"),
        base.mark_rule(color="#bbb", strokeDash=[1, 3]).encode(x2=alt.datum(len(names))),
        base.mark_point(filled=True, size=60, opacity=1).encode(color=hue),
        base.mark_text(align="left", dx=5).encode(x=alt.datum(len(names)), text="name:N"),
    ]
    if len(bars):
        lines = alt.Chart(bars).mark_rule(color="#333333", strokeWidth=4)
        layers.append(lines.encode(x="from:Q", x2="to:Q", y=y))
    height = 30 + 22 * (len(names) + len(groups))
    return alt.layer(*layers).properties(height=height)
