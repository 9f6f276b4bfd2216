"""Several sets at once whose sizes may differ: judged by looking at every family there is."""

import warnings
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from altfs import AlternativeFeatures, Constraints, Group, quality
from altfs.constraints import NO_CONSTRAINTS
from altfs.dissimilarity import dissimilarity_of
from altfs.errors import AltfsError, FewerSetsWarning, NoFeatureSetError
from altfs.problem import Problem
from altfs.results import Status
from altfs.solvers import Limits
from altfs.solvers._all_best import exact_value

KINDS = ["linear", "conflicts", "pairwise", "diagonal", "ratio"]
EVERY_SOLVER = [
    Constraints(),
    Constraints(include=(2,), exclude=(0,)),
    Constraints(groups=(Group((0, 1, 3), at_most=1),)),
    Constraints(exclusive=((1, 2), (3, 4))),
]
LINEAR_ONLY = [
    Constraints(groups=(Group((0, 1, 4), at_least=1), Group((2, 3), all_or_none=True))),
    Constraints(costs=(3, 1, 1, 0.1, 0.2, 0.1), budget=1.3),
    Constraints(quality_floor=3),
    Constraints(quality_floor=2, exclude=(1,)),
]


def fitted(known, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewerSetsWarning)
        afs = AlternativeFeatures(known, "simultaneous", **parameters)
        return afs.fit(np.zeros((2, getattr(known, "n_total", 0) or len(known))))


def value(known, chosen, constraints):
    return exact_value(Problem(known, len(chosen), len(chosen), constraints=constraints), chosen)


def best_family(known, sizes, n_sets, fits, aggregation, given=(), constraints=NO_CONSTRAINTS):
    """The canonical optimum and its exact objective: sizes decide first, then the sets."""
    there = [
        s
        for k in range(sizes[0], sizes[1] + 1)
        for s in combinations(range(known.n_total), k)
        if Problem(known, k, k, constraints=constraints).violation((s,)) is None
        and all(fits(s, g) for g in given)
    ]
    values = {s: value(known, s, constraints) for s in there}
    combine = sum if aggregation == "sum" else min
    best = None
    # Smallest sets first and lexicographic within a size, as `there` is.
    for family in families(there, n_sets, fits):
        objective = combine(values[s] for s in family)
        order = (tuple(map(len, family)), family)
        if best is None or objective > best[0] or (objective == best[0] and order < best[1]):
            best = objective, order
    return (None, None) if best is None else (list(best[1][1]), best[0])


def families(there, n_sets, fits, chosen=(), start=0):
    if len(chosen) == n_sets:
        yield chosen
        return
    for i in range(start, len(there)):
        # A set goes with itself only where sets need not differ.
        if all(fits(there[i], s) for s in chosen):
            yield from families(there, n_sets, fits, (*chosen, there[i]), i)


@st.composite
def requests(draw, kinds=KINDS, wanted=EVERY_SOLVER):
    n_total = draw(st.sampled_from([5, 6]))
    values = draw(
        st.lists(st.integers(-1, 4), min_size=n_total, max_size=n_total)
        | st.lists(st.sampled_from([0.1, 0.3, 0.7, 1.1]), min_size=n_total, max_size=n_total)
    )
    pairs = np.abs(np.outer(values, values)) % 3
    kind = draw(st.sampled_from(kinds))
    known = {
        "linear": lambda: quality.Linear(values),
        "conflicts": lambda: quality.Linear(values, pairs > 1.5),
        "pairwise": lambda: quality.Pairwise(values, pairs),
        "diagonal": lambda: quality.Pairwise(values, pairs, diagonal=True),
        "ratio": lambda: quality.Ratio(np.abs(values), pairs),
    }[kind]()
    constraints = draw(st.sampled_from(wanted))
    if constraints.costs is not None:
        constraints = Constraints(costs=constraints.costs[:n_total], budget=constraints.budget)
    return known, {
        "n_features": draw(st.sampled_from([(1, 2), (1, 3), (2, 3), (2, 4), (3, 3)])),
        "n_alternatives": draw(st.integers(0, 2)),
        "aggregation": draw(st.sampled_from(["sum", "min"])),
        "given": draw(st.sampled_from([(), ((0, 4),), ((1, 2, 3),)])),
        "constraints": constraints,
    }


def judge(known, parameters, fits, **how):
    sizes, n_sets = parameters["n_features"], parameters["n_alternatives"] + 1
    constraints, aggregation = parameters["constraints"], parameters["aggregation"]
    expected, _ = best_family(
        known, sizes, n_sets, fits, aggregation, parameters["given"], constraints
    )
    if expected is None:
        with pytest.raises(NoFeatureSetError, match="of these sizes"):
            fitted(known, **parameters, **how)
        return
    result = fitted(known, **parameters, **how).search_result_
    assert result.sets == expected
    assert set(result.status) == {Status.OPTIMAL}
    combine = sum if aggregation == "sum" else min
    assert result.run_objective == combine([known.evaluate(s) for s in expected])
    assert result.run_bound == pytest.approx(result.run_objective)


@given(
    requests(),
    st.fractions(0, 1, max_denominator=6),
    st.sampled_from(["dice", "jaccard"]),
)
@settings(max_examples=150, deadline=None)
def test_the_family_is_the_best_of_all_sizes(asked, tau, dissimilarity):
    def fits(a, b):
        return dissimilarity_of(a, b, dissimilarity) >= tau

    judge(*asked, fits, tau=tau, dissimilarity=dissimilarity)


@given(
    requests(["linear", "conflicts"], LINEAR_ONLY),
    st.fractions(0, 1, max_denominator=6),
    st.sampled_from(["dice", "jaccard"]),
)
@settings(max_examples=100, deadline=None)
def test_linear_qualities_honour_every_constraint(asked, tau, dissimilarity):
    def fits(a, b):
        return dissimilarity_of(a, b, dissimilarity) >= tau

    judge(*asked, fits, tau=tau, dissimilarity=dissimilarity)


@given(requests(), st.integers(0, 2))
@settings(max_examples=40, deadline=None)
def test_one_overlap_for_every_pair(asked, overlap):
    known, parameters = asked

    def fits(a, b):
        return len(set(a) & set(b)) <= overlap

    judge(known, parameters, fits, max_overlap=min(overlap, parameters["n_features"][1]))
