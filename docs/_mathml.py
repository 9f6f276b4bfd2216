"""Formulas as MathML, which browsers show without a script."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml


def setup_mathml(app: Any) -> None:
    """Register the renderer of formulas."""
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None),
                               block_renderers=(_block, None))  # fmt: skip
    app.config.html_math_renderer = "mathml"


def _inline(translator: Any, node: nodes.math) -> None:
    translator.body.append(tex2mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def _block(translator: Any, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="formula">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode
