"""Subset contrasts: how much drawn subsets of features tell about the target."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, comb, log, log1p
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs.errors import DataError
from altfs.scores._contrast import Contrasts, SliceSettings, check_enough_rows
from altfs.scores.base import Part, Score, scores

#: The largest number of subsets.
MOST_SUBSETS = 10_000_000


@dataclass(frozen=True)
class Subsets:
    """The subsets of features that are drawn, and their slices."""

    #: None for as many as :meth:`count` says.
    number: int | None = 1000
    #: The subsets miss a given set of so many features with at most this probability.
    interaction: int = 2
    miss: float = 0.05
    #: The smallest and the largest size; None for 1 to 5.
    sizes: tuple[int, int] | None = None
    #: True if subsets have one feature more, and each in turn is left out.
    left_out: bool = False
    slices: SliceSettings = field(default_factory=SliceSettings)

    @cached_property
    def text(self) -> str:
        """The subsets as a variant of the score.

        >>> Subsets().text, Subsets(None, 3, 0.1, (3, 3)).text
        ('auto', 'a3x0p1_3_3_whole_auto_auto_slice')
        >>> Subsets.of("a3x0p1_3_3_whole_auto_auto_slice") == Subsets(None, 3, 0.1, (3, 3))
        True
        """
        if self == Subsets():
            return "auto"
        number = str(self.number)
        if self.number is None:
            miss = repr(self.miss).replace(".", "p").replace("-", "m")
            number = f"a{self.interaction}x{miss}"
        least, most = self.sizes or (0, 0)
        kind = "leave" if self.left_out else "whole"
        return f"{number}_{least}_{most}_{kind}_{self.slices.text}"

    @classmethod
    def of(cls, text: str) -> Subsets:
        """Return the subsets of a `text`."""
        if text == "auto":
            return cls()
        number, least, most, kind, slices = text.split("_", 4)
        sizes = (int(least), int(most)) if int(most) else None
        more = sizes, kind == "leave", SliceSettings.of(slices)
        if not number.startswith("a"):
            return cls(int(number), 2, 0.05, *more)
        interaction, miss = number[1:].split("x")
        return cls(None, int(interaction), float(miss.replace("p", ".").replace("m", "-")), *more)

    def range(self, n_total: int) -> tuple[int, int]:
        """Return the smallest and the largest size of what slices are drawn in.

        >>> Subsets().range(30), Subsets().range(3), Subsets(left_out=True).range(3)
        ((1, 5), (1, 3), (1, 2))
        """
        largest = max(1, n_total - self.left_out)
        least, most = self.sizes or (1, 5)
        return min(least, largest), min(most, largest)

    def check(self, n_total: int) -> None:
        """Check that subsets can be drawn of so many features, or raise a DataError."""
        largest = n_total - self.left_out
        sizes = self.sizes or (1, 1)
        if sizes[1] > largest:
            # A size alone stands for a range from 1.
            shown = sizes[1] if sizes[0] in (1, sizes[1]) else list(sizes)
            reason = ", of which one is left out" if self.left_out else ""
            raise DataError(
                "subset_size",
                f"{shown} is not possible with {n_total} features{reason}",
                f"use sizes from 1 to {largest}" if largest else "use more features",
            )
        if self.number is None and self.interaction > (most := self.range(n_total)[1]):
            raise DataError(
                "interaction",
                f"{self.interaction} is more than the {most} features of the largest subset",
                "use larger subsets or a smaller number",
            )
        if (needed := self.count(n_total)) > MOST_SUBSETS:
            raise DataError(
                "n_subsets",
                f"auto needs {needed} subsets for {n_total} features, at most {MOST_SUBSETS} are "
                "possible",
                "use a number or fewer features",
            )

    def count(self, n_total: int) -> int:
        """Return the number of subsets.

        If it is not given, it is the smallest one with which a set of `interaction` features
        is in no subset with probability `miss` or less.

        >>> Subsets(None, 2, 0.05, (2, 2)).count(20), Subsets(None, 3, 0.05, (3, 3)).count(20)
        (568, 3414)
        """
        if self.number is not None:
            return self.number
        least, most = self.range(n_total)
        m = min(self.interaction, most)
        sizes = range(max(m, least), most + 1)
        hits = sum(comb(n_total - m, k - m) / comb(n_total, k) for k in sizes) / (most - least + 1)
        return 1 if hits >= 1 else max(1, ceil(log(self.miss) / log1p(-hits)))

    def drawn(self, numbers: npt.NDArray[np.int64], seed: int, n_total: int) -> Any:
        """Return the subsets of some numbers: features in ascending order, padded by -1."""
        from altfs.scores._draws import draw_subsets

        least, most = self.range(n_total)
        more = int(self.left_out and n_total > 1)
        return draw_subsets(numbers, seed, n_total, least + more, most + more)

    def layout(self, n_total: int) -> tuple[int, int]:
        """Return how many subsets each feature's column has, and the values of each subset."""
        width = 2 * (self.range(n_total)[1] + 1) if self.left_out else 1
        return -(-self.count(n_total) // n_total), width

    def by_subset(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the values of the score in the order of the subsets, a row for each."""
        n_total = values.shape[1]
        height, width = self.layout(n_total)
        rows = values.reshape(height, width, n_total).transpose(0, 2, 1).reshape(-1, width)
        return rows[: self.count(n_total)]


@scores.register("subset_contrasts")
class SubsetContrasts(Score):
    """Contrasts of the target, and of features that were left out, on drawn subsets.

    Subset s has its values in the column of feature s modulo n_total. A variant other than
    "auto" is the text of :class:`Subsets`. Values that do not exist are NaN.
    """

    of_pairs = True
    any_variant = True

    def check_rows(self, n_rows: int) -> None:
        check_enough_rows(n_rows)

    def compute(self, part: Part, columns: range, variant: str) -> npt.NDArray[np.float64]:
        subsets, n_total = Subsets.of(variant), part.X.shape[1]
        subsets.check(n_total)
        contrasts, count = Contrasts(part, subsets.slices), subsets.count(n_total)
        height, width = subsets.layout(n_total)
        values = np.full((height, width, len(columns)), np.nan)
        for c, j in enumerate(columns):
            numbers = np.arange(j, count, n_total)
            sets = subsets.drawn(numbers, part.seed, n_total)
            block = contrasts.of_subsets(numbers, sets, subsets.left_out)
            values[: len(numbers), : block.shape[1], c] = block
        return values.reshape(height * width, len(columns))

    def toy(self, n_total: int, variant: str = "auto") -> npt.NDArray[Any]:
        height, width = Subsets.of(variant).layout(n_total)
        return np.ones((height * width, n_total))
