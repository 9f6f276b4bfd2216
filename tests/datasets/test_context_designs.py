"""Made data in which a value decides what else tells something: rules, options, truth."""

import numpy as np
import pytest

from altfs.datasets import make_dataset
from altfs.datasets.synthetic import Synthetic, SyntheticOptions
from altfs.errors import AltfsError


def drawn(design, **options):
    chosen = SyntheticOptions(design=design, **options)
    raw = Synthetic("d", chosen).load()
    return raw, make_dataset("d", raw, "dataset", chosen)


def test_one_bit_decides_which_others_make_the_class():
    raw, dataset = drawn("xor_context")
    X, y = dataset.X.astype(int), dataset.y
    assert X.shape == (600, 8) and set(X.ravel()) == {0, 1}
    for row, label in zip(X, y, strict=True):
        assert label == (row[3] ^ row[4] if row[0] else row[1] ^ row[2])
    assert raw.relevant == ("x1", "x2", "x3", "x4", "x5")


def test_decoys_are_right_more_often_than_either_bit():
    raw, dataset = drawn("xor_decoys", rows=20_000)
    X, y = dataset.X.astype(int), dataset.y
    assert ((X[:, 0] ^ X[:, 1]) == y).mean() == pytest.approx(0.95, abs=0.01)
    agree = (y[:, None] == X).mean(axis=0)
    assert agree[[0, 1, 8, 9]] == pytest.approx([0.5] * 4, abs=0.02)
    assert agree[2:8] == pytest.approx([0.6 * 0.95 + 0.4 * 0.05] * 6, abs=0.02)
    assert raw.relevant == ("x1", "x2")


def test_a_class_of_the_cube_is_a_corner_in_columns_of_its_own():
    raw, dataset = drawn("cube", rows=8_000, seed=3)
    X, y = dataset.X, dataset.y
    assert X.shape == (8_000, 20) and set(y) == set(range(8))
    for c in range(8):
        of_class = X[y == c]
        bits = [c & 1, c >> 1 & 1, c >> 2 & 1]
        assert of_class[:, c : c + 3].mean(axis=0) == pytest.approx(bits, abs=0.02)
        assert of_class[:, c : c + 3].std(axis=0) == pytest.approx([0.1] * 3, abs=0.01)
        others = np.delete(of_class, range(c, c + 3), axis=1)
        assert others.mean() == pytest.approx(0.5, abs=0.01)
        assert others.std() == pytest.approx(0.3, abs=0.01)
    assert raw.relevant == tuple(f"x{j}" for j in range(1, 11))


def test_the_seed_decides_and_other_options_are_refused():
    first, again, other = (drawn("cube", seed=seed)[1] for seed in (1, 1, 2))
    assert first.digest == again.digest != other.digest
    for name in ("features", "noise", "wrong_labels"):
        with pytest.raises(AltfsError, match=f"{name} is not an option of the design xor_context"):
            drawn("xor_context", **{name: 0.1 if name == "wrong_labels" else 20})
    assert Synthetic.shorthand("xor_decoys") == {"design": "xor_decoys"}
