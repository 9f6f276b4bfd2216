"""The scikit-learn estimator that finds several good feature sets."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import validate_data

from altfs.datasets.base import Task
from altfs.errors import AltfsError, FewerSetsWarning, NoFeatureSetError
from altfs.library import inputs as _fitting
from altfs.library.answers.asked import Asked
from altfs.library.answers.mixin import AnswersMixin
from altfs.library.feature_sets import FeatureSet, FeatureSetsMixin, dissimilarities, feature_sets
from altfs.library.metadata import MetadataMixin
from altfs.library.model_qualities import task_of, with_estimator
from altfs.library.parameters import check_parameters, seed_of
from altfs.library.request import Request, tau_asked
from altfs.library.workers import WorkersMixin, workers
from altfs.problem.constraints import Constraints
from altfs.problem.overlap import Dissimilarity, Tau
from altfs.progress import line_every
from altfs.quality import Quality
from altfs.searches import Search
from altfs.searches.request import Sizes
from altfs.selectors import Part, Selector
from altfs.solvers import Limits

__all__ = ["AlternativeFeatures", "FeatureSet"]

_LEARNED = ("quality_", "search_result_", "feature_sets_", "dissimilarities_")


class AlternativeFeatures(
    AnswersMixin,
    FeatureSetsMixin,
    MetadataMixin,
    WorkersMixin,
    SelectorMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Several feature sets that are all good and different enough from one another.

    A transformer that keeps the columns of the original (best) set; every
    method that speaks of a set takes ``alternative=i`` for another one.

    Parameters
    ----------
    selector : str, Selector, Quality, callable or array-like, default="mutual_information"
        What makes a set good: a registered name ("mutual_information", "fcbf",
        "mrmr", "cfs", "model_gain", "f_statistic", "correlation", "relief",
        "permutation_importance", "shap", "greedy_wrapper"), such a class or object
        (with options), a quality (:mod:`altfs.quality`) or one value per
        feature that you have already, or a function of X and y that returns
        the values, such as scikit-learn's `f_classif`. Of the data, a quality
        or values that are given need nothing, not even y.
    search : str or Search, default="sequential"
        "sequential": one set after the other, each the best that is different
        enough from all before. "simultaneous": all at once, best together.
        "enumeration", "local_search", "random", "greedy_replacement" and
        "greedy_balancing": without an exact solver, or for more kinds of request;
        see the page of the library.
    n_features : int, str or (int, int), optional
        Size of every set, from 1 to the number of columns. By default 5, or half of the
        columns where they are fewer than ten; less where sets of that size do not
        exist, as with features that exclude each other.
        A range, such as ``"1-3"`` or the pair ``(1, 3)``, is for sequential and
        simultaneous search. The sets are the best of any of these sizes, the smallest of
        equals. `tau` refers to the sizes of each pair, `max_overlap` is the same for all.
    n_alternatives : int, default=1
        How many sets beyond the original one, at least 0.
    tau : float, str or Fraction, optional
        Smallest dissimilarity of any two sets, in [0, 1]; 0.4 if neither this
        nor `max_overlap` is given.
    max_overlap : int, optional
        Largest number of features that two sets share; in place of `tau`.
    dissimilarity : {"dice", "jaccard"}, default="dice"
        What `tau` and ``dissimilarities_`` mean.
    aggregation : {"sum", "min"}, optional
        Simultaneous and local search: maximise the sum of the qualities (the default) or
        the smallest of them.
    constraints : Constraints, optional
        What every set has to satisfy. Features are column numbers or names, and
        costs may be a dict by name, where those that are not named cost nothing.
    given : sequence of sequences of int or str, default=()
        Sets, by numbers or names, or ``feature_sets_`` of another fit, from which
        every set has to differ, too; of any
        size: `tau` is judged by both sizes, `max_overlap` is the same for all.
    estimator : estimator, optional
        scikit-learn classifier or regressor in place of a decision tree, for the
        importances of "model_gain", the losses of "permutation_importance", the SHAP
        values of "shap" and the scores of "greedy_wrapper". Classes that are text
        reach it as 0, 1, ... in sorted order.
    task : {"auto", "classification", "regression"}, default="auto"
        What y is. "auto": what `estimator` is made for; else classes if y is
        text or has at most 20 different values, all whole numbers.
    random_state : int, RandomState instance or None, default=0
        For all that is random: noise in mutual information, trees, splits; an int is below 2**32.
    work : float, default=20
        Limit of a solver's deterministic work units, see :class:`altfs.solvers.Limits`.
    n_jobs : int or distributed.Client, optional
        Threads (-1: all cores), or a Dask client's workers, for the scores of feature
        pairs ("mrmr", "cfs", "fcbf") and the shuffles of "permutation_importance": the
        same values bit for bit. Which set "greedy_wrapper" evaluates next follows from
        the one before. Clones share a client, pickles have None in its place.
    verbose : int or bool, default=0
        1: say on standard error what is being done, and how far it is.

    Attributes
    ----------
    feature_sets_ : list of FeatureSet
        The sets that were found, the original one first; the sets of a
        simultaneous search in the order of their quality.
    dissimilarities_ : ndarray of shape (n_sets, n_sets)
        Between every two of them.
    shortfall_ : str
        Why there are fewer than ``n_alternatives + 1``, also after a :meth:`fit` that
        raised :class:`~altfs.errors.NoFeatureSetError`; else empty.
    quality_ : Quality
        What makes a set good, as it was learned; of a wrapper it holds the rows
        that it evaluates sets on.
    search_result_ : SearchResult
        All that the search said, in its own order.
    n_features_in_ : int
        Number of columns seen during :meth:`fit`.
    feature_names_in_ : ndarray of str of shape (n_features_in_,)
        Names of the columns, where all of them are text.

    See Also
    --------
    altfs.search_sequentially, altfs.search_simultaneously : The same search
        on a quality that one has already.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from altfs import AlternativeFeatures
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> afs = AlternativeFeatures(n_features=3, n_alternatives=2, tau=1).fit(X, y)
    >>> for found in afs.feature_sets_:
    ...     print(*found.names, round(found.train_objective, 3), found.status)
    flavanoids color_intensity proline 0.371 optimal
    alcohol hue od280/od315_of_diluted_wines 0.296 optimal
    malic_acid total_phenols proanthocyanins 0.201 optimal
    """

    def __init__(
        self,
        selector: Any = "mutual_information",
        search: str | Search | type[Search] = "sequential",
        *,
        n_features: Sizes | None = None,
        n_alternatives: int = 1,
        tau: Tau | None = None,
        max_overlap: int | None = None,
        dissimilarity: Dissimilarity = "dice",
        aggregation: str | None = None,
        constraints: Constraints | None = None,
        given: Sequence[Collection[int | str]] = (),
        estimator: Any = None,
        task: Task = "auto",
        random_state: Any = 0,
        work: float = 20.0,
        n_jobs: Any = None,
        verbose: int = 0,
    ) -> None:
        self.selector = selector
        self.search = search
        self.n_features = n_features
        self.n_alternatives = n_alternatives
        self.tau = tau
        self.max_overlap = max_overlap
        self.dissimilarity = dissimilarity
        self.aggregation = aggregation
        self.constraints = constraints
        self.given = given
        self.estimator = estimator
        self.task = task
        self.random_state = random_state
        self.work = work
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, **fit_params: Any) -> Self:
        """Find the sets.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features_in)
            Finite numbers; numpy, pandas or polars.
        y : array-like of shape (n_rows,)
            Classes (numbers or text) or numbers.
        **fit_params : dict
            For the ``fit`` of `estimator`, such as ``sample_weight``: passed on as
            they are; where scikit-learn's metadata routing is enabled, those that
            `estimator` requests. What has a value for each row is cut to
            the rows that it learns on; held-out rows weigh the same.

        Returns
        -------
        self

        Raises
        ------
        AltfsError
            If a parameter is outside its range.
        NoFeatureSetError
            If there is no set at all; with simultaneous search, if there are
            not as many as asked for. :meth:`explain` then says what could be.

        Warns
        -----
        FewerSetsWarning
            If sequential search finds fewer sets than asked for.
        """
        check_parameters(self.given, self.constraints, self.task, self.n_jobs, self.verbose)
        seed = seed_of(self.random_state)
        selector = _fitting.chosen_selector(self.selector)
        search = _fitting.chosen_search(self.search, seed)
        request = Request(
            search=search,
            n_features=self.n_features,
            n_alternatives=self.n_alternatives,
            tau=tau_asked(self.tau, self.max_overlap),
            max_overlap=self.max_overlap,
            dissimilarity=self.dissimilarity,
            aggregation=_fitting.chosen_aggregation(search, self.aggregation),
            limits=Limits(self.work),
        )
        quality = self._quality(selector, X, y, seed, self._routed(fit_params))
        columns = range(self.n_features_in_)
        names = list(map(str, getattr(self, "feature_names_in_", map("x{}".format, columns))))
        request = replace(
            request,
            given=tuple(_fitting.as_indices("given", s, names) for s in self.given),
            constraints=_fitting.resolved(self.constraints, names),
        )
        self._say("looking for feature sets")
        request, result = request.run_sized(quality)
        found = feature_sets(result, names)
        sizes = str(result.n_features)
        if request.is_range:
            sizes = f"{request.sizes[0]} to {request.sizes[-1]}"
        self._say(f"{len(found)} feature sets of {sizes} features found")
        shortfall = "" if all(result.sets) else request.shortfall(quality, result)
        self._asked = Asked(request, quality, tuple(names), result, found, shortfall)
        self.shortfall_ = shortfall
        if not found:
            # Sets of an earlier fit would belong to other data.
            for name in [name for name in vars(self) if name in _LEARNED]:
                delattr(self, name)
            raise NoFeatureSetError(shortfall)
        if shortfall:
            warnings.warn(shortfall, FewerSetsWarning, stacklevel=2)
        self.quality_ = quality
        self.search_result_ = result
        self.feature_sets_ = found
        self.dissimilarities_ = dissimilarities(found, self.dissimilarity)
        return self

    def _quality(
        self, selector: Selector, X: Any, y: Any, seed: int, fit_params: dict[str, Any]
    ) -> Quality:
        """Return the quality that is given, or learn it from the data."""
        if isinstance(selector, _fitting.KnownQuality):
            if self.estimator is not None:
                raise AltfsError("estimator: a quality that is given uses none, leave it out.")
            validate_data(self, X, dtype=None, ensure_all_finite="allow-nan")
            n_total = selector.known.n_total
            if n_total != self.n_features_in_:
                raise AltfsError(
                    f"selector: it has values for {n_total} features, "
                    f"X has {self.n_features_in_} columns, give one for each column."
                )
            return selector.known
        # Sums depend on the memory layout: the same values have the same answer.
        X, y = validate_data(self, X, y, dtype=np.float64, order="C", ensure_min_samples=2)
        task = self.task
        if self.estimator is not None:
            task = task_of(self.estimator, task)
        y, target_type = _fitting.encoded_target(y, task)
        part = Part(X, y, target_type, seed)
        self._say(f"scoring {X.shape[1]} features on {X.shape[0]} rows ({target_type})")
        if self.estimator is not None:
            selector = with_estimator(selector, part, self.estimator, fit_params)
        if self.verbose or self.n_jobs not in (None, 1):
            seconds = 5.0 if self.verbose else float("inf")
            say = line_every("parts of the scores of pairs", sys.stderr, seconds)
            _fitting.compute_pair_scores(selector, part, self.n_jobs, say)
        with workers(self.n_jobs):
            return selector.quality(part)

    def _say(self, text: str) -> None:
        if self.verbose:
            sys.stderr.write(f"altfs: {text}\n")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = _fitting.needs_data(self.selector)
        tags.input_tags.allow_nan = not tags.target_tags.required
        return tags
