"""The estimator: answers for users, and the sentences of what is refused."""

import pickle
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

from altfs import AlternativeAcquisition
from altfs.errors import AltfsError, DataError, FewerSetsWarning

X = pd.DataFrame(list(product([0, 1], repeat=4)) * 4, columns=["age", "scan", "sugar", "iron"])
Y = np.where(X["age"] == 0, X["scan"], X["sugar"])
EXACT = {"type": "exact", "options": {"alpha": 0, "min_rows": 1}}


def fitted(method=EXACT, **parameters):
    return AlternativeAcquisition(method, **{"price": 0.01} | parameters).fit(X, Y)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "acquisition",
    [
        AlternativeAcquisition(price=0.01),
        AlternativeAcquisition("greedy", budget=2),
        AlternativeAcquisition("plan", model="nearest", price=0.01),
    ],
)
def test_it_is_a_scikit_learn_estimator(acquisition, monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    # Rows have to be complete, which its sentence says in words of its own.
    other = {"check_estimators_nan_inf": "says which row lacks what"}
    checks = check_estimator(acquisition, on_skip=None, expected_failed_checks=other)
    assert {check["status"] for check in checks} == {"passed", "xfail"}


@pytest.mark.parametrize("method", ["exact", "stopping", "plan", "greedy", "static"])
def test_a_clone_and_a_copy_say_the_same(method):
    acquisition = AlternativeAcquisition(method, price=0.01).fit(X, Y)
    again = clone(acquisition).fit(X, Y)
    copy = pickle.loads(pickle.dumps(acquisition))
    for other in (again, copy):
        said, expected = other.next({"age": 0}), acquisition.next({"age": 0})
        assert (said.measure, said.value) == (expected.measure, expected.value)
        assert said.alternatives == expected.alternatives
        pd.testing.assert_frame_equal(
            other.simulate(X, Y).rows(), acquisition.simulate(X, Y).rows()
        )


def test_the_next_measurement_depends_on_what_is_known_and_there():
    acquisition = fitted()
    first = acquisition.next()
    assert (first.measure, first.stop, first.cost, first.spent) == ("age", False, 1, 0)
    second = acquisition.next({"age": 0})
    assert (second.measure, second.spent) == ("scan", 1)
    assert acquisition.next({"age": 1}).measure == "sugar"
    end = acquisition.next({"age": 0, "scan": 1})
    assert end.stop and end.measure is None and end.answer == 1 and end.certainty == 1
    assert end.cost == 0 and end.outage == 0
    without = acquisition.next(without=["age"])
    assert without.measure == "scan"
    assert without.value - first.value == pytest.approx(first.outage)
    assert str(end) == "Stop. The answer is 1 (100% sure)."
    assert str(first).startswith("Measure age. So far the answer is")


def test_a_row_is_asked_for_until_the_answer_is_sure():
    acquisition = fitted()
    values, asked = {"age": 1, "sugar": 1}, []

    def ask(name):
        asked.append(name)
        return values[name]

    end = acquisition.acquire(None, ask)
    assert asked == ["age", "sugar"] and end.measured == [("age", 1), ("sugar", 1)]
    assert (end.answer, end.certainty, end.spent) == (1, 1, 2)
    # What is not available is replaced by the best alternative.
    there = {"scan": 1, "sugar": 1, "iron": 0}
    end = acquisition.acquire({}, lambda name: there.get(name))
    assert [name for name, value in end.measured if value is None] == ["age"]
    # Nothing else tells more without it.
    assert (end.answer, end.certainty, end.spent) == (1, 0.75, 1)
    assert acquisition.acquire({"age": 0}, there.get, without=["scan"]).measured == []


def test_a_panel_is_one_measurement_of_several_values():
    panels = {"blood": {"features": ["sugar", "iron"], "cost": 1.5}}
    acquisition = fitted(panels=panels, costs={"age": 1, "scan": 2})
    assert acquisition.measurements_ == ["age", "scan", "blood"]
    end = acquisition.acquire({"age": 1}, lambda name: {"sugar": 1, "iron": 0})
    assert end.measured == [("blood", {"sugar": 1, "iron": 0})] and end.spent == 2.5
    assert acquisition.acquire({"age": 1}, lambda name: [0, 1]).answer == 0
    with pytest.raises(AltfsError, match="blood: 'iron' has no value, give all"):
        acquisition.acquire({"age": 1}, lambda name: {"sugar": 1})
    for method in ("greedy", "plan", "stopping", "static"):
        run = fitted(method, panels=panels, costs={"age": 1, "scan": 2}).simulate(X, Y)
        assert set(run.rows()["feature"].dropna()) <= {"age", "scan", "blood"}


def test_columns_may_be_text_and_classes_too():
    table = X.assign(age=X["age"].map({0: "young", 1: "old"}))
    acquisition = AlternativeAcquisition(EXACT, price=0.01).fit(table, np.array(["no", "yes"])[Y])
    said = acquisition.next({"age": "old", "sugar": 1})
    assert said.answer == "yes" and said.stop
    assert "age = old: measure sugar" in str(acquisition.policy())
    assert acquisition.simulate(table, np.array(["no", "yes"])[Y]).accuracy == 1
    with pytest.raises(DataError, match="known: column 'age' has the category 'dead'"):
        acquisition.next({"age": "dead"})


def test_the_tree_is_written_drawn_and_begun_with_an_alternative():
    acquisition = fitted()
    tree = acquisition.policy()
    frame = tree.to_frame()
    assert len(tree) == len(frame) == 7
    assert frame["measure"].tolist()[:2] == ["age", "scan"] and frame["rows"][0] == 64
    assert frame.loc[frame["measure"].isna(), "rows"].sum() == 64
    assert tree.plot().to_dict()["layer"]
    other = acquisition.policy(alternative=1)
    root = other.nodes[0].verdict
    assert root.value == pytest.approx(tree.nodes[0].verdict.value + frame["switch"][0])
    assert other.to_frame()["measure"][0] == frame["instead"][0]


def test_rows_are_measured_and_summed_up():
    acquisition = fitted(costs=[1, 3, 2, 1])
    run = acquisition.simulate(X[:32], Y[:32])
    rows = run.rows()
    assert (run.accuracy, run.mcc) == (1, 1)
    assert rows.groupby("row")["step"].max().eq(2).all()
    last = rows.groupby("row").tail(1)
    assert last["feature"].isna().all() and last["correct"].all()
    assert run.mean_cost == last["spent"].mean() == pytest.approx(1 + 2.5)
    assert (rows["cost"].groupby(rows["row"]).sum() == last["spent"].to_numpy()).all()
    curve = run.curve()
    assert curve["measurements"].tolist() == [0, 1, 2]
    assert curve["cost"].tolist() == [0, 1, 3.5] and curve["accuracy"].iloc[-1] == 1
    assert "32 rows cost 3.5 on average, for 2 measurements; 100.0% of" in run.summary()
    # Rows of the fit are named as such.
    assert "New rows" not in run.summary()
    assert "rows of the fit cost" in acquisition.summary()
    assert "New rows can be answered worse." in acquisition.explain()
    for kind in ("curve", "rows"):
        assert run.plot(kind).to_dict()
        assert acquisition.plot(kind).to_dict()
    assert acquisition.plot("outages").to_dict() and acquisition.plot("tree").to_dict()


def test_it_is_explained_in_words():
    said = fitted(n_features=3, n_alternatives=1, tau=0.3).explain()
    assert "Measured first: age (100% of the rows)." in said
    assert "Measured second: scan (50% of the rows), sugar (50% of the rows)." in said
    assert "age has no cheap substitute: if it is missing only now, measure scan (+0.005);" in said
    assert "Kit: age, scan, sugar; value 0.02, optimal." in said
    assert "Alternative 1:" in said
    unknown = AlternativeAcquisition("static", price=9).fit(X, Y).explain()
    assert "Nothing is measured of 100% of the rows." in unknown
    assert "No outage of one measurement costs anything." in unknown


def test_kits_obey_constraints_and_say_if_there_are_fewer():
    groups = [{"features": ["age", "scan"], "at_most": 1}]
    limits = {"costs": [1, 1, 1, 5], "budget": 2}
    kits = fitted(n_features=2, constraints={"groups": groups, **limits}, max_overlap=1).kits_
    assert [kit.names for kit in kits] == [("age", "sugar"), ("scan", "sugar")]
    given = fitted(n_features=3, n_alternatives=0, constraints={"include": ["iron"]}).kits_
    assert "iron" in given[0].names
    with pytest.warns(FewerSetsWarning, match="1 of 3 feature sets found"):
        assert len(fitted(n_features=3, n_alternatives=2, max_overlap=0).kits_) == 1
    stopping = fitted("stopping", n_features=2, n_alternatives=0).kits_
    assert len(stopping) == 1


def test_included_features_are_known_and_free():
    acquisition = fitted(constraints={"include": ["age"], "exclude": ["iron"]})
    assert acquisition.measurements_ == ["scan", "sugar"]
    assert acquisition.next({"age": 1}).measure == "sugar"
    assert acquisition.next({"age": 1}).spent == 0
    assert acquisition.simulate(X, Y).mean_cost == 1
    assert acquisition.outages()["outage"].tolist() == pytest.approx([0.245, 0.245])
    assert "age = 0: measure scan" in str(acquisition.policy())


REFUSED = [
    ({"costs": {"age": 1, "sugar": 2, "iron": 1}},
     "costs: 'scan' has none, give one for every feature."),
    ({"budget": 0.5}, "budget: 0.5 is below the cheapest measurement ('age', 1), give at least 1."),
    ({"price": None}, "price: there is no budget either, give one of them."),
    ({"costs": [1, 2]}, "costs: 2 values, use one for each of 4."),
    ({"costs": {"age": -1}}, "costs: -1 for 'age' is not allowed, use finite numbers from 0."),
    ({"costs": {"agee": 1}},
     "costs: there is no feature 'agee', did you mean 'age'? use names of columns."),
    ({"price": -1}, "price: -1 is not allowed, use a finite number from 0."),
    ({"budget": "much"}, "budget: 'much' is not allowed, use a finite number from 0."),
    ({"panels": {"a": {"features": ["age"], "cost": 1}, "b": {"features": ["age"], "cost": 1}}},
     "panels: 'age' is in 'a' and in 'b', use one panel for each feature."),
    ({"panels": {"age": {"features": ["scan"], "cost": 1}}},
     "panels: 'age' is a feature, use another name."),
    ({"panels": {"a": {"features": ["age"]}}},
     "panels.a.cost: this key is missing, add it (The cost of the panel)."),
    ({"panels": ["age"]},
     "panels: ['age'] is not allowed, use a mapping of names to features and cost."),
    ({"constraints": {"exclude": list(X)}},
     "constraints: nothing is left to measure, exclude fewer features."),
    ({"loss": [[0, 1]]}, "loss: shape (1, 2) is not allowed, it has to be (2, 2)."),
    ({"loss": [[0, -1], [1, 0]]}, "loss: -1 is not allowed, use numbers from 0."),
    ({"method": "exakt"},
     "method: 'exakt' is not a known method, did you mean 'exact'? allowed are: dime, exact, "
     "gdfs, greedy, plan, static, stopping."),
    ({"method": {"type": "exact", "options": {"bins": 1}}},
     "method.options.bins: 1 is not allowed, the least is 2."),
    ({"method": "greedy", "most": 2}, "most: 'greedy' looks at no sets, leave it out."),
    ({"method": "greedy", "model": "bayes"},
     "model: 'bayes' is not a known model, did you mean 'naive_bayes'? allowed are: masked, "
     "naive_bayes, nearest."),
    ({"method": "stopping", "model": "nearest"},
     "model: 'stopping' needs codes, which 'nearest' has not, use 'naive_bayes'."),
    ({"method": "greedy", "n_features": 2},
     "method: 'greedy' has no value of a whole policy, which kits need, use 'exact', 'plan' or "
     "'stopping'."),
    ({"n_features": 0}, "n_features: 0 is not allowed, use a whole number from 1."),
]  # fmt: skip


@pytest.mark.parametrize(("parameters", "sentence"), REFUSED)
def test_parameters_are_refused_in_one_sentence(parameters, sentence):
    with pytest.raises(AltfsError) as error:
        fitted(**parameters)
    assert str(error.value) == sentence


def test_data_are_refused_in_one_sentence():
    wine, kinds = load_wine(return_X_y=True, as_frame=True)
    holes = X.astype(float)
    holes.loc[3, "age"] = np.nan
    cases = [
        (AlternativeAcquisition(price=1), holes, Y,
         "X: row 3 lacks 'age', fit needs complete rows."),
        (AlternativeAcquisition("stopping", price=1), wine, kinds,
         "method: 'stopping' is for two classes, y has 3, use 'greedy'."),
        (AlternativeAcquisition(price=1), wine, wine["alcohol"],
         "y: it has numbers that are no classes, use text or few whole numbers."),
        (AlternativeAcquisition("greedy", price=1, costs=dict.fromkeys(wine, 1), panels={
            "all": {"features": list(wine), "cost": 1}}), wine, kinds,
         "panels: 'all' has 1,220,703,125 joint values, more than 5,000, use smaller panels or "
         "the model 'nearest'."),
    ]  # fmt: skip
    for acquisition, table, target, sentence in cases:
        with pytest.raises(AltfsError) as error:
            acquisition.fit(table, target)
        assert str(error.value) == sentence


def test_questions_are_refused_in_one_sentence():
    acquisition = fitted()
    plan = AlternativeAcquisition("plan", price=0.01).fit(X, Y)
    given = fitted(constraints={"include": ["age"]})
    cases = [
        (lambda: acquisition.next({"agee": 1}),
         "known: there is no feature 'agee', did you mean 'age'? use names of columns."),
        (lambda: acquisition.next([1]),
         "known: [1] is not allowed, use a mapping of features to values."),
        (lambda: acquisition.next({"age": None}), "known: 'age' has no value, leave it out."),
        (lambda: acquisition.next(without=["x"]),
         "without: there is no feature 'x', use names of columns."),
        (lambda: given.next(), "known: 'age' is known from the start, give its value."),
        (lambda: plan.policy(),
         "method: 'plan' has no tree, as it decides row by row, use 'exact' or 'stopping', or "
         "`next`."),
        (lambda: acquisition.policy(9), "alternative: 9 is not there, use 0 to 3."),
        (lambda: acquisition.plans(), "method: 'exact' makes no plans, use 'plan'."),
        (lambda: acquisition.plan_for_outages(["age"]),
         "n_features: there are no kits, give their size."),
        (lambda: acquisition.simulate(X, Y + 5), "y: 5 is no class of the fit, leave it out."),
        (lambda: acquisition.plot("bars"),
         "kind: 'bars' is unknown, allowed are: outages, tree, curve, rows."),
    ]  # fmt: skip
    for ask, sentence in cases:
        with pytest.raises(AltfsError) as error:
            ask()
        assert str(error.value) == sentence
    with pytest.raises(NotFittedError):
        AlternativeAcquisition(price=1).next()
