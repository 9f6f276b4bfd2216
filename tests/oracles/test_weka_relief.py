"""ReliefF against Weka itself (ReliefFAttributeEval), see `weka_relief.py`."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import spearmanr
from weka_relief import CASES, TABLE, load

from altfs.selectors import Part
from altfs.selectors.relief import Relief, ReliefOptions

WEKA = pd.read_csv(TABLE)
# Weka's weights are written with twelve digits.
DIGITS = 1e-11


def weights(data, n_neighbours, relief=Relief, sigma=None):
    part = Part(data.X, data.y, data.target_type, 0)
    made = relief(ReliefOptions(n_neighbours=n_neighbours, sigma=sigma))
    return np.asarray(made.quality(part).values)


def wekas(name, n_neighbours, sigma=0):
    asked = (WEKA.dataset == name) & (WEKA.n_neighbours == n_neighbours) & (WEKA.sigma == sigma)
    return WEKA[asked].weight.to_numpy()


def data_of(name, request):
    cache = request.getfixturevalue("pmlb_cache") if name.startswith("pmlb:") else None
    return load(name, cache)


def has_ties(data, k):
    """Tell whether the k-th nearest row of a class and the next are somewhere equally far."""
    X = np.asarray(data.X, dtype=float)
    extent = np.ptp(X, axis=0)
    distances = cdist(X / np.where(extent > 0, extent, 1), X / np.where(extent > 0, extent, 1),
                      "cityblock")  # fmt: skip
    np.fill_diagonal(distances, np.inf)
    groups = [np.ones(len(X), bool)]
    if data.target_type != "regression":
        groups = [data.y == value for value in np.unique(data.y)]
    nearest = [np.sort(distances[:, group], axis=1) for group in groups]
    return any((np.abs(d[:, k] - d[:, k - 1]) < 1e-12).any() for d in nearest)


EQUAL = [(name, k) for name, asked in CASES.items() for k, sigma in asked if sigma == 0]
TIED = {"sklearn:iris", "pmlb:ionosphere"}


@pytest.mark.parametrize(("name", "k"), [case for case in EQUAL if case[0] not in TIED])
def test_weights_and_their_order_are_wekas(name, k, request):
    data = data_of(name, request)
    ours, theirs = weights(data, k), wekas(name, k)
    assert not has_ties(data, k)
    assert len(theirs) == data.n_total
    assert ours == pytest.approx(theirs, abs=DIGITS)
    assert (np.argsort(-ours) == np.argsort(-theirs)).all()


@pytest.mark.parametrize("name", sorted(TIED))
def test_of_neighbours_that_are_equally_far_weka_may_take_others(name, request):
    # Which of them is up to an implementation; ours are the first rows.
    data = data_of(name, request)
    ours, theirs = weights(data, 10), wekas(name, 10)
    assert has_ties(data, 10)
    assert ours == pytest.approx(theirs, abs=5e-4)
    assert spearmanr(ours, theirs).statistic > 0.995
    assert np.argmax(ours) == np.argmax(theirs)


class RanksFromZero(Relief):
    """Weka's ranks of neighbours begin with 0, those of the paper with 1."""

    def _nearest(self, rows, distances):
        order = np.argsort(distances, kind="stable")[: self.options.n_neighbours]
        influence = np.exp(-((np.arange(len(order)) / self.options.sigma) ** 2))
        return rows[order], influence / influence.sum()


@pytest.mark.parametrize("name", ["sklearn:wine", "sklearn:diabetes"])
def test_with_sigma_weka_differs_in_the_ranks_of_neighbours_alone(name):
    data, theirs = load(name, None), wekas(name, 10, 2)
    assert weights(data, 10, RanksFromZero, 2) == pytest.approx(theirs, abs=DIGITS)
    assert weights(data, 10, Relief, 2) == pytest.approx(theirs, abs=6e-3)
    assert weights(data, 10, Relief, 2) != pytest.approx(theirs, abs=1e-3)


def test_the_file_holds_what_is_asked():
    found = {name: list(part.groupby(["n_neighbours", "sigma"], sort=False).groups)
             for name, part in WEKA.groupby("dataset")}  # fmt: skip
    assert found == CASES
    assert set(WEKA.weka) == {"3.9.7"}
