"""Columns in batches: the same sets as at once, and one sentence for every mistake."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_breast_cancer, load_wine

from altfs import AlternativeFeatures, FeatureStream
from altfs.errors import AltfsError, DataWarning, NoFeatureSetError
from altfs.kinds.streams.selectors.group_saola import GroupSaola, GroupSaolaOptions
from altfs.kinds.streams.selectors.saola import Saola, SaolaOptions
from altfs.kinds.streams.streaming_selector import StreamingSelector
from altfs.selectors import selectors

X, Y = load_breast_cancer(return_X_y=True, as_frame=True)
STREAMING = [s.name for s in selectors if issubclass(s, StreamingSelector)]


def indices(stream):
    return [one.indices for one in stream.feature_sets_]


@pytest.mark.parametrize("name", STREAMING)
def test_batches_of_any_kind_give_the_sets_of_a_table(name):
    x, y = X.iloc[::6], Y[::6]
    table = AlternativeFeatures(name, n_alternatives=2)
    try:
        expected = indices(table.fit(x, y))
        qualities = [one.train_objective for one in table.feature_sets_]
    except NoFeatureSetError:
        expected, qualities = [], []
    stream = FeatureStream(name, n_alternatives=2).start(y)
    stream.add(x.iloc[:, :7]).add(pl.DataFrame(x.iloc[:, 7:12].to_dict("list")))
    stream = pickle.loads(pickle.dumps(stream))
    stream.add(x.iloc[:, 12]).add(x.to_numpy()[:, 13:], names=list(x.columns[13:]))
    assert indices(stream.finish()) == expected
    results = [one.train_objective for one in stream.feature_sets_]
    assert results == pytest.approx(qualities, abs=1e-9)
    assert stream.names_ == list(x.columns)


def test_a_trace_leads_to_the_sets():
    stream = FeatureStream("saola", n_alternatives=2).start(Y).add(X).finish()
    trace = stream.trace()
    assert list(trace.columns) == ["seen", "feature", "set_index", "event"]
    assert set(trace["feature"]) == set(X.columns)
    assert trace["seen"].is_monotonic_increasing
    last = trace.groupby("feature").tail(1).query("event == 'kept'")
    members_of = [{c.number for c in members.columns} for members in stream._cascade.disjoint]
    for i, part in last.groupby("set_index"):
        assert set(part["feature"]) == {X.columns[j] for j in members_of[i]}
    assert stream.to_frame()["set_index"].tolist() == [0, 1, 2]
    assert stream.to_frame().loc[0, "dissimilarity"] == 0


def test_unlimited_is_the_default_size():
    expected = indices(AlternativeFeatures("saola").fit(X, Y))
    assert indices(AlternativeFeatures("saola", n_features="unlimited").fit(X, Y)) == expected
    stream = FeatureStream("saola", n_features="unlimited").start(Y).add(X).finish()
    assert indices(stream) == expected
    stream = FeatureStream("saola", n_features=1).start(Y).add(X).finish()
    assert [len(one) for one in indices(stream)] == [1, 1]


def test_a_group_waits_for_columns_that_never_come():
    groups = GroupSaolaOptions(groups=[[*X.columns[:4], "age"]])
    stream = FeatureStream(GroupSaola(groups)).start(Y).add(X.iloc[:, :4])
    assert indices(stream) == []
    with pytest.warns(DataWarning, match="groups: 'age' is not the name of a column"):
        stream.finish()
    whole = GroupSaolaOptions(groups=[["x0", "x1", "x2", "x3"]])
    # Columns without names are x0, x1, ...
    table = AlternativeFeatures(GroupSaola(whole)).fit(X.to_numpy()[:, :4], Y)
    assert indices(stream) == indices(table)


def test_only_the_columns_of_the_sets_are_in_memory():
    stream = FeatureStream("saola").start(Y).add(X)
    for members in stream._cascade.disjoint:
        assert all(column.values.base is None for column in members.columns)


def test_options_of_a_selector_are_used():
    groups = [list(X.columns[i : i + 5]) for i in range(0, 30, 5)]
    by_name = GroupSaola(GroupSaolaOptions(groups=groups))
    by_size = GroupSaola(GroupSaolaOptions(group_size=5))
    results = [indices(AlternativeFeatures(one).fit(X, Y)) for one in (by_name, by_size)]
    assert results[0] == results[1]
    shuffled = Saola(SaolaOptions(arrival="shuffled"))
    one, other = (AlternativeFeatures(shuffled, random_state=s).fit(X, Y) for s in (1, 2))
    fixed = Saola(SaolaOptions(arrival="shuffled", arrival_seed=1))
    assert indices(AlternativeFeatures(fixed).fit(X, Y)) == indices(one) != indices(other)
    order = np.random.RandomState(1).permutation(30)
    stream = FeatureStream("saola").start(Y).add(X.iloc[:, order])
    names = {frozenset(s.names) for s in stream.feature_sets_}
    assert names == {frozenset(s.names) for s in one.feature_sets_}


def test_columns_are_judged_as_they_are_and_never_changed():
    numbers = np.asfortranarray(np.round(X.to_numpy() * 10))
    expected = indices(FeatureStream("osfs").start(Y).add(numbers))
    for same in (
        numbers.astype(np.int64),
        numbers - numbers.mean(axis=0),
        np.ascontiguousarray(numbers[:, ::-1])[:, ::-1],
    ):
        kept = same.copy()
        same.flags.writeable = False
        assert indices(FeatureStream("osfs").start(Y).add(same)) == expected
        assert np.array_equal(same, kept)


def test_every_mistake_is_one_sentence():
    stream = FeatureStream("saola")
    with pytest.raises(AltfsError, match=r"^y: the stream has no target yet, call start"):
        stream.add(X)
    stream.start(Y).add(X.iloc[:, :3])
    before = indices(stream)
    broken = X.rename(columns=str.upper).copy()
    broken.iloc[5, 20] = np.nan
    for columns, said in (
        (X.iloc[:10, 3:], "10 rows are not allowed, every column needs 569"),
        (X.iloc[:, 2:5], "'mean perimeter' is the name of two columns"),
        (broken, r"columns: column 'WORST RADIUS' \(NaN in 0.2% .*row 6\) has missing values"),
        (np.full((569, 1), np.inf), "column 'x3' has an infinite value in row 1"),
        (pd.DataFrame({"a": ["b"] * 569}), r"'saola' does not take categories \('a'\)"),
        (pd.DataFrame({"a": ["b", 1, 2] * 189 + [0, 0]}), "column 'a' mixes numbers and text"),
        (pl.DataFrame({"a": [1] * 569}).lazy(), r"use columns\.collect\(\)"),
        ({"a": [1] * 569}, r"use pandas\.DataFrame\(columns\)"),
        (csr_matrix(X), r"use columns\.toarray\(\)"),
        (np.zeros((569, 1, 1)), "shape"),
        (np.full((569, 1), 1j), "column 'x3' has complex numbers"),
    ):
        with pytest.raises(AltfsError, match=said):
            stream.add(columns)
    with pytest.raises(AltfsError, match="names: 1 for 2 columns"):
        stream.add(X.iloc[:, 3:5], names=["a"])
    assert indices(stream) == before
    assert len(stream.names_) == 3
    stream.add(X.iloc[:, 3:]).finish()
    assert indices(stream) == indices(AlternativeFeatures("saola").fit(X, Y))
    for again in (lambda: stream.add(X), stream.finish):
        with pytest.raises(AltfsError, match="the stream is finished, call start"):
            again()
    assert indices(stream.start(Y)) == []


def test_columns_are_read_as_in_a_table():
    days = pd.to_datetime("2020-01-01") + pd.to_timedelta(X["mean area"].round(), unit="D")
    numbers = X.assign(**{"mean area": X["mean area"].round() + 18262})
    gaps = X["worst area"].mask(X.index % 9 == 0)
    expected = FeatureStream("saola").start(Y)
    expected.add(numbers.iloc[:, :20]).add(gaps.fillna(gaps.median()).to_frame()).finish()
    dated = X.assign(**{"mean area": days}).iloc[:, :20]
    arrow = pa.Table.from_pandas(dated.iloc[:, 10:])
    stream = FeatureStream("saola", missing="impute").start(pl.Series(Y.to_list()))
    stream.add(dated.iloc[:, :10]).add(arrow).add(gaps).finish()
    assert indices(stream) == indices(expected)
    assert stream.names_ == expected.names_
    with pytest.raises(AltfsError, match="missing: 'as_category' is not possible, as streams take"):
        FeatureStream(missing="as_category").start(Y)
    with pytest.raises(AltfsError, match="column 'a' has no values"):
        FeatureStream(missing="impute").start(Y).add(pd.DataFrame({"a": [None] * 569}))


def test_labels_that_are_numbers_are_names_unless_they_are_places():
    table = pd.DataFrame(X.to_numpy())
    stream = FeatureStream().start(Y).add(table.iloc[:, :3]).add(table.iloc[:, 3:5])
    stream.add(table.iloc[:, [0, 1]]).add(table.iloc[:, [20, 21]])
    assert stream.names_ == [*(f"x{j}" for j in range(7)), "20", "21"]
    with pytest.raises(AltfsError, match="y: a str is not a target"):
        FeatureStream().start("outcome")


def test_selectors_and_searches_that_do_not_go_together_are_refused():
    for arguments, said in (
        ({"selector": "saola", "n_features": (2, 4)}, "use 4 alone"),
        ({"selector": "saola", "given": [[0]]}, "cannot handle constraints"),
    ):
        with pytest.raises(AltfsError, match=said):
            AlternativeFeatures(**arguments).fit(X, Y)
    with pytest.raises(AltfsError, match="'mrmr' does not read columns one by one"):
        FeatureStream("mrmr").start(Y)
    shuffled = Saola(SaolaOptions(arrival="shuffled"))
    with pytest.raises(AltfsError, match="use 'given'"):
        FeatureStream(shuffled).start(Y)
    wine, kinds = load_wine(return_X_y=True)
    fisher = Saola(SaolaOptions(measure="fisher_z"))
    with pytest.raises(AltfsError, match="for numbers and two classes"):
        AlternativeFeatures(fisher).fit(wine, kinds)


def test_no_relevant_feature_is_an_error_that_says_so():
    noise = np.random.default_rng(1).normal(size=(100, 3))
    with pytest.raises(NoFeatureSetError, match="no feature is relevant to the target"):
        AlternativeFeatures("osfs").fit(noise, np.arange(100) % 2)
    stream = FeatureStream("osfs").start(np.arange(100) % 2).add(noise)
    assert stream.finish().feature_sets_ == []
    assert stream.to_frame().empty
    assert (stream.trace()["event"] == "dropped").all()


def test_what_needs_the_best_set_is_refused():
    results = AlternativeFeatures("saola").fit(X, Y)
    assert results.plot().to_dict()
    for ask in (results.explain, results.all_optimal, lambda: results.plot("quality")):
        with pytest.raises(AltfsError, match="not possible for a streaming selector"):
            ask()
