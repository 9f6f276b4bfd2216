"""OSSFS-DD, judged by its formulas."""

import numpy as np
import plain
from plain import begun, sets_of

from altfs.scores.independence import coded


def plain_ossfs(X, y, pool_size, sigmas, below_sum=False):
    """OSSFS-DD in the words of its formulas."""
    codes = [coded(x).values for x in X.T]

    def gamma(f):
        return plain.uncertainty(codes[f], y)

    def joint(f, g):
        h = plain.entropy
        x, z = codes[f], codes[g]
        return gamma(f) + h(x, z) - h(z) - h(x, y, z) + h(y, z)

    chosen, pool, seen = [], [], []
    for f in range(X.shape[1]):
        seen.append(gamma(f))
        if len(seen) < 3:
            continue
        low, high = (np.mean(seen) + k * np.std(seen, ddof=1) for k in sigmas)
        if gamma(f) > low:
            if gamma(f) >= high:
                chosen.append(f)
                for g in chosen[:-1]:
                    less = joint(g, f) < gamma(f) + gamma(g) or not below_sum
                    if less and joint(g, f) < 2 * high:
                        if gamma(f) < gamma(g):
                            chosen.remove(f)
                            break
                        chosen.remove(g)
            else:
                pool.append(f)
        if len(pool) >= pool_size or f == X.shape[1] - 1:
            both = set()
            for i, a in enumerate(pool):
                b = next((b for b in pool[i + 1 :] if joint(a, b) > 2 * high), None)
                both |= set() if b is None else {a, b}
            chosen += [f for f in pool if f in both]
            pool = []
    return chosen


def test_ossfs_dd_follows_its_formulas():
    sizes = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 3, size=(60, 24)).astype(float)
        y = ((X[:, 20] + X[:, 21] + rng.integers(0, 2, 60)) > 2).astype(int)
        X[:, 10:14] = np.where(rng.random((60, 4)) < 0.6, y[:, None], X[:, 10:14])
        for pool, sigmas in ((100, (1, 2)), (4, (-1, 0.5)), (100, (-1, 1))):
            expected = plain_ossfs(X, y, pool, sigmas)
            options = {"sigma_low": sigmas[0], "sigma_high": sigmas[1], "pool": pool}
            assert sets_of(begun("ossfs_dd", y, **options), X) == [expected]
            if sigmas == (-1, 1):
                assert sets_of(begun("ossfs_dd", y), X) == [expected]
            sizes.append(len(expected))
    assert max(sizes) > 2


def test_with_the_slides_condition_features_that_tell_more_together_stay():
    # In few tables a pair meets this condition alone.
    rng = np.random.default_rng(622)
    X = rng.integers(0, 3, size=(40, 12)).astype(float)
    y = (X[:, 4] * X[:, 9] + rng.integers(0, 3, 40) > 2).astype(int)
    expected = plain_ossfs(X, y, 100, (-1, 1), below_sum=True)
    assert sets_of(begun("ossfs_dd", y, below_sum=True), X) == [expected]
    assert sets_of(begun("ossfs_dd", y), X) == [[j for j in expected if j != 3]]
