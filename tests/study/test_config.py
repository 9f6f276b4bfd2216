import json
from copy import deepcopy

import pytest
from studies import SMALL
from workspaces import ROOT

from altfs.errors import AltfsError
from altfs.study.config import config_schema, parse_config
from altfs.study.session import begin_study, check_study

pytestmark = pytest.mark.usefixtures("elsewhere")


def changed(**changes):
    return {**deepcopy(SMALL), **changes}


# tests/test_refusals.py has those that the library and the command line refuse, too.
REFUSED = {
    "unknown section key": ({"limits": {"wrk": 1}}, r"limits\.wrk: .*did you mean 'work'"),
    "braces in a path": ({"results": "results/{x}"}, "results: 'results/{x}' is not allowed"),
    "no datasets": ({"datasets": []}, "datasets: "),
    "unknown source": ({"datasets": ["sklern:wine"]}, "did you mean 'sklearn'"),
    "unknown dataset": ({"datasets": ["sklearn:wien"]}, r"datasets\[0\]: .*did you mean 'wine'"),
    "two of one name": ({"datasets": ["sklearn:wine", "sklearn:Wine"]}, r"also the name of"),
    "file without target": (
        {"datasets": [{"name": "f", "type": "file", "options": {"path": "x"}}]},
        r"datasets\[0\]\.options\.target: this key is missing",
    ),
    "file as word": ({"datasets": ["file:x.csv"]}, "needs name, type and options"),
    "folds as text": ({"folds": "many"}, "folds: 'many'"),
    "too many folds": ({"folds": 49}, "folds: 49 is more than the 48 rows of class '2'"),
    "selector twice": ({"selectors": ["fcbf", "fcbf"]}, "also the name of"),
    "features twice": ({"n_features": [3, 3]}, "listed twice"),
    "list for a range": ({"n_features": [[2, 3]]}, r"n_features\[0\]: .*\[2, 3\]"),
    "range above all features": ({"n_features": "2-14"}, "14"),
    "two of one largest size": (
        {"n_features": [3, "2-3"]},
        r"n_features\[1\]: '2-3' has the same largest size as '3', leave one of them out",
    ),
    "range twice": ({"n_features": ["2-3", " 2 - 3"]}, "listed twice"),
    "unknown dissimilarity": ({"dissimilarity": "cosine"}, "dissimilarity: 'cosine'"),
    "range for a heuristic": (
        {"n_features": "2-3", "searches": [{"name": "random", "n_alternatives": 1}]},
        "two sizes are not possible with the search 'random'",
    ),
    "tau as word": ({"taus": "all"}, "attainable"),
    "no taus": ({"taus": []}, "taus: give at least one"),
    "tau twice": ({"taus": [0.2, "0.20"]}, "listed twice"),
    "no aggregation": (
        {"searches": [{"name": "simultaneous", "n_alternatives": 1}]},
        "needs an aggregation",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_configurations_are_refused_in_one_sentence(case, tmp_path):
    changes, message = REFUSED[case]
    with pytest.raises(AltfsError, match=message) as refused:
        begin_study(check_study(changed(**changes)))
    text = str(refused.value)
    assert "\n" not in text
    assert text.endswith(".")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("key", ["name", "results", "datasets", "folds", "seed", "taus"])
def test_missing_keys_are_named(key):
    config = changed()
    del config[key]
    with pytest.raises(AltfsError, match=f"^{key}: this key is missing"):
        parse_config(config)


def test_short_forms_are_written_out():
    config = parse_config(changed(n_features=5, models="decision_tree", taus=0.5))
    assert config.n_features == [5]
    assert config.taus == ["0.5"]
    assert config.datasets[0].model_dump() == {
        "name": "wine",
        "type": "sklearn",
        "options": {"dataset": "wine"},
    }
    assert config.selectors[0].type == "mutual_information"
    named = {"name": "w", "type": "sklearn", "options": {"dataset": "wine"}}
    assert parse_config(changed(datasets=[named])).datasets[0].name == "w"


def test_a_dumped_configuration_is_the_same_again():
    config = parse_config(changed())
    assert parse_config(json.loads(config.model_dump_json())) == config


def test_each_tau_has_the_sizes_that_attain_it():
    both = parse_config(changed(n_features=[5, 10])).sizes_by_tau()
    assert list(both) == ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"]
    assert both["0.2"] == [5, 10]
    assert both["0.1"] == [10]
    assert sum(map(len, both.values())) == 15
    listed = parse_config(changed(n_features=[5, 10], taus=[0.1])).sizes_by_tau()
    assert listed == {"0.1": [5, 10]}


def test_the_committed_schema_is_the_configurations():
    path = ROOT / "workflow" / "schemas" / "config.schema.json"
    assert json.loads(path.read_text()) == config_schema(), "run: altfs schema > " + str(path)


def test_the_study_of_the_paper_is_complete():
    import yaml

    text = (ROOT / "workflow" / "studies" / "bach2023.yaml").read_text()
    config = parse_config(yaml.safe_load(text))
    shards = (
        len(config.datasets)
        * config.folds.number
        * len(config.selectors)
        * len(config.sizes_by_tau())
        * len(config.searches)
    )
    assert shards == 24_000
    pairs = sum(map(len, config.sizes_by_tau().values()))
    rows = 11 + sum(a + 1 for a in config.searches[1].n_alternatives)
    assert 30 * 10 * 4 * pairs * rows == 558_000


def test_a_folder_of_another_study_is_refused():
    begin_study(check_study(changed()))
    with pytest.raises(AltfsError, match="holds the study 'small', not 'other'"):
        check_study(changed(name="other"))
    check_study(changed(seed=1))


def test_a_tilde_is_the_users_folder(tmp_path, monkeypatch):
    from altfs.datasets.file import FileOptions
    from altfs.datasets.pmlb import CACHE_VARIABLE, default_cache

    monkeypatch.setenv("HOME", str(tmp_path))
    config = parse_config(changed(results="~/out", pmlb_cache="~/pmlb"))
    assert config.results == tmp_path / "out"
    assert config.pmlb_cache == tmp_path / "pmlb"
    assert FileOptions(path="~/data.csv", target="y").path == tmp_path / "data.csv"
    monkeypatch.setenv(CACHE_VARIABLE, "~/cache")
    assert default_cache() == tmp_path / "cache"
    assert parse_config(changed(results="a~b")).results.name == "a~b"
    (tmp_path / "data.csv").write_text("a,y\n" + "1,0\n2,1\n" * 4)
    mine = {"name": "mine", "type": "file", "options": {"path": "~/data.csv", "target": "y"}}
    assert check_study(changed(datasets=[mine], n_features=1)).facts["mine"].n_rows == 8


def test_a_selector_for_classes_alone_is_refused_for_numbers():
    asked = changed(datasets=["sklearn:diabetes"], selectors=["doquire"], n_features=1)
    said = r"^selectors\[0\]: 'doquire' is for classes, .* \(dataset 'diabetes'\)\.$"
    with pytest.raises(AltfsError, match=said):
        check_study(asked)


@pytest.mark.parametrize(
    ("selector", "classes", "folds", "why"),
    [
        ("greedy_wrapper", "aabbbbbbbb", 2, "a class has only one of them"),
        ("permutation_importance", "aabbbbbbbb", 2, "a class has only one of them"),
        ("greedy_wrapper", "aaabbbcccdddeee", 3, "there are 5 classes"),
        ("f_statistic", "aabbcc", 2, "3 rows with 3 classes are too few"),
        ("mutual_information", "aabbcc", 2, "3 rows are too few for mutual information"),
    ],
)
def test_folds_on_which_a_selector_cannot_learn(tmp_path, selector, classes, folds, why):
    rows = "".join(f"{i},{i * 7 % 5},{text}\n" for i, text in enumerate(classes))
    (tmp_path / "data.csv").write_text("a,b,y\n" + rows)
    options = {"path": str(tmp_path / "data.csv"), "target": "y"}
    mine = changed(
        results=str(tmp_path / "out"),
        datasets=[{"name": "mine", "type": "file", "options": options}],
        n_features=1,
        folds=folds,
    )
    check_study({**mine, "selectors": ["model_gain"]})
    refused = rf"selectors\[1\]: '{selector}' cannot learn on fold 0 .*{why}"
    with pytest.raises(AltfsError, match=refused):
        check_study({**mine, "selectors": ["model_gain", selector]})
    assert not (tmp_path / "out").exists()
