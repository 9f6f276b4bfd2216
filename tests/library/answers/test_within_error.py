"""The sets within the error of the best one's scores, judged by enumeration and by new tables."""

from itertools import combinations

import numpy as np
import pytest

from altfs import AlternativeFeatures, Constraints
from altfs.library.answers.within_error import WithinError, _counted, within_error
from altfs.problem import Problem
from altfs.quality import Linear
from altfs.quality.base import Measure


def bits(values):
    quality = Linear(values)
    quality.measure = Measure("bits", 2.0)
    return quality


@pytest.mark.parametrize("seed", range(6))
def test_sets_are_counted_as_by_looking_at_each(seed):
    random = np.random.default_rng(seed)
    values, sampled = random.random(8).round(1), 0.04 * random.normal(size=(20, 8))
    wanted = Constraints(exclude=(2,)) if seed % 2 else Constraints()
    problem = Problem(bits(values), 3, 3, constraints=wanted)
    sets = [s for s in combinations(range(8), 3) if not (seed % 2 and 2 in s)]
    best = max(sets, key=lambda s: sum(values[list(s)].round(1)))
    ties = within = 0
    for chosen in sets:
        less = 2 * (values[list(best)].sum() - values[list(chosen)].sum())
        apart = sampled[:, list(best)].sum(axis=1) - sampled[:, list(chosen)].sum(axis=1)
        ties += abs(less) < 1e-9
        within += less - 1e-9 <= 2 * np.sqrt((apart**2).sum())
    # In bits, the sampled deviations are as they are.
    assert _counted(problem, np.array(best), sampled) == WithinError(ties, within - ties, True)


@pytest.mark.exhaustive
def test_of_very_many_sets_a_lower_bound_is_said():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(100, 300)), random.integers(0, 2, 100)
    with pytest.warns(match="No signal shown|At most a hint"):
        afs = AlternativeFeatures("mutual_information", n_features=5).fit(X, y)
    near = within_error(afs)
    assert near.n_best == 1 and near.n_others > 100 and not near.exact
    assert f"at least {near.n_others:,} others are within their error" in near.sentence
    assert afs.all_optimal().sentence == near.sentence


def test_the_error_is_that_of_new_tables():
    def values_of(random, n=400):
        y = random.integers(0, 2, n)
        X = random.normal(size=(n, 4)) + np.outer(y, [1.0, 0.9, 0.8, 0.2])
        return AlternativeFeatures("mutual_information", n_features=2, n_shuffles=0).fit(X, y)

    fits = [values_of(np.random.default_rng(seed)) for seed in range(30)]
    scores = np.array([a.quality_.values * a.quality_.measure.size for a in fits])
    truth = (scores[:, 0] - scores[:, 2]).std(ddof=1)
    from altfs.library.answers.within_error import _sampled_scores

    sampled = [_sampled_scores(a._part_fitted_on, a.selector, 200) for a in fits[:5]]
    errors = [np.std(s[:, 0] - s[:, 2], ddof=1) for s in sampled]
    assert 0.6 * truth < np.mean(errors) < 1.5 * truth


def test_nothing_is_said_without_rows_or_summed_scores():
    X = np.random.default_rng(0).normal(size=(60, 5))
    y = np.repeat([0, 1], 30)
    assert within_error(AlternativeFeatures([3, 2, 1.0, 0, 0], n_features=2).fit(X)) is None
    X[:, 0] += 3 * y
    assert within_error(AlternativeFeatures("mrmr", n_features=2).fit(X, y)) is None
    assert (
        within_error(
            AlternativeFeatures("mutual_information", n_features=1).fit(X[:, :1] + [0, 1], y)
        )
        is not None
    )
    assert (
        within_error(
            AlternativeFeatures("mutual_information", n_features=2).fit(X[15:45], y[15:45])
        )
        is None
    )
