"""Scores whose variants are texts, computed in parts by the tasks of a study."""

import pytest
from audit import run_tasks
from studies import SMALL

from altfs.errors import ConfigError
from altfs.scores import ScoreKey
from altfs.selectors.rar import Rar, RarOptions
from altfs.study.qualities import read_qualities
from altfs.study.session import check_study

OPTIONS = {"n_subsets": "auto", "miss": 0.001, "redundancy": "pairs", "slice_share": 0.05}


def entry(**options):
    return {"name": "mine", "type": "rar", "options": options}


def test_a_study_computes_the_contrasts_of_its_options_in_parts(elsewhere, monkeypatch):
    monkeypatch.setattr("altfs.study.plan._FEATURES_PER_PART", 5)
    plan = check_study({**SMALL, "selectors": [entry(**OPTIONS)], "taus": ["1"]})
    scores = [task for task in plan.tasks_of_fold("wine", 0) if task.rule == "score"]
    assert [task.score for task in scores] == [
        "pair_contrasts-auto_0p05_slice",
        "pair_contrasts-auto_0p05_slice.test",
        "subset_contrasts-a2x0p001_0_0_whole_auto_0p05_slice",
        "subset_contrasts-a2x0p001_0_0_whole_auto_0p05_slice.test",
    ]
    assert len(scores[0].columns()) == 3
    run_tasks(plan)
    stored = read_qualities(plan.quality_task("wine", 0, "mine").path)
    parts = plan.quality_task("wine", 0, "mine").parts()
    learned = Rar(RarOptions(**OPTIONS)).learn(*parts)
    for one, other in ((stored.train, learned.train), (stored.test, learned.test)):
        assert one.evaluate((0, 4, 7)) == other.evaluate((0, 4, 7))


def test_default_options_have_the_default_variant():
    assert Rar().train_scores == (ScoreKey("subset_contrasts"),)
    assert Rar(RarOptions(redundancy="pairs")).train_scores[1] == ScoreKey("pair_contrasts")


def test_a_study_refuses_subsets_larger_than_a_dataset():
    with pytest.raises(ConfigError, match=r"^selectors\[0\]: subset_size: 14 is not possible"):
        check_study({**SMALL, "selectors": [entry(subset_size=[14, 14])]})
