"""The options of columns that every source has."""

import numpy as np
import pandas as pd
import pytest

from altfs.datasets import RawTable, make_dataset
from altfs.datasets.columns import ColumnOptions
from altfs.errors import DataError

N = 24
FRAME = pd.DataFrame(
    {
        "id": np.arange(N),
        "code": np.arange(N) % 4,
        "size": np.sin(np.arange(N)),
        "word": ["low", "high"] * (N // 2),
        "y": np.arange(N) // 3 % 2,
    }
)


def dataset(frame=FRAME, **options):
    return make_dataset(
        "d", RawTable(frame, "y", "auto", "here", "0"), "key", ColumnOptions(**options)
    )


def test_categories_are_text_and_columns_that_are_named():
    plain = dataset()
    assert plain.categorical.tolist() == [False, False, False, True]
    named = dataset(categorical=["code"])
    assert named.categorical.tolist() == [False, True, False, True]
    assert named.digest != plain.digest
    assert np.array_equal(named.X, plain.X)


def test_excluded_columns_are_not_there():
    kept = dataset(exclude=["id", "word"])
    assert kept.feature_names == ("code", "size")
    # The data are those of a table without the columns.
    assert kept.digest == dataset(FRAME.drop(columns=["id", "word"])).digest


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"categorical": ["cod"]}, "categorical: 'cod' is not a column, did you mean 'code'"),
        ({"exclude": ["siz"]}, "exclude: 'siz' is not a feature, did you mean 'size'"),
        ({"exclude": ["y"]}, "exclude: 'y' is not a feature, use names"),
        ({"exclude": ["id", "code", "size", "word"]}, "exclude: no feature is left, keep one of 4"),
        ({"exclude": ["code"], "categorical": ["code"]}, "categorical: 'code' is in exclude, too"),
        ({"exclude": ["code"], "relevant": ["code"]}, "relevant: 'code' is in exclude, too"),
        ({"categorical": ["id"]}, "column 'id' is named as categorical and has another value"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, said):
    with pytest.raises(DataError, match=said):
        dataset(**options)
