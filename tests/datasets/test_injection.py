import numpy as np
import pandas as pd
import pytest

from altfs.datasets import make_dataset
from altfs.datasets.base import RawTable
from altfs.datasets.columns import ColumnOptions
from altfs.errors import DataError


def made(**inject):
    frame = pd.DataFrame(
        {
            "age": np.arange(30.0),
            "sex": ["f", "m"] * 15,
            "code": [1, 2, 3] * 10,
            "y": [0, 1, 1] * 10,
        }
    )
    raw = RawTable(frame, "y", "auto", "here", "")
    return make_dataset("t", raw, options=ColumnOptions(categorical=("code",), inject=inject))


def test_columns_are_added_and_the_others_count_as_relevant():
    dataset = made(noise=2, shuffled=3, copies=2, ids=1)
    assert dataset.feature_names == (
        "age", "sex", "code", "noise_1", "noise_2", "shuffled_age", "shuffled_sex",
        "shuffled_code", "copy_age", "copy_sex", "id_1",
    )  # fmt: skip
    assert dataset.info["relevant"] == ["age", "sex", "code"]
    assert dataset.info["categorical"] == [
        "sex",
        "code",
        "shuffled_sex",
        "shuffled_code",
        "copy_sex",
    ]
    columns = dict(zip(dataset.feature_names, dataset.X.T, strict=True))
    for name in ("age", "sex", "code"):
        assert sorted(columns[f"shuffled_{name}"]) == sorted(columns[name])
        assert (columns[f"shuffled_{name}"] != columns[name]).any()
    assert (columns["copy_sex"] == columns["sex"]).all()
    assert sorted(columns["id_1"]) == list(range(30))


def test_the_seed_decides():
    assert (made(noise=1).X == made(noise=1).X).all()
    assert (made(noise=1).X != made(noise=1, seed=1).X).any()


@pytest.mark.parametrize(
    ("inject", "said"),
    [
        ({"copies": 4}, "inject asks for copies of 4 of 3 features"),
        ({}, "inject adds no column"),
        ({"noise": -1}, "noise: -1 is not allowed"),
        ({"nois": 1}, "nois"),
    ],
)
def test_nonsense_is_refused(inject, said):
    with pytest.raises(Exception, match=said):
        made(**inject)


def test_a_taken_name_is_refused():
    frame = pd.DataFrame({"noise_1": [1.0, 2.0, 3.0, 4.0], "y": [0, 1, 0, 1]})
    raw = RawTable(frame, "y", "auto", "here", "")
    with pytest.raises(DataError, match="column 'noise_1' has the name of an injected one"):
        make_dataset("t", raw, options=ColumnOptions(inject={"noise": 1}))
