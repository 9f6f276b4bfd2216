import numpy as np
import pytest

from altfs import Constraints, explain_feasibility, search_simultaneously
from altfs.problem.results import Status
from altfs.quality import Linear, Pairwise
from altfs.solvers import Limits


@pytest.mark.parametrize(("n", "k", "wanted", "tau"), [(12, 5, 3, "1"), (9, 4, 5, "0.75")])
def test_what_is_said_is_what_the_search_finds(n, k, wanted, tau):
    quality = Linear(np.random.default_rng(0).random(n))
    told = explain_feasibility(quality, n_features=k, n_alternatives=wanted - 1, tau=tau)
    assert told.exact
    for n_sets, exists in [(told.n_sets, True), (told.n_sets + 1, False)]:
        result = search_simultaneously(quality, n_features=k, n_alternatives=n_sets - 1, tau=tau)
        assert (result.status[0] is Status.OPTIMAL) is exists
    assert told.max_overlap is not None
    for overlap, exists in [(told.max_overlap, True), (told.max_overlap - 1, False)]:
        result = search_simultaneously(
            quality, n_features=k, n_alternatives=wanted - 1, max_overlap=overlap
        )
        assert (result.status[0] is Status.OPTIMAL) is exists


def test_a_sentence_says_how_many_sets_exist():
    quality = Linear(np.ones(12))
    told = explain_feasibility(quality, n_features=5, n_alternatives=2, tau=1)
    assert told.sentence == (
        "3 sets of 5 features with at most 0 in common do not exist: there are 2; "
        "3 exist for tau up to 0.8."
    )
    fine = explain_feasibility(quality, n_features=5, n_alternatives=1, tau=1)
    assert fine.sentence == "2 sets of 5 features with at most 0 in common exist: there are 2."
    never = explain_feasibility(Linear(np.ones(3)), n_features=3, n_alternatives=1, tau="0.5")
    assert never.max_overlap == 3
    same = explain_feasibility(Linear(np.ones(3)), n_features=3, n_alternatives=1, tau=0)
    assert same.n_sets == 64
    assert not same.exact


def test_conflicts_and_constraints_count():
    conflicts = np.zeros((6, 6), dtype=bool)
    conflicts[0, 1:] = True
    alone = explain_feasibility(
        Linear(np.ones(6), conflicts), n_features=2, n_alternatives=2, tau=1
    )
    assert (alone.n_sets, alone.exact) == (2, True)
    forced = Constraints(include=(0,))
    told = explain_feasibility(
        Pairwise(np.ones(6), np.ones((6, 6))), n_features=2, n_alternatives=1, tau=1,
        constraints=forced,
    )  # fmt: skip
    assert (told.n_sets, told.max_overlap) == (1, 1)


@pytest.mark.parametrize("n_alternatives", [0, 1])
def test_what_was_not_settled_is_not_said_not_to_exist(n_alternatives):
    conflicts = np.random.default_rng(1).random((40, 40)) < 0.12
    asked = {"n_features": 6, "n_alternatives": n_alternatives, "tau": 1}
    told = explain_feasibility(Linear(np.ones(40), conflicts), **asked, limits=Limits(1e-6))
    assert (told.n_sets, told.exact, told.max_overlap) == (0, False, None)
    wanted = n_alternatives + 1
    assert told.sentence == (
        "a set of 6 features is not known to exist: 0 are known, at no tau is 1 known."
        if wanted == 1
        else f"{wanted} sets of 6 features with at most 0 in common are not known to exist: "
        f"0 are known, at no tau are {wanted} known."
    )
    fully = explain_feasibility(Linear(np.ones(40), conflicts), **asked)
    assert fully.n_sets == 6


def test_what_is_settled_to_exist_at_no_tau():
    conflicts = np.ones((4, 4), dtype=bool)
    asked = {"n_features": 2, "n_alternatives": 1, "tau": 1}
    told = explain_feasibility(Linear(np.ones(4), conflicts), **asked)
    assert (told.n_sets, told.exact) == (0, True)
    assert told.sentence.endswith(
        "do not exist: no set of 2 features satisfies the request at any tau."
    )
    alone = explain_feasibility(Linear(np.ones(4), conflicts), **{**asked, "n_alternatives": 0})
    assert alone.sentence == "no set of 2 features satisfies the request at any tau."
    # A set that there is already excludes others at some tau only.
    given = explain_feasibility(Linear(np.ones(2)), **asked, given=[(0, 1)])
    assert given.sentence.endswith("there are 0; 2 exist for tau up to 0.")
    one = {**asked, "n_features": 1, "n_alternatives": 0}
    assert explain_feasibility(Linear(np.ones(2)), **one).sentence == (
        "a set of 1 feature exists: there are 2."
    )
    assert explain_feasibility(Linear(np.ones(1)), **one, given=[(0,)]).sentence == (
        "a set of 1 feature does not exist: there are 0; 1 exists for tau up to 0."
    )
