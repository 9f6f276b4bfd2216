"""The columns of files of explanations."""

from __future__ import annotations

import pyarrow as pa

from altfs.study.store import RUN_COLUMNS, SET_COLUMNS

_f, _i, _s = pa.float64(), pa.int32(), pa.string()
EXPLANATION_SCHEMA = pa.schema(
    [
        *RUN_COLUMNS,
        ("row", _i),
        *SET_COLUMNS,
        ("values", pa.list_(_f)),
        ("objective", _f),
        ("share", _f),
        ("answer", _f),
        ("answer_alone", _f),
        ("same_prediction", pa.bool_()),
        ("fidelity", _f),
        ("n_true", _i),
        ("truth_found", _i),
        ("truth_wrong", _i),
        ("truth_rank", _f),
        ("status", _s),
        ("seconds", _f),
    ]
)
