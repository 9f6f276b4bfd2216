"""Forest: the score of a small compiled forest on held-out rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import check_at_most
from altfs.errors import DataError
from altfs.prediction._compiled_forest import ForestJudge
from altfs.problem import FeatureIndices
from altfs.quality import BatchedBox
from altfs.scores.base import Part
from altfs.scores.row_groups import Split, time_folds
from altfs.selectors.base import Selector, SelectorOptions, selectors

# The rows that all folds of a set together learn from, about, and the range of folds. Each pair of
# several classes counts.
_LEARNED, _FEWEST, _MOST = 10_000, 2, 5
# Repeats of the folds of small tables. More than three do not order sets any better.
_REPEATED, _MOST_REPEATS = 1_000, 3
# Draws of folds for the deviation of a score.
_DRAWS = 10


class ForestOptions(SelectorOptions):
    """Options of the forest.

    rows: the largest number of rows in use; more are sampled. folds: inner folds; by default 5,
    and fewer of more than 2,500 rows (of four classes or more, of fewer rows), at least 2.
    repeats: of the folds; by default up to 3 of tables with fewer than 500 rows. max_iterations:
    the largest number of sets that a solver evaluates; if there are no more, the answers are
    proven.
    """

    rows: Annotated[int, Field(ge=10)] = 10_000
    folds: Annotated[int, Field(ge=2)] | None = None
    repeats: Annotated[int, Field(ge=1)] | None = None
    max_iterations: Annotated[int, Field(ge=1)] = 5000


@selectors.register("forest")
class Forest(Selector):
    """The area under the ROC curve, or R^2, of small boosted forests on held-out rows.

    The rows are those of inner folds of each part; with times, of its later half. With several
    classes the area is the mean of each class against the others; R^2 is of numbers. The forests
    are compiled, and judge hundreds of sets in a second. The score follows from the rows of a
    set's columns and the target, which also decide about the folds: other columns, the order of
    rows and columns, codes of classes and categories, growing changes of a column and the seed do
    not matter. The sample of more than `rows` rows follows from all columns.

    Source: Chen and Guestrin, *XGBoost: A Scalable Tree Boosting System*, KDD 2016; Ke et al.,
    *LightGBM: A Highly Efficient Gradient Boosting Decision Tree*, NIPS 2017, for the bins.
    """

    Options = ForestOptions
    needs_rows = True
    # The quality grows trees on the rows.
    stores = False

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        if target_type == "regression":
            least, what = len(y), "rows"
        else:
            counts = np.sort(np.unique(y, return_counts=True)[1])
            least, what = (int(counts[-2]) if len(counts) > 1 else 0), "rows of a second class"
        if least < _FEWEST:
            reason = f"the forest needs {_FEWEST} {what} and there are {least}"
            raise DataError("y", reason, "use more rows, or a selector that holds no rows out")

    def check_part(self, part: Part) -> None:
        self.check_target(part.y, part.target_type, part.seed)
        folds = self._folds(part)
        if part.groups is not None:
            check_at_most("folds", folds, len(np.unique(part.groups)), "groups")
        if part.times is not None:
            time_folds(part.times[: self.options.rows], folds, of_half=True)

    def _folds(self, part: Part) -> int:
        """Return the number of inner folds of a part."""
        n_rows = min(len(part.y), self.options.rows)
        n_units = n_rows if part.groups is None else len(np.unique(part.groups))
        pairs = len(np.unique(part.y)) // 2 if part.target_type == "multiclass" else 1
        n_folds = min(max(_LEARNED // (n_rows * pairs), _FEWEST), _MOST)
        return int(self.options.folds or max(min(n_folds, n_units), _FEWEST))

    def quality(self, part: Part) -> BatchedBox:
        self.check_part(part)
        judge = ForestJudge(part.X, part.y, part.categorical, part.target_type, part.groups)
        n_rows, folds = min(len(part.y), self.options.rows), self._folds(part)
        repeats = self.options.repeats or min(max(_REPEATED // n_rows, 1), _MOST_REPEATS)
        # A set without any fold that can be scored tells nothing.
        nothing = 0.0 if part.target_type == "regression" else 0.5
        scores: Callable[[list[FeatureIndices]], list[float]]
        scores = drawn = _Scores(judge, n_rows, folds, repeats, nothing)
        deviation: Callable[[FeatureIndices], float] | None = drawn.deviation
        if part.times is not None:
            # Of more rows, those at equal distances in time.
            order = np.argsort(part.times, kind="stable")
            rows = order[np.arange(n_rows) * len(order) // n_rows]
            in_time = time_folds(part.times[rows], folds, of_half=True)
            splits = [(rows[a], rows[b]) for a, b in in_time]
            scores, deviation = _ScoresInTime(judge, splits, nothing), None
        most = self.options.max_iterations
        return BatchedBox(
            scores, part.X.shape[1], 1.0, most, deviation=deviation, rank=judge.rank.tolist()
        )


@dataclass(frozen=True)
class _Scores:
    """The scores of sets, as a function that can be pickled."""

    judge: ForestJudge
    n_rows: int
    folds: int
    repeats: int
    nothing: float

    def __call__(self, sets: list[FeatureIndices]) -> list[float]:
        values = self.judge.cross_validated(sets, self.n_rows, self.folds, self.repeats)
        return [float(value) for value in np.nan_to_num(values, nan=self.nothing)]

    def deviation(self, chosen: FeatureIndices) -> float:
        """Return the standard deviation of the score of a set over ten other draws of folds."""
        draws = [
            self.judge.cross_validated(
                [chosen], self.n_rows, self.folds, self.repeats, self.repeats * number
            )
            for number in range(1, _DRAWS + 1)
        ]
        return float(np.std(np.nan_to_num(draws, nan=self.nothing), ddof=1))


@dataclass(frozen=True)
class _ScoresInTime:
    """The scores of sets on rows that are later than those that forests learn from."""

    judge: ForestJudge
    splits: list[Split]
    nothing: float

    def __call__(self, sets: list[FeatureIndices]) -> list[float]:
        values = np.array([self.judge.score(sets, *split) for split in self.splits])
        known = ~np.isnan(values)
        means = np.where(known, values, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        return [float(value) for value in np.where(known.any(axis=0), means, self.nothing)]
