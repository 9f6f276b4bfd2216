"""Sets as JSON: read without altfs, and back into an estimator."""

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import f_classif

import altfs
from altfs import AlternativeFeatures, Constraints, Group
from altfs.errors import AltfsError, DataError
from altfs.selectors.mrmr import Mrmr, MrmrOptions

X, Y = load_wine(return_X_y=True, as_frame=True)
NAMES = list(X.columns)
ASKED = {"n_features": 3, "n_alternatives": 1, "tau": "0.6"}
WANTED = Constraints(
    include=("hue",),
    exclude=(0,),
    groups=(Group(("ash", "proline"), at_most=1), Group((1, 3), all_or_none=True)),
    costs={"hue": 2, "ash": 1},
    budget=5,
    relative_floor=0.2,
)


def test_the_text_has_sets_settings_versions_and_the_data(tmp_path):
    afs = AlternativeFeatures(
        "mutual_information", **ASKED, constraints=WANTED, given=[[4, 5, 6]]
    ).fit(X, Y)
    text = afs.to_json(tmp_path / "sets.json")
    assert (tmp_path / "sets.json").read_text() == text == afs.to_json()
    result = json.loads(text)
    assert [s["names"] for s in result["sets"]] == [list(s.names) for s in afs.feature_sets_]
    assert result["versions"]["altfs"] == altfs.__version__
    assert result["settings"]["tau"] == "0.6" and result["settings"]["given"] == [NAMES[4:7]]
    assert result["settings"]["constraints"] == {
        "include": ["hue"],
        "exclude": ["alcohol"],
        "groups": [
            {"features": ["ash", "proline"], "at_most": 1},
            {"features": ["malic_acid", "alcalinity_of_ash"], "all_or_none": True},
        ],
        "costs": {"ash": 1.0, "hue": 2.0},
        "budget": 5,
        "relative_floor": 0.2,
    }
    assert result["data"]["columns"] == NAMES and result["data"]["n_rows"] == 178
    # Another value, another digest; the same values in another table, the same one.
    changed = X.copy()
    changed.iloc[0, 0] += 1
    plain = AlternativeFeatures("mutual_information", **ASKED)
    digests = [
        json.loads(plain.fit(table, Y).to_json())["data"]["sha256"]
        for table in (X, pl.from_pandas(X), changed)
    ]
    assert digests[0] == digests[1] == result["data"]["sha256"] != digests[2]
    assert json.loads(pickle.loads(pickle.dumps(plain)).to_json())["data"]["sha256"] is None


@pytest.mark.parametrize(
    "afs",
    [
        AlternativeFeatures("mutual_information", **ASKED, constraints=WANTED),
        AlternativeFeatures(Mrmr(MrmrOptions()), **ASKED, random_state=np.int64(3)),
        AlternativeFeatures(np.arange(13.0), **ASKED),
        AlternativeFeatures("model_gain", "simultaneous", **ASKED),
    ],
)
def test_what_is_read_has_the_same_sets_and_finds_them_again(afs):
    afs.fit(X, Y)
    again = AlternativeFeatures.from_json(afs.to_json())
    assert again.feature_sets_ == afs.feature_sets_
    assert (again.transform(X, alternative=1) == afs.transform(X, alternative=1)).all()
    assert again.to_frame().equals(afs.to_frame())
    assert (again.get_feature_names_out() == afs.get_feature_names_out()).all()
    assert again.fit(X, Y).feature_sets_ == afs.feature_sets_


def test_objects_that_json_has_no_form_for_become_text():
    forest = RandomForestClassifier(5, random_state=0)
    afs = AlternativeFeatures("model_gain", estimator=forest, **ASKED).fit(X.to_numpy(), Y)
    settings = json.loads(afs.to_json())["settings"]
    assert settings["estimator"] == "RandomForestClassifier(n_estimators=5, random_state=0)"
    again = AlternativeFeatures.from_json(afs.to_json())
    assert again.feature_sets_[0].names[0].startswith("x")
    with pytest.raises(AltfsError, match="estimator: 'RandomForest"):
        again.fit(X, Y)
    scored = AlternativeFeatures(f_classif, **ASKED).fit(X, Y)
    assert json.loads(scored.to_json())["settings"]["selector"] == "f_classif"


def test_numbers_as_names_survive():
    table = pd.DataFrame(np.random.default_rng(0).random((20, 3)), columns=[101, 7, 3])
    afs = AlternativeFeatures([3.0, 2.0, 1.0], n_features=1, given=[[101]], tau=1).fit(table)
    again = AlternativeFeatures.from_json(afs.to_json())
    assert again.fit(table).feature_sets_ == afs.feature_sets_


def test_what_cannot_be_read_or_written(tmp_path):
    afs = AlternativeFeatures([3.0, 2.0, 1.0], n_features=1).fit(np.zeros((2, 3)))
    text = afs.to_json()
    for source, why in [
        (tmp_path / "none.json", "cannot be read"),
        ("none.json", "'none.json' cannot be read"),
        ("{", "it is not JSON"),
        ("{}", "it is not of the kind"),
        (text.replace('"format": 1', '"format": 2'), "its format is 2, this version reads 1"),
        (text.replace('"indices"', '"columns"'), "it is not a text of to_json .KeyError"),
        (text.replace('"optimal"', '"best"'), "it is not a text of to_json"),
    ]:
        with pytest.raises(DataError, match=why):
            AlternativeFeatures.from_json(source)
    with pytest.raises(AltfsError, match=r"path: .* cannot be written"):
        afs.to_json(tmp_path / "no" / "sets.json")


def test_what_is_read_answers_all_that_needs_no_data(tmp_path):
    table = pd.DataFrame({
        "city": list("aabbcc") * 5, "age": [30, None, 52, 47, 33, 61] * 5, "size": range(30),
        "day": pd.date_range("2020-01-01", periods=30),
    })  # fmt: skip
    y = [0, 0, 1, 1, 0, 1] * 5
    asked = {"n_features": 2, "n_alternatives": 1, "tau": 1, "missing": "impute"}
    for frame, alternative in ((table, 1), (table[["age", "size"]].to_numpy(), 0)):
        k = 2 if frame is table else 1
        afs = AlternativeFeatures(
            "mutual_information", **{**asked, "n_features": k}, alternative=alternative
        )
        afs.fit(frame, y)
        again = AlternativeFeatures.from_json(afs.to_json())
        assert again.alternative == alternative
        assert (again.get_support() == afs.get_support()).all()
        assert again.plot().to_dict() == afs.plot().to_dict()
        assert again.to_json() == afs.to_json()
        for i in range(2):
            pipes = [e.pipeline(i, "decision_tree").fit(frame, y) for e in (afs, again)]
            assert str(pipes[0]) == str(pipes[1])
            assert (pipes[0].predict(frame) == pipes[1].predict(frame)).all()
        for name, *arguments in (["explain"], ["evaluate"], ["all_optimal"], ["without", [0]],
                                 ["plot", "quality"]):  # fmt: skip
            with pytest.raises(AltfsError, match=r"can be drawn as a matrix.* call fit first"):
                getattr(again, name)(*arguments)
        # After a fit it writes the sets of that one.
        again.set_params(n_alternatives=0, alternative=0).fit(frame, y)
        assert len(json.loads(again.to_json())["sets"]) == 1
