"""Synthetic data: their designs, and whether the truth is hidden from single features only."""

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from altfs.datasets import make_dataset
from altfs.datasets.synthetic import Synthetic, SyntheticOptions, _labels
from altfs.errors import AltfsError, DataError
from altfs.selectors import Part
from altfs.selectors.rar import Rar, RarOptions
from altfs.study.folds import read_dataset, save_dataset


def drawn(**options):
    chosen = SyntheticOptions(**options)
    return make_dataset("d", Synthetic("d", chosen).load(), "dataset", chosen)


def of_kind(dataset, kind):
    return [j for j, name in enumerate(dataset.feature_names) if name.startswith(kind)]


def test_madelon_hides_its_classes_from_single_features():
    dataset = drawn(design="madelon", noise=80)
    assert dataset.X.shape == (2000, 100)
    assert dataset.target_type == "binary"
    assert [len(of_kind(dataset, k)) for k in ("informative", "combination", "noise")] == [
        5,
        15,
        80,
    ]
    assert np.abs(dataset.X.mean(axis=0)).max() < 1e-8
    assert dataset.X.std(axis=0) == pytest.approx(1)
    single = [abs(np.corrcoef(column, dataset.y)[0, 1]) for column in dataset.X.T]
    assert max(single) < 0.25
    five = dataset.X[:, of_kind(dataset, "informative")]
    assert cross_val_score(KNeighborsClassifier(), five, dataset.y).mean() > 0.85
    # Combinations are linear in the coordinates, noise is not.
    for kind, largest in (("combination", 1e-6), ("noise", np.inf)):
        rest = np.linalg.lstsq(five, dataset.X[:, of_kind(dataset, kind)], rcond=None)[1]
        assert rest.max() < largest
        assert rest.min() > (1000 if kind == "noise" else -1)


def test_half_of_the_columns_of_a_mixed_table_are_categories():
    dataset = drawn(design="mixed", categories=4)
    assert dataset.X.shape == (2000, 50)
    assert dataset.categorical.sum() == 25
    for column in dataset.X[:, dataset.categorical].T:
        assert np.bincount(column.astype(int)).tolist() == [500] * 4
    few = drawn(design="mixed", categorical_share=0.1)
    assert few.categorical.sum() == 5


def test_the_same_seed_gives_the_same_table_and_another_one_another():
    first, again, other = (drawn(design="mixed", seed=seed) for seed in (1, 1, 2))
    assert first.digest == again.digest != other.digest
    # The stream of these random numbers does not change with versions of numpy.
    assert first.feature_names[:2] == ("noise24", "noise30")


def test_wrong_labels_are_as_many_as_asked_for():
    right, wrong = (
        drawn(design="madelon", noise=1, rows=500, wrong_labels=share) for share in (0, 0.2)
    )
    assert (right.X == wrong.X).all()
    assert (right.y != wrong.y).sum() == 100


@pytest.mark.parametrize("n", [2, 3, 5, 6])
def test_no_coordinate_of_the_corners_tells_much(n):
    corners = np.arange(2**n)[:, None] >> np.arange(n) & 1
    for seed in range(5):
        labels = _labels(corners, np.random.RandomState(seed))
        assert labels.sum() == 2 ** (n - 1)
        agreement = (corners == labels[:, None]).sum(axis=0)
        assert np.abs(agreement - 2 ** (n - 1)).max() <= 2**n / 16


def test_the_truth_is_stored_with_the_data(tmp_path):
    dataset = drawn(design="mixed")
    relevant = dataset.info["relevant"]
    assert sorted(relevant) == sorted(n for n in dataset.feature_names if not n.startswith("noise"))
    save_dataset(tmp_path / "d.parquet", dataset)
    stored = read_dataset(tmp_path / "d.parquet")
    assert stored.info["relevant"] == relevant
    assert (stored.digest, stored.identity) == (dataset.digest, dataset.identity)
    # Results do not depend on the truth, the stored data do.
    named = drawn(design="mixed", relevant=["noise1"])
    assert named.info["relevant"] == ["noise1"]
    assert named.digest == dataset.digest
    assert named.identity != dataset.identity


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"design": "mix"}, AltfsError, "design"),
        ({"design": "mixed", "informative": 1}, AltfsError, "informative"),
        ({"design": "mixed", "rows": 20, "categories": 11}, DataError, "categories: 11 is too"),
        ({"design": "mixed", "relevant": ["nois1"]}, DataError, "relevant: 'nois1' is not a"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, error, said):
    with pytest.raises(error, match=said):
        drawn(**options)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(2))
def test_rar_finds_the_truth_of_madelon(seed):
    dataset = drawn(design="madelon", seed=seed)
    options = RarOptions(n_subsets=12_000, n_slices=100, slice_share=0.05, redundancy="none")
    relevance = Rar(options).relevance(Part(dataset.X, dataset.y, "binary", seed))
    order = np.argsort(-relevance, kind="stable")
    is_relevant = [dataset.feature_names[j] in dataset.info["relevant"] for j in order[:20]]
    assert all(is_relevant[:10])
    assert sum(is_relevant) >= 15
