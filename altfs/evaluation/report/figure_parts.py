"""Figures of the page: the drawing, and the specification with which Vega draws it anew."""

from __future__ import annotations

import html
import re
from functools import cache
from typing import NamedTuple

from altfs.evaluation.report.phrases import caption_of


class Drawing(NamedTuple):
    """A figure.

    Attributes
    ----------
    svg : str
        As it is in ``figures/``.
    specification : str
        Vega-Lite, as JSON.
    """

    svg: str
    specification: str


def figure_part(name: str, drawing: Drawing) -> str:
    """A figure with its caption, files and buttons.

    The SVG document stands there until scripts draw the figure, and where there
    are none.
    """
    # Identifiers inside an SVG document are unique there, but not on a page.
    own = re.sub(r'(id="|url\(#|href="#)', lambda match: f"{match[1]}{name}-", drawing.svg)
    caption = html.escape(caption_of(name))
    own = own.replace("<svg ", f'<svg role="img" aria-label="{caption}" ', 1)
    links = " · ".join(
        f'<a href="figures/{name}.{kind}" download aria-label="{caption} As {kind.upper()}">'
        f"{kind.upper()}</a>"
        for kind in ("svg", "pdf")
    )
    buttons = "".join(
        f'<button type="button" data-zoom="{step}">{words}</button> '
        for step, words in (("+", "Larger"), ("-", "Smaller"), ("0", "Reset"))
    )
    return (
        f'<figure id="{name}" data-caption="{caption}">'
        f'<div class="plot" tabindex="0" role="region" aria-label="{caption}">'
        f'<div class="still">{own}</div><div class="live" hidden></div></div>'
        f'<p class="note" role="status"></p><p class="zoom scripted-only" role="group" '
        f'aria-label="Size of the figure">{buttons}</p>'
        f"<figcaption>{caption} {links}</figcaption></figure>"
    )


@cache
def vega_bundle() -> str:
    """Vega, Vega-Lite and vega-embed as one script that asks for nothing.

    It is part of vl-convert, which also draws the static figures.
    """
    import vl_convert

    wanted = "window.vegaEmbed = vegaEmbed;"
    # Its other names are its own: it is run beside the page's scripts.
    return f"(() => {{\n{vl_convert.javascript_bundle(wanted)}\n}})();\n"
