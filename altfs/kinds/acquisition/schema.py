"""The columns of files of measured rows."""

from __future__ import annotations

import pyarrow as pa

_b, _f, _i, _s = pa.bool_(), pa.float64(), pa.int32(), pa.string()
STEP_SCHEMA = pa.schema(
    [
        ("dataset", _s),
        ("fold", _i),
        ("method", _s),
        ("mode", _s),
        ("limit", _s),
        ("row", _i),
        ("step", _i),
        ("feature", _i),
        ("feature_name", _s),
        ("cost", _f),
        ("spent", _f),
        ("answer", _i),
        ("certainty", _f),
        ("value", _f),
        ("bound", _f),
        ("alternative", _i),
        ("alternative_name", _s),
        ("switch", _f),
        ("outage", _f),
        ("correct", _b),
        ("truth", _i),
        ("status", _s),
        ("seconds", _f),
    ]
)
