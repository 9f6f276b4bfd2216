"""The front of a search as charts (Altair)."""

from __future__ import annotations

from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from altfs.errors import UnsupportedProblemError
from altfs.evaluation.names import COLOURS
from altfs.kinds.fronts.answers import front_frame
from altfs.kinds.fronts.curve import Curve
from altfs.kinds.fronts.curve_front import CurveFront
from altfs.kinds.fronts.family_front import FAMILY_OBJECTIVES, FamilyFront

if TYPE_CHECKING:
    from altfs.library.answers.fitted import FittedRequest

_ENVELOPE, _PICKED = "envelope of the front", COLOURS[1]
# The sensitivities at which sets are compared at first.
_FIRST, _SECOND = 0.5, 0.9


def _curve_front(fitted: FittedRequest, kind: str) -> tuple[Any, Curve, str]:
    """Return the front, the quality and the name of the heights of a request with a front."""
    if not isinstance(fitted.result.front, CurveFront) or not isinstance(fitted.quality, Curve):
        raise UnsupportedProblemError(
            f"plot: '{kind}' needs a front of curves, use search='many_objective' and a "
            "selector with a curve, such as 'naive_bayes_curve'."
        )
    return fitted.result.front, fitted.quality, fitted.quality.kind.capitalize()


def _axes(field: str, title: str, of: str = "sensitivity") -> dict[str, Any]:
    import altair as alt

    return {
        "x": alt.X(f"{of}:Q", title=of.capitalize(), scale=alt.Scale(domain=[0, 1])),
        "y": alt.Y(field, title=title, scale=alt.Scale(zero=False)),
    }


def curves(fitted: FittedRequest) -> Any:
    """Draw the curves of the chosen sets below the envelope of the front."""
    import altair as alt
    import pandas as pd

    front, quality, height = _curve_front(fitted, "curves")
    lines = {
        "original" if i == 0 else f"alternative {i}": (chosen.names, quality.curve(chosen.indices))
        for i, chosen in enumerate(fitted.sets)
    }
    lines[_ENVELOPE] = ((), front.envelope / quality.top)
    data = pd.DataFrame(
        [
            (name, ", ".join(features), (k + 1) / quality.n_positive, value)
            for name, (features, values) in lines.items()
            for k, value in enumerate(values)
        ],
        columns=["set", "features", "sensitivity", "height"],
    )
    order = list(lines)
    colours = [*islice(cycle(COLOURS), len(order) - 1)]
    return (
        alt.Chart(data, title=f"{height} of the sets at each sensitivity")
        .mark_line(interpolate="step-before")
        .encode(
            **_axes("height:Q", height),
            color=alt.Color(
                "set:N", title=None, sort=order,
                scale=alt.Scale(domain=order, range=[*colours, "#767676"]),
            ),
            strokeDash=alt.condition(
                alt.datum.set == _ENVELOPE, alt.value([4, 3]), alt.value([1, 0])
            ),
            tooltip=["set", "features", "sensitivity", alt.Tooltip("height:Q", format=".3f")],
        )
    )  # fmt: skip


def front(fitted: FittedRequest) -> Any:
    """Draw a front: sets at two sensitivities with the curve of one, or families."""
    import altair as alt

    if isinstance(fitted.result.front, FamilyFront):
        return _families(fitted)
    _, quality, height = _curve_front(fitted, "front")
    data = front_frame(fitted).drop(columns=["selected", "set_index"])
    data["features"] = data.pop("feature_names").map(", ".join)
    # A step of the curve goes from one sensitivity to the next.
    n, every = quality.n_positive, np.arange(1, quality.n_positive + 1) / quality.n_positive
    data["sensitivity"] = [every.tolist()] * len(data)
    marks = [
        alt.param(
            name=name,
            value=value,
            bind=alt.binding_range(min=0, max=1, step=0.01, name=f"{name} sensitivity "),
        )
        for name, value in (("first", _FIRST), ("second", _SECOND))
    ]
    pick = alt.selection_point(fields=["point"], value=[{"point": 0}], empty=False)

    def at(mark: str) -> str:
        return f"datum.curve[max(ceil({mark} * {n} - 1e-9) - 1, 0)]"

    def axis(which: str) -> dict[str, Any]:
        scale = alt.Scale(zero=False)
        return {"title": f"{height} at the {which} sensitivity", "scale": scale}

    points = (
        alt.Chart(data, title="Sets of the front")
        .transform_calculate(at_first=at("first"), at_second=at("second"))
        .mark_point(filled=True, size=70, opacity=0.8)
        .encode(
            x=alt.X("at_first:Q", **axis("first")),
            y=alt.Y("at_second:Q", **axis("second")),
            color=alt.condition(pick, alt.value(_PICKED), alt.value(COLOURS[0])),
            tooltip=["features", alt.Tooltip("train_objective:Q", title="area", format=".3f")],
        )
        .add_params(*marks, pick)
    )
    curve = (
        alt.Chart(data, title="Curve of the set that is picked")
        .transform_filter(pick)
        .transform_flatten(["sensitivity", "curve"])
        .mark_line(interpolate="step-before", color=_PICKED)
        .encode(
            **_axes("curve:Q", height),
            tooltip=["features"],
        )
    )
    rules = (
        alt.Chart(data.head(1)[["point"]])
        .transform_calculate(marks="[first, second]")
        .transform_flatten(["marks"])
        .mark_rule(strokeDash=[4, 3], color="#666")
        .encode(x="marks:Q")
    )
    return alt.hconcat(points, curve + rules)


def _families(fitted: FittedRequest) -> Any:
    """Draw the quality of families against their dissimilarity; the chosen one stands out."""
    import altair as alt

    frame = front_frame(fitted)
    frame["features"] = frame["feature_names"].map(", ".join)
    chosen = sorted(family.indices for family in fitted.sets)
    families = frame.groupby("point")
    data = families[[*FAMILY_OBJECTIVES]].first()
    data["sets"] = families["features"].agg("; ".join)
    data["family"] = [
        "chosen" if sorted(map(tuple, family)) == chosen else "of the front"
        for family in families["selected"].agg(list)
    ]
    return alt.Chart(data, title="Quality against dissimilarity").mark_line(
        interpolate="step-before", color="#767676"
    ).encode(
        **_axes("quality:Q", "Quality of the family", "dissimilarity"),
    ) + alt.Chart(data).mark_point(filled=True, size=80, opacity=1).encode(
        x="dissimilarity:Q",
        y="quality:Q",
        color=alt.Color(
            "family:N",
            title=None,
            scale=alt.Scale(domain=["chosen", "of the front"], range=[_PICKED, COLOURS[0]]),
        ),
        tooltip=["sets", *FAMILY_OBJECTIVES],
    )
