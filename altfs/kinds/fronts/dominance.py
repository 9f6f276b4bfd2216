"""Dominance of curves with a factor, in whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isinf
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._numbers import is_number
from altfs.errors import AltfsError
from altfs.kinds.fronts.curve import Curve, Levels
from altfs.problem import FeatureIndices

_LARGEST = 2**62


@dataclass(frozen=True)
class Dominance:
    """The rule by which a curve dominates another one.

    Of two curves let red be the area that only A has, and green the one that only B has. A
    dominates B if there is red and no green, or if red is more than `factor` times green. With
    factor 1 the larger area dominates; with an infinite one a curve that is nowhere lower and
    somewhere higher. Equal curves do not dominate each other.

    Red and green are sums of whole numbers, and so is the difference that decides:
    denominator * red - numerator * green > margin. The margin is 0 for specificity. For
    confidence it is the largest rounding, so that curves of exactly this ratio never dominate.
    In d = A - B the difference is concave and positively homogeneous. So the relation is
    transitive and anti-symmetric for factors from 1.

    With `by_size`, for an infinite factor, a set also has to have no more features than one that
    it dominates, and fewer if their curves are equal.

    Source: that of :class:`~altfs.kinds.fronts.curve.Curve` (section 4).

    >>> Dominance(5, 1, 0).dominating([[9, 5, 1], [8, 5, 1]], [3, 6, 1])
    array([ True, False])
    """

    #: The factor as a fraction; 1 and 0 if it is infinite.
    numerator: int
    denominator: int
    margin: int
    #: True if the number of features is an objective, too.
    by_size: bool = False

    @classmethod
    def of(cls, factor: float, quality: Curve, *, by_size: bool = False) -> Dominance:
        """Return the rule of a factor for curves of a quality; an AltfsError for many digits."""
        if isinf(factor):
            return cls(1, 0, 0, by_size)
        # 1.1 is meant as eleven tenths.
        exact = Fraction(str(float(factor)))
        if exact.numerator * quality.n_positive * quality.top > _LARGEST:
            raise AltfsError(
                "dominance_factor",
                f"{factor} has too many digits for curves of {quality.n_positive} positive rows",
                "round it or use inf",
            )
        return cls(exact.numerator, exact.denominator, exact.numerator * quality.rounding)

    def compared(self, levels: Levels, chosen: FeatureIndices) -> Levels:
        """Return what is compared of a set: its curve, and its size as one value more."""
        return np.append(levels, -len(chosen)) if self.by_size else levels

    @property
    def numbers(self) -> tuple[int, int, int]:
        """The numbers of the rule, for compiled functions."""
        return self.numerator, self.denominator, self.margin

    def dominating(self, curves: npt.ArrayLike, curve: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Return which curves dominate another one."""
        difference = np.asarray(curves, dtype=np.int64) - np.asarray(curve, dtype=np.int64)
        red = np.maximum(difference, 0).sum(axis=-1)
        green = red - difference.sum(axis=-1)
        if self.denominator == 0:
            return np.asarray((green == 0) & (red > 0))
        return np.asarray(self.denominator * red - self.numerator * green > self.margin)


def checked_factor(value: Any) -> float:
    """Return a factor of dominance, which has to be a number from 1 or inf.

    >>> checked_factor("inf"), checked_factor(5)
    (inf, 5.0)
    """
    number = float(value) if value in ("inf", ".inf") else value
    if not is_number(number) or not number >= 1:
        raise ValueError(f"{value!r} is not allowed, use a number from 1 or inf")
    return float(number)
