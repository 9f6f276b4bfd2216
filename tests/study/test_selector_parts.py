"""Selectors for a part of the datasets; the tests take half a second of CPU."""

import re
from dataclasses import replace

import made_up
import pandas as pd
import pytest
from studies import SMALL

from altfs.errors import AltfsError
from altfs.study.collect import design_of
from altfs.study.session import check_study

UNCERTAINTY = {
    "name": "uncertainty", "type": "mutual_information", "datasets": ["wine"],
    "options": {"measure": "symmetric_uncertainty"},
}  # fmt: skip
STUDY = {
    **SMALL, "datasets": ["sklearn:wine", "sklearn:diabetes"], "taus": ["0.5"],
    "selectors": ["mutual_information", UNCERTAINTY],
    "searches": [{"name": "sequential", "n_alternatives": 1}],
}  # fmt: skip


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_selector_has_tasks_on_its_datasets_alone():
    # Symmetric uncertainty is for classes: nothing is asked of it on numbers.
    plan = check_study(STUDY)
    assert {(place.dataset, place.selector) for place in plan.places()} == {
        ("wine", "mutual_information"), ("wine", "uncertainty"),
        ("diabetes", "mutual_information"),
    }  # fmt: skip
    scores = {task.of.variant for task in plan.tasks_of_fold("diabetes", 0) if task.rule == "score"}
    assert scores == {"auto"}
    assert plan.n_sets("wine") == 2 * plan.n_sets("diabetes")


def test_planned_sets_are_those_of_each_selector():
    plan = check_study(STUDY)
    results = replace(made_up.results(), design=design_of(plan))
    table = pd.DataFrame({"selector": ["mutual_information", "uncertainty"]})
    sets = plan.config.folds.number * plan.n_sets("diabetes")
    assert results.planned(table, ["selector"]).tolist() == [2 * sets, sets]


def test_shards_do_not_depend_on_the_datasets_of_a_selector():
    everywhere = {**UNCERTAINTY, "datasets": None}
    one = check_study({**STUDY, "datasets": ["sklearn:wine"], "selectors": [UNCERTAINTY]})
    other = check_study({**STUDY, "datasets": ["sklearn:wine"], "selectors": [everywhere]})
    assert [task.hash for task in one.shards()] == [task.hash for task in other.shards()]


def with_datasets(*names, **changes):
    return {**STUDY, "selectors": ["mutual_information", {**UNCERTAINTY, "datasets": [*names]}],
            **changes}  # fmt: skip


REFUSED = [
    (with_datasets("wien"),
     "selectors[1].datasets: 'wien' is not one of the study's datasets, did you mean 'wine'?"),
    (with_datasets(), "selectors[1].datasets: give at least one of wine, diabetes, or leave"),
    (with_datasets("wine", "wine"), "selectors[1].datasets: 'wine' is listed twice"),
    (with_datasets("wine", "diabetes"),
     "use other folds than 2, leave the dataset out, or name the datasets of the selector."),
    ({**STUDY, "selectors": [UNCERTAINTY]}, "datasets[1]: 'diabetes' is in no selector, name it"),
    ({**STUDY, "searches": [
        {"name": "sequential", "n_alternatives": 1, "datasets": ["diabetes"]},
        {"name": "others", "type": "sequential", "n_alternatives": 1, "datasets": ["wine"],
         "selectors": ["mutual_information"]},
    ]},
     "selectors[1]: 'uncertainty' has no search on its datasets, name further datasets or leave"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "message"), REFUSED)
def test_datasets_that_do_not_fit_are_refused(config, message):
    with pytest.raises(AltfsError, match=re.escape(message)):
        check_study(config)
