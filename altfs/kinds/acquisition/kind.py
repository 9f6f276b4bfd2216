"""The kind of answers that say what to measure next of a row."""

from __future__ import annotations

from altfs.kinds.base import Kind, kinds


@kinds.register("acquisition")
class AcquisitionOfFeatures(Kind):
    """Measurements of a row, one by one, with what to measure instead."""
