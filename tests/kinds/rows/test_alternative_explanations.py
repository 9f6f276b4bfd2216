"""Alternative explanations of rows, from the model to the sentences."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from altfs import AlternativeExplanations, AlternativeFeatures, Constraints, search_sequentially
from altfs.datasets.row_designs import draw_rows, truth_of_rows
from altfs.errors import AltfsError
from altfs.quality import Linear
from altfs.selectors._from_rows import LinearFromRows
from altfs.selectors.row_wise import RowWise
from altfs.selectors.shap import Shap, ShapOptions

X, Y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X.iloc[:, :8]
TRAIN, ROWS = X[:200], X[200:212]
FOREST = RandomForestClassifier(5, random_state=0).fit(TRAIN, Y[:200])


class Guess:
    """A model of which scikit-learn cannot tell what it is."""

    classes_ = np.array([0, 1])

    def fit(self, X, y):
        return self


def explained(**parameters):
    explainer = {"estimator": FOREST, "n_features": 3, "n_alternatives": 2, "tau": 0.6} | parameters
    return AlternativeExplanations(**explainer).fit(TRAIN)


def assert_refused(said, call, *given, **named):
    with pytest.raises(AltfsError, match=said):
        call(*given, **named)


def test_the_sets_are_those_of_a_search_of_each_row_and_told_as_they_are():
    result = explained().explain(ROWS)
    frame = result.to_frame()
    assert len(result) == 12 and len(frame) == 36
    for row in range(12):
        quality = Linear(result.values[row])
        sets = search_sequentially(quality, n_features=3, n_alternatives=2, tau=0.6).sets
        reasons = result.sets(row)
        assert [reason.indices for reason in reasons] == sets
        for reason in reasons:
            assert reason.share == pytest.approx(
                quality.evaluate(reason.indices) / quality.values.sum()
            )
            assert reason.names == tuple(X.columns[list(reason.indices)])
        part = frame[frame["row"] == row]
        assert part["selected"].tolist() == sets
        assert part["same_prediction"].tolist() == [reason.same_prediction for reason in reasons]


def test_sufficiency_is_what_the_model_says_against_the_background():
    result = explained(background=TRAIN[:20]).explain(ROWS)
    said = FOREST.predict_proba(ROWS)
    for row in range(12):
        c = said[row].argmax()
        for reason in result.sets(row):
            mixed = TRAIN[:20].copy()
            mixed[list(reason.names)] = ROWS.iloc[row][list(reason.names)].to_numpy()
            mean = FOREST.predict_proba(mixed).mean(axis=0)
            assert reason.same_prediction == (mean.argmax() == c)
            nothing = FOREST.predict_proba(TRAIN[:20]).mean(axis=0)
            assert reason.sufficient == (mean.argmax() == c != nothing.argmax())
            assert reason.probability_change == pytest.approx(mean[c] - nothing[c])
            assert reason.fidelity == pytest.approx(1 - abs(said[row, c] - mean[c]))


@pytest.mark.parametrize("limit", [{"tau": 1}, {"max_overlap": 1, "tau": None}])
def test_of_a_range_each_row_has_the_smallest_size_that_tells_its_class(limit):
    rows, sizes = X[200:260], (1, 2, 3)
    result = explained(n_features="1-3", **limit).explain(rows)
    fixed = {k: explained(n_features=k, **limit).explain(rows) for k in sizes}
    needed = [
        next((k for k in sizes if fixed[k].same_prediction[row, 0]), 3) for row in range(len(rows))
    ]
    assert set(needed) == {1, 2, 3}
    for row, k in enumerate(needed):
        assert result.sets(row) == fixed[k].sets(row)
        assert np.array_equal(result.alone[row], fixed[k].alone[row], equal_nan=True)
    assert "as many features as the first one needs for the row's class" in result.summary()


def test_a_number_is_told_by_no_size():
    data, target = load_diabetes(return_X_y=True)
    explainer = AlternativeExplanations(
        estimator=LinearRegression().fit(data, target), n_features=(1, 2)
    )
    assert_refused(r"^n_features: \(1, 2\) is not allowed, as no number is", explainer.fit, data)


def test_all_features_together_are_sufficient_if_nothing_is_not():
    result = explained(n_features=8, n_alternatives=0).explain(ROWS)
    assert result.share == pytest.approx(1) and result.fidelity == pytest.approx(1)
    assert result.same_prediction.all()
    assert (result.sufficient[:, 0] == ~result.same_without).all()
    assert 0 < result.same_without.sum() < len(ROWS)


class Rare(ClassifierMixin, BaseEstimator):
    """A model that predicts "yes" if the second column is large, as in 18 rows of 100."""

    classes_ = np.array(["no", "yes"], dtype=object)

    def fit(self, X, y):
        return self

    def __sklearn_is_fitted__(self):
        return True

    def predict_proba(self, X):
        X = np.asarray(X)
        p = np.where(X[:, 1] >= 82, 0.9, 0.1 + 0.001 * (X[:, 0] % 7))
        return np.column_stack([1 - p, p])


@pytest.mark.exhaustive
def test_a_set_is_not_sufficient_for_what_the_model_predicts_without_any_feature():
    # 82 rows of 100 have the class of the majority, which the model predicts when it sees nothing.
    rows = pd.DataFrame({"a": np.arange(100.0), "b": np.arange(100.0) * 29 % 100})
    exact = Shap(ShapOptions(algorithm="exact"))
    explainer = AlternativeExplanations(
        exact, estimator=Rare(), n_features=1, tau=1, background=rows
    )
    for names, sufficient in ((("a",), 0), (("b",), 18)):
        result = explainer.set_params(constraints={"exclude": sorted({"a", "b"} - {*names})})
        result = result.set_params(n_alternatives=0).fit(rows).explain(rows)
        assert result.same_without.sum() == 82 and result.sufficient.sum() == sufficient
        # What was said to be sufficient: as many rows as the majority has, with the feature that
        # never decides.
        assert result.same_prediction.sum() == 82 + sufficient
        text = result.summary()
        assert "Without any feature, the model predicts no: the class of 82 rows of 100." in text
        assert f"It is sufficient for {sufficient} of the other 18 rows." in text
        assert "Predicted no (82 rows, also without any feature): the first explanation" in text
        assert text.endswith(f" on average and is sufficient for {sufficient}.")
        table = result.by_class().set_index("predicted")
        assert table["n"].to_dict() == {"no": 82, "yes": 18}
        assert table["same_without"].to_dict() == {"no": 1, "yes": 0}
        assert table["sufficient"].to_dict() == {"no": 0, "yes": sufficient / 18}
        mean = Rare().predict_proba(rows)[:, 1].mean()
        change = (0.9 if names == ("b",) else mean) - mean
        assert table["probability_change"]["yes"] == pytest.approx(change, abs=0.002)
        words = {reason.verdict for row in range(100) for reason in result.sets(row)}
        decides = "sufficient" if sufficient else "not sufficient"
        assert words == {"predicted without any feature", decides}


def test_numbers_are_told_by_their_r2():
    wide, y = load_diabetes(return_X_y=True, as_frame=True)
    model = LinearRegression().fit(wide, y)
    explainer = AlternativeExplanations(
        Shap(ShapOptions(algorithm="linear")), estimator=model, n_features=4, tau=1, background=30
    )
    result = explainer.fit(wide).explain(wide[:40])
    truth = model.predict(wide[:40])
    reasons = result.alone[:, 0, 0]
    assert result.r2[0] == pytest.approx(
        1 - ((truth - reasons) ** 2).sum() / ((truth - truth.mean()) ** 2).sum()
    )
    assert result.same_prediction is None and np.isnan(result.fidelity).all()
    assert result.to_frame()["same_prediction"].isna().all()
    assert f"R² of {result.r2[0]:.2f}" in result.summary()


def test_a_model_is_fitted_if_it_is_not_and_left_alone_if_it_is():
    explainer = explained()
    assert explainer.estimator_ is FOREST
    refitted = AlternativeExplanations(estimator=RandomForestClassifier(5, random_state=0), tau=1)
    refitted.set_params(n_features=2).fit(TRAIN, Y[:200])
    assert refitted.explain(ROWS).answers == pytest.approx(FOREST.predict_proba(ROWS))
    default = AlternativeExplanations(n_features=2).fit(TRAIN[:50], Y[:50])
    assert len(default.estimator_.estimators_) == 100
    pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(TRAIN.iloc[:, :3], Y[:200])
    kernel = Shap(ShapOptions(algorithm="kernel"))
    steps = AlternativeExplanations(kernel, estimator=pipeline, n_features=1, tau=1, background=5)
    assert steps.fit(TRAIN.iloc[:, :3]).explain(ROWS.iloc[:2, :3]).exists.all()


def test_columns_may_come_in_any_order_and_as_arrays():
    explainer = explained()
    expected = explainer.explain(ROWS).to_frame()
    pd.testing.assert_frame_equal(explainer.explain(ROWS[X.columns[::-1]]).to_frame(), expected)
    pd.testing.assert_frame_equal(explainer.explain(ROWS.to_numpy()).to_frame(), expected)
    pd.testing.assert_frame_equal(
        explained().explain(ROWS[4:5]).to_frame().drop(columns="row"),
        expected[12:15].reset_index(drop=True).drop(columns="row"),
    )


def test_features_that_must_not_be_named_are_not():
    worst = explained().explain(ROWS).sets(0)[0].names[0]
    for constraints in (Constraints(exclude=(worst,)), {"exclude": [worst]}):
        result = explained(constraints=constraints, n_alternatives=1).explain(ROWS)
        assert all(worst not in reason.names for row in range(12) for reason in result.sets(row))
    costs = Constraints(costs=dict.fromkeys(X.columns, 1.0), budget=2.0)
    none = explained(constraints=costs).explain(ROWS)
    assert not none.exists.any()
    assert "No set satisfies the constraints for 12 rows." in none.summary()
    assert none.sets(0) == []


def test_a_selector_that_learns_from_the_rows_needs_their_target():
    class Learner(RowWise, LinearFromRows):
        name = "learner"

        def values(self, part):
            return np.ones(part.X.shape[1])

        def row_values(self, train, X):
            return np.abs(X - train.X[train.y == 1].mean(axis=0))

    explainer = AlternativeExplanations(Learner(), estimator=FOREST, n_features=2)
    assert_refused(r"^y: the selector 'learner' learns from it, give", explainer.fit, TRAIN)
    result = explainer.fit(TRAIN, Y[:200]).explain(ROWS)
    mean = TRAIN[Y[:200] == 1].mean().to_numpy()
    assert result.values == pytest.approx(np.abs(ROWS.to_numpy() - mean))


def test_the_words_count_what_the_table_has():
    result = explained().explain(ROWS)
    share, same, sufficient = result.share, result.same_prediction, result.sufficient
    good = int(((share[:, 1] >= 0.9 * share[:, 0]) & (same[:, 1] | ~same[:, 0])).sum())
    only = (sufficient[:, 0] & ~sufficient[:, 1:].any(axis=1)).sum()
    text = result.summary()
    row = "row" if good == 1 else "rows"
    assert f"A second explanation is as good for {good} {row} of 12" in text
    assert ("For" in text.splitlines()[-1]) == (only > 0)
    assert "share at most 1 features" in text
    assert explained().explain(ROWS[:0]).summary() == "There are no rows."


def test_pictures_show_one_row_or_all():
    result = explained().explain(ROWS)
    reason = result.plot(3).to_dict()
    assert reason["title"] == "Row 3"
    cells = next(d for d in reason["datasets"].values() if "feature" in d[0])
    assert len(cells) == 9
    assert result.plot("rows").to_dict()["datasets"]
    held = [set(result.sets(row)[0].names) for row in range(12)]
    pairs = [len(a & b) / 3 for i, a in enumerate(held) for b in held[:i]]
    [bars] = result.plot("agreement").to_dict()["datasets"].values()
    assert bars[0]["agreement"] == pytest.approx(np.mean(pairs))
    assert_refused(r"^row: 12 is not there, use 0 to 11\.$", result.plot, 12)
    assert_refused(r"^row: 'all' is not allowed, use a number, 'rows' or", result.plot, "all")


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        (
            {"estimator": RandomForestClassifier()},
            "estimator: RandomForestClassifier is not fitted",
        ),
        ({"estimator": None}, "estimator: a random forest is not fitted, give y"),
        ({"estimator": RidgeClassifier().fit(TRAIN, Y[:200])}, "estimator: RidgeClassifier has no"),
        ({"estimator": StandardScaler()}, "estimator: StandardScaler is not allowed, use a class"),
        ({"n_features": 9}, "n_features: 9 is not allowed, use a number from 1 to 8"),
        ({"n_features": "3-2"}, "n_features: '3-2' is not allowed, use a whole number from 1, or"),
        ({"background": 0}, "background: 0 is not allowed, use a whole number from 1"),
        ({"background": TRAIN[:0]}, "background: there are no rows, give at least one"),
        ({"background": TRAIN.iloc[:, :2]}, "background: columns 'mean perimeter', "),
        ({"background": TRAIN.to_numpy()[:, :2]}, "background: 2 columns are not allowed, use the"),
        ({"background": None}, "background: a NoneType is not a table, give a frame"),
        ({"estimator": Guess()}, "estimator: Guess is not allowed, use a classifier or regressor"),
        ({"selector": "mrmr"}, "selector: 'mrmr' has no values for single rows, use"),
        ({"constraints": Constraints(exclude=("no",))}, "exclude: there is no feature 'no'"),
        ({"n_alternatives": -1}, "n_alternatives: -1 is not allowed"),
        ({"tau": 2}, "tau: 2 is outside the allowed range"),
    ],
)
def test_wrong_parameters_are_refused_in_one_sentence(parameters, sentence):
    assert_refused(f"^{re.escape(sentence)}", explained, **parameters)


def test_wrong_rows_are_refused_in_one_sentence():
    explainer = explained()
    holes = ROWS.copy()
    holes.iloc[2, [1, 3]] = np.nan
    both = ["mean texture", "mean area"]
    for rows, sentence in [
        (ROWS.drop(columns=both), "X: columns 'mean texture', 'mean area' are not among the"),
        (ROWS.to_numpy()[:, :7], "X: 7 columns are not allowed, use the 8 of the fit."),
        (holes, "X: columns 'mean texture', 'mean area' have missing values, set `missing` to"),
        (
            ROWS.assign(**dict.fromkeys(both, "a")),
            "X: column 'mean texture' has other values than the numbers of the fit, use these; "
            "column 'mean area' cannot be used, either.",
        ),
    ]:
        assert_refused(f"^{re.escape(sentence)}", explainer.explain, rows)
    with pytest.raises(NotFittedError):
        AlternativeExplanations().explain(ROWS)
    unfitted = AlternativeExplanations(estimator=FOREST, n_features=2)
    for rows, said in [
        (TRAIN.iloc[:, :7], r"^X: column 'mean concave points' is not among the"),
        (TRAIN.iloc[:, ::-1], r"^X: the columns are not in the order of the estimator"),
        (TRAIN[:0], r"^X: there are no rows, give at least one\.$"),
    ]:
        assert_refused(said, unfitted.fit, rows)
    two = RandomForestClassifier(2).fit(TRAIN, np.column_stack([Y[:200], Y[:200]]))
    assert_refused(r"^estimator: RandomForestClassifier predicts several", explained, estimator=two)
    constant = explained(estimator=RandomForestClassifier(2).fit(TRAIN, np.arange(200) < 0))
    assert_refused(r"^X: row 0 has no attribution, as no feature changes", constant.explain, ROWS)


def people(n=120):
    """Return a table with text, a date as text, true and false, and gaps; and a target."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "city": rng.choice(["Bonn", "Kiel", "Ulm"], n),
            "job": rng.choice(["a", "b"], n),
            "since": [f"20{10 + i % 10}-01-01" for i in range(n)],
            "home": rng.random(n) < 0.5,
            "age": rng.integers(20, 60, n).astype(float),
        }
    )
    y = np.where((table["city"] == "Ulm") & (table["age"] > 30), "yes", "no")
    table.loc[[3, 7], ["city", "age"]] = None, np.nan
    return table, y


def encoder():
    """Return a model that reads text."""
    text = make_column_transformer(
        (OneHotEncoder(), ["city", "job"]), remainder="passthrough", verbose_feature_names_out=False
    )
    return make_pipeline(text, RandomForestClassifier(20, random_state=0))


def test_a_forest_learns_codes_and_a_given_model_reads_text_as_it_is():
    table, y = people()
    explainer = {"n_features": 2, "n_alternatives": 1, "tau": 0.5, "missing": "impute"}
    forest = AlternativeExplanations(**explainer).fit(table, y)
    assert forest.explain(table[:4]).sets(2)[0].share > 0
    # What takes the place of gaps is the median, and the most frequent category.
    age, city = table["age"].median(), table["city"].mode()[0]
    filled = table.fillna({"age": age, "city": city}).astype({"since": "datetime64[ns]"})
    days = (filled["since"] - pd.Timestamp(0)).dt.days.astype(float)
    seen = filled.assign(since=days, home=filled["home"].astype(float))
    for model in (encoder().fit(seen, y), encoder()):
        result = (
            AlternativeExplanations(estimator=model, **explainer).fit(table, y).explain(table[:9])
        )
        fitted = model if hasattr(model[-1], "estimators_") else encoder().fit(seen, y)
        np.testing.assert_allclose(result.answers, fitted.predict_proba(seen[:9]))
        background = seen.iloc[np.sort(np.random.RandomState(0).permutation(120)[:100])].copy()
        [first, *_] = result.sets(2)
        background[list(first.names)] = seen.loc[2, list(first.names)].tolist()
        np.testing.assert_allclose(
            result.alone[2, 0], fitted.predict_proba(background).mean(axis=0)
        )
    # Rows alone have the codes of the fit.
    alone = AlternativeExplanations(estimator=model, **explainer).fit(table, y).explain(table[7:8])
    np.testing.assert_allclose(alone.answers, result.answers[7:8])


def test_all_columns_that_are_refused_are_named():
    table, y = people()
    forest = RandomForestClassifier(2).fit(np.zeros((4, 5)), [0, 1, 0, 1])
    plain = table.dropna()
    some = y[plain.index]

    def fitted(rows, y=None, **parameters):
        return AlternativeExplanations(n_features=2, **parameters).fit(rows, y)

    said = r"^X: columns 'city', 'job' have text, which RandomForest"
    assert_refused(said, fitted, plain, estimator=forest)
    assert_refused(said, fitted, plain, some, estimator=RandomForestClassifier())
    said = r"^X: columns 'city', 'age' have missing values, set `mi"
    assert_refused(said, fitted, table, y)
    mixed = plain.assign(job=[1, *["b"] * (len(plain) - 1)], home=np.inf, age=plain["age"] * 1j)
    said = r"^X: column 'job' mixes.*; columns 'home', 'age' cannot"
    assert_refused(said, fitted, mixed, some)
    unseen = plain[:3].assign(city="Rom", job="c")
    said = (
        r"^X: column 'city' has the category 'Rom', which the fi.*'job' cannot be used, either\.$"
    )
    assert_refused(said, fitted(plain, some).explain, unseen)
    said = r"^missing: 'as_category' makes groups of numbers, which"
    assert_refused(said, fitted, table, estimator=forest, missing="as_category")


def test_missing_values_can_be_a_category_that_tells_the_class():
    random = np.random.default_rng(0)
    y = np.repeat(["no", "yes"], 60)
    table = pd.DataFrame(
        {
            "age": np.where(y == "yes", np.nan, random.normal(40, 9, 120)),
            "city": [None if i % 7 == 0 else "ab"[i % 2] for i in range(120)],
            "code": random.integers(0, 3, 120).astype(float),
        }
    )
    table.loc[3, "code"] = np.nan
    request = {"n_features": 1, "n_alternatives": 0, "missing": "as_category"}
    fitted = AlternativeExplanations(**request, categorical=["code"]).fit(table, y)
    result = fitted.explain(table)
    assert [result.sets(row)[0].names for row in (0, 100)] == [("age",)] * 2
    # Later rows have the groups and categories of the fit, also if none of them is missing.
    for part in (table[:5], table[5:7], table[60:], table[["code", "city", "age"]][:5]):
        np.testing.assert_array_equal(fitted.explain(part).answers, result.answers[part.index])


def test_a_solver_and_the_mean_overlap_are_those_of_the_other_library():
    result = explained(overlap="average", search="simultaneous").explain(ROWS[:2])
    assert "Those of a row have a mean dissimilarity of at least 0.6." in result.summary()
    for row in range(2):
        quality = Linear(result.values[row])
        request = {"n_features": 3, "n_alternatives": 2, "tau": 0.6, "overlap": "average"}
        best = AlternativeFeatures(quality, search="simultaneous", **request).fit(ROWS)
        sets = {reason.indices for reason in result.sets(row)}
        assert sets == {features.indices for features in best.feature_sets_}
    assert {str(s) for s in explained(solver="forward").explain(ROWS[:2]).to_frame()["status"]} == {
        "feasible"
    }
    assert_refused(r"^solver: .*backwards", explained, solver="backwards")


def test_named_rows_of_a_background_may_have_any_order():
    rows = TRAIN[:9]
    turned = explained(background=rows.iloc[:, ::-1])
    assert (turned.background_ == rows.to_numpy()).all()


def test_the_truth_is_counted_in_every_explanation():
    X, y = draw_rows("syn4", 120, None, 0)
    truth = truth_of_rows("syn4", X[:9])
    result = AlternativeExplanations(n_features=3, tau=1, n_alternatives=3).fit(X, y).explain(X[:9])
    reasons = result.truth_found(truth)
    assert len(reasons) == result.exists.sum() == 27
    for row in reasons.itertuples():
        chosen = result.sets(row.row)[row.set_index].indices
        assert row.truth_found == sum(truth[row.row, j] for j in chosen)
        assert row.truth_wrong == 3 - row.truth_found
        assert row.recall == row.truth_found / truth[row.row].sum()
        assert row.wrong == row.truth_wrong / 3
        values = result.values[row.row]
        ranks = [(values > v).sum() + ((values == v).sum() + 1) / 2 for v in values]
        assert row.truth_rank == pytest.approx(np.mean(np.array(ranks)[truth[row.row]]))
    said = r"^truth: shape \(8, 11\) is not allowed, use \(9, 11\)"
    assert_refused(said, result.truth_found, truth[:8])
