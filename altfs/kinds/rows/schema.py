"""The columns of files of explanations."""

from __future__ import annotations

import pyarrow as pa

from altfs.study.store import RUN_COLUMNS, SET_COLUMNS

_b, _f, _i, _s = pa.bool_(), pa.float64(), pa.int32(), pa.string()
EXPLANATION_SCHEMA = pa.schema(
    [
        *RUN_COLUMNS,
        ("row", _i),
        *SET_COLUMNS,
        ("values", pa.list_(_f)),
        ("objective", _f),
        ("share", _f),
        ("predicted", pa.int64()),
        ("answer", _f),
        ("answer_alone", _f),
        ("answer_without", _f),
        ("same_prediction", _b),
        ("same_without", _b),
        ("sufficient", _b),
        ("fidelity", _f),
        ("probability_change", _f),
        ("n_true", _i),
        ("truth_found", _i),
        ("truth_wrong", _i),
        ("truth_rank", _f),
        ("status", _s),
        ("seconds", _f),
    ]
)
