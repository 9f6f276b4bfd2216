"""Contrasts of a part: how much the values of some features tell about another column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast, get_args

import numpy as np

from altfs._numbers import FloatArray, IntArray, check_rows
from altfs.scores.base import Part

if TYPE_CHECKING:
    from altfs.scores._slices import Ranks


#: How classes inside a slice are compared with those of all rows.
Divergence = Literal["slice", "all", "jensen_shannon"]
#: The smallest number of rows that have contrasts.
LEAST_ROWS = 10
# The smallest number of rows of a slice in one dimension.
_LEAST_WIDTH = 5
# Slices of one dimension need no more rows.
_MOST_WIDTH = 1000
# Slices that are not given: their number and share of the rows are at least those of the paper. Few
# rows have more and wider slices, about so many rows of all slices and in a slice.
_SLICES, _SHARE, _ROWS_OF_SLICES, _ROWS_OF_SLICE = 100, 0.01, 1_000_000, 35
_MOST_SLICES, _MOST_SHARE = 3000, 0.1
# The number of draws of which an expectation is the mean.
_DRAWS = 100


def check_enough_rows(n_rows: int) -> None:
    """Check that there are enough rows for slices, or raise a DataError."""
    check_rows(n_rows, LEAST_ROWS, "contrasts")


@dataclass(frozen=True)
class SliceSettings:
    """Settings of the estimate of contrasts."""

    #: Slices of each contrast; None for as many as :meth:`for_rows` says.
    n_slices: int | None = None
    #: Share of the rows that a slice has if the features are independent, in (0, 1]; or None.
    share: float | None = None
    #: Of the slice from all rows, of all rows from the slice, or Jensen and Shannon's of both.
    divergence: Divergence = "slice"

    @property
    def text(self) -> str:
        """The settings as a variant of a score.

        >>> SliceSettings(50, 1e-05).text, SliceSettings.of("50_1em05_slice")
        ('50_1em05_slice', SliceSettings(n_slices=50, share=1e-05, divergence='slice'))
        >>> SliceSettings(share=0.5).text, SliceSettings.of("auto_0p5_slice")
        ('auto_0p5_slice', SliceSettings(n_slices=None, share=0.5, divergence='slice'))
        """
        share = "auto" if self.share is None else repr(self.share)
        n_slices = "auto" if self.n_slices is None else self.n_slices
        return f"{n_slices}_{share.replace('.', 'p').replace('-', 'm')}_{self.divergence}"

    def for_rows(self, n_rows: int) -> tuple[int, float]:
        """Return the number of slices and the share of the rows in one.

        Few rows need more and wider slices, so that rankings do not depend on what is drawn. With
        many rows they are those of the paper.

        >>> [SliceSettings().for_rows(n) for n in (100, 351, 10_000)]
        [(3000, 0.1), (2849, 0.09971509971509972), (100, 0.01)]
        """
        n_slices = min(max(_ROWS_OF_SLICES // n_rows, _SLICES), _MOST_SLICES)
        share = min(max(_ROWS_OF_SLICE / n_rows, _SHARE), _MOST_SHARE)
        return self.n_slices or n_slices, self.share or share

    @classmethod
    def of(cls, text: str) -> SliceSettings:
        """Return the settings of a `text`; "auto" has the default ones."""
        if text == "auto":
            return cls()
        n_slices, share, divergence = text.split("_", 2)
        number = None if share == "auto" else float(share.replace("p", ".").replace("m", "-"))
        slices = None if n_slices == "auto" else int(n_slices)
        return cls(slices, number, cast("Divergence", divergence))


class Contrasts:
    """The contrasts of the columns of a part.

    A contrast is the mean divergence of a column inside a slice from the column on all rows.
    A slice has, in each of some features, an interval of ranks with about
    ``share**(1 / n_features)`` of all rows. Of categories it has drawn ones, whole.

    Source: Shekar et al., *Including Multi-feature Interactions and Redundancy for Feature
    Ranking in Mixed Datasets*, ECML PKDD 2017, Definition 1 and Section 4.5; Keller et al.,
    *HiCS*, ICDE 2012, for the slices.

    Parameters
    ----------
    part : Part
    settings : SliceSettings
    """

    def __init__(self, part: Part, settings: SliceSettings) -> None:
        from altfs.scores._slices import Slicing

        check_enough_rows(len(part.y))
        self.n_total, self.seed = part.X.shape[1], part.seed
        self.table = _ranks(part)
        n_rows = len(part.y)
        n_slices, share = settings.for_rows(n_rows)
        share = min(share, _MOST_WIDTH / n_rows)
        dims = np.arange(1, self.n_total + 1)
        # The share of one of several dimensions can be a whole number of rows but for rounding.
        widths = np.floor(share ** (1 / dims) * n_rows + 1e-9).astype(np.int64)
        widths = np.concatenate(([n_rows], np.maximum(widths, _LEAST_WIDTH)))
        self.slicing = Slicing(
            n_slices,
            widths,
            *_expected_distances(n_rows, int(widths[1]), part.seed),
            get_args(Divergence).index(settings.divergence),
        )

    def of_subsets(self, numbers: IntArray, sets: IntArray, left_out: bool) -> FloatArray:
        """Return the contrasts of the target on numbered subsets, padded by -1.

        If each feature in turn is left out, each row has two values for every feature: the
        contrasts of the target and of the feature on the rest. Others have one value.
        """
        from altfs.scores._draws import SLICES

        n_sets, most = sets.shape
        if not left_out:
            numbers = numbers * (most + 1) + most
            return self._contrasts(SLICES, numbers, sets, np.full((n_sets, 1), self.n_total))
        rests = without_each(sets).reshape(-1, most)
        turns = (numbers[:, None] * (most + 1) + np.arange(most)).ravel()
        targets = np.column_stack([np.full(sets.size, self.n_total), sets.ravel()])
        present = targets[:, 1] >= 0
        values = np.full(targets.shape, np.nan)
        values[present] = self._contrasts(SLICES, turns[present], rests[present], targets[present])
        return values.reshape(n_sets, -1)

    def of_pairs(self, column: int) -> FloatArray:
        """Return the contrast of every feature on one of them; 0 on itself."""
        from altfs.scores._draws import PAIRS

        others = np.delete(np.arange(self.n_total), column)
        values, sets = np.zeros(self.n_total), np.full((len(others), 1), column)
        numbers = others * self.n_total + column
        values[others] = self._contrasts(PAIRS, numbers, sets, others[:, None])[:, 0]
        return values

    def of_place(self, ranking: IntArray, place: int, most: int) -> tuple[float, tuple[int, ...]]:
        """Return the largest contrast of a ranked feature on groups of those before it.

        They are shuffled and cut into groups of `most`. The group comes with it, the first one
        among equals. For the first feature it is 0, and the group is empty.
        """
        from altfs.scores._draws import GROUP_SLICES, GROUPS, shuffled

        feature, n_groups = int(ranking[place]), -(-place // most)
        if not n_groups:
            return 0.0, ()
        groups = np.full(n_groups * most, -1)
        groups[:place] = ranking[:place]
        shuffled(groups[:place], self.seed, GROUPS, feature)
        numbers = feature * self.n_total + np.arange(n_groups)
        targets = np.full((n_groups, 1), feature)
        divided = groups.reshape(n_groups, most)
        values = np.nan_to_num(self._contrasts(GROUP_SLICES, numbers, divided, targets)).ravel()
        best = int(values.argmax())
        return float(values[best]), tuple(sorted(int(j) for j in divided[best] if j >= 0))

    def of_set(self, chosen: Sequence[int]) -> float:
        """Return the contrast of the target on a set; 0 if it is empty or no slice has a row."""
        from altfs.scores._draws import SETS

        if not len(chosen):
            return 0.0
        sets, target = np.array([sorted(chosen)]), np.array([[self.n_total]])
        numbers = np.array([_number_of_set(chosen)])
        return float(np.nan_to_num(self._contrasts(SETS, numbers, sets, target))[0, 0])

    def within_set(self, chosen: Sequence[int]) -> float:
        """Return the mean contrast of the features of a set on its others; 0 for fewer than two."""
        from altfs.scores._draws import SETS_WITHIN

        if len(chosen) < 2:
            return 0.0
        features = np.array([sorted(chosen)])
        rests = without_each(features)[0, :, :-1]
        numbers = _number_of_set(chosen) * len(chosen) + np.arange(len(chosen))
        values = self._contrasts(SETS_WITHIN, numbers, rests, features.T)
        return float(np.nan_to_num(values).mean())

    def _contrasts(
        self, purpose: int, numbers: IntArray, sets: IntArray, targets: IntArray
    ) -> FloatArray:
        from altfs.scores._slices import contrasts

        return contrasts(purpose, numbers, sets, targets, self.seed, self.table, self.slicing)


def _number_of_set(chosen: Sequence[int]) -> int:
    """Return a number that starts the random numbers of a set, the same in any order."""
    number = 0
    for j in sorted(map(int, chosen)):
        number = (number * 1_000_003 + j + 1) % (2**61 - 1)
    return number


def without_each(sets: IntArray) -> IntArray:
    """Return each set without each of its features, of shape (n_sets, size, size).

    >>> without_each(np.array([[2, 5, -1]])).tolist()
    [[[5, -1, -1], [2, -1, -1], [2, 5, -1]]]
    """
    size, absent = sets.shape[1], np.iinfo(np.int64).max
    without = np.repeat(sets[:, None, :], size, axis=1)
    without[:, np.arange(size), np.arange(size)] = -1
    ordered = np.sort(np.where(without < 0, absent, without), axis=2)
    return np.where(ordered == absent, -1, ordered)


def _ranks(part: Part) -> Ranks:
    from altfs.scores._slices import SMOOTHING, Ranks

    n_rows, n_total = part.X.shape
    is_class = part.target_type != "regression"
    nominal = np.append(part.categorical, is_class)
    order, first, last = (np.empty((n_total + 1, n_rows), dtype=np.int32) for _ in range(3))
    starts, pointer = [], [0]
    for j in range(n_total + 1):
        column = part.X[:, j] if j < n_total else part.y
        if not nominal[j]:
            column = _oriented(column)
        order[j] = np.argsort(column, kind="stable")
        ordered = column[order[j]]
        new = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        sizes = np.diff(np.append(new, n_rows))
        first[j, order[j]] = np.repeat(new, sizes)
        last[j] = np.repeat(new + sizes - 1, sizes)
        if nominal[j]:
            # Categories are numbered as they appear, so that their codes do not matter.
            new = new[np.argsort(order[j, new], kind="stable")]
            starts.append(new)
        pointer.append(pointer[-1] + (len(new) if nominal[j] else 0))
    flat = np.concatenate([*starts, np.zeros(0)]).astype(np.int32)
    logs = np.log(np.arange(n_rows + 1) + SMOOTHING)
    return Ranks(order, first, last, nominal, flat, np.array(pointer, dtype=np.int64), logs)


def _oriented(column: FloatArray) -> FloatArray:
    """Return a column, or its negative, so that the contrasts of both are the same.

    The first row that is not in the middle lies in the upper half.
    """
    for value in column:
        difference = np.count_nonzero(column < value) - np.count_nonzero(column > value)
        if difference:
            return column if difference > 0 else -column
    return column


def _expected_distances(n_rows: int, width: int, seed: int) -> tuple[float, float]:
    """Return the expected distance from all rows, of drawn rows and of consecutive ones."""
    from altfs.scores._slices import distance_of_drawn_rows

    offsets = np.arange(n_rows - width + 1)
    high = np.maximum(offsets, n_rows - width - offsets).mean() / n_rows
    low = np.mean([distance_of_drawn_rows(n_rows, width, seed, i) for i in range(_DRAWS)])
    return float(low), float(high)
