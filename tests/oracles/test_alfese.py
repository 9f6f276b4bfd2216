"""The author's own implementation, on the same folds with the same qualities.

alfese has to be told a gap of 0, else it calls answers optimal that are not.
"""

import alfese
import numpy as np
import pandas as pd
import pytest
from ortools.linear_solver import pywraplp
from sklearn.model_selection import StratifiedKFold

from altfs import search_sequentially, search_simultaneously
from altfs.datasets import make_dataset, sources
from altfs.results import Status
from altfs.selectors import Part, selectors

PEERS = {
    "mutual_information": alfese.MISelector,
    "fcbf": alfese.FCBFSelector,
    "model_gain": alfese.ModelImportanceSelector,
}


@pytest.fixture(autouse=True)
def _no_gap(monkeypatch):
    solve = pywraplp.Solver.Solve

    def solve_exactly(self, *_):
        parameters = pywraplp.MPSolverParameters()
        parameters.SetDoubleParam(pywraplp.MPSolverParameters.RELATIVE_MIP_GAP, 0.0)
        return solve(self, parameters)

    monkeypatch.setattr(pywraplp.Solver, "Solve", solve_exactly)


@pytest.fixture(scope="module")
def fold(pmlb_cache):
    component = sources.get("pmlb")
    source = component("hepatitis", component.Options(dataset="hepatitis"), pmlb_cache)
    data = make_dataset("hepatitis", source.load())
    cut = StratifiedKFold(10, shuffle=True, random_state=25).split(data.X, data.y)
    train, test = next(iter(cut))
    frame = pd.DataFrame(data.X, columns=data.feature_names)
    y = pd.Series(data.y)
    peer = (frame.iloc[train], frame.iloc[test], y.iloc[train], y.iloc[test])
    parts = [Part(data.X[rows], data.y[rows], "binary", 25) for rows in (train, test)]
    return peer, parts


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("tau", [0.2, 0.6, 1.0])
def test_linear_selectors_reach_the_same_objectives(name, tau, fold):
    data, parts = fold
    peer = PEERS[name]()
    peer.set_data(*data)
    fitted = selectors.get(name)().fit(*parts)
    for ours, theirs in (
        (
            search_sequentially(fitted.train, n_features=5, n_alternatives=3, tau=tau),
            peer.search_sequentially(k=5, num_alternatives=3, tau=tau),
        ),
        (
            search_simultaneously(fitted.train, n_features=5, n_alternatives=2, tau=tau),
            peer.search_simultaneously(k=5, num_alternatives=2, tau=tau),
        ),
    ):
        exists = theirs["train_objective"].notna().to_numpy()
        assert [s is Status.OPTIMAL for s in ours.status] == exists.tolist()
        first = float(np.nansum(ours.objectives))
        assert first == pytest.approx(theirs["train_objective"].sum(), abs=1e-9)
    best = search_sequentially(fitted.train, n_features=5, n_alternatives=0, tau=1)
    their_best = peer.search_sequentially(k=5, num_alternatives=0, tau=1)
    if best.sets[0] and list(best.sets[0]) == sorted(their_best["selected_idxs"].iloc[0]):
        assert fitted.test.evaluate(best.sets[0]) == pytest.approx(
            their_best["test_objective"].iloc[0], abs=1e-12
        )


def test_the_wrapper_evaluates_sets_alike(fold):
    data, parts = fold
    peer = alfese.GreedyWrapperSelector()
    peer.set_data(*data)
    fitted = selectors.get("greedy_wrapper")().fit(*parts)
    for chosen in [(0, 1, 2, 3, 4), (3, 7, 9, 11, 18), (5,)]:
        expected = peer.evaluate_wrapper(data[0].iloc[:, list(chosen)], data[2])
        assert fitted.train.evaluate(chosen) == pytest.approx(expected, abs=1e-12)
