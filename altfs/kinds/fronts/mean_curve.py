"""Mean curve: the mean of the curves of several classes, each against all others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from altfs.kinds.fronts.curve import WHOLE, Curve, Levels, places


class MeanCurve(Curve):
    """The area under the mean of the curves of several classes, each against all others.

    The heights are those at the sensitivities 1 / P, 2 / P, ..., 1, where P is the number of
    rows of the largest class. The curve of a class with fewer rows has steps there. The heights
    of each class are rounded to whole numbers of 2^-36.

    Parameters
    ----------
    curves : sequence of Curve
        Those of the classes, of one kind; two or more.
    names : sequence of str, optional
        Those of the classes; by default their numbers.

    Notes
    -----
    Source: Reynolds, Corne, Chantler, *Feature Selection for Multi-Purpose Predictive Models: a
    Many-Objective Task*, 2009, names the accuracy on each class as further work (section 8).

    Examples
    --------
    >>> import numpy as np
    >>> from altfs.kinds.fronts.mean_curve import MeanCurve
    >>> rows, y = np.array([0.1, 0.2, 0.5, 0.9]), np.array([0, 0, 1, 2])
    >>> curves = [Curve(lambda s: -rows, y == 0, 1), Curve(lambda s: rows, y == 2, 1)]
    >>> MeanCurve([*curves, Curve(lambda s: rows, y == 1, 1)]).curve((0,)).round(3)
    array([0.889, 0.889])
    """

    def __init__(self, curves: Sequence[Curve], names: Sequence[str] = ()) -> None:
        largest = max(curves, key=lambda curve: curve.n_positive)
        super().__init__(
            largest.scores,
            largest.positive,
            largest.n_total,
            largest.kind,
            largest.max_iterations,
            largest.tie,
        )
        self.curves = curves
        self.of_classes = dict(zip(names or map(str, range(len(curves))), curves, strict=True))
        self.is_exact = False
        self.top = len(curves) * WHOLE

    @property
    def rounding(self) -> int:
        return len(self.curves) * self.n_positive

    @property
    def objectives(self) -> list[str]:
        return [f"mean {name}" for name in super().objectives]

    def levels(self, indices: Any) -> Levels:
        sensitivities = np.arange(1, self.n_positive + 1) / self.n_positive
        total = np.zeros(self.n_positive, dtype=np.int64)
        for curve in self.curves:
            levels = curve.levels(indices)[places(sensitivities, curve.n_positive)]
            total += np.rint(levels / curve.top * WHOLE).astype(np.int64)
        return total
