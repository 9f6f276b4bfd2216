"""Answers of a fitted estimator about its sets."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from math import inf
from typing import TYPE_CHECKING, Any, cast

from sklearn.exceptions import NotFittedError

from altfs._numbers import check_whole, is_collection, is_number
from altfs.errors import AltfsError, NoFeatureSetError, UnsupportedProblemError
from altfs.library.answers.explanation import Explanation
from altfs.library.answers.fitted import FittedRequest
from altfs.library.answers.plots import matrix, plot
from altfs.library.answers.themes import Theme, check_theme, in_theme
from altfs.library.notes import COPIES
from altfs.problem.results import Status
from altfs.progress import bar, lines, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from altfs.library.answers.near_optimal import NearlyOptimalSets
    from altfs.library.answers.optima import OptimalSets
    from altfs.library.answers.outages import OutagePlan
    from altfs.library.inputs import Feature
    from altfs.problem.results import FeatureSet


class AnswersMixin:
    """The answers of an estimator that keeps its request."""

    verbose: int | None
    feature_sets_: list[FeatureSet]
    _check_sets: Callable[[], None]
    _fitted: FittedRequest
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
        fitted = self._checked_fit("explain")
        explanation = getattr(self, "_explanation", None)
        if explanation is None or explanation._fitted is not fitted:
            self._explanation = explanation = Explanation(
                fitted, self._say, getattr(self, "_part_fitted_on", None)
            )
        signal = getattr(self, "signal_", None)
        explanation.signal = "" if signal is None or signal.above_chance else signal.sentence
        explanation.copies = [n.features for n in getattr(self, "notes_", ()) if n.kind in COPIES]
        explanation.evaluation = getattr(self, "_evaluation", None)
        return explanation

    def plot(self, kind: str = "matrix", *, theme: Theme = "light") -> Any:
        """Draw the sets, their quality at each tau, or the way of the search.

        Parameters
        ----------
        kind : {"matrix", "quality", "trade_off", "progress", "front", "curves"}, default="matrix"
            "matrix": the features of each set. "quality": the quality of every set at every
            attainable tau. "trade_off": the mean quality of the sets over their mean
            dissimilarity, with a point for every tau. "progress": the objective over the
            evaluations, and the features of the best sets so far. Of up to five features, it
            also shows the lattice of all sets, with the way of the solver. "front": after
            many-objective search, every set of the front at two sensitivities, which sliders
            change, and the curve of the set that is clicked. "curves": the curves of the
            chosen sets, and the envelope of the front.
        theme : {"light", "dark"}, default="light"
            The page for which it is drawn.

        Returns
        -------
        altair chart
            A notebook shows it, and ``save("chart.svg")`` writes it.

        Raises
        ------
        AltfsError
            If there is no such chart or theme.
        NoFeatureSetError
            If no set was found.
        UnsupportedProblemError
            If the solver does not note its way ("progress").
        """
        check_theme(theme)
        self._check_sets()
        if kind == "matrix":
            return in_theme(matrix(self.feature_sets_), theme)
        fitted = self._checked_fit(f"plot: '{kind}'")
        return in_theme(plot(kind, fitted, Explanation(fitted, self._say)), theme)

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
            ``to_frame()``. The sentence counts also the sets that are worse by no more than the
            error of the scores, as that of :meth:`stability` does.

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
        2 sets are equally good and the best by this quality, there are no others.
          x0, x1
          x0, x2
        """
        check_whole("limit", limit, 1)
        check_whole("random_state", random_state, 0)
        from altfs.library.answers.optima import optima
        from altfs.library.answers.within_error import within_error

        fitted = self._checked_fit("all_optimal")
        return optima(fitted, int(limit), int(random_state), within_error(self))

    def nearly_optimal(
        self,
        share: float | None = None,
        *,
        loss: float | None = None,
        alternatives: bool = False,
        limit: int = 1000,
        random_state: int = 0,
    ) -> NearlyOptimalSets:
        """Count the sets that are nearly as good as the best one, and say what they hold.

        The sets satisfy the request (size, constraints, given sets). They are the Rashomon set
        of the quality (Semenova, Rudin and Parr, FAccT 2022). Sums of values are counted without
        listing the sets. Others are listed, at most 20,000.

        Parameters
        ----------
        share : float, optional
            How much less the quality may be, as a share of that of the best set, from 0 to 1; by
            default 0.1.
        loss : float, optional
            The same as a number, from 0, in place of `share`.
        alternatives : bool, default=False
            True for sets that differ from the original set as much as the request says.
        limit : int, default=1000
            The largest number of sets to list, from 1. Of more, a sample is drawn uniformly.
        random_state : int, default=0
            The seed of the sample, from 0.

        Returns
        -------
        NearlyOptimalSets
            A sequence of FeatureSet with bounds of the number of sets, ``sentence``, the table
            ``features``, and ``plot()``.

        Raises
        ------
        UnsupportedProblemError
            If the sets may have several sizes, or too many would have to be evaluated.
        AltfsError
            If an argument is outside its range, or the best set is not proven.

        Examples
        --------
        >>> from altfs import AlternativeFeatures
        >>> afs = AlternativeFeatures([0.4, 0.3, 0.3, 0.1], n_features=2).fit([[0] * 4] * 2)
        >>> near = afs.nearly_optimal(0.2)
        >>> print(near)
        3 sets have a quality from 0.56 to 0.7.
        >>> near.features[["feature", "held", "share"]].round(2)
          feature     held  share
        0      x0  in some   0.67
        1      x1  in some   0.67
        2      x2  in some   0.67
        3      x3  in none   0.00
        """
        for key, value, most in (("share", share, 1), ("loss", loss, inf)):
            if value is not None and not (is_number(value) and 0 <= value <= most):
                advice = "use a number from 0 to 1" if most == 1 else "use a number from 0"
                raise AltfsError.of_value(key, value, advice)
        if None not in (share, loss):
            raise AltfsError("share, loss", "both are given", "give one of the two")
        check_whole("limit", limit, 1)
        check_whole("random_state", random_state, 0)
        from altfs.library.answers.near_optimal import nearly_optimal

        fitted = self._checked_fit("nearly_optimal")
        sample = int(limit), int(random_state)
        return nearly_optimal(fitted, 0.1 if share is None else share, loss, alternatives, sample)

    def without(self, features: Feature | Collection[Feature]) -> FeatureSet:
        """Return the best set without a feature.

        The set satisfies the request otherwise (size, constraints, given sets). The feature is
        left out even if it has to be included.

        Parameters
        ----------
        features : str, int or collection of them
            One or several features by name or number.

        Returns
        -------
        FeatureSet
            Its status says whether it is proven to be the best.

        Raises
        ------
        NoFeatureSetError
            If there is none, or none was found.

        Examples
        --------
        >>> from altfs import AlternativeFeatures
        >>> afs = AlternativeFeatures([0.4, 0.3, 0.2, 0.1], n_features=2).fit([[0] * 4] * 2)
        >>> afs.without("x1").names, afs.without(["x0", "x1"]).names
        (('x0', 'x2'), ('x2', 'x3'))
        """
        fitted = self._checked_fit("without")
        several = not isinstance(features, str) and is_collection(features)
        collected = cast("Collection[Feature]", features if several else [features])
        chosen = fitted.columns("features", collected)
        best, status = fitted.best_without(chosen)
        if best is None:
            why = (
                "no set without them satisfies the request, name fewer or loosen the constraints"
                if status is Status.INFEASIBLE
                else f"no set was found within work={fitted.request.limits.work:g}, raise it"
            )
            raise NoFeatureSetError("features", f"{', '.join(fitted.label(chosen))}: {why}")
        return fitted.shown(best)

    def plan_for_outages(
        self,
        features: Collection[Feature],
        at_once: int = 1,
        *,
        relative_floor: float | None = None,
    ) -> OutagePlan:
        """Find a smallest family of sets such that one of them remains in every outage.

        In an outage, up to `at_once` of the features are missing. Every set satisfies the
        request (size, constraints, given sets), but the sets need not differ from one another.

        Parameters
        ----------
        features : collection of str or int
            One to six features that can be missing, by name or number.
        at_once : int, default=1
            The largest number of them that can be missing together.
        relative_floor : float, optional
            The lowest allowed quality in an outage, as a share from 0 to 1 of the quality of the
            best set without the missing features. With 1, the family has the best set for every
            outage. By default, any quality is allowed.

        Returns
        -------
        OutagePlan
            A sequence of FeatureSet with ``table`` (a row per outage, with the set to use and
            its share of quality), ``proven`` and ``sentence``. Of equally small families, it has
            the sets with the largest sum of qualities.

        Raises
        ------
        AltfsError
            If an argument is outside its range.

        Examples
        --------
        >>> from altfs import AlternativeFeatures
        >>> afs = AlternativeFeatures([0.4, 0.3, 0.2, 0.1], n_features=2).fit([[0] * 4] * 2)
        >>> print(afs.plan_for_outages(["x0", "x1"]))
        One set is enough for every outage of any one of these features.
          Without x0: x2, x3; quality 0.3 (42.9% of the original set's).
          Without x1: x2, x3; quality 0.3 (42.9% of the original set's).
        >>> print(afs.plan_for_outages(["x0", "x1"], relative_floor=0.9))
        2 sets are enough for every outage of any one of these features.
          Without x0: x1, x2; quality 0.5 (71.4% of the original set's).
          Without x1: x0, x2; quality 0.6 (85.7% of the original set's).
        """
        from altfs.library.answers.outages import plan_for_outages

        fitted = self._checked_fit("plan_for_outages")
        return plan_for_outages(fitted, features, at_once, relative_floor, self._say)

    def _checked_fit(self, answer: str = "") -> FittedRequest:
        """Return the request of the last fit.

        Streams have no `answer` that needs the best set, which one pass does not know.
        """
        if not hasattr(self, "_fitted") and hasattr(self, "feature_sets_"):
            raise AltfsError(
                "selector",
                "sets that were read from JSON can be drawn as a matrix, cut tables and begin "
                "pipelines, all else needs a quality or a table",
                "call fit first",
            )
        if not hasattr(self, "_fitted"):
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet, call 'fit' first."
            )
        if answer and self._fitted.quality.one_pass:
            raise UnsupportedProblemError(
                f"{answer} is not possible for a streaming selector, whose sets are not compared "
                "with all others, use another selector, or FeatureStream.trace() for its "
                "decisions"
            )
        return self._fitted

    def _say(self, text: str, done: int = 0, total: int = 0) -> None:
        if self.verbose is None:
            tell(text, done, total)
        elif self.verbose:
            counted = f"{done} of {total} " if total else ""
            sys.stderr.write(f"altfs: {counted}{text}\n")

    def _bar(self) -> AbstractContextManager[None]:
        """Return a context in which what is counted is shown, as `verbose` says."""
        if self.verbose is None:
            return bar()
        return lines(sys.stderr) if self.verbose else nullcontext()
