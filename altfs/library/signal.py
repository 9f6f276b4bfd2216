"""Whether there is anything to find: the best set against those of a shuffled target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import exp, expm1, log, pi, sqrt
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.errors import AltfsError
from altfs.library.held_out import UNITS, HeldOut, agreement, canonical_rows
from altfs.problem.results import FeatureSet
from altfs.quality import BlackBox, Linear, Quality
from altfs.quality.pairs import PairQuality
from altfs.scores.base import Part, ScoreKey
from altfs.searches.request import Request

#: A set is above chance if fewer than this share of shuffled targets allow one as good.
LEVEL = 0.01
# Below this share there is a hint.
_WEAK = 0.05
# Shuffles may need all rows of a small table, and a fifth of those of a larger one.
_FEW_ROWS, _SHARE, _MANY_ROWS = 1000, 5, 10_000
# Predictions are compared with so many orders of the held-out target.
_ORDERS = 200
#: Smaller p-values would be more than a few shuffles can say.
SMALLEST_P = 0.0001
_SEED = 0
_EULER = 0.5772156649015329


class Learned(NamedTuple):
    """A quality with its request, and the columns of the part that it is about."""

    request: Request
    quality: Quality
    columns: Sequence[int]


#: Learns from a part of some rows, perhaps with another target; it gets the rows' numbers too.
Learn = Callable[[Part, IntArray], Learned]


@dataclass(frozen=True)
class Signal:
    """What a set is worth beside chance.

    Attributes
    ----------
    score : float
        That of the original set.
    floor : float
        The score that the best set exceeds with one in a hundred shuffled targets.
    p_values : tuple of float
        The share of shuffled targets whose best set is as good, for each set; NaN if it was not
        judged. It comes from a distribution of extremes that is fitted to the shuffles, and is at
        least 0.0001.
    unit : str
        "bits", or the metric of predictions on rows that were held out.
    n_rows : int
        The number of rows whose target was shuffled, or whose predictions were judged. Fewer rows
        have a higher floor.
    n_total : int
        The number of all rows.
    size : float
        The number of units in a quality of 1; NaN if the score is no quality.
    levels : ndarray of float of shape (n_features,) or None
        The quality that a feature alone exceeds with one in a hundred shuffled targets, if
        features have one and all are compared.
    """

    score: float
    floor: float
    p_values: tuple[float, ...]
    unit: str
    n_rows: int
    n_total: int
    size: float = float("nan")
    levels: FloatArray | None = None

    @property
    def above_chance(self) -> bool:
        """True if fewer than one in a hundred shuffled targets allow a set as good."""
        return self.p_values[0] < LEVEL

    @property
    def sentence(self) -> str:
        """The original set beside chance, in words."""
        rows = f" ({self.n_rows:,} of {self.n_total:,} rows)" if self.n_rows < self.n_total else ""
        p = self.p_values[0]
        values = (
            f"{self.score:.3g} {self.unit}; chance exceeds {self.floor:.3g} once in 100{rows}, "
            f"p {f'= {p:.2g}' if p > SMALLEST_P else f'< {SMALLEST_P}'}."
        )
        if self.above_chance:
            return f"The original set is better than chance: {values}"
        if p < _WEAK:
            return f"Weak signal: the original set is not clearly better than chance: {values}"
        return f"No signal: the original set is not better than chance: {values}"

    def judged(self, sets: list[FeatureSet]) -> list[FeatureSet]:
        """Return sets with their floor and p-value."""
        floor = self.floor / self.size
        pairs = zip(sets, self.p_values, strict=True)
        return [replace(s, floor=floor, p_value=p) for s, p in pairs]


def signal_of(
    part: Part, learned: Learned, sets: list[FeatureSet], learn: Learn, n_shuffles: int
) -> Signal:
    """Compare sets with what a shuffled target allows.

    A quality with a unit is learned again with the target shuffled, and the best set is searched
    for. Any other quality is learned on half of the rows, and predictions with its best set are
    scored on the other half.

    Parameters
    ----------
    part : Part
        All rows and columns.
    learned : Learned
        From the part, with the size of the sets.
    sets : list of FeatureSet
        In the numbers of the columns of `learned`, the original one first.
    learn : callable
        Learns as `learned` was, with a prescreen of its own.
    n_shuffles : int

    Raises
    ------
    AltfsError
        If there are too few rows, or if the search fails on a part of them.
    """
    if learned.quality.measure is not None:
        return _by_shuffles(part, learned, sets, learn, n_shuffles)
    return _by_halves(part, learned, sets, learn)


def _by_shuffles(
    part: Part, learned: Learned, sets: list[FeatureSet], learn: Learn, n_shuffles: int
) -> Signal:
    rows, random = _sample(part)
    n_rows, n_total = len(rows), len(part.y)
    sample = part.with_rows(rows)
    # The parts with other targets share its scores of pairs.
    learn(sample, rows)
    values, alone = [], []
    for _ in range(n_shuffles):
        shuffled = _sized(learn(sample.with_target(random.permutation(sample.y)), rows), learned)
        values.append(_in_unit(shuffled.quality, _best(shuffled).train_objective))
        if isinstance(shuffled.quality, Linear) and len(shuffled.columns) == part.X.shape[1]:
            alone.append(shuffled.quality.values * _in_unit(shuffled.quality, 1.0))
    scores = [_in_unit(learned.quality, s.train_objective) for s in sets]
    floor, p_values = _extremes(np.array(values), np.array(scores))
    measure = learned.quality.measure
    assert measure is not None
    levels = _levels(alone, n_rows / n_total) / measure.size if len(alone) > 1 else None
    return Signal(scores[0], floor, p_values, measure.unit, n_rows, n_total, measure.size, levels)


def _sample(part: Part) -> tuple[IntArray, np.random.Generator]:
    """Return the rows whose target is shuffled, and the generator of the shuffles."""
    rows, random = canonical_rows(part), np.random.default_rng(_SEED)
    n_rows = min(len(rows), max(_FEW_ROWS, len(rows) // _SHARE), _MANY_ROWS)
    if n_rows < len(rows):
        rows = rows[np.sort(random.choice(len(rows), n_rows, replace=False))]
    return rows, random


def _levels(values: list[FloatArray], share: float) -> FloatArray:
    """Return what each feature exceeds with one in a hundred shuffled targets.

    The spread of an estimate falls with the root of the number of rows, of which a share is used.
    """
    levels: FloatArray = np.std(values, axis=0, ddof=1) * (sqrt(share) * norm.isf(LEVEL))
    return levels


def above_chance(part: Part, n_shuffles: int = 20) -> BoolArray:
    """Return which features alone tell more about the target than by chance.

    By mutual information, compared with `n_shuffles` shuffled targets.
    """
    key, (rows, random) = ScoreKey("relevance"), _sample(part)
    sample = part.with_rows(rows)
    shuffled = [
        sample.with_target(random.permutation(sample.y)).score(key) for _ in range(n_shuffles)
    ]
    above: BoolArray = part.score(key) > _levels(shuffled, len(rows) / len(part.y))
    return above


def idle_features(quality: Quality, features: FeatureSet, levels: FloatArray | None) -> list[str]:
    """Return the features of a set that add nothing, or not more than by chance.

    If only sets have a quality, these are the features without which the set is as good.
    """
    names, chosen = features.names, features.indices
    if isinstance(quality, Linear):
        least = np.zeros(quality.n_total) if levels is None else np.maximum(levels, 0)
        useful = [bool(quality.values[j] > least[j]) for j in chosen]
    elif isinstance(quality, PairQuality):
        useful = [bool(quality.relevance[j] > 0) for j in chosen]
    elif isinstance(quality, BlackBox) and len(chosen) > 1:
        whole = quality.evaluate(chosen)
        useful = [quality.evaluate([i for i in chosen if i != j]) < whole for j in chosen]
    else:
        return []
    return [name for name, is_useful in zip(names, useful, strict=True) if not is_useful]


def _sized(learned: Learned, other: Learned) -> Learned:
    """Return what was learned, with the sizes of another request."""
    sizes, overlap = other.request.n_features, other.request.max_overlap
    request = replace(learned.request, n_features=sizes, max_overlap=overlap)
    return learned._replace(request=request)


def _in_unit(quality: Quality, value: float) -> float:
    return value if quality.measure is None else value * quality.measure.size


def _best(learned: Learned) -> FeatureSet:
    """Return the best set alone, of any quality."""
    request = learned.request
    without = {"quality_floor": None, "relative_floor": None}
    constraints = request.constraints.model_copy(update=without)
    best = replace(request, n_alternatives=0, constraints=constraints).run(learned.quality)[0]
    if not best:
        raise AltfsError("n_features: no set exists on a part of the rows, allow others.")
    return best


def _extremes(values: FloatArray, scores: FloatArray) -> tuple[float, tuple[float, ...]]:
    """Return the floor, and the p-values of scores, by the Gumbel distribution of the values."""
    scale = max(float(values.std(ddof=1)) * sqrt(6) / pi, 1e-300)
    place = float(values.mean()) - _EULER * scale
    p_values = []
    for score in scores:
        exponent = -(score - place) / scale
        p_values.append(-expm1(-exp(exponent)) if exponent < 700 else 1.0)
    return place - scale * log(-log(1 - LEVEL)), tuple(max(SMALLEST_P, float(p)) for p in p_values)


def _by_halves(part: Part, learned: Learned, sets: list[FeatureSet], learn: Learn) -> Signal:
    halves = HeldOut(part)
    learned = _sized(learn(part.with_rows(halves.first), halves.first), learned)
    features = [learned.columns[j] for j in _best(learned).indices]
    predicted, y = halves.predictions(features), halves.y
    random = np.random.default_rng(_SEED)
    score = agreement(predicted, y, halves.classes)
    orders = [agreement(predicted, random.permutation(y), halves.classes) for _ in range(_ORDERS)]
    mean, spread = float(np.mean(orders)), max(float(np.std(orders)), 1e-300)
    p = max(SMALLEST_P, float(norm.sf((score - mean) / spread)))
    # The other sets were not searched on the half.
    p_values = [p] + [float("nan")] * (len(sets) - 1)
    floor = mean + spread * float(norm.isf(LEVEL))
    n_rows = len(halves.first) + len(y)
    return Signal(score, floor, tuple(p_values), UNITS[halves.classes], n_rows, len(part.y))
