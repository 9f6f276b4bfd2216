"""Columns of the points of fronts, compared with those of their run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from altfs.kinds.fronts.schema import FRONT_SCHEMA
from altfs.study.verify.rows import FOUND, Row, Run

#: Columns in which a point is like the sets of its run.
OF_RUN = ("dataset", "fold", "selector", "tau", "search", "n_features", "n_alternatives",
          "aggregation")  # fmt: skip


def check_columns(run: Run, row: Row, same: Sequence[str], own: Sequence[str]) -> Iterator[str]:
    """Yield columns of a point that differ from its run's or are filled in, and a wrong status."""
    for name in same:
        if row[name] != run.rows[0][name]:
            yield f"{name} is {row[name]!r}, the sets of the run have {run.rows[0][name]!r}"
    for name in FRONT_SCHEMA.names:
        if name not in (*same, *own) and row[name] is not None:
            yield f"{name} is {row[name]!r}, points have none"
    if row["status"] not in FOUND:
        yield f"status is {row['status']}"
