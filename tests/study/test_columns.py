"""Categories and missing values in a study: options of a dataset's source."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from audit import run_tasks, verify
from studies import SMALL

from altfs.errors import AltfsError
from altfs.study.folds import read_dataset
from altfs.study.session import check_study

N = 60


@pytest.fixture
def config(tmp_path, monkeypatch):
    """A function that returns the configuration of a study of one table with some options."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    y = np.arange(N) % 2
    frame = pd.DataFrame(
        {
            "a": rng.random(N) + y,
            "b": np.where(rng.random(N) < 0.2, np.nan, rng.random(N)),
            "city": np.where(rng.random(N) < 0.8, y, 2),
            "zip": rng.integers(0, 4, N),
            "y": y,
        }
    )
    frame["city"] = frame["city"].map({0: "Ulm", 1: "Bonn", 2: None})
    frame.to_csv("data.csv", index=False)
    frame[["a", "zip", "y"]].to_csv("plain.csv", index=False)

    def made(path="data.csv", **options):
        entry = {"name": "t", "type": "file", "options": {"path": path, "target": "y", **options}}
        return {**SMALL, "results": "results/t", "datasets": [entry], "n_features": 1, "taus": [1]}

    return made


@pytest.mark.exhaustive
def test_missing_values_and_categories_pass_through_a_study(config, capsys):
    plan = check_study(config(missing="impute", categorical=["zip"]))
    run_tasks(plan)
    found = read_dataset(Path(plan.data_path("t")))
    assert found.categorical.tolist() == [False, False, True, True]
    assert found.info["missing"] == ["b", "city"]
    train, test = plan.quality_task("t", 0, "mutual_information").parts()
    assert train.categorical.tolist() == [False, False, True, True]
    assert np.isfinite(train.X).all()
    assert np.isfinite(test.X).all()
    code, said = verify(capsys, plan)
    assert code == 0, said


def test_options_say_what_to_do(config):
    with pytest.raises(AltfsError, match=r"datasets\[0\]: .*columns 'b' .*'city' .*have missing"):
        check_study(config())
    plan = check_study(config(missing="as_category", exclude=["b"]))
    assert plan.facts["t"].n_total == 3
    with pytest.raises(AltfsError, match="exclude: 'bb' is not a feature, did you mean 'b'"):
        check_study(config(exclude=["bb"]))
    with pytest.raises(AltfsError, match=r"datasets\[0\].options.missing: 'drop' is not allowed"):
        check_study(config(missing="drop"))
    wrong = {**config(missing="impute"), "selectors": ["f_statistic"]}
    with pytest.raises(AltfsError, match=r"selectors\[0\]: 'f_statistic' .*\('city'\)"):
        check_study(wrong)


def test_a_category_with_another_value_in_every_row_is_refused(config):
    asked = config("plain.csv")
    rows = pd.read_csv("plain.csv")
    rows.assign(name=[f"row {i}" for i in range(N)]).to_csv("named.csv", index=False)
    said = r"^datasets\[0\]: dataset 't', column 'name' is a category with another value in every"
    with pytest.raises(AltfsError, match=said):
        check_study(config("named.csv"))
    facts = check_study(config("named.csv", exclude=["name"])).facts["t"]
    assert facts.digest == check_study(asked).facts["t"].digest
    rows[:19].assign(name=[f"row {i}" for i in range(19)]).to_csv("few.csv", index=False)
    assert check_study(config("few.csv")).facts["t"].n_total == 3


def test_what_uses_no_option_keeps_its_hashes(config):
    plain, said, other = (
        check_study(config("plain.csv", **options)).facts["t"].digest
        for options in ({}, {"missing": "impute"}, {"categorical": ["zip"]})
    )
    assert plain == said
    assert plain != other
