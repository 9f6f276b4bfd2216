"""The checks of components refuse those that do not do what they say."""

import numpy as np
import pytest

from altfs.problem import Problem, Status
from altfs.quality import Linear
from altfs.scores import ScoreKey, scores
from altfs.searches import searches
from altfs.selectors import selectors
from altfs.solvers import solvers
from altfs.testing import check_score, check_search, check_selector, check_solver

PROBLEM = Problem(Linear([1, 2, 3]), 2, 1)


@pytest.fixture
def changed(monkeypatch):
    """A component of altfs with a method of its own."""

    def changed(registry, name, **attributes):
        cls = registry.get(name)
        for attribute, value in attributes.items():
            monkeypatch.setattr(cls, attribute, value)
        return cls()

    return changed


@pytest.mark.parametrize(
    "attributes",
    [
        {"quality": lambda self, part: Linear(part.score(ScoreKey("relevance")))},
        {"quality": lambda self, part: Linear(part.X.sum(axis=0)), "needs_rows": False},
        {"stores": False},
        {"__doc__": ""},
    ],
)
def test_a_selector_has_to_say_what_it_reads_and_stores(attributes, changed):
    with pytest.raises(AssertionError):
        check_selector(changed(selectors, "correlation", **attributes))


def test_a_score_of_pairs_must_not_depend_on_the_columns_asked_for(changed):
    def compute(self, part, columns, variant):
        return np.full((part.X.shape[1], len(columns)), float(len(columns)))

    with pytest.raises(AssertionError):
        check_score(changed(scores, "redundancy", compute=compute))


def test_a_search_gives_all_entries_with_statuses_of_its_own(changed):
    check_search(searches.get("sequential")(), ["linear"], [1])
    search = changed(searches, "sequential", statuses=frozenset({Status.UNKNOWN}))
    with pytest.raises(AssertionError):
        check_search(search, ["linear"], [1])


def test_a_solver_honours_what_it_carries_and_proves_only_if_it_says_so(changed):
    cls = next(s for s in solvers if s.proves and s().supports(PROBLEM))
    check_solver(cls(), ["linear"], [1])
    with pytest.raises(AssertionError):
        check_solver(changed(solvers, cls.name, proves=False), ["linear"], [1])
