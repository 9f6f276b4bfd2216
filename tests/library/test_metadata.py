"""Metadata routing: sample weights reach the model that makes a set good."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from altfs import AlternativeFeatures
from altfs.errors import AltfsError
from altfs.library.metadata import of_rows
from altfs.selectors.greedy_wrapper import GreedyWrapper, GreedyWrapperOptions

X, Y = load_wine(return_X_y=True)
# Weights of zero leave a class out, so the answer has to change.
WEIGHTS = np.where(Y == 0, 0.0, 1.0 + np.arange(len(Y)) % 3)
SELECTORS = {
    "model_gain": "model_gain",
    "permutation_importance": "permutation_importance",
    "greedy_wrapper": GreedyWrapper(GreedyWrapperOptions(max_iterations=5)),
}


class Recording(DecisionTreeClassifier):
    """Says what it was given; the class is the memory, as clones forget."""

    seen: list = []  # noqa: RUF012

    def fit(self, X, y, sample_weight=None, check_input=True):
        Recording.seen.append((X.copy(), y.copy(), sample_weight))
        return super().fit(X, y, sample_weight, check_input)


@pytest.fixture(autouse=True)
def _forget():
    Recording.seen = []


def sets(**changes):
    return {"n_features": 3, "tau": 1, "random_state": 0, "n_shuffles": 0} | changes


@pytest.mark.parametrize("name", sorted(SELECTORS))
@pytest.mark.parametrize("routing", [False, True])
def test_every_row_that_is_learned_from_keeps_its_weight(name, routing):
    with config_context(enable_metadata_routing=routing):
        tree = Recording(random_state=0)
        if routing:
            tree.set_fit_request(sample_weight=True)
        afs = AlternativeFeatures(SELECTORS[name], **sets(estimator=tree))
        afs.fit(X, Y, sample_weight=WEIGHTS)
    weight_of = {(*row, label): w for row, label, w in zip(X, Y, WEIGHTS, strict=True)}
    first = Recording.seen[0]
    if name != "greedy_wrapper":
        # The wrapper's models see some of the columns, the others all of them.
        assert [weight_of[(*row, label)] for row, label in zip(*first[:2], strict=True)] == list(
            first[2]
        )
    n_rows = len(Y) if name == "model_gain" else len(Y) * 4 // 5
    assert Recording.seen
    for _, labels, weights in Recording.seen:
        assert len(weights) == len(labels) == n_rows
        assert ((weights == 0) == (labels == 0)).all()
    plain = AlternativeFeatures(SELECTORS[name], **sets(estimator=DecisionTreeClassifier()))
    objectives = [a.feature_sets_[0].train_objective for a in (afs, plain.fit(X, Y))]
    assert objectives[0] != objectives[1]


@pytest.mark.parametrize("name", sorted(SELECTORS))
def test_weights_of_one_change_nothing(name):
    afs = AlternativeFeatures(
        SELECTORS[name], **sets(estimator=DecisionTreeClassifier(random_state=0))
    )
    result = [
        afs.fit(X, Y, **params).feature_sets_ for params in ({}, {"sample_weight": np.ones(len(Y))})
    ]
    assert [s.indices for s in result[0]] == [s.indices for s in result[1]]
    assert [s.train_objective for s in result[0]] == [s.train_objective for s in result[1]]


def test_without_routing_a_pipeline_passes_on_what_is_named():
    inner = make_pipeline(StandardScaler(), LogisticRegression())
    afs = AlternativeFeatures("model_gain", **sets(estimator=inner))
    outer = make_pipeline(afs, DecisionTreeClassifier(random_state=0))
    outer.fit(X, Y, alternativefeatures__logisticregression__sample_weight=WEIGHTS)
    direct = AlternativeFeatures("model_gain", **sets(estimator=inner))
    direct.fit(X, Y, logisticregression__sample_weight=WEIGHTS)
    plain = AlternativeFeatures("model_gain", **sets(estimator=inner)).fit(X, Y)
    assert outer[0].feature_sets_[0].indices == direct.feature_sets_[0].indices
    gains = [a.feature_sets_[0].train_objective for a in (outer[0], direct, plain)]
    assert gains[0] == gains[1] != gains[2]


def test_pipelines_and_cross_validation_route_weights():
    with config_context(enable_metadata_routing=True):
        tree = Recording(random_state=0).set_fit_request(sample_weight=True)
        last = LogisticRegression(max_iter=5000).set_fit_request(sample_weight=False)
        scorer = get_scorer("accuracy").set_score_request(sample_weight=False)
        pipeline = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False),
            AlternativeFeatures("model_gain", **sets(estimator=tree)),
            last,
        )
        pipeline.fit(X, Y, sample_weight=WEIGHTS)
        assert [list(w) for _, _, w in Recording.seen] == [list(WEIGHTS)]
        Recording.seen = []
        weights = {"sample_weight": WEIGHTS}
        scores = cross_validate(pipeline, X, Y, cv=3, scoring=scorer, params=weights)
        assert scores["test_score"].min() > 0.5
        assert len(Recording.seen) == 3
        for _, labels, weights in Recording.seen:
            assert len(labels) == len(weights) < len(Y)
            assert ((weights == 0) == (labels == 0)).all()


def test_what_was_not_requested_is_refused_by_scikit_learn():
    with config_context(enable_metadata_routing=True):
        undecided = AlternativeFeatures("model_gain", estimator=Recording())
        with pytest.raises(ValueError, match="not explicitly set as requested or not requested"):
            undecided.fit(X, Y, sample_weight=WEIGHTS)
        with pytest.raises(TypeError, match=r"unexpected argument.*doses"):
            undecided.fit(X, Y, doses=WEIGHTS)
        unwanted = Recording().set_fit_request(sample_weight=False)
        AlternativeFeatures("model_gain", estimator=unwanted).fit(X, Y)
        # A set can be shown by routing, too, as with any estimator.
        assert "alternative" in str(undecided.get_metadata_routing())
    assert all(weights is None for _, _, weights in Recording.seen)


@pytest.mark.parametrize("routing", [False, True])
@pytest.mark.parametrize("selector", ["model_gain", "mutual_information", np.ones(13)])
def test_weights_that_nothing_uses_are_refused(routing, selector):
    with (
        config_context(enable_metadata_routing=routing),
        pytest.raises(AltfsError, match=r"^sample_weight: nothing uses it, .*greedy_wrapper\.$"),
    ):
        AlternativeFeatures(selector).fit(X, Y, sample_weight=WEIGHTS)


def test_only_what_has_a_value_for_each_row_is_cut():
    rows = np.array([2, 0])
    given = {"w": np.arange(3), "text": "abc", "d": {1: 1, 2: 2, 3: 3}, "n": 3, "short": [1, 2]}
    cut = of_rows(given, rows, 3)
    assert cut["w"].tolist() == [2, 0]
    assert {name: cut[name] for name in given if name != "w"} == {
        name: given[name] for name in given if name != "w"
    }
