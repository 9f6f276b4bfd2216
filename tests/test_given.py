"""Sets that the user has already, of any size: judged by both sizes, by every search."""

import json
import warnings
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import example
from hypothesis import given as drawn
from hypothesis import strategies as st
from marks import examples
from ordinary import SEARCHES

from altfs import (
    AlternativeFeatures,
    Constraints,
    Group,
    explain_feasibility,
    quality,
    search_randomly,
    search_sequentially,
    search_simultaneously,
)
from altfs.commands.main import main
from altfs.errors import AltfsError, FewerSetsWarning, NoFeatureSetError
from altfs.problem import Problem
from altfs.problem.overlap import dissimilarity_of

N_TOTAL = 6
QUALITIES = {
    "linear": lambda v, r: quality.Linear(v),
    "conflicts": lambda v, r: quality.Linear(v, r > 1),
    "pairwise": lambda v, r: quality.Pairwise(v, r),
    "ratio": lambda v, r: quality.Ratio(np.abs(v), r),
    "black_box": lambda v, r: quality.BlackBox(lambda s: float(sum(v[j] for j in s)), N_TOTAL, 99),
}
SCORES = st.lists(st.integers(-1, 4), min_size=N_TOTAL, max_size=N_TOTAL)
TAUS = st.fractions(0, 1, max_denominator=6)
KINDS = st.sampled_from(["dice", "jaccard"])
ANY_SETS = st.lists(
    st.lists(st.integers(0, N_TOTAL - 1), min_size=1, max_size=5, unique=True), max_size=2
)
# These refuse every constraint with a sentence, and given sets with them.
GREEDY = ("greedy_balancing", "greedy_replacement")


def fitted(known, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewerSetsWarning)
        return AlternativeFeatures(known, **parameters).fit(np.zeros((2, N_TOTAL)))


def allowed(known, k, sets, tau, kind, differ=True):
    """All sets of a size that differ enough from the given ones, in lexicographic order."""
    return [
        s
        for s in combinations(range(N_TOTAL), k)
        if known.allows(s)
        and all(
            not (differ and set(s) == set(g)) and dissimilarity_of(s, g, kind) >= tau for g in sets
        )
    ]


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("what", sorted(QUALITIES))
@drawn(SCORES, st.integers(1, 4), TAUS, KINDS, ANY_SETS)
@examples(12)
def test_every_set_differs_from_them_by_tau(search, what, values, k, tau, kind, sets):
    pairs = np.abs(np.outer(values, values)) % 3
    known = QUALITIES[what](np.array(values), pairs)
    fit = {"search": search, "n_features": k, "n_alternatives": 0, "tau": tau,
           "dissimilarity": kind, "given": sets}  # fmt: skip
    # Of an estimator, sets differ by a feature even at a tau of 0.
    possible = allowed(known, k, sets, tau, kind)
    refused = None
    try:
        found = fitted(known, **fit).feature_sets_[0]
    except NoFeatureSetError:
        # The front has only families that share fewer features with others of the same quality.
        assert not possible or search == "pareto"
        return
    except AltfsError as error:
        refused = str(error)
    if refused is not None:
        # They know no constraints.
        assert search in GREEDY
        return
    assert found.indices in possible
    if search == "most_different" and sets:
        nearest = {s: min(dissimilarity_of(s, g, kind) for g in sets) for s in possible}
        possible = [s for s in possible if nearest[s] == max(nearest.values())]
    if found.status == "optimal":
        assert known.exact_values([found.indices])[0] == max(known.exact_values(possible))


@pytest.mark.exhaustive
@drawn(SCORES, st.integers(1, 3), TAUS, KINDS, ANY_SETS, st.integers(0, 2))
@example([0, 0, 0, 1, 0, 0], 2, Fraction(0), "dice", [[0, 3]], 0)
# An explanation of missing sets takes seconds.
@examples(25)
def test_families_beside_given_sets_are_the_best_ones(values, k, tau, kind, sets, n_alternatives):
    known = quality.Linear(values)
    asked = {"n_features": k, "n_alternatives": n_alternatives, "tau": tau,
             "dissimilarity": kind, "given": sets}  # fmt: skip
    possible = allowed(known, k, sets, tau, kind, differ=False)

    def fits(a, b):
        return dissimilarity_of(a, b, kind) >= tau

    found = []
    for _ in range(n_alternatives + 1):
        left = [s for s in possible if all(fits(s, o) for o in found)]
        if left:
            found.append(max(left, key=lambda s: sum(values[j] for j in s)))
    sequential = search_sequentially(known, **asked)
    assert [s for s in sequential.sets if s] == found
    drawn_sets = [s for s in search_randomly(known, **asked).sets if s]
    assert set(drawn_sets) <= set(possible)
    if tau > 0:
        families = [
            f
            for f in combinations(possible, n_alternatives + 1)
            if all(fits(a, b) for a, b in combinations(f, 2))
        ]
        together = search_simultaneously(known, **asked)
        best = max(families, key=lambda f: sum(values[j] for s in f for j in s), default=None)
        assert together.sets == (list(best) if best else [()] * (n_alternatives + 1))
        there = explain_feasibility(known, **asked)
        assert (there.n_sets >= n_alternatives + 1) == bool(families)


def test_the_largest_tau_is_that_of_the_given_sets_too():
    # Of one feature more there are 1, 2 and 3 shared ones at 0.5, 0.25 and 0.
    known = quality.Linear([1.0] * 5)
    asked = {"n_features": 4, "n_alternatives": 0, "given": [(0, 1, 2)]}
    assert explain_feasibility(known, tau=1, **asked).sentence.endswith(
        "1 exists for tau up to 0.25."
    )
    with pytest.raises(NoFeatureSetError, match=r"1 exists for tau up to 0.25"):
        fitted([1] * 5 + [0], tau=1, constraints=Constraints(exclude=(5,)), **asked)


def test_max_overlap_is_the_same_for_sets_of_any_size():
    afs = fitted([6, 5, 4, 3, 2, 1], n_features=2, max_overlap=1, given=[(0, 1, 2, 3, 4)])
    assert afs.feature_sets_[0].indices == (0, 5)


def test_what_explains_the_sets_counts_them_by_tau_too():
    afs = fitted([6, 5, 4, 3, 2, 1], n_features=2, n_alternatives=0, tau=1, given=[(0, 1, 2)])
    assert afs.feature_sets_[0].indices == (3, 4)
    shown = afs.explain()
    # At tau 0.5 one of the three may be shared, floor(0.5 * 5 / 2) = 1.
    curve = shown.tau_curve.set_index("tau")["mean_objective"]
    assert curve[1.0] == 5 and curve[0.5] == 9
    counted = shown.counts.set_index("tau")["at_least"]
    # Two of the three others; at 0.5 also all pairs of one of the three and one of the others,
    # of which only (0, 1), (0, 2) and (1, 2) are not allowed.
    assert counted[1.0] == 1 and counted[0.5] == 12


def test_constraints_of_the_user_stay():
    wanted = Constraints(groups=(Group((3, 4), at_most=1),))
    afs = fitted(
        [6, 5, 4, 3, 2, 1], n_features=2, n_alternatives=0, tau=1, given=[(0, 1, 2)],
        constraints=wanted,
    )  # fmt: skip
    assert afs.feature_sets_[0].indices == (3, 5)
    assert afs.get_params()["constraints"].groups == wanted.groups


@pytest.mark.parametrize("index", [-1, 6])
def test_a_feature_that_is_not_there(index):
    linear = quality.Linear([1.0] * 6)
    with pytest.raises(AltfsError, match=r"given: .* holds an index that is not a feature"):
        Problem(linear, 2, 0, given=((0, 1, index),))
    with pytest.raises(AltfsError, match=f"given: {index} is not a feature, use indices from 0"):
        search_sequentially(linear, n_features=2, n_alternatives=0, tau=0, given=[(0, 1, index)])


@pytest.mark.exhaustive
def test_given_sets_are_taken_on_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame(np.random.default_rng(0).random((40, 6)).round(3), columns=list("abcdef"))
    frame.assign(y=np.arange(40) % 2).to_csv("d.csv", index=False)
    selector = ("--selector", "mutual_information")
    asked = ["find", "d.csv", "--target", "y", *selector, "-k", "2", "-a", "0", "--tau", "1"]
    found = main([*asked, "--given", "a", "b", "c", "--given", "d", "-o", "sets.json"])
    assert found == 0
    (one,) = json.loads((tmp_path / "sets.json").read_text())["sets"]
    assert sorted(one["feature_names"]) == ["e", "f"]
    assert main([*asked, "--given", "a", "z"]) == 2
    assert "given[0]: there is no feature 'z'" in capsys.readouterr().err
