"""Information criteria of linear models: AIC and BIC on the training rows."""

from __future__ import annotations

import warnings
from math import log, pi
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs.problem import FeatureIndices
from altfs.quality import BlackBox
from altfs.scores.base import Part
from altfs.selectors.base import Selector, SelectorOptions, selectors

# A smaller share of the squares is rounding.
_ROUNDING = float(np.finfo(float).eps) ** 2
# The inverse of a penalty that only keeps coefficients of separated classes finite.
_C = 1e6


class InformationCriterionOptions(SelectorOptions):
    """Options of the information criterion.

    criterion: what a parameter costs, 2 (AIC) or the logarithm of the number of rows (BIC).
    max_iterations: the largest number of candidate sets that a search may ask for.
    """

    criterion: Literal["aic", "bic"] = "bic"
    max_iterations: Annotated[int, Field(ge=1)] = 1000


@selectors.register("information_criterion")
class InformationCriterion(Selector):
    """Minus AIC or BIC of a linear model on the rows of the part; nothing is held out.

    The model is least squares with an intercept, or logistic regression for classes. The
    criterion is -2 log L + c p with the likelihood L, p coefficients (intercepts included),
    and c = 2 (AIC) or log N (BIC). There is no largest value, so the bound is null.

    Source: Akaike, *A New Look at the Statistical Model Identification*, IEEE Transactions on
    Automatic Control 19, 1974; Schwarz, *Estimating the Dimension of a Model*, Annals of
    Statistics 6, 1978.
    """

    Options = InformationCriterionOptions
    needs_rows = True
    takes_categories = False
    # The quality fits models on the rows.
    stores = False

    def quality(self, part: Part) -> BlackBox:
        X = part.X - part.X.mean(axis=0)
        # Constant columns stay zeros.
        X = X / np.maximum(np.abs(X).max(axis=0, initial=0.0), np.finfo(float).tiny)
        price = 2.0 if self.options.criterion == "aic" else log(len(X))
        kind = _LeastSquares if part.target_type == "regression" else _Logistic
        criterion = kind(X, part.y, price)
        return BlackBox(criterion, X.shape[1], max_iterations=self.options.max_iterations)


class _LeastSquares:
    """Minus the criterion of least squares, a function of feature sets."""

    def __init__(self, X: npt.NDArray[np.float64], y: npt.NDArray[np.float64], price: float):
        self.X, self.y, self.price = X, y - y.mean(), price
        self._least = max(_ROUNDING * float(self.y @ self.y), float(np.finfo(float).tiny))

    def __call__(self, indices: FeatureIndices) -> float:
        X, n_rows = self.X[:, list(indices)], len(self.y)
        coefficients = np.linalg.lstsq(X, self.y, rcond=None)[0]
        rest = self.y - X @ coefficients
        squares = max(float(rest @ rest), self._least)
        return -(n_rows * (log(2 * pi * squares / n_rows) + 1) + self.price * (len(indices) + 1))


class _Logistic:
    """Minus the criterion of logistic regression, a function of feature sets."""

    def __init__(self, X: npt.NDArray[np.float64], y: npt.NDArray[np.int64], price: float):
        self.X, self.price = X, price
        self.n_classes, self.codes = len(np.unique(y)), np.unique(y, return_inverse=True)[1]

    def __call__(self, indices: FeatureIndices) -> float:
        from scipy.special import log_softmax
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression

        X = self.X[:, list(indices)]
        model = LogisticRegression(C=_C, solver="newton-cholesky", max_iter=200)
        with warnings.catch_warnings():
            # Of separated classes the likelihood is nearly 1, whatever the coefficients.
            warnings.simplefilter("ignore", ConvergenceWarning)
            margins = model.fit(X, self.codes).decision_function(X).reshape(len(X), -1)
        if self.n_classes == 2:
            margins = np.hstack([np.zeros_like(margins), margins])
        logarithms = log_softmax(margins, axis=1)
        likelihood = float(logarithms[np.arange(len(X)), self.codes].sum())
        return 2 * likelihood - self.price * (self.n_classes - 1) * (len(indices) + 1)
