"""The scikit-learn estimator that finds several good feature sets."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import validate_data

from altfs._numbers import IntArray, check_whole
from altfs.datasets.base import Task
from altfs.datasets.columns import Missing
from altfs.errors import (
    AltfsError,
    DataWarning,
    FewerSetsWarning,
    NoFeatureSetError,
    NoSignalWarning,
)
from altfs.kinds.base import kinds
from altfs.library import inputs
from altfs.library.answers.fitted import FittedRequest
from altfs.library.answers.sensitive import informed
from altfs.library.export import ExportMixin
from altfs.library.feature_sets import (
    dissimilarities,
    feature_sets,
    ties_by_name,
    with_first_copies,
)
from altfs.library.metadata import MetadataMixin, of_rows
from altfs.library.model_qualities import task_of, with_estimator
from altfs.library.notebook import NotebookMixin
from altfs.library.notes import OF_FEATURES, Note, notes_of, warning_of
from altfs.library.pipelines import PipelinesMixin
from altfs.library.score_functions import ScoreFunction
from altfs.library.screening import Screen, check_columns_at_once, screened
from altfs.library.searching import (
    run,
    shortfall,
    size_reason,
    tau_or_default,
    up_to_size,
    without_constants,
)
from altfs.library.signal import Learned, Signal, idle_features, signal_of
from altfs.library.single_features import above_chance
from altfs.library.tables import EncodedTable, Table, column_names, read_rows, read_table
from altfs.library.workers import WorkersMixin, compute_pair_scores, threads, workers
from altfs.problem.constraints import Constraints
from altfs.problem.overlap import Dissimilarity, Tau
from altfs.problem.results import FeatureSet, SearchResult
from altfs.progress import is_shown, tell
from altfs.quality import BatchedBox, BlackBox, Quality
from altfs.scores.row_groups import row_labels
from altfs.searches import Search
from altfs.searches.chance import with_fewer_evaluations
from altfs.searches.request import OverlapKind, Request, Sizes
from altfs.selectors import Part, Selector
from altfs.selectors.base import check_columns
from altfs.solvers import Limits
from altfs.solvers.named import SolverChoice, named_solver

__all__ = ["AlternativeFeatures", "FeatureSet"]

_LEARNED = ("quality_", "search_result_", "feature_sets_", "dissimilarities_")


# The attributes that kinds of answers add.
_KindsMixin: Any = type("KindsMixin", tuple(m for kind in kinds.all() for m in kind.mixins()), {})


class AlternativeFeatures(
    ExportMixin,
    NotebookMixin,
    PipelinesMixin,
    _KindsMixin,  # type: ignore[misc]
    MetadataMixin,
    WorkersMixin,
    SelectorMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Several good feature sets that differ enough from one another.

    The estimator is a transformer that keeps the columns of one set, by default the original
    (best) one. Every method about one set takes ``alternative=i`` for another set.

    Parameters
    ----------
    selector : str, mapping, Selector, Quality, callable or array-like, default="forest"
        The definition of a good set. It is a registered name ("mutual_information", "fcbf",
        "mrmr", "cfs", "jmi", "model_gain", "f_statistic", "correlation", "relief",
        "permutation_importance", "shap", "greedy_wrapper", "wrapper", "forest", "tree_training",
        "information_criterion", "naive_bayes_curve", "logistic_curve",
        "nearest_neighbours_curve"), one that reads columns one by one (see
        :class:`~altfs.FeatureStream`), ``{"type": ..., "options": {...}}``, or such a class or
        object. It can also be a quality (:mod:`altfs.quality`), one value per
        feature, or a function of X and y that returns the values, such as scikit-learn's
        `f_classif`. A quality and given values need no data, not even y.
    search : str, mapping or Search, optional
        The default is "streaming" for streaming selectors, and "sequential" for all others.
        "streaming" reads the columns once (see :class:`~altfs.FeatureStream`). "sequential"
        finds one set after the other, each the best that differs enough from
        the previous ones. "simultaneous" finds the best family of sets at once.
        "enumeration", "local_search", "random", "greedy_replacement" and "greedy_balancing"
        need no exact solver or handle more kinds of request; see the page of the library.
        "many_objective" is for selectors with a curve: sets that are unbeaten at some
        sensitivity. "pareto" looks for families of larger quality or larger dissimilarity than
        any other. ``{"type": "many_objective", "options": {...}}`` has the options of a search.
    solver : str, mapping or Solver, optional
        A solver that sequential or simultaneous search asks alone: a name such as
        "forward" or "evolution", or ``{"type": ..., "options": {...}}``. Its seed is
        `random_state`. By default the solvers that prove most; see the page of the library.
    n_features : int, str or (int, int), optional
        Size of every set, from 1 to the number of columns. The default is 5, or half of
        fewer than ten columns. It is smaller if sets of this size do not exist. A range, such
        as ``"1-3"`` or the pair ``(1, 3)``, is for sequential and simultaneous search. They
        find the best sets of these sizes, the smallest of equals. `tau` refers to the sizes
        of each pair of sets, and `max_overlap` is the same for all. Sets of streaming selectors
        have up to so many features. Those of features have no limit by default, which
        "unlimited" also says.
    n_alternatives : int, default=1
        Number of sets beyond the original one, at least 0.
    alternative : int, default=0
        Number of the set that :meth:`transform` and the other methods about one set use, from 0
        (the original one) to `n_alternatives`. A grid search can tune it.
    tau : float, str or Fraction, optional
        Smallest dissimilarity of any two sets, in [0, 1]. The default is 0.4, unless
        `max_overlap` is given. Sets differ by a feature even with 0.
    max_overlap : int, optional
        Largest number of features that two sets share, in place of `tau`. The size of the sets
        allows the same set again.
    overlap : {"pairwise", "average"}, default="pairwise"
        Limit the overlap of each pair of sets, or the mean of all pairs (in sequential
        search, of the pairs of a set with those before).
    dissimilarity : {"dice", "jaccard"}, default="dice"
        The measure of `tau` and ``dissimilarities_``.
    aggregation : {"sum", "min"}, optional
        Simultaneous and local search maximise the sum of the qualities (the default) or
        the smallest of them.
    constraints : Constraints or dict, optional
        Constraints on every set. Features are column numbers or names. Costs may be a dict by
        name, in which missing features cost 0. A dict has the keys of ``config.yaml``, such
        as ``{"include": ["age"], "budget": 3, "costs": {"scan": 2}}``.
    given : sequence of sequences of int or str, default=()
        Existing sets of any size, by numbers or names, or ``feature_sets_`` of another fit.
        Every set has to differ from them, too. `tau` refers to both sizes, and `max_overlap`
        is the same for all.
    estimator : estimator, optional
        scikit-learn classifier or regressor in place of a decision tree. It gives the
        importances of "model_gain", the losses of "permutation_importance", the SHAP values
        of "shap" and the scores of "greedy_wrapper" and "wrapper". It gets classes that are
        text as 0, 1, ... in sorted order.
    categorical : sequence of int or str, default=()
        Columns of numbers that are categories. Columns of text, and of pandas' or polars'
        categories, are categories without it. Dates become days since 1970.
    missing : {"refuse", "impute", "as_category"}, default="refuse"
        What to do with missing values (NaN, None). "impute" lets decision trees, and any
        `estimator` that takes NaN, take them. For other methods the median takes their place,
        or the most frequent category. "as_category" makes them a category of their own, and
        divides numbers with missing values into ten groups of equally many rows.
    prescreen : int, optional
        Number of features to keep before the search, those with the largest relevance (that of
        the selector, else mutual information; of a sparse table of numbers the correlation).
        Features that constraints or `given` name are kept, too. What is proven is then proven
        among the kept ones. It is for wide tables and selectors that compare pairs.
    task : {"auto", "classification", "regression"}, default="auto"
        The type of y. "auto" is the type of `estimator`. Without one it is classification
        if y is text or has at most 20 different values, all whole numbers.
    random_state : int, RandomState instance or None, default=0
        The seed of noise in mutual information, of trees and of splits; an int is below 2**32.
    work : float, default=20
        Limit of a solver's deterministic work units, see :class:`altfs.solvers.Limits`.
    n_shuffles : int, default=20
        Number of shuffled targets with which the sets are compared (``signal_``); 0 for none.
    n_jobs : int or distributed.Client, optional
        Threads (-1: all cores), or a Dask client's workers. They compute the scores of
        feature pairs ("mrmr", "cfs", "fcbf"), the shuffles of "permutation_importance" and the
        halves of :meth:`stability`, with the same values bit for bit. "forest" scores sets on
        threads, by default on all cores, or as many as ``OMP_NUM_THREADS`` says.
        "greedy_wrapper" cannot use them. Clones share a client, and pickles have None in its
        place.
    verbose : int or bool, optional
        By default, fits and evaluations of more than three seconds show a bar, if standard error
        is a terminal, or in a notebook with ipywidgets. 0 shows nothing. 1 prints lines on
        standard error, for logs.

    Attributes
    ----------
    feature_sets_ : list of FeatureSet
        The sets that were found, the original one first. Simultaneous search orders them by
        quality.
    dissimilarities_ : ndarray of shape (n_sets, n_sets)
        The dissimilarity of every two of them.
    shortfall_ : str
        The reason why there are fewer than ``n_alternatives + 1`` sets; else empty. It is
        there also after :class:`~altfs.errors.NoFeatureSetError`.
    notes_ : list of Note
        What looks like a mistake in the table: leaks, constants, ids, copies and features that
        determine others. Each has ``kind``, ``features`` and ``sentence``. A table that is sparse
        has none.
    signal_ : Signal or None
        The original set beside the best sets of a shuffled target: ``sentence``, ``score``,
        ``floor`` and ``p_values``. None without data, or if rows or sets are too few.
    quality_ : Quality
        The learned or given quality; with `prescreen` that of the kept features,
        ``screened_``. That of a wrapper holds the rows on which it evaluates
        sets.
    search_result_ : SearchResult
        The complete result of the search, in its own order.
    front_ : DataFrame
        After many-objective search: a row per set of the front, that of the largest area first.
        Its columns are point (number along the front), feature_names, selected (indices),
        train_objective (the area), curve (the heights at the sensitivities 1/P, 2/P, ..., 1
        for P positive rows) and set_index (of those that are in ``feature_sets_``). After Pareto
        search: a row per set of each family, that of the largest quality first, with the columns
        point (number of the family), set_index, feature_names, selected, train_objective, quality
        (of the family) and dissimilarity.
    screened_ : ndarray of int
        The column numbers that `prescreen` kept, ascending; all columns without it.
    n_features_in_ : int
        Number of columns seen during :meth:`fit`.
    target_type_ : {"binary", "multiclass", "regression", "none"}
        The type of y, if the selector learned from it.
    feature_names_in_ : ndarray of str of shape (n_features_in_,)
        Names of the columns as text, if they have names. The numbers 0, 1, ... are not names.

    See Also
    --------
    altfs.search_sequentially, altfs.search_simultaneously : The same searches with a quality.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> afs = AlternativeFeatures(n_features=3, n_alternatives=2, tau=1).fit(X, y)
    >>> for features in afs.feature_sets_:
    ...     print(*features.names, round(features.train_objective, 3), features.status)
    flavanoids color_intensity proline 0.997 optimal
    alcohol magnesium od280/od315_of_diluted_wines 0.981 optimal
    ash alcalinity_of_ash hue 0.94 optimal
    >>> print(afs.signal_.sentence[:60])
    The set found on half of the rows is better than chance: 0.9
    """

    # For a search on a part of the rows, one of many: the most sets that are evaluated.
    _most_evaluations: int | None = None

    def __init__(
        self,
        selector: Any = "forest",
        search: str | Mapping[str, Any] | Search | type[Search] | None = None,
        *,
        solver: SolverChoice = None,
        n_features: Sizes | None = None,
        n_alternatives: int = 1,
        alternative: int = 0,
        tau: Tau | None = None,
        max_overlap: int | None = None,
        overlap: OverlapKind = "pairwise",
        dissimilarity: Dissimilarity = "dice",
        aggregation: str | None = None,
        constraints: Constraints | Mapping[str, Any] | None = None,
        given: Sequence[Collection[int | str]] = (),
        estimator: Any = None,
        categorical: Sequence[int | str] = (),
        missing: Missing = "refuse",
        prescreen: int | None = None,
        task: Task = "auto",
        random_state: Any = 0,
        work: float = 20.0,
        n_shuffles: int = 20,
        n_jobs: Any = None,
        verbose: int | None = None,
    ) -> None:
        self.selector = selector
        self.search = search
        self.solver = solver
        self.n_features = n_features
        self.n_alternatives = n_alternatives
        self.alternative = alternative
        self.tau = tau
        self.max_overlap = max_overlap
        self.overlap = overlap
        self.dissimilarity = dissimilarity
        self.aggregation = aggregation
        self.constraints = constraints
        self.given = given
        self.estimator = estimator
        self.categorical = categorical
        self.missing = missing
        self.prescreen = prescreen
        self.task = task
        self.random_state = random_state
        self.work = work
        self.n_shuffles = n_shuffles
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(
        self, X: Any, y: Any = None, *, groups: Any = None, times: Any = None, **fit_params: Any
    ) -> Self:
        """Find the sets.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features_in)
            A table of numpy, pandas, polars or Arrow: finite numbers, true and false, text,
            categories and dates. Or a sparse matrix, for "correlation", "f_statistic",
            "model_gain", score functions, "mutual_information" of categories, or any selector
            with `prescreen`.
        y : array-like of shape (n_rows,)
            Classes (numbers or text) or numbers. Without it, the selector has to be one of
            features alone, such as ``{"type": "contrast", "options": {"of": "features"}}``.
        groups : array-like of shape (n_rows,), optional
            The label of the group of each row, such as its patient. Rows of a group are never
            on both sides: of inner folds, of the halves of :attr:`signal_` and
            :meth:`stability`, of the folds of :meth:`evaluate`; shuffled targets stay as alike
            within groups as they are.
        times : array-like of shape (n_rows,), optional
            The time of each row, in place of groups: numbers or dates. Held-out rows are never
            earlier than those that are learned from: in inner folds, in :attr:`signal_`, in the
            folds of :meth:`evaluate`. Targets are shifted in time in place of shuffled.
        **fit_params : dict
            Parameters for the ``fit`` of `estimator`, such as ``sample_weight``. If
            scikit-learn's metadata routing is enabled, those that `estimator` requests. Of
            values for each row, it gets those of its rows. Held-out rows have equal weights.

        Returns
        -------
        self

        Raises
        ------
        AltfsError
            If a parameter is outside its range.
        DataError
            If a column or y cannot be used; the message names it.
        NoFeatureSetError
            If there is no set, or, with simultaneous search, if there are fewer than
            requested. :meth:`explain` then says which requests can be met.

        Warns
        -----
        FewerSetsWarning
            If sequential search finds fewer sets than requested.
        NoSignalWarning
            If the original set is not better than the best set of a shuffled target.
        DataWarning
            If there are ``notes_``, or if scores of pairs need much memory.
        """
        constraints = inputs.read_constraints(self.constraints)
        inputs.check_parameters(self.given, self.task, self.missing, self.n_jobs, self.verbose)
        if self.prescreen is not None:
            check_whole("prescreen", self.prescreen, 1)
        seed = inputs.seed_of(self.random_state)
        selector = inputs.chosen_selector(self.selector)
        search = inputs.search_for(selector, self.search)
        search = inputs.chosen_search(search, seed, named_solver(self.solver, seed))
        request = Request(
            search=search,
            n_features=inputs.size_or_unlimited(selector, self.n_features),
            n_alternatives=self.n_alternatives,
            tau=tau_or_default(self.tau, self.max_overlap),
            max_overlap=self.max_overlap,
            overlap=self.overlap,
            dissimilarity=self.dissimilarity,
            aggregation=inputs.chosen_aggregation(search, self.aggregation),
            limits=Limits(self.work),
        )
        check_whole("alternative", self.alternative, 0, self.n_alternatives)
        table = read_table(X)
        routed = self._routed(fit_params)
        self._seen = self._evaluation = self._json = self._part_fitted_on = None
        self.signal_: Signal | None = None
        self.notes_: list[Note] = []
        screen: Screen | None = None
        if isinstance(selector, Quality):
            self._check_quality(selector, table)
            for name, values in (("groups", groups), ("times", times)):
                if values is not None:
                    raise AltfsError(name, "a quality that is given needs none", "leave it out")
            names = tuple(column_names(self))
        else:
            # No set holds it, so that its values may be missing.
            sensitive = constraints.sensitive
            unused = dict.fromkeys((*constraints.exclude, sensitive))
            unused.pop(None, None)
            self._has_target = y is not None or selector.needs_target
            if not self._has_target:
                # Any target has the same sets.
                y = np.arange(table.data.shape[0])
            rows = read_rows(self, table, y, self._task(), self.categorical, self.missing, unused)
            labels = row_labels(groups, times, len(rows.target.y))
            self._keep(X, table, rows, seed, labels, fit_params)
            names = rows.names
        request = self._request = replace(
            request,
            constraints=inputs.with_given(constraints, self.given, names, by_label=table.numbered),
        )
        with self._bar():
            part: Part | None = None
            if isinstance(selector, Quality):
                quality = selector
            else:
                selector = selector.with_classes(rows.target.texts)
                request, whole, part, screen = self._part(selector, rows, seed, request)
                known = self._has_target and not issparse(part.X)
                self._part_fitted_on = part if known else None
                quality = self._quality(selector, part, routed)
                if self._most_evaluations is not None:
                    with_fewer_evaluations(quality, self._most_evaluations)
            if screen is not None:
                names = tuple(names[j] for j in screen.kept)
                request = screen.request(request)
            if quality.one_pass:
                request = up_to_size(request, quality)
            if part is not None and request.constraints.sensitive is not None:
                request = informed(request, part, self._sensitive_values(), names)
            self._say("looking for feature sets")
            with workers(threads(self.n_jobs, isinstance(quality, BatchedBox))):
                request, result = run(request, quality)
                if hasattr(self, "feature_names_in_"):
                    result = self._with_first_copies(result, quality, names)
                    if isinstance(quality, BatchedBox) and not request.averages:
                        result = ties_by_name(result, names)
                sets = feature_sets(result, names)
                if sets and not isinstance(selector, Quality):
                    learned = Learned(request, quality, range(quality.n_total))
                    has_unit = quality.measure is not None
                    learn = partial(self._learned_from, selector, routed, has_unit)
                    sets = self._judged(whole, learned, sets, learn)
        sizes = (
            f"{request.sizes[0]} to {request.sizes[-1]}" if request.is_range else result.n_features
        )
        self._say(f"{len(sets)} feature sets of {sizes} features found")
        reason = "" if all(result.sets) else shortfall(request, quality, result, names)
        self.shortfall_ = reason
        self._fitted = fitted = FittedRequest(
            request, quality, names, result, sets, reason, table.numbered, screen,
            size_reason(self.n_features, request, quality),
        )  # fmt: skip
        if not sets:
            # The sets of an earlier fit belong to other data.
            for name in _LEARNED:
                if hasattr(self, name):
                    delattr(self, name)
            raise NoFeatureSetError(reason)
        if reason:
            warnings.warn(reason, FewerSetsWarning, stacklevel=2)
        if self.signal_ is not None and not self.signal_.above_chance:
            warnings.warn(self.signal_.sentence, NoSignalWarning, stacklevel=2)
        self.quality_ = quality
        self.search_result_ = result if screen is None else screen.of_result(result)
        self.feature_sets_ = list(map(fitted.shown, sets))
        self.screened_ = np.array(fitted.originals(range(len(names))), dtype=np.int64)
        self.dissimilarities_ = dissimilarities(sets, self.dissimilarity)
        return self

    def _task(self) -> Task:
        """Return the task, which is that of the `estimator` if there is one."""
        return self.task if self.estimator is None else task_of(self.estimator, self.task)

    def _check_quality(self, quality: Quality, table: Table) -> None:
        """Check that a quality that is given fits the table."""
        if self.prescreen is not None:
            raise AltfsError("prescreen", "a quality that is given needs none", "leave it out")
        if self.estimator is not None:
            raise AltfsError("estimator", "a quality that is given uses none", "leave it out")
        validate_data(
            self,
            table.data,
            accept_sparse=True,
            dtype=None,
            ensure_all_finite="allow-nan",
            skip_check_array=table.is_frame,
        )
        if quality.n_total != self.n_features_in_:
            raise AltfsError(
                "selector",
                f"it has values for {quality.n_total} features, X has {self.n_features_in_} "
                "columns",
                "give one for each column",
            )

    def _part(
        self, selector: Selector, rows: EncodedTable, seed: int, request: Request
    ) -> tuple[Request, Part, Part, Screen | None]:
        """Return the request, all data, those to learn from, and what a prescreen kept.

        Columns of one value are excluded.
        """
        X, target, categorical = rows.columns.X, rows.target, rows.columns.categorical
        noted = tuple(map(str, getattr(self, "feature_names_in_", ())))
        labels = {} if self._fitted_on is None else self._fitted_on.labels(slice(None))
        whole = Part(X, target.y, target.type, seed, names=noted, categorical=categorical, **labels)
        part = whole
        screen = None
        if kinds := rows.kinds():
            self._say(f"columns: {kinds}")
        self.target_type_ = target.type if self._has_target else "none"
        if not issparse(X):
            notes = notes_of(whole, rows.names, request.constraints.exclude, X, rows.gaps)
            self.notes_ = [one for one in notes if self._has_target or one.kind in OF_FEATURES]
            if words := warning_of(self.notes_):
                warnings.warn(words, DataWarning, stacklevel=3)
        self._say(f"scoring {X.shape[1]} features on {X.shape[0]} rows ({target.type})")
        request = without_constants(request, whole.X)
        whole = part = whole.without_values(request.constraints.exclude)
        if self.prescreen is not None:
            part, screen = screened(part, selector, int(self.prescreen), rows.names, request)
        names = rows.names if screen is None else [rows.names[j] for j in screen.kept]
        unused = (request if screen is None else screen.request(request)).constraints.exclude
        if isinstance(selector, ScoreFunction):
            selector.columns, selector.unused = names, unused
        # No set holds an excluded category, so that its codes do not matter.
        categories = part.categorical.copy()
        categories[list(unused)] = False
        check_columns(selector, names, categories)
        check_columns_at_once(selector, part)
        return request, whole, part, screen

    def _sensitive_values(self) -> Any:
        """Return the column that the constraints call sensitive, as the user wrote it."""
        column = self._request.constraints.sensitive
        return None if self._fitted_on is None or column is None else self._fitted_on.column(column)

    def _quality(self, selector: Selector, part: Part, fit_params: dict[str, Any]) -> Quality:
        """Learn the quality from the data."""
        if self.estimator is not None:
            selector = with_estimator(selector, part, self.estimator, fit_params)
        watched = self.verbose or (self.verbose is None and is_shown())
        if watched or self.n_jobs not in (None, 1):
            say = partial(tell, "parts of the scores of pairs")
            compute_pair_scores(selector, part, self.n_jobs, say)
        with workers(self.n_jobs):
            return selector.quality(part)

    def _with_first_copies(
        self, result: SearchResult, quality: Quality, names: Sequence[str]
    ) -> SearchResult:
        """Return the sets with the first ones by name of copies, if that is as good."""
        has_unit = quality.measure is not None
        if not has_unit and not isinstance(quality, BatchedBox):
            return result
        renamed = with_first_copies(result, self._free_copies(names), names)
        # Trees may cut the values of a falling copy, or of another order, elsewhere.
        same = has_unit or all(
            features.indices == former.indices
            or quality.evaluate(features.indices) == former.train_objective
            for former, features in zip(result, renamed, strict=True)
            if former
        )
        return renamed if same else result

    def _free_copies(self, names: Sequence[str]) -> list[tuple[str, ...]]:
        """Return groups of equal columns that no constraint and no given set names."""
        named, costs = self._request.constraints.features(), self._request.constraints.costs
        labels = column_names(self)
        taken = {labels[j] for key in {*named} - {"exclude"} for j in named[key]}
        return [
            note.features
            for note in self.notes_
            if note.kind == "copies"
            and not costs
            and self._request.constraints.sensitive is None
            and not taken.intersection(note.features)
            and {*note.features} <= {*names}
        ]

    def _learned_from(
        self,
        selector: Selector,
        fit_params: dict[str, Any],
        has_unit: bool,
        n_rows: int,
        part: Part,
        rows: IntArray,
    ) -> Learned:
        """Learn the quality of some of `n_rows` rows, perhaps with another target.

        One with a unit is learned without what only guides the search, such as conflicts.
        """
        request, names = self._request, column_names(self)
        kept: Sequence[int] = range(part.X.shape[1])
        if self.prescreen is not None:
            part, screen = screened(part, selector, int(self.prescreen), tuple(names), request)
            if screen is not None:
                kept, request = screen.kept, screen.request(request)
        if isinstance(selector, ScoreFunction):
            selector = copy(selector)
            selector.columns = [names[j] for j in kept]
        if self.estimator is not None:
            weights = of_rows(fit_params, rows, n_rows)
            selector = with_estimator(selector, part, self.estimator, weights)
        quality = selector.test_quality(part) if has_unit else selector.quality(part)
        return Learned(request, quality, kept)

    def _judged(
        self, part: Part, learned: Learned, sets: list[FeatureSet], learn: Callable[..., Learned]
    ) -> list[FeatureSet]:
        """Compare the sets with what a shuffled target allows, and return them with the floor."""
        check_whole("n_shuffles", self.n_shuffles, 0)
        levels = None
        if self.n_shuffles and self._has_target:
            self._say("comparing with shuffled targets")
            learn = partial(learn, len(part.y))
            try:
                self.signal_ = signal = signal_of(part, learned, sets, learn, self.n_shuffles)
            except AltfsError:
                # There are too few rows or sets for a comparison.
                pass
            else:
                sets, levels = signal.judged(sets), signal.levels
                if levels is not None and part.groups is None and part.times is None:
                    # This test of independent rows may see what the estimate does not.
                    levels = np.where(above_chance(part), 0.0, levels)
        elif isinstance(learned.quality, BlackBox):
            # Further sets would be evaluated.
            return sets
        return [replace(s, idle=tuple(idle_features(learned.quality, s, levels))) for s in sets]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = inputs.needs_target(self.selector)
        tags.input_tags.allow_nan = not inputs.needs_data(self.selector) or self.missing != "refuse"
        tags.input_tags.string = True
        tags.input_tags.sparse = inputs.takes_sparse(self.selector)
        if inputs.for_two_classes(self.selector):
            tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags
