"""The columns of the points of fronts, in a shard and in the table of all points."""

from __future__ import annotations

import pyarrow as pa

from altfs.study.store import RUN_COLUMNS, SHARD_SCHEMA

#: Columns that a shard has only if its search has a front. Rows of its sets have nulls there.
FRONT_COLUMNS = [
    pa.field("point", pa.int32()),
    pa.field("objectives", pa.list_(pa.float64())),
    pa.field("test_objectives", pa.list_(pa.float64())),
]
FRONT_SCHEMA = pa.schema([*SHARD_SCHEMA, *FRONT_COLUMNS])
#: The columns of the table of all points: those that describe a set of a front.
POINTS_SCHEMA = pa.schema(
    FRONT_SCHEMA.field(name)
    for name in (
        *(name for name, _ in RUN_COLUMNS), "point", "set_index", "selected", "feature_names",
        "train_objective", "test_objective", "status", "objectives", "test_objectives",
    )
)  # fmt: skip
