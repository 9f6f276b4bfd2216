"""Charts for light and for dark pages."""

from __future__ import annotations

from typing import Any, Literal, get_args

from altfs._numbers import check_word
from altfs.evaluation.names import RAMP, ramp

Theme = Literal["light", "dark"]
#: The background of dark charts, and the colour of their text.
PAPER, INK = "#1B1F24", "#E6E6E6"
_GRID, _LINES = "#3D444D", "#8B949E"
#: Colours of light charts, and those of dark ones in their place. The others suit both.
INSTEAD = {
    "white": PAPER,
    "black": INK,
    "#EEEEEE": "#30363D",
    "#DDDDDD": _GRID,
    "#CCCCCC": "#59636E",
    "#666": _LINES,
    "#767676": _LINES,
}
#: The colours of an ordered quantity on dark paper.
LIGHT_RAMP = ("#C79BD8", *RAMP[1:])
_TEXT = {"labelColor": INK, "titleColor": INK}
_CONFIG = {
    "background": PAPER,
    "axis": {**_TEXT, "gridColor": _GRID, "domainColor": _LINES, "tickColor": _LINES},
    "legend": _TEXT,
    "header": _TEXT,
    "title": {"color": INK, "subtitleColor": INK},
    "text": {"color": INK},
    "view": {"stroke": _GRID},
}


def check_theme(theme: Any) -> None:
    """Check that a theme is "light" or "dark"."""
    check_word("theme", theme, get_args(Theme))


def in_theme(chart: Any, theme: Theme) -> Any:
    """Return a chart of light colours in a theme; its data stay the same."""
    check_theme(theme)
    if theme == "light":
        return chart
    import altair as alt

    content = chart.to_dict()
    config = {**content.pop("config", {}), **_CONFIG}
    return alt.Chart.from_dict({**_recoloured(content), "config": config})


def _recoloured(part: Any) -> Any:
    """Return a part of a specification in dark colours."""
    if isinstance(part, str):
        return INSTEAD.get(part, part)
    if isinstance(part, list):
        if part[:1] == RAMP[:1]:
            return ramp(len(part), LIGHT_RAMP)
        return [_recoloured(entry) for entry in part]
    if not isinstance(part, dict):
        return part
    return {
        key: value if key in ("data", "datasets", "domain", "sort", "field") else _recoloured(value)
        for key, value in part.items()
    }
