"""The mean of the curves of classes, judged by the heights of each curve."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from marks import examples

from altfs.kinds.fronts.curve import Curve
from altfs.kinds.fronts.mean_curve import MeanCurve

CLASSES = st.lists(st.integers(0, 2), min_size=3, max_size=9).filter(lambda y: len({*y}) == 3)


@given(CLASSES, st.integers(0, 99), st.sampled_from(["specificity", "confidence"]))
@examples(50)
def test_each_height_is_the_mean_of_those_of_the_classes(y, seed, kind):
    y, rng = np.array(y), np.random.default_rng(seed)
    scores = rng.integers(0, 4, (3, len(y))).astype(float)
    curves = [Curve(lambda s, c=c: scores[c], y == c, 2, kind) for c in range(3)]
    mean = MeanCurve(curves)
    n = max(np.bincount(y))
    heights = mean.curve((0,))
    assert mean.n_positive == len(mean.objectives) == n
    assert mean.objectives[0] == f"mean {kind} at sensitivity 1/{n}"
    for k in range(1, n + 1):
        each = [c.curve((0,))[c.place(k / n)] for c in curves]
        np.testing.assert_allclose(heights[k - 1], np.mean(each), atol=1e-9)
    assert (np.diff(mean.levels((0,))) <= 0).all()
    np.testing.assert_allclose(mean.evaluate((0,)), heights.mean())
