"""Networks that choose measurements, on made rows; a minute and a half of CPU time."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from altfs import AlternativeAcquisition
from altfs.datasets.context_designs import draw_in_context
from altfs.errors import AltfsError
from altfs.kinds.acquisition.base import methods

NETWORKS = ["gdfs", "dime"]
SHORT = {"max_epochs": 1, "width": 8}


def accuracy(method, design, budget):
    shares = []
    for seed in range(2):
        train, new = (draw_in_context(design, None, s) for s in (seed, seed + 100))
        acquisition = AlternativeAcquisition(method, budget=budget, price=0.0001)
        shares.append(acquisition.fit(*train).simulate(*new).accuracy)
    return np.mean(shares)


def short(method, **parameters):
    return AlternativeAcquisition({"type": method, "options": SHORT}, **parameters)


def table(n_rows=200, seed=0):
    """x0 tells the class in 90 per cent of the rows, x1 in 70, x2 nothing."""
    random = np.random.RandomState(seed)
    y = random.randint(0, 2, n_rows)
    columns = [np.where(random.random_sample(n_rows) < p, y, 1 - y) for p in (0.9, 0.7, 0.5)]
    return np.column_stack(columns), y


@pytest.mark.parametrize("method", NETWORKS)
def test_the_next_measurement_follows_from_the_last(method):
    # One order for all rows answers .69 of them, and chance .125.
    assert accuracy(method, "cube", 3) > 0.7


def test_gdfs_measures_two_columns_that_tell_the_class_together_only():
    # One decoy after the other answers .61 of the rows.
    assert accuracy("gdfs", "xor_decoys", 2) > 0.85


def test_gains_of_dime_are_the_information_about_the_class():
    said = AlternativeAcquisition("dime", price=0.001).fit(*table(2000)).method_
    verdict = said.judge(said.task.start)
    gains = {a: -value for a, value in verdict.choices}
    entropy = -(0.9 * np.log(0.9) + 0.1 * np.log(0.1)), -(0.7 * np.log(0.7) + 0.3 * np.log(0.3))
    expected = [np.log(2) - e for e in entropy] + [0]
    assert [gains[a] for a in range(3)] == pytest.approx(expected, abs=0.08)
    assert AlternativeAcquisition("dime", price=0.5).fit(*table()).next().stop


@pytest.mark.parametrize("method", NETWORKS)
def test_the_same_seed_has_the_same_answers(method):
    X, y = table()
    acquisition = short(method, budget=2, random_state=3).fit(X, y)
    others = clone(acquisition).fit(X, y), pickle.loads(pickle.dumps(acquisition))
    expected = acquisition.simulate(X, y).rows()
    for other in others:
        pd.testing.assert_frame_equal(other.simulate(X, y).rows(), expected)


@pytest.mark.parametrize("method", NETWORKS)
def test_costs_panels_and_what_is_known_are_respected(method):
    X, y = table()
    X = np.column_stack([X, X[:, 0]])
    panels = {"both": {"features": ["x0", "x1"], "cost": 3}}
    costs, known = {"x2": 0, "x3": 5}, {"include": ["x2"]}
    plain = short(method, budget=4, costs=costs | {"x0": 9, "x1": 1}).fit(X, y)
    assert {a for a, *_ in plain.next().alternatives} <= {"x1", "x2"}
    acquisition = short(method, budget=4, costs={"x3": 5}, panels=panels, constraints=known)
    said = acquisition.fit(X, y).next({"x2": 1})
    assert said.measure == "both" and said.alternatives == []
    assert acquisition.next({"x2": 1, "x0": 1, "x1": 1}).stop


@pytest.mark.parametrize("method", NETWORKS)
def test_categories_have_a_column_each(method):
    colours = np.array(["red", "green", "blue"])
    code = np.random.RandomState(0).randint(0, 3, 300)
    X = pd.DataFrame({"colour": colours[code], "size": code[::-1] * 1.0})
    acquisition = AlternativeAcquisition(method, budget=1).fit(X, code == 1)
    assert acquisition.next().measure == "colour"
    assert [acquisition.next({"colour": c}).answer for c in colours] == [False, True, False]


@pytest.mark.parametrize("method", NETWORKS)
def test_a_budget_below_every_cost_leaves_nothing_to_measure(method):
    task = short(method, budget=1).fit(*table()).method_.task
    component = methods.get(method)
    poor = component(component.Options(**SHORT)).fit(replace(task, budget=0.5), None)
    verdict = poor.judge(task.start)
    assert verdict.best is None and verdict.choices == ()


def test_gdfs_needs_a_budget():
    with pytest.raises(AltfsError, match="'gdfs' weighs no costs"):
        AlternativeAcquisition("gdfs", price=0.1).fit(*table())
