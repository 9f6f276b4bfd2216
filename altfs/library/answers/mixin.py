"""Answers of a fitted estimator about its sets."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from sklearn.exceptions import NotFittedError

from altfs._numbers import check_whole
from altfs.errors import NoFeatureSetError
from altfs.library.answers.asked import Asked
from altfs.library.answers.explanation import Explanation
from altfs.library.answers.plots import Kind, plot

if TYPE_CHECKING:
    from altfs.library.answers.optima import OptimalSets


class AnswersMixin:
    """The methods `explain`, `plot` and `all_optimal` of an estimator that keeps its request."""

    verbose: int
    _asked: Asked
    _explanation: Explanation

    def explain(self) -> Explanation:
        """Explain the sets, or why there are none.

        It works also after a :meth:`fit` that raised
        :class:`~altfs.errors.NoFeatureSetError`.

        Returns
        -------
        Explanation
            ``print`` shows it. Its tables are ``changes``, ``substitutes``, ``tau_curve``,
            ``tau_curve_sets``, ``counts`` and ``nearest``. Each is computed on the first
            access, by the searches and solvers that found the sets. Each search has the
            same limit ``work``.

        Raises
        ------
        NotFittedError
            If the estimator is not fitted yet.

        Examples
        --------
        >>> from altfs import AlternativeFeatures
        >>> afs = AlternativeFeatures([0.4, 0.3, 0.2, 0.1], n_features=2, tau=1).fit([[0] * 4] * 2)
        >>> afs.explain().substitutes[["feature", "comes_in", "train_objective"]]
          feature comes_in  train_objective
        0      x0     [x2]              0.5
        1      x1     [x2]              0.6
        """
        asked = self._what_was_asked()
        known = getattr(self, "_explanation", None)
        if known is None or known._asked is not asked:
            self._explanation = known = Explanation(asked, self._say)
        return known

    def plot(self, kind: Kind = "matrix") -> Any:
        """Draw the sets, their quality at each tau, or quality against dissimilarity.

        Parameters
        ----------
        kind : {"matrix", "quality", "trade_off"}, default="matrix"
            "matrix": the features of each set. "quality": the quality of every set at every
            attainable tau. "trade_off": the mean quality of the sets over their mean
            dissimilarity, with a point for every tau.

        Returns
        -------
        altair.Chart or altair.LayerChart
            A notebook shows it, and ``save("chart.svg")`` writes it.

        Raises
        ------
        AltfsError
            If there is no such chart.
        NoFeatureSetError
            If no set was found.
        """
        asked = self._what_was_asked()
        if not asked.sets:
            raise NoFeatureSetError(asked.shortfall)
        return plot(kind, asked, self.explain())

    def all_optimal(self, limit: int = 1000, *, random_state: int = 0) -> OptimalSets:
        """List every set that is as good as the best one.

        The sets satisfy the request (size, constraints, given sets). Qualities are equal if
        they are equal in the scaled numbers in which solvers prove optimality.

        Parameters
        ----------
        limit : int, default=1000
            The largest number of sets to list, from 1. Of more sets, the first ones in
            canonical order are listed, and their number is a lower bound. With a linear
            quality and no constraints but `include` and `exclude`, their number is known, and
            a sample of them is drawn uniformly.
        random_state : int, default=0
            The seed of the sample, from 0.

        Returns
        -------
        OptimalSets
            A sequence of FeatureSet with ``n_sets``, ``exact``, ``how``, ``sentence`` and
            ``to_frame()``.

        Raises
        ------
        UnsupportedProblemError
            If the quality is known only by evaluating sets ("greedy_wrapper").
        AltfsError
            If an argument is outside its range, or the best value is not proven.

        Examples
        --------
        >>> from altfs import AlternativeFeatures
        >>> afs = AlternativeFeatures([0.4, 0.3, 0.3, 0.1], n_features=2).fit([[0] * 4] * 2)
        >>> print(afs.all_optimal())
        2 sets are equally good and the best, there are no others.
          x0, x1
          x0, x2
        """
        check_whole("limit", limit, 1)
        check_whole("random_state", random_state, 0)
        from altfs.library.answers.optima import optima

        return optima(self._what_was_asked(), int(limit), int(random_state))

    def _what_was_asked(self) -> Asked:
        if not hasattr(self, "_asked"):
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet, call 'fit' first."
            )
        return self._asked

    def _say(self, text: str) -> None:
        if self.verbose:
            sys.stderr.write(f"altfs: {text}\n")
