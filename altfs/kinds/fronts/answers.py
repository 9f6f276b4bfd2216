"""The front of a fitted estimator: unbeaten sets, or unbeaten families."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pandas as pd

from altfs._numbers import check_value, is_number
from altfs.errors import AltfsError
from altfs.kinds.fronts.curve import Curve
from altfs.kinds.fronts.curve_front import CurveFront
from altfs.kinds.fronts.family_front import FamilyFront
from altfs.kinds.fronts.mean_curve import MeanCurve
from altfs.library.feature_sets import feature_set
from altfs.problem.results import FeatureSet, SearchResult, Status
from altfs.quality import Quality

if TYPE_CHECKING:
    from altfs.library.answers.fitted import FittedRequest


class FrontMixin:
    """The attribute `front_`, and the method `front_set` for the search "many_objective"."""

    quality_: Quality
    search_result_: SearchResult
    _checked_fit: Callable[[], FittedRequest]

    @property
    def front_(self) -> pd.DataFrame:
        """The front of the search "many_objective" or "pareto", a row per set.

        The curves of classes, whose mean is ``curve`` with the target ``each``, have columns too.
        """
        result = vars(self).get("search_result_")
        if result is None or result.front is None:
            raise AttributeError(
                "front_ is there after a fit with search='many_objective' or search='pareto' alone."
            )
        return front_frame(self._checked_fit())

    def front_set(self, sensitivity: float) -> FeatureSet:
        """Return the set of the front that is best at a sensitivity.

        Parameters
        ----------
        sensitivity : float
            From 0 to 1, the share of rows of the class of interest that have to be found.

        Returns
        -------
        FeatureSet
            That of the largest specificity or confidence there, and of equals that of the
            largest area. :meth:`transform` takes it as `alternative`.

        Raises
        ------
        AltfsError
            If the sensitivity is not from 0 to 1, or the search has no front.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from altfs import AlternativeFeatures
        >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
        >>> X = X.iloc[:, :8]
        >>> afs = AlternativeFeatures("naive_bayes_curve", "many_objective", n_features=2)
        >>> sensitive = afs.fit(X, y).front_set(sensitivity=0.98)
        >>> sensitive.names, afs.transform(X, alternative=sensitive).shape
        (('mean area', 'mean concave points'), (569, 2))
        """
        fitted = self._checked_fit()
        front, quality = fitted.result.front, fitted.quality
        if not isinstance(front, CurveFront) or not isinstance(quality, Curve):
            raise AltfsError(
                "front_set",
                "this search has no front of curves",
                "use search='many_objective' and a selector with a curve, such as "
                "'naive_bayes_curve'",
            )
        in_range = is_number(sensitivity) and 0 <= sensitivity <= 1
        check_value(in_range, "sensitivity", sensitivity, "use 0 to 1")
        # The sets are in falling order of the area, and the first of equals counts.
        best = int(front.levels[:, quality.place(sensitivity)].argmax())
        area = quality.area(front.levels[best])
        status = Status.OPTIMAL if front.proven else Status.FEASIBLE
        bound = area if front.proven else 1.0
        return fitted.shown(feature_set(front.sets[best], fitted.names, area, bound, status))


def front_frame(fitted: FittedRequest) -> pd.DataFrame:
    """Return the front of a request as a table, see ``AlternativeFeatures.front_``."""
    front = fitted.result.front
    assert front is not None
    rows = pd.DataFrame(front.rows(fitted.quality, None, fitted.result.aggregation))
    chosen = rows["selected"]
    rows["feature_names"] = chosen.map(fitted.label)
    rows["selected"] = chosen.map(fitted.originals)
    columns = ["point", "feature_names", "selected", "train_objective"]
    if isinstance(front, FamilyFront):
        values = pd.DataFrame(rows["objectives"].to_list(), columns=[*front.names])
        return rows[["point", "set_index", *columns[1:]]].join(values)
    places = {one.indices: i for i, one in enumerate(fitted.sets)}
    numbers = pd.array([places.get(tuple(one)) for one in chosen], dtype="Int64")
    frame = rows[columns].assign(curve=rows["objectives"], set_index=numbers)
    if isinstance(fitted.quality, MeanCurve):
        for name, curve in fitted.quality.of_classes.items():
            frame[f"curve of {name}"] = [curve.curve(one).tolist() for one in chosen]
    return frame
