"""Wide and sparse tables: what a prescreen keeps, and selectors that do not make X dense."""

import json

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_selection import chi2

from altfs import AlternativeFeatures, Constraints, Group
from altfs.errors import AltfsError, DataError, DataWarning
from altfs.library import screening

RNG = np.random.default_rng(0)
Y = np.arange(60) % 3
COUNTS = RNG.poisson(0.3 + (np.arange(12) < 4) * (Y[:, None] == 1), size=(60, 12)).astype(float)
COUNTS[:, 5], COUNTS[:, 6] = 0, 0.1
VALUES = COUNTS[:, 1] + RNG.random(60)


@pytest.mark.parametrize("target", ["classes", "numbers"])
@pytest.mark.parametrize("selector", ["correlation", "f_statistic", "model_gain"])
def test_sparse_tables_have_the_answers_of_dense_ones(selector, target):
    y = Y if target == "classes" else VALUES
    dense = AlternativeFeatures(selector, n_features=2).fit(COUNTS, y)
    for kind in (sparse.csr_matrix, sparse.csc_array):
        result = AlternativeFeatures(selector, n_features=2).fit(kind(COUNTS), y)
        assert result.quality_.values == pytest.approx(dense.quality_.values, abs=1e-12)
        assert result.quality_.values[[5, 6]].tolist() == [0, 0]
        assert result.feature_sets_[1].names == dense.feature_sets_[1].names
    kept = result.transform(sparse.csr_matrix(COUNTS), alternative=1)
    assert sparse.issparse(kept)
    assert np.array_equal(kept.toarray(), COUNTS[:, result.feature_sets_[1].mask])


def test_the_information_of_sparse_categories_is_that_of_dense_ones():
    request = AlternativeFeatures("mutual_information", n_features=2, categorical=range(12))
    dense = request.fit(COUNTS, Y).quality_.values
    assert request.fit(sparse.csr_matrix(COUNTS), Y).quality_.values.tolist() == dense.tolist()
    cramer = AlternativeFeatures("correlation", n_features=2, categorical=[1])
    values = cramer.fit(COUNTS, Y).quality_.values
    assert cramer.fit(sparse.csr_matrix(COUNTS), Y).quality_.values == pytest.approx(values)


def test_sparse_tables_are_evaluated_and_exported():
    X = sparse.csr_matrix(COUNTS)
    result = AlternativeFeatures(chi2, n_features=2).fit(X[:, :5], Y)
    assert result.evaluate("decision_tree", cv=2).table["score"].notna().all()
    digest = json.loads(result.to_json())["data"]["sha256"]
    again = AlternativeFeatures(chi2, n_features=2).fit(X[:, :5].tocsc(), Y)
    assert json.loads(again.to_json())["data"]["sha256"] == digest
    changed = AlternativeFeatures(chi2, n_features=2).fit(X[:, :5] * 2, Y)
    assert json.loads(changed.to_json())["data"]["sha256"] != digest


def test_sparse_tables_that_cannot_be_used_end_in_a_sentence():
    X = sparse.lil_matrix(COUNTS)
    X[3, 7] = np.nan
    for value, selector, said in (
        (X, "correlation", r"column 'x7' has a missing value \(NaN\) in row 4"),
        (sparse.csr_matrix(COUNTS * 1e200), "correlation", "column 'x0' has the number"),
        (sparse.csr_matrix(COUNTS), "relief", "'relief' does not take sparse tables"),
        (sparse.csr_matrix(COUNTS), "mutual_information", "name all columns as `categorical`"),
        (sparse.csr_matrix(COUNTS[:5]), "correlation", "60 values for 5 rows"),
    ):
        with pytest.raises(DataError, match=said):
            AlternativeFeatures(selector).fit(value, Y)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_what_is_proven_is_proven_among_the_prescreened_features(kind):
    constraints = Constraints(exclude=(0,), include=(9,), groups=(Group((4, 11), at_most=1),))
    afs = AlternativeFeatures(
        "mrmr", n_features=3, prescreen=5, constraints=constraints, given=[(2, 7)]
    )
    afs.fit(kind(COUNTS), Y)
    kept = afs.screened_.tolist()
    # The best five, and those that the request names.
    relevance = AlternativeFeatures(
        "correlation" if kind is sparse.csr_matrix else "mutual_information"
    ).fit(COUNTS, Y)
    ranked = [j for j in np.argsort(-relevance.quality_.values, kind="stable") if j != 0]
    assert kept == sorted({*ranked[:5], 9, 4, 11, 2, 7})
    inner = AlternativeFeatures(
        afs.quality_,
        n_features=3,
        constraints=Constraints(
            include=(kept.index(9),), groups=(Group((kept.index(4), kept.index(11)), at_most=1),)
        ),
        given=[(kept.index(2), kept.index(7))],
    ).fit(COUNTS[:, kept])
    same = [tuple(kept[j] for j in features.indices) for features in inner.feature_sets_]
    assert [features.indices for features in afs.feature_sets_] == same == afs.search_result_.sets
    for features in (
        *afs.feature_sets_,
        afs.without(9),
        *afs.plan_for_outages([9]),
        *afs.all_optimal(),
    ):
        assert features.names == tuple(f"x{j}" for j in np.flatnonzero(features.mask))
        assert f"among {len(kept)} prescreened features" in repr(features)
    assert 9 not in afs.without(9).indices
    assert f"the {len(kept)} most relevant of 12 features" in str(afs.explain())
    message = json.loads(afs.to_json())
    assert message["data"]["prescreened"] == [f"x{j}" for j in kept]
    assert message["settings"]["constraints"]["exclude"] == ["x0"]
    read = AlternativeFeatures.from_json(afs.to_json())
    assert [repr(features) for features in read.feature_sets_] == [
        repr(features) for features in afs.feature_sets_
    ]
    outside = next(j for j in range(12) if j not in kept)
    with pytest.raises(AltfsError, match=f"'x{outside}' is not among the {len(kept)} features"):
        afs.without(outside)


def test_a_prescreen_of_all_features_changes_nothing():
    plain = AlternativeFeatures("mutual_information", n_features=2).fit(COUNTS, Y)
    same = AlternativeFeatures("mutual_information", n_features=2, prescreen=12).fit(COUNTS, Y)
    assert same.feature_sets_ == plain.feature_sets_
    assert repr(same.feature_sets_[0]) == repr(plain.feature_sets_[0])
    for wrong, said in ((0, "prescreen: 0 is not allowed"), ("5", "prescreen: '5' is not")):
        with pytest.raises(AltfsError, match=said):
            AlternativeFeatures("mutual_information", prescreen=wrong).fit(COUNTS, Y)
    with pytest.raises(AltfsError, match="prescreen: a quality that is given needs none"):
        AlternativeFeatures([1.0] * 12, prescreen=3).fit(COUNTS)


def test_scores_of_pairs_say_beforehand_what_they_need(monkeypatch):
    # 64 bytes for each of 144 pairs.
    monkeypatch.setattr(screening, "_MUCH", 9_000)
    with pytest.warns(DataWarning, match="'mrmr' compares 12 features in pairs, .* `prescreen`"):
        AlternativeFeatures("mrmr", n_features=2).fit(COUNTS, Y)
    monkeypatch.setattr(screening, "memory", lambda: 9_100.0)
    with pytest.raises(AltfsError, match=r"this machine has 0\.0 GB, set `prescreen`"):
        AlternativeFeatures("mrmr", n_features=2).fit(COUNTS, Y)
    AlternativeFeatures("mrmr", n_features=2, prescreen=11).fit(COUNTS, Y)
