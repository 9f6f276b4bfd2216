"""Answers as charts (Altair)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pandas as pd

from altfs._numbers import check_word
from altfs.evaluation.names import ramp
from altfs.kinds.base import kinds
from altfs.library.answers.progress_plot import progress
from altfs.library.feature_sets import by_use, set_name
from altfs.library.short_names import feature_axis
from altfs.problem.overlap import dissimilarity_of

if TYPE_CHECKING:
    from altfs.library.answers.explanation import Explanation
    from altfs.library.answers.fitted import FittedRequest
    from altfs.problem.results import FeatureSet

# Colours of Okabe and Ito, which colour-blind people can distinguish.
_HELD, _FREE, _BAR = "#0072B2", "#EEEEEE", "#767676"
_STEP = 24


def plot(kind: str, fitted: FittedRequest, explanation: Explanation) -> Any:
    """Draw a chart that needs the request, see :meth:`altfs.AlternativeFeatures.plot`."""
    charts: dict[str, Callable[[], Any]] = {
        "quality": partial(_draw_quality, explanation),
        "trade_off": partial(_draw_trade_off, fitted, explanation),
        "progress": partial(progress, fitted),
    }
    for answers in kinds.all():
        charts |= {name: partial(draw, fitted) for name, draw in answers.plots().items()}
    check_word("kind", kind, ("matrix", *charts))
    return charts[kind]()


def matrix(sets: Sequence[FeatureSet]) -> Any:
    """Draw the features of sets, and their qualities."""
    import altair as alt

    used, words = by_use(sets), ["selected", "not selected"]
    rows = [
        (set_name(i), name, words[name not in features], features.train_objective)
        for i, features in enumerate(sets)
        for name in used
    ]
    data = pd.DataFrame(rows, columns=["set", "feature", "held", "quality"])
    order = list(map(set_name, range(len(sets))))
    held = (
        alt.Chart(data)
        .mark_rect(stroke="white")
        .encode(
            x=alt.X("feature:N", sort=used, title="Feature", axis=feature_axis(used)),
            y=alt.Y("set:N", sort=order, title="Feature set"),
            color=alt.Color(
                "held:N", title=None, scale=alt.Scale(domain=words, range=[_HELD, _FREE])
            ),
            tooltip=["set", "feature", "held", alt.Tooltip("quality:Q", format=".4g")],
        )
        .properties(width=alt.Step(_STEP), height=alt.Step(_STEP))
    )
    # Every feature of a set has its quality, so the mean is the quality.
    beside = alt.Chart(data).encode(
        x=alt.X("mean(quality):Q", title="Quality", axis=alt.Axis(tickCount=3, grid=False)),
        y=alt.Y("set:N", sort=order, axis=None),
    )
    values = beside.mark_text(align="left", dx=4).encode(
        text=alt.Text("mean(quality):Q", format=".3g")
    )
    bars = (beside.mark_bar(color=_BAR, size=_STEP / 2) + values).properties(
        width=90, height=alt.Step(_STEP)
    )
    return alt.hconcat(held, bars, title="Features of the sets, and their quality")


def _draw_quality(explanation: Explanation) -> Any:
    import altair as alt

    data = explanation.tau_curve_sets
    data = data[data["train_objective"].notna()]
    data = data.assign(features=data["feature_names"].map(", ".join)).drop(
        columns=["feature_names", "selected", "bound"]
    )
    hues = ramp(data["set_index"].nunique())
    base = alt.Chart(data, title="What tau costs in quality").encode(
        x=alt.X("tau:Q", title="Dissimilarity threshold τ", scale=alt.Scale(domain=[0, 1])),
        y=alt.Y("train_objective:Q", title="Quality", scale=alt.Scale(zero=False)),
        color=alt.Color("set_index:O", title="Set (0 = original)", scale=alt.Scale(range=hues)),
        tooltip=["tau", "max_overlap", "set_index", "features", "train_objective", "status"],
    )
    requested = alt.Chart(data[data["asked"]]).mark_rule(strokeDash=[4, 3], color="#666")
    return base.mark_line() + base.mark_point(filled=True, size=40) + requested.encode(x="tau:Q")


def _draw_trade_off(fitted: FittedRequest, explanation: Explanation) -> Any:
    import altair as alt

    rows, kind, words = [], fitted.request.dissimilarity, ["as requested", "other tau"]
    for (tau, overlap), group in explanation.tau_curve_sets.groupby(["tau", "max_overlap"]):
        group = group[group["train_objective"].notna()]
        if len(group) == 0:
            continue
        sets = list(group["selected"])
        between = [float(dissimilarity_of(a, b, kind)) for a, b in combinations(sets, 2)]
        dissimilarity = sum(between) / len(between) if between else 0.0
        word, quality = words[not group["asked"].iloc[0]], float(group["train_objective"].mean())
        rows.append((tau, overlap, word, len(sets), dissimilarity, quality))
    columns = ["tau", "max_overlap", "asked", "sets", "mean dissimilarity", "mean quality"]
    data = pd.DataFrame(rows, columns=columns)
    base = alt.Chart(data, title="Quality against dissimilarity").encode(
        x=alt.X("mean dissimilarity:Q", title="Mean dissimilarity of two sets"),
        y=alt.Y("mean quality:Q", title="Mean quality", scale=alt.Scale(zero=False)),
        order="tau:Q",
        tooltip=columns,
    )
    points = base.mark_point(filled=True, size=80, opacity=1).encode(
        color=alt.Color(
            "asked:N", title=None, scale=alt.Scale(domain=words, range=["#D55E00", _HELD])
        )
    )
    # A mean over fewer sets is not one of the same kind.
    return base.mark_line(color="#999").encode(detail="sets:N") + points
