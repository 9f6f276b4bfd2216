"""Searches for a part of a study; the tests take some 0.3 seconds of CPU."""

import re
from dataclasses import replace

import made_up
import pandas as pd
import pytest
from studies import SMALL

from altfs.errors import AltfsError
from altfs.study.collect import design_of
from altfs.study.config import parse_config
from altfs.study.costs import n_feature_sets
from altfs.study.session import check_study

BASE = {
    **SMALL, "datasets": ["sklearn:wine", "sklearn:breast_cancer"], "taus": ["0.5"],
    "selectors": ["mutual_information", "naive_bayes_curve"], "n_features": [1, "2-3", 4],
    "searches": [
        {"name": "all", "type": "sequential", "n_alternatives": 1,
         "selectors": ["mutual_information"]},
        {"name": "part", "type": "many_objective", "n_alternatives": 2, "n_features": ["2 - 3", 4],
         "datasets": ["breast_cancer"], "selectors": ["naive_bayes_curve"]},
    ],
}  # fmt: skip


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def asking(**changes):
    """The study with other parts of its second search."""
    return {**BASE, "searches": [BASE["searches"][0], {**BASE["searches"][1], **changes}]}


def test_a_search_has_shards_of_its_part_alone():
    # The curve needs two classes, of which wine has three: nothing is asked of it there.
    plan = check_study(BASE)
    assert {(k.dataset, k.search) for k in plan.places()} == {
        ("wine", "all"), ("breast_cancer", "all"), ("breast_cancer", "part"),
    }  # fmt: skip
    sizes = {run.search: [] for run in plan.runs}
    for run in plan.runs:
        sizes[run.search].append(run.n_features)
    assert sizes == {"all": [1, "2-3", 4], "part": ["2-3", 4]}
    assert not any(task.detail == "naive_bayes_curve" for task in plan.tasks_of_fold("wine", 0))
    assert n_feature_sets(plan) == plan.config.folds.number * (2 * 3 * 2 + 2 * 3)


def test_planned_sets_are_those_of_each_search():
    plan = check_study(BASE)
    results = replace(made_up.results(), design=design_of(plan))
    table = pd.DataFrame({"search": ["all", "part"]})
    folds = plan.config.folds.number
    assert results.planned(table, ["search"]).tolist() == [12 * folds, 6 * folds]
    assert results.planned(table, []).tolist() == [18 * folds]


def test_shards_depend_on_sizes_but_not_on_other_datasets():
    whole = asking()
    whole["searches"][1].pop("n_features")
    hashes = [
        {key: plan.search_task(key).hash for key in plan.places()}
        for plan in map(check_study, (BASE, whole, {**BASE, "datasets": BASE["datasets"][::-1]}))
    ]
    mine = [key for key in hashes[0] if key.search == "part"]
    assert all(hashes[0][key] == hashes[2][key] for key in hashes[0])
    assert all(hashes[0][key] != hashes[1][key] for key in mine)
    assert "datasets" not in parse_config(SMALL).searches[0].model_dump()
    assert "n_features" not in parse_config(SMALL).searches[0].model_dump()


REFUSED = [
    (asking(datasets=["breast_cancr"]),
     "searches[1].datasets: 'breast_cancr' is not one of the study's datasets, did you mean "
     "'breast_cancer'? allowed are: wine, breast_cancer."),
    (asking(selectors=["naive_bayes"]), "searches[1].selectors: 'naive_bayes' is not one of the"),
    (asking(n_features=[2]),
     "searches[1].n_features: '2' is not one of the study's n_features, allowed are: 1, 2-3, 4."),
    (asking(datasets=[]), "searches[1].datasets: give at least one of wine, breast_cancer, or "),
    (asking(datasets=["wine", "wine"]), "searches[1].datasets: 'wine' is listed twice"),
    (asking(dataset="wine"), "searches[1].dataset: this key is unknown, did you mean 'datasets'?"),
    ({**BASE, "searches": BASE["searches"][1:]}, "datasets[0]: 'wine' is in no search, name it in"),
    ({**BASE, "searches": BASE["searches"][:1]},
     "selectors[1]: 'naive_bayes_curve' is in no search, name it in one or leave it out."),
    ({**BASE, "searches": [{**BASE["searches"][0], "n_features": [1, 4]}, *BASE["searches"][1:]],
      "n_features": [1, 4, 5]}, "searches[1].n_features: '2 - 3' is not one of"),
    ({**BASE, "searches": [{**BASE["searches"][0], "n_features": 1}, *BASE["searches"][1:]],
      "n_features": [1, "2-3", 4, 5]}, "n_features[3]: '5' is in no search, name it in one or"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "said"), REFUSED)
def test_parts_that_do_not_fit_are_refused(config, said):
    with pytest.raises(AltfsError, match=re.escape(said)):
        check_study(config)
