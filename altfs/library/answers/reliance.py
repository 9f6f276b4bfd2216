"""The features on which the quality of a set rests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pandas as pd

from altfs.problem.results import Status
from altfs.quality import BatchedBox

# A feature alone has most of the quality of a set with so much of what it has above no feature, or
# with less if all sets have the feature.
_MOST, _MOST_OF_ALL = 0.8, 0.7
# The smallest correlation of ranks of features that stand in for one another.
_ALIKE = 0.9
#: A set is worth much with so much of what the original one has above no feature.
WORTH_MUCH = 0.5


class Alone(NamedTuple):
    """A feature that alone has most of the quality of its set."""

    name: str
    quality: float
    of_set: float
    size: int
    n_total: int

    @property
    def sentence(self) -> str:
        """The two qualities.

        >>> print(Alone("age", 0.9, 0.88, 5, 14).sentence.partition(". ")[2])
        As it was chosen among 14 features, this may be luck: compare nested scores with -k 1.
        """
        if self.quality >= self.of_set:
            return (
                f"One feature is as good on these rows: {self.name} has a quality of "
                f"{self.quality:.3g}, the set of {self.size} has {self.of_set:.3g}. As it was "
                f"chosen among {self.n_total} features, this may be luck: compare nested scores "
                "with -k 1."
            )
        return (
            f"{self.name} alone has most of the quality on these rows: {self.quality:.3g} of "
            f"{self.of_set:.3g}."
        )


def most_alone(alternatives: Any) -> Alone | None:
    """Return the feature that alone has most of the quality of the original set, or None.

    It is known of a `forest`, whose quality is a score on held-out rows.
    """
    quality, features = alternatives.quality_, alternatives.feature_sets_[0]
    signal = alternatives.signal_
    # Without a signal, the best of several features looks good by chance.
    by_chance = signal is not None and not signal.above_chance
    if by_chance or not isinstance(quality, BatchedBox) or len(features.indices) < 2:
        return None
    chosen = alternatives._fitted.result.sets[0]
    alone = quality.evaluate_many([(j,) for j in chosen])
    largest, nothing = max(alone), _nothing(quality)
    name = features.names[alone.index(largest)]
    sets = alternatives.feature_sets_
    in_all = len(sets) > 1 and all(name in one.names for one in sets)
    share = _MOST_OF_ALL if in_all else _MOST
    if largest - nothing < share * (features.train_objective - nothing):
        return None
    n_total = alternatives.n_features_in_ - len(alternatives._request.constraints.exclude)
    return Alone(name, largest, features.train_objective, len(chosen), n_total)


def best_without(alternatives: Any, names: Iterable[str]) -> dict[str, float]:
    """Return the best quality without each of some features, of those for which it is proven.

    It is known if the best set is proven and sets are cheap, as with `forest`.
    """
    quality, best = alternatives.quality_, alternatives.feature_sets_[0]
    if not isinstance(quality, BatchedBox) or best.status is not Status.OPTIMAL:
        return {}
    fitted, qualities = alternatives._fitted, {}
    for name in names:
        rest, status = fitted.best_without([fitted.names.index(name)])
        if rest is not None and status is Status.OPTIMAL:
            qualities[name] = rest.train_objective
    return qualities


def stand_in(alternatives: Any, name: str, others: Sequence[str]) -> str:
    """Return the number whose ranks are most like those of a feature; empty if none is near."""
    part, names = alternatives._part_fitted_on, [*alternatives.feature_names_in_]
    if part is None or part.X.shape[1] != len(names) or part.categorical[names.index(name)]:
        return ""
    numbers = [other for other in others if not part.categorical[names.index(other)]]
    columns = [names.index(one) for one in (name, *numbers)]
    ranks = pd.DataFrame(part.X[:, columns], columns=[name, *numbers])
    alike = ranks.corr(method="spearman")[name].drop(name).abs()
    return str(alike.idxmax()) if alike.max() >= _ALIKE else ""


def share_of_best(alternatives: Any, share: float = WORTH_MUCH) -> float:
    """Return the quality with a share of what the original set has above no feature, or NaN."""
    quality: Any = alternatives.quality_
    best: float = alternatives.feature_sets_[0].train_objective
    if not isinstance(quality, BatchedBox):
        return float("nan")
    nothing = _nothing(quality)
    return nothing + share * (best - nothing)


def _nothing(quality: BatchedBox) -> float:
    """Return the quality of no feature; of R² at least 0, as the mean of other rows has less."""
    return max(quality.evaluate_many([()])[0], 0.0)
