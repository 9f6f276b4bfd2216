"""The constraint `prescreen`: sets of the most relevant features alone, in every door."""

import numpy as np
import pytest
from audit import run_tasks, verify
from studies import SMALL

from altfs import AlternativeFeatures, Constraints, search_sequentially
from altfs.errors import AltfsError, ConfigError
from altfs.problem import Problem
from altfs.quality import BlackBox, Linear, Pairwise
from altfs.study.session import check_study
from altfs.study.store import read_table

VALUES = np.array([0.1, 0.4, 0.3, 0.4, -0.2])
RNG = np.random.default_rng(2)


@pytest.mark.parametrize(("prescreen", "kept"), [
    (1, {1}), (2, {1, 3}), (3, {1, 2, 3}), (9, {0, 1, 2, 3, 4}),
    (0.5, {1, 2, 3}), (0.99, {1, 3}), (0.2, {0, 1, 2, 3}),
])  # fmt: skip
@pytest.mark.parametrize("quality", [Linear(VALUES), Pairwise(VALUES, np.zeros((5, 5)))])
def test_the_most_relevant_features_are_kept(prescreen, kept, quality):
    problem = Problem(quality, 1, 1, constraints=Constraints(prescreen=prescreen))
    assert {*range(5)} - {*problem.constraints.exclude} == kept
    assert problem.constraints.prescreen is None
    assert (problem.violation(((0,),)) is None) == (0 in kept)


def test_a_share_of_a_relevance_below_chance_keeps_the_best_feature():
    problem = Problem(Linear([-1.0, -0.5, -2.0]), 1, 1, constraints=Constraints(prescreen=0.5))
    assert problem.constraints.exclude == (0, 2)


def test_excluded_features_do_not_count_and_named_ones_stay():
    constraints = Constraints(prescreen=2, exclude=(1,), include=(4,))
    assert Problem(Linear(VALUES), 1, 1, constraints=constraints).constraints.exclude == (0, 1)


def test_the_same_sets_as_without_the_other_features():
    n, kept = 12, 7
    redundancy = RNG.random((n, n))
    quality = Pairwise(RNG.random(n), redundancy + redundancy.T)
    best = np.sort(np.argsort(-quality.relevance, kind="stable")[:kept])
    asked = {"n_features": 3, "n_alternatives": 2, "max_overlap": 1}
    screened = search_sequentially(quality, constraints=Constraints(prescreen=kept), **asked)
    part = Pairwise(quality.relevance[best], quality.redundancy[np.ix_(best, best)])
    alone = search_sequentially(part, **asked)
    assert screened.status == ["optimal"] * 3
    assert screened.sets == [tuple(int(best[j]) for j in s) for s in alone.sets]


@pytest.mark.parametrize("value", [0, -1, 1.5, "many", True, float("nan")])
def test_other_values_are_refused(value):
    with pytest.raises(AltfsError, match="prescreen"):
        Constraints(prescreen=value)


def test_black_boxes_are_refused():
    box = BlackBox(len, 5)
    with pytest.raises(AltfsError, match="prescreen: a black box has no relevance"):
        Problem(box, 1, 1, constraints=Constraints(prescreen=2))
    constrained = {"constraints": [{"prescreen": 5}], "selectors": ["greedy_wrapper"]}
    with pytest.raises(ConfigError, match="cannot have a prescreen, as it has no relevance"):
        check_study({**SMALL, **constrained})


def test_the_floor_of_chance_screens_each_shuffled_target():
    # Noise that is chosen by its target is better than noise that is not.
    X, y = RNG.normal(size=(80, 40)), RNG.integers(0, 2, 80)
    afs = AlternativeFeatures(
        "mutual_information", n_features=3, n_alternatives=0, constraints={"prescreen": 5}
    ).fit(X, y)
    assert afs.feature_sets_[0].p_value > 0.01


@pytest.mark.exhaustive
def test_a_study_screens_each_fold_and_is_audited(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    changes = {"selectors": ["fcbf", "mrmr"], "constraints": [{"prescreen": 6}]}
    plan = check_study({**SMALL, "results": str(tmp_path / "results"), **changes})
    run_tasks(plan)
    features: dict[tuple[object, ...], set[int]] = {}
    for place in plan.places():
        for row in read_table(plan.search_task(place).path)[0].to_pylist():
            fold = row["dataset"], row["fold"], row["selector"]
            features.setdefault(fold, set()).update(row["selected"])
    assert 3 < max(map(len, features.values())) <= 6
    code, said = verify(capsys, plan)
    assert code == 0, said
