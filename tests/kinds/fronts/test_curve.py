"""Curves, judged by their definition and by scikit-learn's roc_curve."""

import pickle
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples
from sklearn.metrics import roc_curve

from altfs.errors import AltfsError
from altfs.kinds.fronts.curve import Curve

# Few different scores, so that many are equal.
SCORES = st.lists(st.integers(0, 5), min_size=1, max_size=8)


def curve_of(positives, negatives, kind="specificity", shift=0.0):
    rows = np.array([*positives, *negatives]) / 3 + shift
    positive = np.arange(len(rows)) < len(positives)
    return Curve(lambda s: rows, positive, 2, kind)


@given(SCORES, SCORES)
@examples(100)
def test_specificity_is_that_of_scikit_learn(positives, negatives):
    quality = curve_of(positives, negatives)
    fall_out, sensitivity, _ = roc_curve(
        [1] * len(positives) + [0] * len(negatives), [*positives, *negatives],
        drop_intermediate=False,
    )  # fmt: skip
    for k, height in enumerate(quality.curve((0,)), 1):
        first = np.argmax(sensitivity >= k / len(positives) - 1e-12)
        assert height == pytest.approx(1 - fall_out[first])
    beaten = sum(n < p for n in negatives for p in positives)
    assert quality.evaluate((0,)) == pytest.approx(beaten / len(positives) / len(negatives))


@given(SCORES, SCORES)
@examples(100)
def test_confidence_is_the_best_that_so_many_positive_rows_reach(positives, negatives):
    quality = curve_of(positives, negatives, "confidence")
    expected = []
    for k in range(1, len(positives) + 1):
        shares = []
        for threshold in positives:
            true = sum(p >= threshold for p in positives)
            false = sum(n >= threshold for n in negatives)
            if true >= k:
                shares.append(Fraction(true, true + false))
        expected.append(max(shares))
    levels = [round(share * quality.top) for share in expected]
    assert quality.levels((0,)).tolist() == levels
    assert quality.evaluate((0,)) == pytest.approx(float(sum(expected) / len(positives)))


ROWS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 4)), min_size=2, max_size=9
).filter(lambda rows: 0 < sum(p for _, p in rows) < 4 * len(rows))  # fmt: skip


@given(ROWS, st.sampled_from(["specificity", "confidence"]))
@examples(100)
def test_rows_count_by_the_probability_that_they_are_positive(rows, kind):
    scores, positive = np.array([s for s, _ in rows]) / 3, np.array([p for _, p in rows]) / 4
    quality = Curve(lambda s: scores, positive, 1, kind)
    total, n = positive.sum(), int(np.ceil(positive.sum()))
    assert quality.n_positive == n
    for k, height in enumerate(quality.curve((0,)), 1):
        reaching = [t for t in scores if positive[scores >= t].sum() >= k / n * total - 1e-9]
        found = [positive[scores >= t].sum() for t in reaching]
        wrong = [(1 - positive)[scores >= t].sum() for t in reaching]
        if kind == "specificity":
            expected = max(1 - w / (1 - positive).sum() for w in wrong)
        else:
            expected = max(f / (f + w) for f, w in zip(found, wrong, strict=True))
        assert height == pytest.approx(expected, abs=1e-9)


@given(SCORES, SCORES, st.sampled_from(["specificity", "confidence"]))
@examples(50)
def test_probabilities_of_0_and_1_are_classes(positives, negatives, kind):
    quality = curve_of(positives, negatives, kind)
    same = Curve(quality.scores, quality.positive.astype(float), 2, kind)
    assert same.curve((0,)) == pytest.approx(quality.curve((0,)), abs=1e-10)


def test_scores_that_differ_by_rounding_are_equal():
    exact, rounded = (
        Curve(lambda s, by=by: np.array([0.3, 0.1 + 0.2 + by, 0.2]), [True, False, False], 1)
        for by in (0.0, -1e-13)
    )
    assert exact.levels((0,)).tolist() == rounded.levels((0,)).tolist() == [1]


def test_it_is_a_black_box_that_can_be_pickled_with_its_scores():
    quality = Curve(np.ones((2, 4)).sum, [True, True, False, False], 1)
    quality.scores = [np.arange(4.0)[::-1]][0].take
    assert quality.bound(1) == 1.0 and quality.max_evaluations == 1000
    assert pickle.loads(pickle.dumps(quality)).top == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"scores": 3}, "scores: 3 is not allowed, use a function of a set."),
        ({"kind": "roc"}, "kind: 'roc' is unknown, allowed are: specificity, confidence."),
        ({"positive": [True, True]}, "positive: true or false, or a number from 0 to 1, is"),
        ({"positive": [1, 0]}, "positive: true or false, or a number from 0 to 1, is"),
    ],
)
def test_arguments_out_of_range_are_refused(change, said):
    asked = {"scores": lambda s: np.zeros(2), "positive": [True, False], "n_total": 2}
    with pytest.raises(AltfsError, match=re.escape(said)):
        Curve(**(asked | change))


@pytest.mark.parametrize("indices", [(), (2,), (0, 0), (-1,)])
def test_indices_that_are_not_a_set_are_refused(indices):
    quality = Curve(lambda s: np.zeros(2), [True, False], 2)
    with pytest.raises(AltfsError, match="is not a feature set, use different numbers from 0 to 1"):
        quality.curve(indices)


@pytest.mark.parametrize("scores", [np.zeros(3), np.array([0, np.nan])])
def test_scores_that_are_not_finite_are_refused(scores):
    with pytest.raises(AltfsError, match="a finite score for each of 2 rows is needed"):
        Curve(lambda s: scores, [True, False], 2).evaluate((0,))
