"""Doquire and Verleysen's merging of rankings."""

import numpy as np
import pytest

from altfs.errors import DataError
from altfs.selectors import Part, ScoreKey
from altfs.selectors.doquire import Doquire, DoquireOptions, greedy_ranking, merged
from altfs.selectors.mrmr import mrmr_quality

RNG = np.random.default_rng(0)
Y = np.arange(120) % 2
CATEGORY = np.where(RNG.random(120) < 0.95, Y, RNG.integers(2, 5, 120))
X = np.column_stack([RNG.random(120), CATEGORY, Y + RNG.normal(0, 0.8, 120), RNG.random(120) > 0.5])


def part(categorical):
    return Part(X, Y, "binary", 0, categorical=np.array(categorical))


def order(quality):
    return np.argsort(-quality.values).tolist()


def test_of_one_kind_it_is_the_greedy_path_of_mrmr():
    whole = part([False] * 4)
    ranking = order(Doquire().quality(whole))
    relevance, redundancy = (whole.score(ScoreKey(k)) for k in ("relevance", "redundancy"))
    quality = mrmr_quality(relevance, redundancy)
    chosen = []
    for feature in ranking:
        gains = {j: relevance[j] - np.mean([redundancy[i, j] for i in chosen] or [0])
                 for j in range(4) if j not in chosen}  # fmt: skip
        assert feature == max(gains, key=gains.get)
        chosen.append(feature)
    assert quality.evaluate(ranking[:1]) == max(quality.evaluate([j]) for j in range(4))


def test_of_both_kinds_the_classifier_decides():
    options = DoquireOptions(measure="symmetric_uncertainty", neighbours=5)
    quality = Doquire(options).quality(part([False, True, False, True]))
    assert order(quality)[:2] == [1, 2]
    assert sorted(quality.values) == [0.25, 0.5, 0.75, 1]


def test_each_ranking_keeps_its_order():
    relevance, shared = RNG.random(9), RNG.random((9, 9))
    first, second = (greedy_ranking(relevance, shared, np.arange(k, 9, 2)) for k in (0, 1))
    scores = {}
    joint = merged(first, second, relevance, lambda s: scores.setdefault(frozenset(s), len(s) % 3))
    assert sorted(joint) == list(range(9))
    for part_ranking in (first, second):
        assert [j for j in joint if j in part_ranking] == part_ranking
    # All scores are equal, so that relevance decides at every step.
    assert joint[0] == max(first[0], second[0], key=lambda j: relevance[j])


def test_numbers_are_refused():
    with pytest.raises(DataError, match="'doquire' is for classes, the target has numbers"):
        Doquire().quality(Part(X, Y + 0.5, "regression", 0))
