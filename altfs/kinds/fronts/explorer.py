"""Sets of a front at two sensitivities, and the curve of the chosen one, as charts."""

from typing import Any

from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import alt
from altfs.evaluation.names import COLOURS

#: The sensitivities at which sets are compared at first.
MARKS = {"first": 0.5, "second": 0.9}
#: The width and the height of a view.
SIZE = 270
_PICKED = COLOURS[1]


def sliders() -> list[Any]:
    """Return the two sensitivities as parameters that readers move."""
    return [
        alt.param(name=name, value=value, bind=alt.binding_range(
            min=0.01, max=1, step=0.01, name=f"{name.capitalize()} sensitivity "))
        for name, value in MARKS.items()
    ]  # fmt: skip


def at_marks() -> list[Any]:
    """Return what computes the heights of a curve at the two sensitivities."""
    height = "datum.curve[max(ceil({} * length(datum.curve) - 1e-9) - 1, 0)]"
    return [
        alt.CalculateTransform(**{"as": f"at_{name}", "calculate": height.format(name)})
        for name in MARKS
    ]


def views(height: str, on_page: bool = False) -> Any:
    """Draw the sets at the two sensitivities, and beside them the curve of the chosen one.

    The page of a study has test curves, too, and lets readers drag the marks.
    """
    picked = alt.selection_point(name="picked", fields=["point"], value=[{"point": 0}], empty=False)

    def axis(channel: Any, name: str) -> Any:
        scale = alt.Scale(zero=False, nice=False, padding=8)
        return channel(f"at_{name}:Q", title=f"{height} at the {name} sensitivity", scale=scale)

    sets = (
        alt.Chart(title="All sets of the front; choose one")
        .mark_point(filled=True, size=60, opacity=0.75)
        .encode(
            x=axis(alt.X, "first"),
            y=axis(alt.Y, "second"),
            color=alt.condition(picked, alt.value(_PICKED), alt.value(COLOURS[0])),
            tooltip=draw.tips("features:N", "area:Q", "at_first:Q", "at_second:Q"),
        )
        .add_params(picked)
    )
    base = alt.Chart().transform_filter(picked)
    layers = []
    for field, colour, only in (("curve", _PICKED, "true"), ("test", "#767676", "tested")):
        if field == "test" and not on_page:
            continue
        steps = base.transform_filter(only).transform_calculate(n=f"length(datum.{field})")
        steps = steps.transform_flatten([field]).transform_window(k="row_number()")
        steps = steps.transform_calculate(sensitivity="datum.k / datum.n")
        layers.append(
            steps.mark_line(interpolate="step-before", color=colour).encode(
                x=alt.X("sensitivity:Q", title="Sensitivity", scale=alt.Scale(domain=[0, 1])),
                y=alt.Y(f"{field}:Q", title=f"{height} of the curve",
                        scale=alt.Scale(domain=[0, 1])),
            )
        )  # fmt: skip
    # Long names are cut, the tooltip of the left view has them in full.
    names = base.mark_text(align="left", baseline="bottom", x=4, y=SIZE - 4, limit=SIZE - 8)
    title = f"Curve of the chosen set{' (grey: test part)' if on_page else ''}"
    marks = [layer for name in MARKS for layer in _mark(name)[: None if on_page else 1]]
    curve = alt.layer(*layers, names.encode(text="features:N"), *marks, title=title)
    return alt.concat(*(v.properties(width=SIZE, height=SIZE) for v in (sets, curve)), columns=2)


def _mark(name: str) -> list[Any]:
    """Return a mark at a sensitivity: a line with a handle, and a wide area to drag it by.

    The page moves the parameter whose name follows `drag_` in the name of a view.
    """
    # One row, whatever else changes, so that an element keeps the focus.
    row = alt.Chart().transform_aggregate(n="count()")
    place, ends = alt.value(alt.expr(f"{SIZE} * {name}")), {"y": alt.value(0)}
    down = {**ends, "y2": alt.value(SIZE)}
    line = row.mark_rule(strokeDash=[4, 3], strokeWidth=2, color="#333")
    handle = row.mark_point(filled=True, size=110, color="#333", opacity=1)
    area = row.mark_rule(strokeWidth=24, strokeOpacity=0)
    return [
        line.encode(x=place, **down),
        handle.encode(x=place, **ends),
        area.encode(x=place, **down).properties(name=f"drag_{name}"),
    ]
