"""The signal in a table: the best set against those of a shuffled target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isnan, sqrt
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from altfs._numbers import FloatArray, IntArray
from altfs.library.held_out import UNITS, HeldOut, agreement
from altfs.problem.results import FeatureSet
from altfs.quality import BatchedBox, BlackBox, Linear, Quality
from altfs.quality.pairs import PairQuality
from altfs.scores.base import Part
from altfs.searches.chance import (
    LEVEL,
    SMALLEST_P,
    Extremes,
    Shuffles,
    best_set,
    in_unit,
    with_fewer_evaluations,
)
from altfs.searches.request import Request

# Below this share there is a hint.
_WEAK = 0.05
# A smaller share of a quality is hardly anything.
_HARDLY = 0.01
# Predictions are compared with so many orders of the held-out target.
_ORDERS = 200
_SEED = 0


class Learned(NamedTuple):
    """A quality with its request, and the columns of the part that it is about."""

    request: Request
    quality: Quality
    columns: Sequence[int]


#: Learns from a part of some rows, perhaps with another target; it gets the rows' numbers too.
Learn = Callable[[Part, IntArray], Learned]


@dataclass(frozen=True)
class Signal:
    """The quality of a set beside chance.

    Attributes
    ----------
    score : float
        That of the original set; for predictions, of a set that was found on half of the rows.
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
        # Predictions are of a set of their own.
        judged = "set found on half of the rows" if isnan(self.size) else "original set"
        # Those of several features may be more than the target has.
        summed = " in sum" * (not isnan(self.size))
        values = (
            f"{self.score:.3g} {self.unit}{summed}; 99 in 100 shuffled targets stay below "
            f"{self.floor:.3g}{rows}, p {f'= {p:.2g}' if p > SMALLEST_P else f'< {SMALLEST_P}'}."
        )
        if self.above_chance:
            return f"The {judged} is better than chance: {values}"
        if p < _WEAK:
            return f"At most a hint: the {judged} is not clearly better than chance: {values}"
        missed = "A weaker signal may be missed."
        return f"No signal shown: the {judged} is not better than chance: {values} {missed}"

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
    for. Any other quality is learned on half of the rows, and predictions with the best set that
    is found there, with few evaluations, are scored on the other half.

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
    shuffles = Shuffles(part, n_shuffles)
    n_rows, n_total = len(shuffles.rows), len(part.y)
    # The parts with other targets share its scores of pairs.
    learn(shuffles.sample, shuffles.rows)
    values, alone = [], []
    for each in shuffles:
        request, quality, columns = _sized(learn(each, shuffles.rows), learned)
        values.append(in_unit(quality, best_set(request, quality).train_objective))
        if isinstance(quality, Linear) and len(columns) == part.X.shape[1]:
            alone.append(quality.values * in_unit(quality, 1.0))
    scores = [in_unit(learned.quality, s.train_objective) for s in sets]
    chance = Extremes.of(np.array(values))
    p_values = tuple(map(chance.p_value, scores))
    measure = learned.quality.measure
    assert measure is not None
    levels = _levels(alone, n_rows / n_total) / measure.size if len(alone) > 1 else None
    return Signal(
        scores[0], chance.floor, p_values, measure.unit, n_rows, n_total, measure.size, levels
    )


def _levels(values: list[FloatArray], share: float) -> FloatArray:
    """Return what each feature exceeds with one in a hundred shuffled targets.

    The spread of an estimate falls with the root of the number of rows, of which a share is used.
    """
    levels: FloatArray = np.std(values, axis=0, ddof=1) * (sqrt(share) * norm.isf(LEVEL))
    return levels


def idle_features(quality: Quality, features: FeatureSet, levels: FloatArray | None) -> list[str]:
    """Return the features of a set that add nothing, or not more than by chance.

    If only sets have a quality, the set loses less than a hundredth of it without these features,
    all together, or less than other folds change it: a search chooses noise that seems to add.
    """
    names, chosen = features.names, features.indices
    if isinstance(quality, Linear):
        least = np.zeros(quality.n_total) if levels is None else np.maximum(levels, 0)
        useful = [bool(quality.values[j] > least[j]) for j in chosen]
    elif isinstance(quality, PairQuality):
        useful = [bool(quality.relevance[j] > 0) for j in chosen]
    elif isinstance(quality, BlackBox):
        # One after the other, so that of two copies one stays.
        kept, whole = list(chosen), quality.evaluate(chosen)
        error = quality.margin(chosen) if isinstance(quality, BatchedBox) else 0.0
        enough = whole - max(_HARDLY * whole, error, 0.0)
        while len(kept) > 1:
            rests = [[i for i in kept if i != j] for j in kept]
            values = [quality.evaluate(rest) for rest in rests]
            if max(values) < enough:
                break
            kept = rests[values.index(max(values))]
        useful = [j in kept for j in chosen]
    else:
        return []
    return [name for name, is_useful in zip(names, useful, strict=True) if not is_useful]


def _sized(learned: Learned, other: Learned) -> Learned:
    """Return what was learned, with the sizes of another request."""
    sizes, overlap = other.request.n_features, other.request.max_overlap
    request = replace(learned.request, n_features=sizes, max_overlap=overlap)
    return learned._replace(request=request)


def _by_halves(part: Part, learned: Learned, sets: list[FeatureSet], learn: Learn) -> Signal:
    halves = HeldOut(part)
    learned = _sized(learn(part.with_rows(halves.first), halves.first), learned)
    with_fewer_evaluations(learned.quality)
    features = [learned.columns[j] for j in best_set(learned.request, learned.quality).indices]
    predicted, y = halves.predictions(features), halves.y
    random = np.random.default_rng(_SEED)
    score = agreement(predicted, y, halves.classes)
    shuffled = [y[halves.shuffle(random)] for _ in range(_ORDERS)]
    orders = [agreement(predicted, other, halves.classes) for other in shuffled]
    mean, spread = float(np.mean(orders)), max(float(np.std(orders)), 1e-300)
    p = max(SMALLEST_P, float(norm.sf((score - mean) / spread)))
    floor = min(1.0, mean + spread * float(norm.isf(LEVEL)))
    if part.times is not None and len(y) >= _ORDERS:
        # Where seasons come back, scores of shifted targets are far from a normal distribution. Of
        # fewer rows, there are too few shifts to count them.
        p = (1 + sum(other >= score for other in orders)) / (_ORDERS + 1)
        floor = sorted(orders)[-2]
    if not halves.classes and score <= 0:
        # Predictions worse than the mean are no signal, even if a shuffled target has worse ones.
        p = 1.0
    # The other sets were not searched on the half.
    p_values = [p] + [float("nan")] * (len(sets) - 1)
    # No agreement exceeds 1, and the mean of the numbers predicts as well as 0.
    floor = floor if halves.classes else max(0.0, floor)
    n_rows = len(halves.first) + len(y)
    return Signal(score, floor, tuple(p_values), UNITS[halves.classes], n_rows, len(part.y))
