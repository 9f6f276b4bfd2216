"""A table as it comes: it works with the right names, or one sentence says what to do."""

import datetime as dt
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_matrix

from altfs import AlternativeFeatures, Constraints
from altfs.datasets.columns import column_of
from altfs.errors import AltfsError, DataError, DataWarning

N = 40
RNG = np.random.default_rng(0)
Y = np.arange(N) % 2
NUMBERS = {"a": RNG.random(N) + Y, "b": RNG.random(N)}
CITY = ["z", *np.where(Y, "x", "y")[1:]]
DAYS = [dt.date(2020, 1, 1) + dt.timedelta(days=7 * i) for i in range(N)]
ARROW = pa.table({**NUMBERS, "d": CITY})
WITH_GAP = [None, *CITY[1:]]


def frame(d, **more):
    return pd.DataFrame({**NUMBERS, "d": d, **more})


def polars(d):
    return pl.DataFrame({**NUMBERS, "d": d})


def arrow(d, kind):
    return frame(pd.array(d, dtype=pd.ArrowDtype(kind)))


def labelled(*labels):
    return pd.DataFrame(RNG.random((N, len(labels))), columns=list(labels))


GAP = r"column 'd' \(NaN in .*% of the rows, first in row \d+\) has missing values, set `missing`"
CATEGORY, NUMBER, DATE = (0, 1, 2)
# An input, and what column d is, or what is wrong.
COLUMNS = {
    "text": (frame(CITY), CATEGORY),
    "objects": (frame(np.array(CITY, dtype=object)), CATEGORY),
    "categories": (frame(pd.Categorical(CITY)), CATEGORY),
    "categories of numbers": (frame(pd.Categorical([3, 7] * 20)), CATEGORY),
    "ordered categories": (
        frame(pd.Categorical(CITY, categories=["z", "y", "x"], ordered=True)),
        CATEGORY,
    ),
    "intervals": (frame(pd.cut(NUMBERS["b"], 3)), CATEGORY),
    "text of pyarrow": (arrow(CITY, pa.string()), CATEGORY),
    "dictionary of pyarrow": (arrow(CITY, pa.dictionary(pa.int32(), pa.string())), CATEGORY),
    "truths": (frame(Y > 0), NUMBER),
    "nullable truths": (frame(pd.array(Y > 0, dtype="boolean")), NUMBER),
    "nullable integers": (frame(pd.array(Y, dtype="Int64")), NUMBER),
    "integers of pyarrow": (arrow(Y, pa.int64()), NUMBER),
    "truths of pyarrow": (arrow(Y > 0, pa.bool_()), NUMBER),
    "decimals of pyarrow": (arrow([1, 2] * 20, pa.decimal128(5, 2)), NUMBER),
    "small integers": (frame(Y.astype(np.int8)), NUMBER),
    "numbers as text": (frame(["1", "2.5"] * 20), NUMBER),
    "sparse numbers": (frame(pd.arrays.SparseArray([0.0, 1.0] * 20)), NUMBER),
    "durations": (frame(pd.to_timedelta(range(N), unit="D")), NUMBER),
    "dates": (frame(DAYS), DATE),
    "dates as text": (frame([day.isoformat() for day in DAYS]), DATE),
    "times as text": (frame([f"{day}T12:30:00Z" for day in DAYS]), DATE),
    "timestamps": (frame(pd.date_range("2020", periods=N)), DATE),
    "timestamps with zone": (frame(pd.date_range("2020", periods=N, tz="Europe/Berlin")), DATE),
    "periods": (frame(pd.period_range("2020-01", periods=N, freq="M")), DATE),
    "dates of pyarrow": (arrow(DAYS, pa.date32()), DATE),
    "times of pyarrow": (arrow(list(pd.date_range("2020", periods=N)), pa.timestamp("us")), DATE),
    "polars text": (polars(CITY), CATEGORY),
    "polars categories": (polars(pl.Series(CITY, dtype=pl.Categorical)), CATEGORY),
    "polars enum": (polars(pl.Series(CITY, dtype=pl.Enum(["x", "y", "z"]))), CATEGORY),
    "polars dates": (polars(DAYS), DATE),
    "polars decimals": (polars(pl.Series([1, 2] * 20).cast(pl.Decimal(10, 2))), NUMBER),
    "polars truths": (polars(Y > 0), NUMBER),
    "arrow table": (ARROW, CATEGORY),
    "arrow batch": (ARROW.to_batches()[0], CATEGORY),
    "missing numbers": (frame([np.nan, *NUMBERS["b"][1:]]), GAP),
    "missing text": (frame(WITH_GAP), GAP),
    "missing nullable": (frame(pd.array([1, None] * 20, dtype="Int64")), GAP),
    "missing of pyarrow": (arrow([1.5, None] * 20, pa.float64()), GAP),
    "missing date": (frame([None, *DAYS[1:]]), GAP),
    "missing polars": (polars(WITH_GAP), GAP),
    "only missing": (frame(np.nan), "column 'd' has no values"),
    "polars nulls": (polars([None] * N), "column 'd' has no values"),
    "infinite": (frame([np.inf, *Y[1:]]), "column 'd' has an infinite value in row 1"),
    "huge": (frame([1e300, *Y[1:]]), r"column 'd' has the number 1e\+300 in row 1"),
    "mixed": (frame(["1", "x"] * 20), "column 'd' mixes numbers and text.*'x' in row 2"),
    "lists": (frame([[1]] * N), "column 'd' holds a list in row 1"),
    "polars lists": (polars([[1]] * N), "column 'd' holds a ndarray in row 1"),
    "polars structs": (polars([{"k": 1}] * N), "column 'd' holds a dict in row 1"),
    "bytes": (frame([b"a", b"b"] * 20), "column 'd' holds a bytes in row 1"),
    "complex": (frame(np.ones(N) * 1j), "column 'd' has complex numbers"),
    "not Unicode": (
        frame(pd.Series(["\ud800", "x"] * 20, dtype=object)),
        "column 'd' has text that is not Unicode in row 1",
    ),
    "polars large integers": (
        polars(pl.Series([1, 2] * 20, dtype=pl.Int128)),
        "column 'd' is of the type Int128, which Arrow does not know",
    ),
    "integers beyond floats": (frame([10**400, 1] * 20), "'d' has an infinite value in row 1"),
    "categories that are infinite": (frame(pd.Categorical([np.inf, 1] * 20)), "'d' has an infin"),
    "durations and none": (frame(pd.to_timedelta([None, *range(1, N)], unit="D")), GAP),
    "decimals that are no number": (frame([Decimal("NaN"), Decimal(2)] * 20), GAP),
    "fractions": (frame([Fraction(1, 3)] * N), "column 'd' holds a Fraction in row 1"),
    "blank text among numbers": (frame([" ", "1"] * 20), "column 'd' mixes numbers and text"),
    "times of the day": (frame([dt.time(1), dt.time(2)] * 20), CATEGORY),
    "clocks of several zones": (
        frame([pd.Timestamp("2020-01-01", tz=zone) for zone in ("UTC", "Asia/Tokyo")] * 20),
        DATE,
    ),
    "dates of Germany": (frame([f"{day:%d.%m.%Y}" for day in DAYS]), DATE),
    "dates of Japan": (frame([f"{day:%Y/%m/%d}" for day in DAYS]), DATE),
    "times of Germany": (frame([f"{day.day}.{day.month}.2020 12:30" for day in DAYS]), DATE),
    "dates of several formats": (frame(["2020-01-05", "2020/01/06"] * 20), CATEGORY),
    "dates that do not exist": (frame(["31.02.2020", "01.02.2020"] * 20), CATEGORY),
    "dates of two digits": (frame(["01.02.20", "02.02.20"] * 20), CATEGORY),
    "dates that could be swapped": (
        frame(["31/01/2020", "01/02/2020"] * 20),
        "column 'd' has dates such as '31/01/2020' in which day and month could be swapped, write",
    ),
    "dates before 1678": (frame([dt.date(1500, 1, 1 + i % 28) for i in range(N)]), DATE),
    "percentages": (frame(["5%", "7%"] * 20), CATEGORY),
}
CONTAINERS = {
    "lists": ([[i, "x" if i % 3 else "y"] for i in range(N)], ["x0", "x1"]),
    "objects": (frame(CITY).to_numpy(dtype=object), ["x0", "x1", "x2"]),
    "array of text": (np.array([["1", "5"], ["3", "4"]] * 20), ["x0", "x1"]),
    "array of dates": (np.array([["2020-01-01", "2021-01-02"]] * N, dtype="M8[D]"), ["x0", "x1"]),
    "no names": (pd.DataFrame(RNG.random((N, 2))), ["x0", "x1"]),
    "numbers as names": (labelled(101, 106), ["101", "106"]),
    "several levels": (labelled(("size", "cm"), ("size", "kg")), ["size/cm", "size/kg"]),
    "mixed names": (labelled(1, "a"), ["1", "a"]),
    "dates as names": (labelled(DAYS[0], DAYS[1]), ["2020-01-01", "2020-01-08"]),
    "equal as text": (labelled(1, "1"), "column '1' has the name of another column"),
    "repeated names": (labelled("u", "u", "v", "v"), "columns 'u', 'v' have the name of another"),
    "empty name": (labelled("", "b"), "column 1 has no name"),
    "missing name": (labelled(None, "b"), "column 1 has no name"),
    "lazy frame": (polars(CITY).lazy(), r"use X\.collect\(\)"),
    "reader": (ARROW.to_reader(), r"use X\.read_all\(\)"),
    "dict": (NUMBERS, r"use pandas\.DataFrame\(X\)"),
    "series": (pd.Series(NUMBERS["a"]), r"use a table such as X\.to_frame\(\)"),
    "ragged": ([[1, 2]] * (N - 1) + [[1]], "its rows have different lengths"),
    "masked": (np.ma.masked_array(RNG.random((N, 2)), RNG.random((N, 2)) > 0.9), "'x0' .*'x1' "),
    "text": ("data.csv", "X: a str is not a table"),
    "nothing": (None, "X: a NoneType is not a table"),
    "generator": ((row for row in [[1, 2]] * N), "X: a generator is not a table"),
    "one axis": (NUMBERS["a"], r"X: shape \(40,\) is not that of a table"),
    "three axes": (np.zeros((N, 2, 2)), r"X: shape \(40, 2, 2\) is not that of a table"),
    "list of dicts": ([{"a": 1}] * N, r"X: shape \(40,\) is not .* pandas\.DataFrame\(X\)"),
    "records": (np.ones(N, dtype=[("a", int)]), "X: an array of records is not taken"),
    "matrix": (np.matrix(np.ones((N, 2))), r"X: a numpy\.matrix is not taken"),
    "complex array": (np.ones((N, 2)) * 1j, "X: column 'x0' has complex numbers"),
    "complex sparse": (csr_matrix(np.ones((N, 2)) * 1j), "X: column 'x0' has complex numbers"),
    "two without names": (labelled(np.nan, np.nan), "column 1 has no name"),
    "no columns": (pd.DataFrame(index=range(N)), "40 rows and 0 columns are too few"),
    "one row": (frame(CITY).iloc[:1], "1 rows and 3 columns are too few"),
}
TARGETS = {
    "categories": pd.Series(CITY, dtype="category"),
    "polars": pl.Series(CITY, dtype=pl.Categorical),
    "arrow": pa.array(CITY),
    "frame": pd.DataFrame({"y": Y}),
    "another index": pd.Series(Y, index=range(7, 7 + N)),
    "nullable": pd.Series(Y, dtype="Int64"),
    "dates": (pd.Series(DAYS), "target y holds dates"),
    "timestamps": (pd.Series(pd.date_range("2020", periods=N)), "target y holds dates"),
    "missing": ([np.nan, *Y[1:]], "target y has 1 missing values .*row 1"),
    "missing text": (WITH_GAP, "target y has 1 missing values"),
    "missing nullable": (pd.array([None, *Y[1:]], dtype="Int64"), "target y has 1 missing values"),
    "one value": (Y * 0, "target y has only one value"),
    "too short": (Y[:5], "y: 5 values for 40 rows"),
    "mixed": (["1", "x"] * 20, "target y mixes numbers and text"),
    "two columns": (np.c_[Y, Y], r"y: shape \(40, 2\) is not allowed"),
    "name of a column": ("a", "y: a str is not a target, give one value for each row"),
    "set": (set(Y), "y: a set is not a target"),
    "ragged": ([[1], [1, 2]] * 20, "y: its rows have different lengths"),
    "complex": (Y * 1j, "y: complex numbers are not allowed"),
    "sparse": (csr_matrix(Y[:, None]), r"use y\.toarray\(\)\.ravel\(\)"),
    "lazy": (pl.DataFrame({"y": Y}).lazy(), r"use y\.collect\(\)"),
    "objects": ([[1].__iter__()] * N, "target y holds a list_iterator in row 1"),
}


def fitted(X, y=Y, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The notes about such small tables are judged elsewhere.
        warnings.simplefilter("ignore", DataWarning)
        sets = {"n_features": 1, "tau": 1, "n_shuffles": 0}
        return AlternativeFeatures("model_gain", **sets, **parameters).fit(X, y)


def refused(sentence, *arguments, **parameters):
    with pytest.raises(AltfsError, match=sentence) as raised:
        fitted(*arguments, **parameters)
    assert "\n" not in str(raised.value)
    assert str(raised.value)[-1] in ".?"


def test_there_are_enough_inputs():
    assert len(COLUMNS) + len(CONTAINERS) + len(TARGETS) >= 110


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_of_every_kind_are_read_or_refused(name, capsys):
    X, expected = COLUMNS[name]
    if isinstance(expected, str):
        return refused(expected, X)
    afs = fitted(X, verbose=1)
    message = capsys.readouterr().err
    word = {CATEGORY: "1 category (d)", DATE: "1 date (d)"}.get(expected)
    assert f"2 numbers, {word}" in message if word else "columns:" not in message
    assert list(afs.feature_names_in_) == ["a", "b", "d"]
    column = AlternativeFeatures([0, 0, 1.0], n_features=1, n_alternatives=0).fit(X)
    assert column.feature_sets_[0].names == ("d",)
    # The user's values come back.
    original = (X.to_pandas() if hasattr(X, "to_pandas") else X)["d"]
    values = column.transform(X)[:, 0]
    if values.dtype == object:
        assert [str(v)[:10] for v in values] == [str(v)[:10] for v in original.astype(object)]
    else:
        assert values.tolist() == original.astype(float).tolist()


@pytest.mark.parametrize("name", CONTAINERS)
def test_containers_and_names(name):
    X, expected = CONTAINERS[name]
    if isinstance(expected, str):
        return refused(expected, X)
    afs = fitted(X)
    assert {result.names[0] for result in afs.feature_sets_} <= set(expected)
    assert list(afs._fitted.names) == expected
    assert afs.transform(X).shape == (N, 1)
    assert afs.get_feature_names_out().tolist() == list(afs.feature_sets_[0].names)


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("as_array", [False, True])
def test_targets_are_read_or_refused(name, as_array):
    y = TARGETS[name]
    X = frame(Y).to_numpy() if as_array else frame(CITY)
    if isinstance(y, tuple):
        return refused(y[1], X, y[0])
    assert len(fitted(X, y).feature_sets_) == 2


def test_dates_are_predicted_as_days_or_as_classes():
    X, y = frame(Y), pd.Series(DAYS)
    assert fitted(X, y, task="regression").target_type_ == "regression"
    assert fitted(X, pd.Series(DAYS[:2] * 20), task="classification").target_type_ == "binary"


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_frames_come_back_with_the_types_of_their_columns(container):
    X = frame(pd.Categorical(CITY), e=pd.date_range("2020", periods=N))
    X = X if container == "pandas" else pl.from_pandas(X)
    afs = AlternativeFeatures([0, 0, 1, 1], n_features=2, n_alternatives=0)
    result = afs.set_output(transform=container).fit_transform(X)
    assert list(result.columns) == ["d", "e"]
    assert result["d"].dtype == X["d"].dtype
    assert result["e"].dtype == X["e"].dtype


@pytest.mark.exhaustive
@pytest.mark.parametrize("missing", ["impute", "as_category"])
@pytest.mark.parametrize("name", [n for n in COLUMNS if n.startswith("missing")])
def test_missing_values_have_a_word(name, missing):
    X = COLUMNS[name][0]
    for selector in ("mutual_information", "greedy_wrapper", "relief", "shap"):
        afs = AlternativeFeatures(selector, n_features=2, tau=0.5, missing=missing).fit(X, Y)
        # A column of one value is in no set.
        is_constant = missing == "impute" and name in ("missing nullable", "missing of pyarrow")
        assert len(afs.feature_sets_) == 2 - is_constant
    assert afs.transform(X).shape == (N, 2)


def test_what_is_missing_can_be_information():
    X = frame(np.where(Y > 0, RNG.random(N), np.nan), a=NUMBERS["a"] - Y / 2)
    for selector in ("mutual_information", "model_gain"):
        afs = AlternativeFeatures(selector, n_features=1, missing="as_category").fit(X, Y)
        assert afs.feature_sets_[0].names == ("d",)
    # The tree takes missing values, the median hides them.
    assert fitted(X, missing="impute").feature_sets_[0].names == ("d",)
    afs = AlternativeFeatures("correlation", n_features=1, missing="impute").fit(X, Y)
    assert afs.feature_sets_[0].names == ("a",)


def test_columns_that_no_set_may_hold_may_have_anything():
    X = frame(["1", "x"] * 20, e=[[1]] * N, f=np.nan)
    names = ("d", "e", "f")
    for constraints in (Constraints(exclude=names), {"exclude": list(names)}):
        assert len(fitted(X, constraints=constraints).feature_sets_) == 2
    refused("column 'f' has no values", X, constraints={"exclude": ["d", "e"]})


def test_numbers_of_a_column_can_be_categories():
    X, codes = frame(RNG.permutation(N) % 4), pd.Categorical
    said = AlternativeFeatures("correlation", n_features=1, categorical=["d"]).fit(X, Y)
    typed = AlternativeFeatures("correlation", n_features=1).fit(X.assign(d=codes(X["d"])), Y)
    assert said.quality_.values.tolist() == typed.quality_.values.tolist()
    numbers = AlternativeFeatures("correlation", n_features=1).fit(X, Y)
    assert said.quality_.values[2] != numbers.quality_.values[2]
    refused("categorical: there is no feature 'dd', did you mean 'd'", X, categorical=["dd"])
    for wrong in (9, -1):
        refused(
            f"categorical: {wrong} is not a feature, use indices from 0", X, categorical=[wrong]
        )


def test_constraints_in_the_words_of_the_configuration():
    X = labelled(101, 106, 110, 120)
    words = {"include": ["106"], "costs": {"120": 2}, "budget": 1, "given": [["106", "110"]]}
    request = {"n_features": 2, "n_alternatives": 0, "tau": "0.5"}
    result = AlternativeFeatures("mutual_information", **request, constraints=words).fit(X, Y)
    same = AlternativeFeatures(
"mutual_information",
        **request, given=[[106, 110]],
        constraints=Constraints(include=(106,), costs={120: 2}, budget=1),
    ).fit(X, Y)  # fmt: skip
    assert [f.names for f in result.feature_sets_] == [f.names for f in same.feature_sets_]
    assert result.feature_sets_[0].names == ("101", "106")
    for wrong, sentence in (
        ({"inclde": ["a"]}, "constraints.inclde: this key is unknown, did you mean 'include'"),
        ({"budget": -1}, "constraints.budget: -1 is not allowed"),
        ({"datasets": ["a"]}, "constraints.datasets: this key is unknown"),
    ):
        refused(sentence, X, constraints=wrong)


def test_a_column_of_ids_is_told():
    with pytest.warns(DataWarning, match="ids: d; notes_"):
        AlternativeFeatures("mutual_information", n_features=1).fit(
            frame([f"n{i}" for i in range(N)]), Y
        )


def test_a_selector_that_does_not_take_categories_says_so():
    with pytest.raises(DataError, match=r"'f_statistic' does not take categories \('d'\)"):
        AlternativeFeatures("f_statistic", n_features=1).fit(frame(CITY), Y)


@pytest.mark.parametrize("form", ["%d.%m.%Y", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y %H:%M:%S"])
def test_dates_of_any_format_are_the_days_that_they_name(form):
    days = pd.date_range("1999-11-28", periods=N, freq="25h")
    exact = days if "%H" in form else days.normalize()
    text = pd.Series(days.strftime(form))
    expected = column_of(pd.Series(exact)).values
    np.testing.assert_array_equal(column_of(text).values, expected)
    gaps = column_of(text.where(text.index != 3))
    assert gaps.kind == "date" and np.isnan(gaps.values[3])
    assert column_of(text, categorical=True).kind == "category"


def test_a_column_that_numbers_the_rows_is_warned_of():
    table = pd.DataFrame({**NUMBERS, "Unnamed: 0": range(N)})
    first = table[["Unnamed: 0", *NUMBERS]]
    afs = AlternativeFeatures("correlation", n_features=1)
    with pytest.warns(DataWarning, match="ids: Unnamed: 0"):
        afs.fit(first, Y)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "X: .*ids", DataWarning)
        afs.fit(first.assign(**{"Unnamed: 0": RNG.random(N)}), Y)
        afs.set_params(constraints=Constraints(exclude=("Unnamed: 0",))).fit(first, Y)
