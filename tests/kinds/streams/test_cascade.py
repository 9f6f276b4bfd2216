"""Runners-up: what has to hold after every arrival, in any order."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples
from plain import begun, sets_of

from altfs.kinds.streams.cascade import Cascade
from altfs.problem.overlap import Overlap

SELECTORS = [
    ("saola", {"alpha": 0.3}),
    ("saola", {"measure": "symmetric_uncertainty"}),
    ("group_saola", {"alpha": 0.3, "group_size": 3}),
    ("osfs", {"alpha": 0.3}),
    ("fast_osfs", {"alpha": 0.3}),
    ("alpha_investing", {}),
    ("grafting", {}),
    ("ossfs_dd", {"sigma_low": -1, "sigma_high": 0.5, "pool": 4}),
    ("ofs_a3m", {}),
    ("ofs_density", {}),
]


@st.composite
def streams(draw):
    """A table with copies and constants in a drawn order, and what is asked."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n_rows, width = draw(st.integers(8, 30)), draw(st.integers(1, 14))
    X = np.rint(rng.normal(size=(n_rows, width)) * draw(st.sampled_from([1, 8])))
    y = (X @ rng.normal(size=width) + rng.normal(size=n_rows) > 0).astype(int)
    y[:2] = 0, 1
    kind = draw(st.sampled_from(["dice", "jaccard"]))
    given = draw(st.sampled_from([0, 0.2, 0.4, 0.7, 1, None]))
    overlap = Overlap(given, None if given is not None else draw(st.integers(0, 3)), kind)
    largest = draw(st.sampled_from([None, 1, 2, 4]))
    return X, y, overlap, largest, draw(st.integers(1, 4))


def check(cascade, overlap, largest):
    numbers_of = [[c.number for c in members.columns] for members in cascade.disjoint]
    everything = [n for numbers in numbers_of for n in numbers]
    assert len(set(everything)) == len(everything)
    sets = [{c.number for c in one} for one in cascade.sets]
    core = {c.number for c in cascade.core}
    assert sets[0] == set(numbers_of[0])
    assert all(s == set(o) | core for s, o in zip(sets[1:], numbers_of[1:], strict=True) if s)
    filled = [s for s in sets if s]
    for i, a in enumerate(filled):
        assert largest is None or len(a) <= largest
        for b in filled[:i]:
            assert len(a & b) <= overlap(len(a), len(b))
    if len(filled) > 1 and sets[0]:
        # One more shared feature would be too many, or all of set 0.
        more = len(core) + 1
        sizes = [len(s) - len(core) + more for s in filled[1:]]
        fits = all(more <= overlap(len(sets[0]), size) for size in sizes) and all(
            more <= overlap(a, b) for i, a in enumerate(sizes) for b in sizes[:i]
        )
        assert more == len(sets[0]) or not fits
        weakest = min((c.dependence for c in cascade.core), default=np.inf)
        rest = (c.dependence for c in cascade.disjoint[0].columns if c.number not in core)
        assert max(rest, default=-np.inf) <= weakest


@pytest.mark.parametrize(("name", "options"), SELECTORS)
@given(stream=streams())
@examples(40)
def test_sets_are_valid_after_every_arrival(name, options, stream):
    X, y, overlap, largest, n_sets = stream
    cascade = Cascade(begun(name, y, **options), n_sets, overlap, largest)
    alone = Cascade(begun(name, y, **options), 1, overlap, largest)
    for j in range(X.shape[1]):
        for one in (cascade, alone):
            one.add(X[:, j : j + 1])
        check(cascade, overlap, largest)
        first = [c.number for c in cascade.disjoint[0].columns]
        assert first == [c.number for c in alone.disjoint[0].columns]
        if j == X.shape[1] // 2:
            cascade = pickle.loads(pickle.dumps(cascade))
    for one in (cascade, alone):
        one.finish()
    check(cascade, overlap, largest)
    assert not cascade.waiting
    in_batches = sets_of(begun(name, y, **options), X, n_sets, overlap, largest)
    assert in_batches == [[c.number for c in one] for one in cascade.sets]
    judged = [(event.column, event.set_index) for event in cascade.events if event.event == "kept"]
    assert len(judged) == len(set(judged))


def test_what_a_set_lets_go_is_offered_to_the_next_in_this_order():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    strengths = (4.0, 3.0, 2.0, 1.0)
    shared = rng.normal(size=200)
    X = np.column_stack([y + shared / s * 2 for s in strengths[::-1]])
    cascade = Cascade(begun("saola", y), 4, Overlap(tau=1))
    cascade.add(X)
    assert [[c.number for c in s] for s in cascade.sets] == [[3], [2], [1], [0]]
    # Each better column drops the one before, which drops its runner-up, and so on.
    last = [event[1:] for event in cascade.events if event.seen == 4]
    assert last == [
        (3, 0, "kept"),
        (2, 0, "passed on"),
        (2, 1, "kept"),
        (1, 1, "passed on"),
        (1, 2, "kept"),
        (0, 2, "passed on"),
        (0, 3, "kept"),
    ]


def test_a_cap_lets_the_weakest_feature_go_on():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 6))
    y = (X @ [3, 1, 2, 2.5, 1.5, 0.8] > 0).astype(int)
    assert sets_of(begun("saola", y), X) == [[0, 1, 2, 3, 4, 5]]
    capped = sets_of(begun("saola", y), X, 3, largest=2)
    assert [sorted(s) for s in capped] == [[0, 3], [2, 4], [1, 5]]
