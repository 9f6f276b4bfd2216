"""Made data whose rows have truths of their own: their formulas, and the truth of each row."""

from math import exp, sin

import numpy as np
import pytest

from altfs.datasets import make_dataset
from altfs.datasets.row_designs import DESIGNS, truth_of_rows
from altfs.datasets.synthetic import Synthetic, SyntheticOptions
from altfs.errors import AltfsError, DataError


def drawn(**options):
    chosen = SyntheticOptions(**options)
    return make_dataset("d", Synthetic("d", chosen).load(), "dataset", chosen)


def product(x, a, b):
    return exp(x[a] * x[b])


def ball(x, *columns):
    return exp(sum(x[j] ** 2 for j in columns) - 4)


def additive(x, factor, a, b, c, d):
    return exp(-factor * sin(0.2 * x[a]) + abs(x[b]) + x[c] + exp(-x[d]) - 2.4)


# The odds of class 0 by columns from 1, and the columns that are true.
ODDS = {
    "xor": lambda x: (product(x, 1, 2), {1, 2}),
    "orange_skin": lambda x: (ball(x, 1, 2, 3, 4), {1, 2, 3, 4}),
    "nonlinear_additive": lambda x: (additive(x, 100, 1, 2, 3, 4), {1, 2, 3, 4}),
    "switch": lambda x: (
        (ball(x, 1, 2, 3, 4), {1, 2, 3, 4, 10})
        if x[10] >= 0
        else (additive(x, 100, 5, 6, 7, 8), {5, 6, 7, 8, 10})
    ),
    "syn1": lambda x: (product(x, 1, 2), {1, 2}),
    "syn2": lambda x: (ball(x, 3, 4, 5, 6), {3, 4, 5, 6}),
    "syn3": lambda x: (additive(x, 10, 7, 8, 9, 10), {7, 8, 9, 10}),
}
for name, (low, high) in {"syn4": "12", "syn5": "13", "syn6": "23"}.items():
    ODDS[name] = lambda x, low=low, high=high: (lambda part: (part[0], part[1] | {11}))(
        ODDS[f"syn{low if x[11] < 0 else high}"](x)
    )


@pytest.mark.parametrize("design", DESIGNS)
def test_classes_have_the_odds_of_the_formula_and_rows_their_truth(design):
    dataset = drawn(design=design, rows=4000, seed=1)
    truth = truth_of_rows(design, dataset.X)
    chances = []
    for row, true in zip(dataset.X, truth, strict=True):
        odds, columns = ODDS[design](dict(enumerate(row, 1)))
        assert set((np.flatnonzero(true) + 1).tolist()) == columns
        chances.append(odds / (1 + odds))
    # The number of class 0 among rows of like chances is within five standard errors.
    chance, zero = np.array(chances), dataset.y == 0
    for part in np.array_split(np.argsort(chance), 5):
        error = np.sqrt((chance[part] * (1 - chance[part])).sum()) + 1
        assert abs(zero[part].sum() - chance[part].sum()) < 5 * error
    any_row = {f"x{j + 1}" for j in np.flatnonzero(truth.any(axis=0))}
    assert set(dataset.info["relevant"]) == any_row
    assert dataset.X.shape == (4000, 11 if design.startswith("syn") else 10)


def test_columns_are_normal_and_the_switch_is_far_from_zero():
    X = drawn(design="switch", features=12).X
    assert X.shape == (10_000, 12)
    others = np.delete(X, 9, axis=1)
    assert np.abs(others.mean(axis=0)).max() < 0.05 and np.abs(others.std(axis=0) - 1).max() < 0.05
    assert (X[:, 9] > 0).sum() == pytest.approx(5000, abs=40)
    assert np.abs(X[:, 9]).mean() == pytest.approx(3, abs=0.05)


def test_the_same_seed_makes_the_same_rows():
    a, b, c = (drawn(design="syn6", rows=50, seed=seed) for seed in (3, 3, 4))
    assert (a.X == b.X).all() and (a.y == b.y).all() and (a.X != c.X).any()


def test_options_of_other_designs_are_refused_in_one_sentence():
    for options in (
        {"design": "syn1", "noise": 3},
        {"design": "madelon", "features": 20},
        {"design": "xor", "categories": 3},
    ):
        with pytest.raises(AltfsError, match="is not an option of the design"):
            SyntheticOptions(**options)
    with pytest.raises(DataError, match=r"^features: 10 is too few for syn1, use at"):
        drawn(design="syn1", features=10)
    with pytest.raises(
        AltfsError, match=r"^design: 'madelon' has no truth of rows, use orange_skin"
    ):
        truth_of_rows("madelon", np.zeros((1, 20)))
    assert Synthetic.shorthand("syn1") == {"design": "syn1"}
