"""Threads and a Dask client: the same values, wherever they are computed."""

import copy
import pickle

import numpy as np
import pytest
from distributed import Client, LocalCluster
from marks import exhaustive
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from altfs import AlternativeFeatures
from altfs.errors import AltfsError
from altfs.library.workers import workers
from altfs.selectors import Part

X, Y = load_wine(return_X_y=True)
WIDE = np.hstack([X, X + np.random.default_rng(0).random(X.shape)])


@pytest.fixture(scope="module")
def client():
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=2, processes=True, dashboard_address=":0"
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


def tasks_of(client):
    """Return the number of tasks that the cluster has ever seen."""
    return client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.transition_counter)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("selector", "estimator"),
    [
        *exhaustive(("mrmr", None), ("cfs", None), ("permutation_importance", None)),
        *exhaustive(("rar", None), ("permutation_importance", KNeighborsClassifier())),
        ("fcbf", None),
    ],
)
def test_threads_and_a_client_change_nothing(client, selector, estimator):
    afs = AlternativeFeatures(selector, n_features=2, estimator=estimator)
    before = tasks_of(client)
    # The model is fitted for every feature, so it has half of them.
    table = WIDE if estimator is None else X
    results = {
        name: clone(afs).set_params(n_jobs=n_jobs).fit(table, Y).quality_
        for name, n_jobs in (("alone", None), ("threads", 2), ("client", client))
    }
    assert tasks_of(client) > before
    alone = vars(results["alone"])
    for other in ("threads", "client"):
        for name, values in vars(results[other]).items():
            if isinstance(values, np.ndarray):
                assert values.tobytes() == alone[name].tobytes()
    assert any(isinstance(values, np.ndarray) for values in alone.values())


def test_equal_rows_that_are_sent_twice_have_two_names(client):
    # Under one name the second ones could be lost while the first ones are released.
    part = Part(X, Y, "multiclass", 0)
    with workers(client):
        names = [client.scatter(part).key for _ in range(2)]
    assert len(set(names)) == 2


def test_clones_share_the_client_and_pickles_have_none(client):
    afs = AlternativeFeatures("mrmr", n_features=2, n_jobs=client)
    assert afs.get_params()["n_jobs"] is client
    assert clone(afs).n_jobs is client
    assert clone(make_pipeline(afs))[0].n_jobs is client
    afs.fit(X, Y)
    assert not hasattr(clone(afs), "feature_sets_")
    for copied in (pickle.loads(pickle.dumps(afs)), copy.deepcopy(afs)):
        assert copied.n_jobs is None
        assert copied.get_support(True, alternative=1).tolist() == (
            afs.get_support(True, alternative=1).tolist()
        )
    assert afs.n_jobs is client
    grid = {"n_features": [1, 2]}
    search = GridSearchCV(make_pipeline(afs, KNeighborsClassifier()), {}, cv=2, error_score="raise")
    search.set_params(param_grid={f"alternativefeatures__{k}": v for k, v in grid.items()})
    assert search.fit(X, Y).best_estimator_[0].n_jobs is client


@pytest.mark.exhaustive
def test_halves_are_searched_by_the_workers_of_a_client(client):
    alone, shared = (
        AlternativeFeatures("mutual_information", n_features=2, n_jobs=jobs).fit(X, Y).stability(6)
        for jobs in (None, client)
    )
    assert str(shared) == str(alone) and shared.sets.equals(alone.sets)


@pytest.mark.parametrize("selector", ["mrmr", "model_gain"])
def test_a_client_that_is_closed_is_refused(client, selector):
    with Client(client.scheduler.address, set_as_default=False) as closed:
        pass
    with pytest.raises(AltfsError, match=r"^n_jobs: this distributed.Client is closed, use one"):
        AlternativeFeatures(selector, n_jobs=closed).fit(X, Y)


@pytest.mark.parametrize("n_jobs", [0, True, "all", 1.5])
@pytest.mark.parametrize("selector", ["mrmr", "model_gain"])
def test_other_things_are_refused(n_jobs, selector):
    with pytest.raises(AltfsError, match=r"^n_jobs: .* is not allowed, use a number of threads"):
        AlternativeFeatures(selector, n_jobs=n_jobs).fit(X, Y)
