"""Small random problems, for brute force to judge."""

from operator import neg

import numpy as np
from hypothesis import strategies as st

from altfs.problem import Constraints, Group, Implication, Problem, SharedWeight, WeightedSum
from altfs.quality import Linear

# Numbers that are all below 1e-290 are refused.
SHARES = st.floats(0, 1).map(lambda share: share if share > 1e-200 else 0.0)
SIGNED = SHARES | SHARES.map(neg)


@st.composite
def rules_of(draw, n_total):
    """Implications and limits of sums, with all their forms."""
    some = st.lists(st.integers(0, n_total - 1), min_size=1, max_size=3, unique=True).map(sorted)
    several = st.sampled_from([-1.0, 0.5, 1.0, 2.0])
    implications = []
    for when, then in draw(st.lists(st.tuples(some, some), max_size=2)):
        need = draw(st.none() | st.integers(1, len(then)))
        # A rule that every set satisfies is refused.
        if len({*when} & {*then}) < (need or len(then)):
            implications.append(Implication(when, then, need))
    sums = []
    for _ in range(draw(st.integers(0, 2))):
        # Some limit a number of features, which solvers treat as they do that of a group.
        small = draw(st.sampled_from([st.just(1.0), several]))
        weights = draw(st.dictionaries(st.integers(0, n_total - 1), small, max_size=4))
        shared = [
            SharedWeight(f, w) for f, w in draw(st.lists(st.tuples(some, several), max_size=2))
        ]
        least = draw(st.none() | st.sampled_from([0.0, 1.0]))
        most = draw(
            st.sampled_from([0.0, 1.0, 2.0, 3.5][least is not None :])
            | (st.none() if least is not None else st.nothing())
        )
        if weights or shared:
            sums.append(WeightedSum(weights, shared, least, most))
    return {"implications": tuple(implications), "sums": tuple(sums)}


@st.composite
def settings_of(draw, n_total, k, with_constraints):
    """Overlap, number of sets, aggregation, given sets and constraints."""
    sets = st.lists(st.integers(0, n_total - 1), min_size=k, max_size=k, unique=True)
    given_sets = draw(st.lists(sets.map(sorted).map(tuple), max_size=2))
    constraints = Constraints()
    if with_constraints:
        order = draw(st.permutations(range(n_total)))
        groups = ()
        if draw(st.booleans()) and n_total >= 4:
            most = draw(st.integers(0, 2))
            groups = (Group(tuple(order[2:4]), draw(st.integers(0, most)), most),)
        constraints = Constraints(
            include=tuple(order[: draw(st.integers(0, 1))]),
            exclude=tuple(order[1 : 1 + draw(st.integers(0, 1))]),
            groups=groups,
            **(draw(rules_of(n_total)) if draw(st.booleans()) else {}),
        )
    return {
        "overlap": draw(st.integers(0, k)),
        "n_sets": draw(st.integers(1, 4 if n_total <= 5 else 3)),
        "aggregation": draw(st.sampled_from(["sum", "min"])),
        "given": tuple(given_sets),
        "constraints": constraints,
    }


@st.composite
def linear_problems(draw, max_total=7, with_constraints=True):
    n_total = draw(st.integers(2, max_total))
    k = draw(st.integers(1, min(n_total, 4)))
    if draw(st.booleans()):
        values = draw(st.lists(st.integers(-1, 3), min_size=n_total, max_size=n_total))
    else:
        values = draw(st.lists(SHARES, min_size=n_total, max_size=n_total))
    conflicts = None
    if draw(st.booleans()):
        pairs = draw(st.lists(st.integers(0, n_total**2 - 1), max_size=4))
        conflicts = np.zeros(n_total**2, dtype=bool)
        conflicts[pairs] = True
        conflicts = conflicts.reshape(n_total, n_total)
    rest = draw(settings_of(n_total, k, with_constraints and draw(st.booleans())))
    return Problem(Linear(values, conflicts), k, **rest)
