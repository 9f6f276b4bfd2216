"""The front of a search as charts (Altair)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from altfs.errors import UnsupportedProblemError
from altfs.evaluation.figures._charts import alt
from altfs.evaluation.names import COLOURS
from altfs.kinds.fronts.answers import front_frame
from altfs.kinds.fronts.curve import Curve
from altfs.kinds.fronts.curve_front import CurveFront
from altfs.kinds.fronts.explorer import at_marks, sliders, views
from altfs.kinds.fronts.family_front import FamilyFront
from altfs.kinds.fronts.mean_curve import MeanCurve
from altfs.library.feature_sets import set_name

if TYPE_CHECKING:
    from altfs.library.answers.fitted import FittedRequest

_ENVELOPE, _PICKED = "envelope of the front", COLOURS[1]


def _curve_front(fitted: FittedRequest, kind: str) -> tuple[Any, Curve, str]:
    """Return the front, the quality and the name of the heights of a request with a front."""
    if not isinstance(fitted.result.front, CurveFront) or not isinstance(fitted.quality, Curve):
        raise UnsupportedProblemError(
            "plot",
            f"'{kind}' needs a front of curves",
            "use search='many_objective' and a selector with a curve, such as 'naive_bayes_curve'",
        )
    return fitted.result.front, fitted.quality, fitted.quality.kind.capitalize()


def _axes(field: str, title: str, of: str = "sensitivity") -> dict[str, Any]:
    unit, scale = ("", alt.Scale(domain=[0, 1]))
    if of == "information":
        unit, scale = " (bits)", alt.Scale()
    return {
        "x": alt.X(f"{of}:Q", title=of.capitalize() + unit, scale=scale),
        "y": alt.Y(field, title=title, scale=alt.Scale(zero=False)),
    }


def curves(fitted: FittedRequest) -> Any:
    """Draw the curves of the chosen sets below the envelope of the front.

    A mean of the curves of classes is followed by a panel for each class.
    """
    front, quality, height = _curve_front(fitted, "curves")
    of_classes = quality.of_classes if isinstance(quality, MeanCurve) else {}
    data = pd.DataFrame(
        [
            (of, name, ", ".join(features), (k + 1) / curve.n_positive, value)
            for of, curve in {"mean of the classes": quality, **of_classes}.items()
            for name, (features, values) in _lines(fitted, front, curve).items()
            for k, value in enumerate(values)
        ],
        columns=["of", "set", "features", "sensitivity", "height"],
    )
    order = [*dict.fromkeys(data["set"])]
    colours = [*islice(cycle(COLOURS), len(order) - 1)]
    lines = (
        alt.Chart(data)
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
    title = f"{height} of the sets at each sensitivity"
    if not of_classes:
        return lines.properties(title=title)
    panels = alt.Facet("of:N", title=None, sort=[*dict.fromkeys(data["of"])])
    return lines.properties(width=260, height=180).facet(panels, columns=2).properties(title=title)


def _lines(
    fitted: FittedRequest, front: CurveFront, curve: Curve
) -> dict[str, tuple[Sequence[str], Any]]:
    """Return names and heights of the chosen sets and of the envelope on a curve."""
    lines: dict[str, tuple[Sequence[str], Any]] = {
        set_name(i): (chosen.names, curve.curve(chosen.indices))
        for i, chosen in enumerate(fitted.sets)
    }
    if curve is fitted.quality:
        levels = front.levels
    else:
        levels = np.array([curve.levels(chosen) for chosen in front.sets])
    lines[_ENVELOPE] = ((), levels.max(axis=0) / curve.top)
    return lines


def front(fitted: FittedRequest) -> Any:
    """Draw a front: sets at two sensitivities with the curve of one, or families."""
    if isinstance(fitted.result.front, FamilyFront):
        return _families(fitted, fitted.result.front.names)
    _, _, height = _curve_front(fitted, "front")
    data = front_frame(fitted).drop(columns=["selected", "set_index"])
    data["features"] = data.pop("feature_names").map(", ".join)
    data = data.rename(columns={"train_objective": "area"})
    return views(height).properties(data=data, transform=at_marks()).add_params(*sliders())


def _families(fitted: FittedRequest, names: tuple[str, str]) -> Any:
    """Draw the quality of families against their second objective; the chosen one stands out."""
    frame = front_frame(fitted)
    frame["features"] = frame["feature_names"].map(", ".join)
    chosen = sorted(fitted.originals(features.indices) for features in fitted.sets)
    families = frame.groupby("point")
    data = families[[*names]].first()
    data["sets"] = families["features"].agg("; ".join)
    data["family"] = [
        "chosen" if sorted(family) == chosen else "of the front"
        for family in families["selected"].agg(list)
    ]
    return alt.Chart(data, title=f"Quality against {names[1]}").mark_line(
        interpolate="step-after" if names[1] == "information" else "step-before", color="#767676"
    ).encode(
        **_axes("quality:Q", "Quality of the family", names[1]),
    ) + alt.Chart(data).mark_point(filled=True, size=80, opacity=1).encode(
        x=f"{names[1]}:Q",
        y="quality:Q",
        color=alt.Color(
            "family:N",
            title=None,
            scale=alt.Scale(domain=["chosen", "of the front"], range=[_PICKED, COLOURS[0]]),
        ),
        tooltip=["sets", *names],
    )
