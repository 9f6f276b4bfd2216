import gzip

import numpy as np
import pytest
from openml_cache import write_openml_cache
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold

from altfs.datasets import make_dataset, sources
from altfs.datasets.openml import CACHE_VARIABLE, FOLDS
from altfs.errors import DataError
from altfs.study.config import parse_config
from altfs.study.facts import gather_facts


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(write_openml_cache(tmp_path)))
    return tmp_path


def load(**options):
    component = sources.get("openml")
    return component("d", component.Options(**options)).load()


def test_a_dataset_is_found_by_its_number_without_a_network(cache):
    raw = load(dataset=61)
    dataset = make_dataset("iris", raw)
    # Two rows differ in the file of UCI.
    assert np.isclose(dataset.X, load_iris().data).all(axis=1).sum() >= 148
    assert dataset.target_type == "multiclass"
    assert raw.origin == "OpenML 61: iris, version 1"
    assert load(dataset=61, sha256=raw.sha256).sha256 == raw.sha256
    assert sources.get("openml").shorthand("61") == {"dataset": 61}


def test_nominal_columns_are_categories_and_numbers_a_regression(cache):
    adult = make_dataset("adult", load(dataset=1119))
    names = np.array(adult.feature_names)[adult.categorical]
    assert {"education:", "sex:"} <= set(names) and "age" not in names
    assert make_dataset("cpu", load(dataset=561)).target_type == "regression"
    # Another column can be the target.
    assert load(dataset=561, target="MYCT").target == "MYCT"


def write_task(cache, number, rows):
    head = "@relation splits\n@attribute type {TRAIN,TEST}\n@attribute rowid numeric\n"
    head += "@attribute repeat numeric\n@attribute fold numeric\n@data\n"
    place = cache / "openml" / "tasks" / f"{number}.arff.gz"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(gzip.compress((head + "\n".join(rows) + "\n").encode()))


def test_the_folds_of_a_task_are_those_of_a_study(cache, tmp_path):
    y = load_iris().target
    rows, folds = [], np.empty(150, dtype=int)
    for repeat in range(2):
        splits = StratifiedKFold(10, shuffle=True, random_state=repeat).split(y, y)
        for fold, (train, test) in enumerate(splits):
            rows += [f"TRAIN,{i},{repeat},{fold}" for i in train]
            rows += [f"TEST,{i},{repeat},{fold}" for i in test]
            if repeat == 0:
                folds[test] = fold
    write_task(cache, 59, rows)
    assert load(dataset=61, folds_of_task=59).frame[FOLDS].tolist() == folds.tolist()
    config = parse_config(
        {
            "name": "s", "results": str(tmp_path / "r"), "seed": 0,
            "datasets": [{"name": "iris", "type": "openml",
                          "options": {"dataset": 61, "folds_of_task": 59}}],
            "folds": {"type": "given", "number": 10, "column": FOLDS},
            "selectors": ["mutual_information"], "n_features": 2, "taus": [1],
            "models": ["decision_tree"],
            "searches": [{"name": "sequential", "n_alternatives": 1}],
        }
    )  # fmt: skip
    assert gather_facts(config)["iris"].n_total == 4
    write_task(cache, 60, ["TEST,150,0,0"])
    with pytest.raises(DataError, match="task 60 of OpenML has row 150, the dataset has 150 rows"):
        load(dataset=61, folds_of_task=60)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dataset": 61, "target": "clas"}, "has no column 'clas', did you mean 'class'"),
        ({"dataset": 61, "sha256": "0" * 64}, "has SHA-256 .*, expected is 0000000000000000..., "),
        ({"dataset": 99_999_999}, "is not in the cache and cannot be downloaded"),
        (
            {"dataset": 61, "folds_of_task": 99_999_999},
            "is not in the cache and cannot be downloaded",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence(cache, options, words):
    with pytest.raises(DataError, match=words) as caught:
        load(**options)
    assert "\n" not in str(caught.value)
