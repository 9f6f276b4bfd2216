"""The kind of plain feature sets."""

from __future__ import annotations

from altfs.kinds.base import Kind, kinds


@kinds.register("sets")
class Sets(Kind):
    """Feature sets alone: what a study, its evaluation and the library do without any kind."""
