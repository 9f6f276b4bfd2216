"""Sets of several sizes: judged by looking at every set there is."""

import warnings
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples

from altfs import AlternativeFeatures, Constraints, Group, quality
from altfs.errors import AltfsError, FewerSetsWarning, NoFeatureSetError
from altfs.problem import Problem
from altfs.problem.constraints import NO_CONSTRAINTS
from altfs.problem.overlap import Overlap, dissimilarity_of
from altfs.problem.results import Status

N_TOTAL = 6


def fitted(known, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewerSetsWarning)
        return AlternativeFeatures(known, **parameters).fit(np.zeros((2, N_TOTAL)))


def allowed(known, sizes, constraints):
    """All sets of the sizes, smallest first, in lexicographic order."""
    return [
        s
        for k in range(sizes[0], sizes[1] + 1)
        for s in combinations(range(N_TOTAL), k)
        if Problem(known, k, k, constraints=constraints).violation((s,)) is None
    ]


def value(known, chosen):
    return known.exact_values([chosen])[0]


def one_by_one(known, sizes, n_sets, fits, given=(), constraints=NO_CONSTRAINTS):
    found = []
    for _ in range(n_sets):
        sets = [
            s
            for s in allowed(known, sizes, constraints)
            if all(fits(s, o) for o in (*given, *found))
        ]
        if not sets:
            break
        # max takes the first of equals: the smallest size, then the smallest indices.
        found.append(max(sets, key=lambda s: value(known, s)))
    return found


@given(
    st.lists(st.integers(-1, 4), min_size=N_TOTAL, max_size=N_TOTAL),
    st.sampled_from([(1, 3), (2, 4), (3, 3), (2, 6)]),
    st.fractions(0, 1, max_denominator=6),
    st.sampled_from(["dice", "jaccard"]),
    st.sampled_from(["linear", "conflicts", "pairwise", "ratio"]),
    st.data(),
)
@examples(50)
def test_each_set_is_the_best_of_any_size(values, sizes, tau, dissimilarity, kind, data):
    pairs = np.abs(np.outer(values, values)) % 3
    known = {
        "linear": lambda: quality.Linear(values),
        "conflicts": lambda: quality.Linear(values, pairs > 1),
        "pairwise": lambda: quality.Pairwise(values, pairs),
        "ratio": lambda: quality.Ratio(np.abs(values), pairs),
    }[kind]()
    constraints = data.draw(
        st.sampled_from(
            [
                Constraints(),
                Constraints(include=(2,), exclude=(0,)),
                Constraints(groups=(Group((0, 1, 3), at_most=1),)),
            ]
        )
    )
    given = data.draw(st.sampled_from([(), ((0, 4),), ((1, 2, 3, 5),)]))

    def fits(a, b):
        # Sets differ by a feature whatever tau is.
        return set(a) != set(b) and dissimilarity_of(a, b, dissimilarity) >= tau

    expected = one_by_one(known, sizes, 3, fits, given, constraints)
    parameters = {
        "n_features": sizes, "n_alternatives": 2, "tau": tau, "dissimilarity": dissimilarity,
        "given": given, "constraints": constraints,
    }  # fmt: skip
    if not expected:
        with pytest.raises(NoFeatureSetError, match=r"of any of these sizes|sets found, as"):
            fitted(known, **parameters)
        return
    afs = fitted(known, **parameters)
    assert [s.indices for s in afs.feature_sets_] == expected
    assert {s.status for s in afs.feature_sets_} == {Status.OPTIMAL}
    assert all(s.bound >= s.train_objective - 1e-9 for s in afs.feature_sets_)
    assert afs.search_result_.status.count(Status.INFEASIBLE) == 3 - len(expected)
    best = [s for s in allowed(known, sizes, constraints) if all(fits(s, g) for g in given)]
    highest = max(value(known, s) for s in best)
    ties = [s for s in best if value(known, s) == highest]
    assert [s.indices for s in afs.all_optimal()] == ties
    for row, j in zip(afs.explain().substitutes.itertuples(), expected[0], strict=True):
        without = [
            s
            for s in allowed(known, sizes, Constraints(groups=constraints.groups))
            if j not in s
            and set(s) >= set(constraints.include) - {j}
            and not set(s) & set(constraints.exclude)
            and all(fits(s, g) for g in given)
        ]
        # Equal qualities are compared in the integers of the features that are left.
        left = known.under(
            tuple(i for i in constraints.include if i != j), (*constraints.exclude, j)
        )
        best_left = max(without, key=lambda s, left=left: value(left, s), default=())
        assert row.feature_names == [f"x{i}" for i in best_left]


@given(
    st.fractions(0, 1, max_denominator=9), st.integers(1, 6), st.integers(1, 6),
    st.sampled_from(["dice", "jaccard"]),
)  # fmt: skip
def test_the_overlap_of_a_pair_is_the_largest_that_tau_allows(tau, a, b, kind):
    most = Overlap(tau, None, kind)(a, b)
    for shared in range(min(a, b) + 1):
        first, second = range(a), range(a - shared, a - shared + b)
        assert (dissimilarity_of(first, second, kind) >= tau) == (shared <= most)


def test_one_overlap_for_every_pair():
    known = quality.Pairwise([6, 5, 4, 3, 2, 1], np.ones((6, 6)))
    afs = fitted(known, n_features=(1, 3), n_alternatives=3, max_overlap=0)
    expected = one_by_one(known, (1, 3), 4, lambda a, b: not set(a) & set(b))
    assert [s.indices for s in afs.feature_sets_] == expected


def test_a_relative_floor_refers_to_the_best_set_of_any_size():
    values = [4.0, 3.0, 2.0, 1.0, 1.0, 0.5]
    wanted = Constraints(relative_floor=0.7)
    afs = fitted(values, n_features=(1, 3), n_alternatives=30, tau=0.1, constraints=wanted)
    number = Constraints(quality_floor=0.7 * 9)
    there = allowed(quality.Linear(values), (1, 3), number)
    assert {s.indices for s in afs.feature_sets_} == set(there)
    assert {len(s) for s in there} == {2, 3}


def test_wrappers_have_a_range():
    values = np.array([1.0, 2.0, -1.0, 3.0, -2.0, 0.5])
    known = quality.BlackBox(lambda s: float(values[list(s)].sum()), N_TOTAL, 6.5)
    afs = fitted(known, n_features=(1, 5), n_alternatives=0)
    alone = [fitted(known, n_features=k, n_alternatives=0).feature_sets_[0] for k in range(1, 6)]
    assert afs.feature_sets_[0].train_objective == max(s.train_objective for s in alone)
    assert afs.feature_sets_[0].status is Status.FEASIBLE
    assert not afs.explain().substitutes.empty
    several = fitted(known, n_features=(1, 4), n_alternatives=3, tau=0.5).feature_sets_
    assert len({len(s) for s in several}) > 1
    for i, one in enumerate(several):
        assert one.train_objective == known.evaluate(one.indices)
        for other in several[:i]:
            assert dissimilarity_of(one.indices, other.indices) >= 0.5


def test_an_explanation_counts_the_sets_of_several_sizes():
    known = quality.Pairwise([6, 5, 4, 3, 2, 1], np.ones((6, 6)))
    afs = fitted(known, n_features=(2, 3), n_alternatives=2, tau=1)
    table = afs.explain().counts
    assert list(table["n_features"]) == [2, 2, 3, 3, 3]
    assert list(table[table["max_overlap"] == 0]["at_most"]) == [3, 2]
    assert "2 features, tau 1 (at most 0 in common, as requested): exactly 3." in str(afs.explain())
    curve = afs.explain().tau_curve_sets
    for tau, group in curve.groupby("tau"):
        sets = [s for s in group["selected"] if s]
        expected = one_by_one(
            known, (2, 3), 3, lambda a, b, t=tau: dissimilarity_of(a, b) >= Fraction(str(t))
        )
        assert [tuple(s) for s in sets] == expected
    short = fitted(known, n_features=(3, 4), n_alternatives=2, tau=1)
    nearest = short.explain().nearest.set_index("change")
    assert nearest.loc["n_features", "instead"] == "(2, 4)"
    assert afs.plot("trade_off").to_dict()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"n_features": (3, 2)}, r"n_features: \(3, 2\) is not allowed, use a whole number from 1"),
        ({"n_features": (0, 2)}, r"n_features: \(0, 2\) is not allowed"),
        ({"n_features": (1, 2, 3)}, r"n_features: \(1, 2, 3\) is not allowed"),
        ({"n_features": (1, 2.5)}, r"n_features: \(1, 2.5\) is not allowed"),
        ({"n_features": (2, 9)}, r"n_features: \(2, 9\) is not allowed, use numbers from 1 to 6"),
        ({"search": "random"}, "two sizes are not possible with the search 'random'"),
        ({"max_overlap": 4}, "max_overlap: 4 is not allowed, use a number from 0 to 3, the larg"),
        ({"max_overlap": 1, "tau": 0.5}, "tau, max_overlap: give exactly one"),
        ({"tau": 2}, "tau: 2 is outside"),
        ({"dissimilarity": "cosine"}, "dissimilarity: 'cosine' is unknown"),
    ],
)
def test_what_is_wrong_is_refused(changes, said):
    with pytest.raises(AltfsError, match=said):
        fitted(np.ones(N_TOTAL), **{"n_features": (2, 3), **changes})
