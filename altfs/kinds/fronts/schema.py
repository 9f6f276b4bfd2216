"""The columns of the points of fronts, in a shard and in the table of all points."""

from __future__ import annotations

import pyarrow as pa

from altfs.study.store import RUN_COLUMNS, SHARD_SCHEMA

_f, _i, _s = pa.float64(), pa.int32(), pa.string()
#: Columns that a shard has only if its search has a front. Rows of its sets have nulls there.
FRONT_COLUMNS = [
    pa.field("point", _i),
    pa.field("objectives", pa.list_(_f)),
    pa.field("test_objectives", pa.list_(_f)),
]
FRONT_SCHEMA = pa.schema([*SHARD_SCHEMA, *FRONT_COLUMNS])
#: The columns of the table of all points: those that describe a set of a front.
POINTS_SCHEMA = pa.schema(
    [
        *RUN_COLUMNS,
        ("point", _i),
        ("set_index", _i),
        ("selected", pa.list_(_i)),
        ("feature_names", pa.list_(_s)),
        ("train_objective", _f),
        ("test_objective", _f),
        ("status", _s),
        ("objectives", pa.list_(_f)),
        ("test_objectives", pa.list_(_f)),
    ]
)
