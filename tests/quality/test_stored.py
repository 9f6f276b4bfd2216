"""Qualities as tables: what is restored is the same, bit for bit."""

import io
from itertools import combinations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from altfs.errors import AltfsError
from altfs.quality import BlackBox, Linear, Pairwise, Ratio, from_table

SIZES = st.integers(1, 6)


@st.composite
def qualities(draw):
    n = draw(SIZES)
    kind = draw(st.sampled_from(["linear", "conflicts", "pairwise", "ratio"]))
    least = 0.0 if kind == "ratio" else -10.0
    numbers = st.one_of(st.just(0.0), st.floats(least, 10.0, allow_subnormal=False)).filter(
        lambda x: x == 0 or abs(x) > 1e-200
    )
    values = draw(arrays(np.float64, n, elements=numbers))
    matrix = draw(arrays(np.float64, (n, n), elements=numbers))
    if kind == "linear":
        return Linear(values)
    if kind == "conflicts":
        return Linear(values, draw(arrays(np.bool_, (n, n))))
    if kind == "pairwise":
        # The matrix may lie in memory by columns.
        return Pairwise(values, np.asfortranarray(matrix), draw(st.booleans()))
    return Ratio(values, matrix)


def state(quality):
    """All that a quality knows, arrays as bytes."""
    return type(quality), {
        name: np.ascontiguousarray(value).tobytes() if isinstance(value, np.ndarray) else value
        for name, value in vars(quality).items()
    }


@settings(max_examples=60, deadline=None)
@given(qualities())
def test_what_is_restored_is_the_same(quality):
    sink = io.BytesIO()
    pq.write_table(quality.to_table(), sink)
    sink.seek(0)
    again = from_table(pq.read_table(sink))
    assert state(again) == state(quality)
    for size in range(1, quality.n_total + 1):
        for chosen in combinations(range(quality.n_total), size):
            assert again.evaluate(chosen) == quality.evaluate(chosen)
            assert again.allows(chosen) == quality.allows(chosen)


@settings(max_examples=60, deadline=None)
@given(qualities())
def test_no_set_is_better_than_the_bound(quality):
    for size in range(1, quality.n_total + 1):
        sets = [s for s in combinations(range(quality.n_total), size) if quality.allows(s)]
        best = max(map(quality.evaluate, sets), default=-np.inf)
        assert best <= quality.bound(size) + 1e-9 * max(1.0, abs(best))


def test_a_black_box_is_bounded_by_what_it_says_and_is_not_stored():
    box = BlackBox(len, 4, 4.0, 7)
    assert (box.bound(2), box.max_evaluations, box.conflicts) == (4.0, 7, None)
    with pytest.raises(AltfsError, match=r"^quality: a BlackBox cannot be stored .*\.$"):
        box.to_table()


@pytest.mark.parametrize(
    "table",
    [
        pa.table({"value": [1.0]}),
        Linear([1.0]).to_table().rename_columns(["other"]),
        Linear([1.0]).to_table().replace_schema_metadata({b"altfs.quality": b'{"kind": "curve"}'}),
        Pairwise([1.0], [[0.0]]).to_table().replace_schema_metadata({b"altfs.quality": b"{"}),
    ],
)
def test_other_tables_are_refused(table):
    with pytest.raises(AltfsError, match="this is not the table of a quality"):
        from_table(table)
