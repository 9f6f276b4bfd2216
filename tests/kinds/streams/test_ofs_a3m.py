"""OFS-A3M and OFS-Density, judged by sorted distances."""

from itertools import pairwise

import numpy as np
import pytest
from plain import begun, data, sets_of


def plain_gamma(X, classes, by_density):
    used = X[:, X.std(axis=0) > 0]
    if not used.shape[1]:
        return 0.0
    used = used / used.std(axis=0)
    shares, n = [], len(X)
    for i in range(n):
        d = np.sqrt(((used - used[i]) ** 2).sum(axis=1))
        order = [j for j in np.argsort(d.round(10), kind="stable") if j != i]
        away = d.round(10)[order]
        widest = 1.5 * (away[-1] - away[0]) / (n - 2)
        count = 1
        for (a, b), j in zip(pairwise(away), range(1, n), strict=False):
            if by_density:
                going = b == 0 or b / (j + 1) <= a / j * (1 + 1e-9)
            else:
                going = b - a < widest * (1 - 1e-9)
            if not going:
                break
            count += 1
        shares.append((classes[order[:count]] == classes[i]).mean())
    return float(np.mean(shares))


def plain_rough(X, y, by_density, tolerance=0.05):
    def gamma(s):
        return round(plain_gamma(X[:, sorted(s)], y, by_density), 9) if s else 0.0

    chosen = []
    for f in range(X.shape[1]):
        alone, now = gamma([f]), gamma(chosen)
        if by_density:
            mean = np.mean([gamma([g]) for g in chosen]) if chosen else 0
            if alone < mean - 1e-12 or np.ptp(X[:, f]) == 0:
                continue
        elif alone <= now / max(len(chosen), 1):
            continue
        after = gamma([*chosen, f])
        if after > now:
            chosen.append(f)
        elif after == now or (by_density and now and abs(after - now) / now <= tolerance):
            before = [*chosen, f]
            left = list(before)
            for g in sorted(chosen, key=lambda g: (gamma([g]), g)):
                without = gamma([h for h in left if h != g])
                if without == gamma(left) or (by_density and without > gamma(left)):
                    left.remove(g)
            chosen = before if by_density and gamma(left) < now else left
    return chosen


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(("selector", "by_density"), [("ofs_a3m", False), ("ofs_density", True)])
def test_neighbourhoods_are_those_of_sorted_distances(selector, by_density, whole):
    X, y = data(0, n_rows=30, width=8)
    X = np.rint(X) if whole else X
    judge = begun(selector, y)
    for s in ([0], [1, 4], [2, 3, 5, 7]):
        expected = plain_gamma(X[:, s], y, by_density)
        assert judge.objective(X[:, s], X[:, s], y) == pytest.approx(expected, abs=1e-9)
    assert sets_of(begun(selector, y), X) == [plain_rough(X, y, by_density)]


def test_a_sample_of_rows_has_the_shares_of_the_classes():
    y = np.repeat([0, 1, 2], [700, 200, 100])
    reader = begun("ofs_a3m", y, "multiclass", max_rows=100, seed=3)
    assert np.bincount(reader.classes).tolist() == [70, 20, 10]
    assert np.array_equal(y[reader.rows], reader.classes)
    again = begun("ofs_a3m", y, "multiclass", max_rows=100, seed=4)
    assert not np.array_equal(again.rows, reader.rows)
