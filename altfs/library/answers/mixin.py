"""Answers that a fitted estimator gives besides its sets."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from sklearn.exceptions import NotFittedError

from altfs._numbers import is_whole
from altfs.errors import AltfsError, NoFeatureSetError
from altfs.library.answers.asked import Asked
from altfs.library.answers.explanation import Explanation
from altfs.library.answers.plots import Kind, plot

if TYPE_CHECKING:
    from altfs.library.answers.optima import OptimalSets


class AnswersMixin:
    """`explain`, `plot` and `all_optimal`, for an estimator that kept what it was asked."""

    verbose: int
    _asked: Asked
    _explanation: Explanation

    def explain(self) -> Explanation:
        """Say what is behind the sets, or behind their absence.

        Works as well after a :meth:`fit` that raised
        :class:`~altfs.errors.NoFeatureSetError`.

        Returns
        -------
        Explanation
            ``print`` it to read it; its tables are ``changes``, ``substitutes``,
            ``tau_curve``, ``tau_curve_sets``, ``counts`` and ``nearest``. Each is
            computed when it is looked at, by the searches and solvers that
            found the sets and within the same ``work`` a search.

        Raises
        ------
        NotFittedError
            If nothing was searched for yet.

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
            self._explanation = known = Explanation(asked, self._progress)
        return known

    def plot(self, kind: Kind = "matrix") -> Any:
        """Draw the sets, what tau costs, or quality against dissimilarity.

        Parameters
        ----------
        kind : {"matrix", "quality", "trade_off"}, default="matrix"
            "matrix": which set has which feature. "quality": the quality of
            every set at every attainable tau. "trade_off": the sets' mean quality
            over their mean dissimilarity, a point for every tau.

        Returns
        -------
        altair.Chart or altair.LayerChart
            A notebook shows it; ``save("chart.svg")`` writes it.

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
        """Every set that is as good as the best one.

        All that was asked for holds (size, constraints, sets that are given); "as
        good" is meant in the scaled numbers in which solvers prove optimality.

        Parameters
        ----------
        limit : int, default=1000
            The most sets to list, from 1. Where there are more, features that
            differ in value only (a linear quality, nothing demanded but features to
            include or exclude) have a number of best sets that is known, and a
            sample that is drawn uniformly; else the first sets in canonical order
            stand, and their number is a lower bound.
        random_state : int, default=0
            For the sample, from 0.

        Returns
        -------
        OptimalSets
            A sequence of FeatureSet with ``n_sets``, ``exact``, ``how``,
            ``sentence`` and ``to_frame()``.

        Raises
        ------
        UnsupportedProblemError
            For qualities that are known by evaluation only ("greedy_wrapper").
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
        for name, value, least in (("limit", limit, 1), ("random_state", random_state, 0)):
            if not is_whole(value) or value < least:
                raise AltfsError(
                    f"{name}: {value!r} is not allowed, use a whole number from {least}."
                )
        from altfs.library.answers.optima import optima

        return optima(self._what_was_asked(), int(limit), int(random_state))

    def _what_was_asked(self) -> Asked:
        if not hasattr(self, "_asked"):
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet, call 'fit' first."
            )
        return self._asked

    def _progress(self, text: str) -> None:
        if self.verbose:
            sys.stderr.write(f"altfs: {text}\n")
