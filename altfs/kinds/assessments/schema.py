"""The columns of files of assessments."""

from __future__ import annotations

import pyarrow as pa

from altfs.study.store import RUN_COLUMNS

_b, _f, _i, _s = pa.bool_(), pa.float64(), pa.int32(), pa.string()
ASSESSMENT_SCHEMA = pa.schema(
    [
        *RUN_COLUMNS,
        ("set_index", _i),
        # Bounds of the number of sets that are nearly as good as the best one, and of those of them
        # that differ enough from the original set. The numbers can be larger than integers are.
        ("near_at_least", _f),
        ("near_at_most", _f),
        ("alternatives_at_least", _f),
        ("alternatives_at_most", _f),
        # The number of equivalent sets; of a set, whether it is one of them, and whether it tells
        # all that the first of them tells.
        ("n_equivalent", _f),
        ("equivalent", _b),
        ("tells_all", _b),
        # What a set pays for wishes, and for features that it shares with earlier sets.
        ("price", _f),
        # What a set tells about the sensitive attribute, in bits, and differences between groups;
        # and the mean of each with shuffled groups.
        ("information", _f),
        ("chance_information", _f),
        ("parity", _f),
        ("chance_parity", _f),
        ("odds", _f),
        ("chance_odds", _f),
    ]
)
