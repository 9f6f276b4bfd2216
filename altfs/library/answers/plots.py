"""Answers as charts (Altair)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

from altfs.errors import AltfsError

if TYPE_CHECKING:
    from altfs.library.answers.asked import Asked
    from altfs.library.answers.explanation import Explanation

Kind = Literal["matrix", "quality", "trade_off"]
# Okabe and Ito's colours, which colour-blind people can tell apart.
_HELD, _FREE = "#0072B2", "#EEEEEE"
_STEP = 24


def plot(kind: Kind, asked: Asked, explanation: Explanation) -> Any:
    """Draw a chart.

    Parameters
    ----------
    kind : {"matrix", "quality", "trade_off"}
        Which set has which feature; the qualities of the sets over tau; their
        mean quality over the mean dissimilarity that they reach.
    asked : Asked
    explanation : Explanation
        Where the numbers come from.

    Returns
    -------
    altair.Chart or altair.LayerChart

    Raises
    ------
    AltfsError
        If there is no such chart.
    """
    if kind not in get_args(Kind):
        raise AltfsError(f"kind: {kind!r} is unknown, allowed are: {', '.join(get_args(Kind))}.")
    if kind == "matrix":
        return _matrix(asked)
    return _quality(explanation) if kind == "quality" else _trade_off(asked, explanation)


def _matrix(asked: Asked) -> Any:
    import altair as alt
    import pandas as pd

    used = sorted({j for one in asked.sets for j in one.indices})
    # Features that many sets have come first, then those of the first sets.
    used.sort(key=lambda j: (-sum(bool(s.mask[j]) for s in asked.sets), j))
    rows = [
        {
            "set": "original" if i == 0 else f"alternative {i}",
            "feature": asked.names[j],
            "held": "selected" if one.mask[j] else "not selected",
            "quality": one.train_objective,
        }
        for i, one in enumerate(asked.sets)
        for j in used
    ]
    data = pd.DataFrame(rows, columns=["set", "feature", "held", "quality"])
    return (
        alt.Chart(data, title="Features of the sets")
        .mark_rect(stroke="white")
        .encode(
            x=alt.X("feature:N", sort=asked.label(used), title="Feature"),
            y=alt.Y("set:N", sort=list(dict.fromkeys(data["set"])), title="Feature set"),
            color=alt.Color(
                "held:N",
                title=None,
                scale=alt.Scale(domain=["selected", "not selected"], range=[_HELD, _FREE]),
            ),
            tooltip=["set", "feature", "held", alt.Tooltip("quality:Q", format=".4g")],
        )
        .properties(width=alt.Step(_STEP), height=alt.Step(_STEP))
    )


def _quality(explanation: Explanation) -> Any:
    import altair as alt

    data = explanation.tau_curve_sets
    data = data[data["train_objective"].notna()]
    data = data.assign(features=data["feature_names"].map(", ".join)).drop(
        columns=["feature_names", "selected", "bound"]
    )
    base = alt.Chart(data, title="What tau costs in quality").encode(
        x=alt.X("tau:Q", title="Dissimilarity threshold τ", scale=alt.Scale(domain=[0, 1])),
        y=alt.Y("train_objective:Q", title="Quality", scale=alt.Scale(zero=False)),
        color=alt.Color(
            "set_index:O", title="Set (0 = original)", scale=alt.Scale(scheme="viridis")
        ),
        tooltip=["tau", "max_overlap", "set_index", "features", "train_objective", "status"],
    )
    asked_for = (
        alt.Chart(data[data["asked"]]).mark_rule(strokeDash=[4, 3], color="#666").encode(x="tau:Q")
    )
    return base.mark_line() + base.mark_point(filled=True, size=40) + asked_for


def _trade_off(asked: Asked, explanation: Explanation) -> Any:
    import altair as alt
    import pandas as pd

    rows = []
    for (tau, overlap), group in explanation.tau_curve_sets.groupby(["tau", "max_overlap"]):
        found = group[group["train_objective"].notna()]
        if len(found) == 0:
            continue
        sets = list(found["selected"])
        rows.append(
            {
                "tau": tau,
                "max_overlap": overlap,
                "asked": "as asked" if bool(found["asked"].iloc[0]) else "other tau",
                "sets": len(sets),
                "mean dissimilarity": _mean_dissimilarity(asked, sets),
                "mean quality": float(found["train_objective"].mean()),
            }
        )
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
            "asked:N",
            title=None,
            scale=alt.Scale(domain=["as asked", "other tau"], range=["#D55E00", _HELD]),
        )
    )
    return base.mark_line(color="#999") + points


def _mean_dissimilarity(asked: Asked, sets: list[list[int]]) -> float:
    from itertools import combinations

    from altfs.problem.overlap import dissimilarity_of

    kind = asked.request.dissimilarity
    between = [float(dissimilarity_of(a, b, kind)) for a, b in combinations(sets, 2)]
    return sum(between) / len(between) if between else 0.0
