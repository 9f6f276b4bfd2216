"""Pipelines and scores of feature sets: those of scikit-learn, on rows that no search saw."""

import pickle
from typing import ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from marks import exhaustive
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.model_selection import KFold, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from altfs import AlternativeFeatures, Constraints, quality
from altfs.errors import AltfsError
from altfs.selectors import Selector

TREE = DecisionTreeClassifier(random_state=0)
N = 60
RNG = np.random.default_rng(0)
Y = np.arange(N) % 2
MESSY = pd.DataFrame(
    {
        "city": np.where(Y + (RNG.random(N) < 0.2) == 1, "a", "b"),
        "age": np.where(RNG.random(N) < 0.2, np.nan, Y + RNG.random(N)),
        "since": pd.date_range("2020-01-01", periods=N).where(RNG.random(N) > 0.1),
        "smokes": pd.array([True, False, None] * 20, dtype="boolean"),
        "zip": RNG.choice([101, 102, 103], N) + Y,
        "rank": pd.Categorical(RNG.choice(["low", "high"], N), ["low", "high"], ordered=True),
        "noise": RNG.random(N),
    }
)


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True, as_frame=True)


class Procedure(ClassifierMixin, BaseEstimator):
    """The search and a model on one of its sets, as users would write it."""

    def __init__(self, afs=None, alternative=0, model=None):
        self.afs, self.alternative, self.model = afs, alternative, model

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        afs = clone(self.afs).fit(X, y)
        self.names_ = list(afs.feature_sets_[self.alternative].names)
        self.model_ = clone(self.model).fit(X[self.names_], y)
        return self

    def predict(self, X):
        return self.model_.predict(X[self.names_])


def test_a_score_may_be_a_function(wine):
    X, y = wine
    afs = AlternativeFeatures("f_statistic", n_features=2, tau=0.5, n_shuffles=0).fit(X, y)
    named, own = (
        afs.evaluate(TREE, cv=StratifiedKFold(3), scoring=scoring).table["score"]
        for scoring in ("accuracy", lambda model, X, y: model.score(X, y))
    )
    assert (named == own).all()


@pytest.mark.exhaustive
@pytest.mark.parametrize("nested", [True, False])
def test_the_scores_are_those_of_a_plain_loop(wine, nested):
    X, y = wine
    folds = StratifiedKFold(4)
    afs = AlternativeFeatures("f_statistic", n_features=3, n_alternatives=2, tau=0.5).fit(X, y)
    evaluation = afs.evaluate(TREE, cv=folds, scoring="accuracy", nested=nested)
    for i, label in enumerate(["original", "alternative 1", "alternative 2"]):
        if nested:
            expected = cross_validate(Procedure(afs, i, TREE), X, y, cv=folds, scoring="accuracy")
        else:
            expected = cross_validate(afs.pipeline(i, TREE), X, y, cv=folds, scoring="accuracy")
        mine = evaluation.scores[evaluation.scores["set"] == label]["score"].to_numpy()
        assert (mine == expected["test_score"]).all()
        assert evaluation.table.set_index("set").loc[label, "score"] == mine.mean()
    whole = evaluation.scores[evaluation.scores["set"] == "all features"]["score"].to_numpy()
    assert (whole == cross_validate(TREE, X, y, cv=folds, scoring="accuracy")["test_score"]).all()
    assert ("the scores are too good" in evaluation.sentence) is not nested
    assert np.isnan(evaluation.search_seconds) == (not nested)


@pytest.mark.exhaustive
def test_a_number_of_folds_divides_the_rows_alike_in_any_order(wine):
    X, y = wine
    order = np.argsort(X["proline"].to_numpy())[::-1]
    tables = []
    for rows in (np.arange(len(y)), order):
        afs = AlternativeFeatures("f_statistic", n_features=2, tau=1)
        afs.fit(X.iloc[rows], y.iloc[rows])
        tables.append(afs.evaluate(GaussianNB(), cv=3))
    scores = [evaluation.table["score"].to_numpy() for evaluation in tables]
    assert scores[0] == pytest.approx(scores[1], rel=1e-12)
    for recurrence in (evaluation.recurrence for evaluation in tables):
        assert recurrence["share"].sum() == pytest.approx(2)
    assert tables[0].recurrence.equals(tables[1].recurrence)
    assert afs.evaluate(GaussianNB(), nested=False).recurrence.empty


def test_scores_of_a_forest_are_the_same_in_any_order():
    X, y = load_wine(return_X_y=True, as_frame=True)
    X, rows = X.iloc[:, :6], np.random.default_rng(0).permutation(len(X))
    afs = AlternativeFeatures("f_statistic", n_features=3, n_alternatives=1, n_shuffles=0)
    expected = afs.fit(X, y).evaluate("random_forest", cv=3).table["score"]
    for other, target in ((X[X.columns[::-1]], y), (X.iloc[rows], y.iloc[rows])):
        scores = afs.fit(other, target).evaluate("random_forest", cv=3).table["score"]
        np.testing.assert_allclose(scores, expected, atol=1e-12)


def test_of_columns_of_numbers_the_pipeline_is_the_model_on_these_columns(wine):
    X, y = wine
    afs = AlternativeFeatures("f_statistic", n_features=3, tau=1).fit(X, y)
    names = list(afs.feature_sets_[1].names)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    convert = afs.pipeline(1, model).fit(X, y)
    assert (
        convert.predict_proba(X)
        == clone(model).fit(X[names].to_numpy(), y).predict_proba(X[names].to_numpy())
    ).all()
    # It needs the columns of the set alone, by name.
    assert (convert.predict(X[names[::-1]]) == convert.predict(X)).all()
    assert (pickle.loads(pickle.dumps(convert)).predict(X) == convert.predict(X)).all()
    assert list(
        afs.pipeline(afs.without(names[0]), TREE).fit(X, y)[:-1].get_feature_names_out()
    ) == list(afs.without(names[0]).names)


class Seeing(Selector):
    """Notes the rows that it learns on, by their number in column 0."""

    seen: ClassVar[list] = []
    needs_rows = True
    name = "seeing"

    def quality(self, part):
        Seeing.seen.append(set(part.X[:, 0].astype(int)))
        return quality.Linear(np.arange(part.X.shape[1], dtype=float))


def test_a_nested_search_never_sees_the_rows_of_the_test_fold():
    X = np.column_stack([np.arange(N), RNG.random((N, 3))])
    afs = AlternativeFeatures(Seeing(), n_features=1, n_shuffles=0).fit(X, Y)
    Seeing.seen.clear()
    cv = KFold(3, shuffle=True, random_state=0)
    afs.evaluate(TREE, cv=cv)
    assert Seeing.seen == [set(train) for train, _ in cv.split(X)]


def test_a_target_in_disguise_is_found_outside_and_not_inside():
    # Each of these columns is the target in the rows of one fold, and noise in the others.
    cv = KFold(4)
    hidden = RNG.random((80, 4))
    y = RNG.integers(0, 2, 80)
    for fold, (_, test) in enumerate(cv.split(hidden)):
        hidden[test, fold] = 100 * y[test]
    chance = RNG.random((80, 150))
    X = np.column_stack([chance, hidden])
    afs = AlternativeFeatures("correlation", n_features=5, n_alternatives=0).fit(X, y)
    outside, inside = (
        afs.evaluate(RidgeClassifier(), cv, "accuracy", nested=nested).table["score"][0]
        for nested in (False, True)
    )
    assert outside > 0.65 > inside + 0.05


@pytest.mark.parametrize("missing", ["impute", "as_category"])
@pytest.mark.parametrize("model", [None, RidgeClassifier()])
def test_every_kind_of_column_can_be_evaluated(missing, model):
    settings = {"n_features": 3, "tau": 0.3, "categorical": ["zip"], "missing": missing}
    afs = AlternativeFeatures("mutual_information", **settings).fit(MESSY, Y)
    model = model or RandomForestClassifier(5, random_state=0)
    evaluation = afs.evaluate(model, cv=3)
    assert list(evaluation.table["folds"]) == [3, 3, 3, 3]
    assert evaluation.table["score"].notna().all()
    everything = afs._pipeline(range(7), model).fit(MESSY, Y)
    names = list(everything[:-1].get_feature_names_out())
    assert {"zip_101", "city_a", "since", "age"} <= set(names)
    # Values that the fit did not see are of no known category.
    new = MESSY.head(3).assign(city="z", zip=7, age=np.nan)
    assert len(everything.predict(new)) == 3
    assert (
        pickle.loads(pickle.dumps(everything)).predict(MESSY) == everything.predict(MESSY)
    ).all()


@pytest.mark.parametrize(
    "make",
    [
        pl.from_pandas,
        lambda X: X.rename(columns={"u": 101, "v": 7}),
        lambda X: X.rename(columns={"u": 1}),
        lambda X: X.to_numpy(),
    ],
)
def test_tables_of_every_kind_can_be_evaluated(make):
    X = make(pd.DataFrame(RNG.random((N, 2)) + Y[:, None], columns=["u", "v"]))
    given = Constraints(exclude=(7,)) if 7 in getattr(X, "columns", ()) else None
    afs = AlternativeFeatures("f_statistic", n_features=1, n_alternatives=0, constraints=given)
    evaluation = afs.fit(X, np.where(Y, "yes", "no")).evaluate(TREE, cv=3)
    assert evaluation.scoring == "roc_auc"
    assert (evaluation.table["score"] > 0.5).tolist() == [True, True, False]
    labels = list(getattr(X, "columns", ["u"]))
    if len(set(map(type, labels))) == 1:
        # scikit-learn refuses names of which some are numbers.
        convert = afs.pipeline(0, TREE).fit(X, np.where(Y, "yes", "no"))
        assert set(convert.predict(X)) == {"yes", "no"}
    assert evaluation.table["n_features"].iloc[-2] == (2 if given is None else 1)


def test_a_target_of_numbers_is_scored_by_r2():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    afs = AlternativeFeatures("f_statistic", n_features=3, n_alternatives=0).fit(X, y)
    evaluation = afs.evaluate(Ridge(), cv=KFold(3))
    assert evaluation.scoring == "r2" and evaluation.model == "Ridge"
    expected = cross_validate(Ridge(), X, y, cv=3)["test_score"]
    assert evaluation.table["score"].iloc[-2] == expected.mean()


@pytest.mark.exhaustive
def test_what_an_evaluation_says(wine):
    X, y = wine
    afs = AlternativeFeatures("f_statistic", n_features=2, tau=1).fit(X, y)
    assert "No model was evaluated." in str(afs.explain())
    evaluation = afs.evaluate(TREE, cv=3, nested=False)
    assert "alternative 1: " in str(evaluation) and "against the original set" in str(evaluation)
    assert evaluation.sentence in str(afs.explain())
    assert evaluation.plot().to_dict()["layer"]
    # A notebook shows the table and what is said of it.
    page = evaluation._repr_html_()
    assert "<td>alternative 1</td>" in page
    assert evaluation.comparison
    assert all(f"<li>{sentence}</li>" in page for sentence in evaluation.comparison)
    assert "No model was evaluated." in str(afs.fit(X, y).explain())


def test_a_set_that_a_fold_does_not_have_is_counted():
    # Without the rows of the first fold, no feature tells about the target.
    X = pd.DataFrame({"a": [*Y[:20], *[0, 0, 1, 1] * 10], "b": [0, 1, 1, 0] * 15})
    parameters = {"n_features": 1, "n_alternatives": 0, "constraints": {"quality_floor": 0.2}}
    evaluation = (
        AlternativeFeatures("correlation", **parameters).fit(X, Y).evaluate(TREE, cv=KFold(3))
    )
    assert list(evaluation.table["folds"]) == [2, 3, 3]
    assert list(evaluation.scores["fold"]) == [0, 0, 1, 1, 1, 2, 2, 2]


@pytest.mark.parametrize("kind", ["batch", *exhaustive("mixed labels")])
def test_tables_that_scikit_learn_does_not_read_are_evaluated(kind):
    frame = pd.DataFrame(
        {"a": Y + np.arange(60) / 60, "b": np.arange(60) % 7, "c": list("uv") * 30}
    )
    batch = pa.RecordBatch.from_pandas(frame)
    X = batch if kind == "batch" else frame.set_axis([1, "b", "c"], axis="columns")
    afs = AlternativeFeatures("model_gain", n_features=2, n_alternatives=1, tau=0.5).fit(X, Y)
    plain = AlternativeFeatures("model_gain", n_features=2, n_alternatives=1, tau=0.5).fit(frame, Y)
    expected = plain.pipeline(1, TREE).fit(frame, Y).predict(frame)
    fitted = pickle.loads(pickle.dumps(afs.pipeline(1, TREE).fit(X, Y)))
    assert fitted.predict(X).tolist() == expected.tolist()
    assert len(fitted[:-1].get_feature_names_out()) >= 2
    scores = afs.evaluate(TREE, cv=2, nested=False).table["score"]
    assert scores.tolist() == plain.evaluate(TREE, cv=2, nested=False).table["score"].tolist()


def test_what_cannot_be_evaluated(wine):
    X, y = wine
    afs = AlternativeFeatures("f_statistic", n_features=2, tau=1).fit(X, y)
    for arguments, why in [
        ({"model": Ridge()}, "model: Ridge is not allowed, use one for classification"),
        ({"model": "forest"}, "model"),
        ({"cv": 1}, "cv: 1 does not split 178 rows"),
        ({"cv": "x"}, "cv: 'x' does not split"),
        ({"scoring": "accuraccy"}, "scoring: 'accuraccy' is not a score.*accuracy"),
        ({"model": KNeighborsClassifier(), "scoring": "r2_score"}, "scoring: 'r2_score'"),
    ]:
        with pytest.raises(AltfsError, match=why):
            afs.evaluate(**arguments)
    with pytest.raises(AltfsError, match="alternative: 5 is not there"):
        afs.pipeline(5)
    again = pickle.loads(pickle.dumps(afs))
    assert again.pipeline(1, TREE).fit(X, y).score(X, y) > 0.5
    with pytest.raises(AltfsError, match="copies and pickles do not hold the data"):
        again.evaluate()
    without_target = AlternativeFeatures([3.0, 2.0, 1.0], n_features=1).fit(np.zeros((2, 3)))
    with pytest.raises(AltfsError, match="there is no pipeline"):
        without_target.evaluate()
