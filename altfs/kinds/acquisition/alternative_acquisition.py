"""The next measurement of a row, its alternatives, and kits of features."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from altfs._numbers import check_lengths, check_place, check_word, is_collection
from altfs._options import type_and_options
from altfs.errors import AltfsError, DataError, FewerSetsWarning
from altfs.kinds.acquisition import kits, plots, words
from altfs.kinds.acquisition.base import Method, SubsetModel, difference, methods, subset_models
from altfs.kinds.acquisition.measurement import Acquired, Measurement
from altfs.kinds.acquisition.methods.plan import PlannedSets
from altfs.kinds.acquisition.policy import Labels, Policy, grow
from altfs.kinds.acquisition.simulation import Simulated
from altfs.kinds.acquisition.steps import MeasuringStep, steps
from altfs.kinds.acquisition.task import Acquisition, State
from altfs.kinds.acquisition.wishes import check_limits, read_actions, read_loss
from altfs.library import inputs
from altfs.library.answers.outages import OutagePlan, plan_for_outages
from altfs.library.inputs import Feature
from altfs.library.row_encoding import RowEncoding
from altfs.library.searching import tau_or_default
from altfs.library.tables import read_rows, read_table, read_target
from altfs.problem import Constraints, Tau
from altfs.problem.constraints import as_indices
from altfs.problem.results import FeatureSet
from altfs.progress import bar
from altfs.searches.enumeration import Enumeration
from altfs.searches.request import Request
from altfs.solvers import Limits

# Rows that words and pictures about the fit are made of.
_SHOWN_ROWS = 300


class AlternativeAcquisition(BaseEstimator):  # type: ignore[misc]
    """The next measurement of a row, its alternatives, and the end of measuring.

    Features cost something and are measured one by one, until the class is sure enough. Every
    step has its alternatives, with what it costs to switch to them, and what it costs if a
    measurement is not available at all.

    Parameters
    ----------
    method : str or mapping, default="exact"
        "exact": the proven policy on coded rows. "plan": the best further set, planned anew at
        every step. "greedy": the measurement that tells most. "stopping": when to stop in one
        order. "static": one order. A mapping has type and options.
    costs : mapping, Series or sequence, optional
        The cost of every feature, in whatever unit; 1 each by default.
    price : float, optional
        What a unit of cost has to save: of loss (exact, stopping) or nats (plan, greedy,
        static).
    budget : float, optional
        The most that a row may cost.
    model : str or mapping, default="naive_bayes"
        What predicts from any known features: "naive_bayes", "nearest" or "masked". The method
        "exact" needs none.
    n_features : int, optional
        The size of kits: sets of features that are kept ready. By default there are none.
    n_alternatives : int, default=1
        The number of kits, or plans, beyond the first.
    tau : float, str or Fraction, optional
        Smallest dissimilarity of two kits or plans; 0.4, unless `max_overlap` is given.
    max_overlap : int, optional
        Largest number of features that two of them share.
    constraints : Constraints or mapping, optional
        Included features are known from the start and free, excluded ones are never measured.
        All others are about kits.
    panels : mapping, optional
        Features that are measured together, such as
        ``{"blood": {"features": ["a", "b"], "cost": 2}}``.
    loss : array-like of shape (n_classes, n_classes), optional
        What an answer (column) costs if a class (row) is true; 1 for each wrong one by default.
    most : int, optional
        The largest number of measurements that "exact" looks ahead, and of those in a "plan".
    random_state : int, RandomState instance or None, default=0
        The seed of the model "masked" and of drawn plans.

    Attributes
    ----------
    kits_ : list of FeatureSet
        Sets of `n_features` features, the best first. Their quality is the value with a minus
        sign.
    classes_ : ndarray of shape (n_classes,)
    method_ : Method
        The fitted method.
    names_ : list of str
        The names of the columns, or x0, x1, ...
    measurements_ : list of str
        What can be measured: features and panels.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from altfs import AlternativeAcquisition
    >>> X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)] * 5)
    >>> y = X[:, 0] & X[:, 1]
    >>> acquisition = AlternativeAcquisition(price=0.01).fit(X, y)
    >>> print(acquisition.policy())
    measure x0, or x1 for 0 more [40 rows]
      x0 = 0: answer 0 (98% sure) [20 rows]
      x0 = 1: measure x1, or x2 for 0.0479 more [20 rows]
        x1 = 0: answer 0 (95% sure) [10 rows]
        x1 = 1: answer 1 (95% sure) [10 rows]
    """

    def __init__(
        self,
        method: Any = "exact",
        *,
        costs: Any = None,
        price: float | None = None,
        budget: float | None = None,
        model: Any = "naive_bayes",
        n_features: int | None = None,
        n_alternatives: int = 1,
        tau: Tau | None = None,
        max_overlap: int | None = None,
        constraints: Constraints | Mapping[str, Any] | None = None,
        panels: Mapping[str, Any] | None = None,
        loss: Any = None,
        most: int | None = None,
        random_state: Any = 0,
    ) -> None:
        self.method = method
        self.costs = costs
        self.price = price
        self.budget = budget
        self.model = model
        self.n_features = n_features
        self.n_alternatives = n_alternatives
        self.tau = tau
        self.max_overlap = max_overlap
        self.constraints = constraints
        self.panels = panels
        self.loss = loss
        self.most = most
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from complete rows.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features_in)
            A table of numpy, pandas, polars or Arrow: numbers, true and false, text, categories
            and dates.
        y : array-like of shape (n_rows,)
            Classes.

        Returns
        -------
        self

        Raises
        ------
        AltfsError
            If a parameter is not allowed.
        DataError
            If the table or the target cannot be used.
        """
        method, model = self._components()
        table = read_table(X)
        encoded = read_rows(self, table, y, "auto", (), "impute", ())
        for row, j in () if encoded.frame is None else np.argwhere(np.isnan(encoded.columns.X)):
            reason = f"row {row} lacks '{encoded.names[j]}'"
            raise DataError("X", reason, "fit needs complete rows")
        if encoded.target.type == "regression":
            reason, advice = "it has numbers that are no classes", "use text or few whole numbers"
            raise DataError("y", reason, advice)
        encoding, matrix = RowEncoding.learn(table, (), "refuse")
        classes, codes = np.unique(read_target(y).to_numpy(), return_inverse=True)
        names = list(encoding.names)
        constraints = inputs.read_constraints(self.constraints).resolved(names)
        left_out = (*constraints.include, *constraints.exclude)
        actions = read_actions(names, self.costs, self.panels, left_out)
        check_limits(self.price, self.budget, actions)
        task = Acquisition(
            matrix, codes, read_loss(self.loss, len(classes)), actions, constraints.include,
            encoding.categorical, float(self.price or 0),
            float("inf") if self.budget is None else float(self.budget),
            inputs.seed_of(self.random_state),
        )  # fmt: skip
        texts = {names.index(name): list(words) for name, words in encoding.texts.items()}
        labels = Labels([a.name for a in actions], names, classes.tolist(), texts)
        with bar():
            self.method_: Method = method.fit(task, model)
            self._kits = None
            if self.n_features is not None:
                if not method.has_values:
                    reason = f"'{method.name}' has no value of a whole policy, which kits need"
                    raise AltfsError("method", reason, "use 'exact', 'plan' or 'stopping'")
                quality = kits.kit_quality(method, len(names))
                self._kits = kits.search(self._request(constraints), quality, names)
        self._encoding, self._labels = encoding, labels
        self.kits_: list[FeatureSet] = [] if self._kits is None else self._kits.sets
        self.classes_, self.names_ = classes, names
        self.measurements_ = labels.actions
        if self._kits is not None and self._kits.shortfall:
            warnings.warn(self._kits.shortfall, FewerSetsWarning, stacklevel=2)
        return self

    def next(self, known: Mapping[str, Any] | None = None, without: Sequence[str] = ()) -> Any:
        """Return what to measure next.

        Parameters
        ----------
        known : mapping of str to value, optional
            What is known of the row.
        without : sequence of str, default=()
            Measurements that are not available.

        Returns
        -------
        Measurement
        """
        state, barred = self._state(known), self._barred(without)
        step = MeasuringStep(state, self.method_.judge(state, barred), barred)
        return Measurement(self.method_, step, self._labels)

    def policy(self, alternative: int = 0) -> Policy:
        """Return the tree of all that may be measured.

        Parameters
        ----------
        alternative : int, default=0
            Begin with the best measurement, or with an alternative to it.

        Raises
        ------
        AltfsError
            If the method looks at single rows, so that there is no tree.
        """
        method = self._fitted()
        if not method.has_tree:
            reason = f"'{method.name}' has no tree, as it decides row by row"
            raise AltfsError("method", reason, "use 'exact' or 'stopping', or `next`")
        check_place("alternative", alternative, len(self.measurements_))
        return grow(method, self._labels, int(alternative))

    def acquire(
        self,
        known: Mapping[str, Any] | None,
        ask: Callable[[str], Any],
        without: Sequence[str] = (),
    ) -> Acquired:
        """Measure a row until the answer is sure enough.

        Parameters
        ----------
        known : mapping of str to value or None
            What is known of the row.
        ask : callable
            A function of the name of a measurement that returns its value, of a panel a mapping
            of its features to their values; or None if it is not available.
        without : sequence of str, default=()
            Measurements that are not available.

        Returns
        -------
        Acquired
        """
        method, measured = self._fitted(), list[tuple[str, Any]]()
        task = method.task

        def values(action: int) -> list[float] | None:
            name, features, _ = task.actions[action]
            value = ask(name)
            measured.append((name, value))
            if value is None:
                return None
            if not isinstance(value, Mapping):
                value = value if is_collection(value) else [value]
                value = dict(zip([self.names_[j] for j in features], value, strict=False))
            absent = [self.names_[j] for j in features if self.names_[j] not in value]
            if absent:
                raise AltfsError(name, f"'{absent[0]}' has no value", "give all or None")
            return [self._number(self.names_[j], value[self.names_[j]]) for j in features]

        last = [*steps(method, self._state(known), values, self._barred(without))][-1]
        spent = float(task.costs[task.done(last.state)].sum())
        answer = self._labels.classes[last.verdict.answer]
        return Acquired(answer, last.verdict.certainty, spent, measured, last.verdict.status)

    def simulate(self, X: Any, y: Any) -> Simulated:
        """Measure rows whose values and classes are all known.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features_in)
        y : array-like of shape (n_rows,)

        Returns
        -------
        Simulated
        """
        method = self._fitted()
        matrix = self._encoding.numbers(read_table(X), "X")
        labels = read_target(y)
        check_lengths("y", len(labels), len(matrix))
        unknown = labels[~labels.isin(self.classes_)]
        if len(unknown):
            raise AltfsError("y", f"{unknown.tolist()[0]!r} is no class of the fit", "leave it out")
        codes = np.searchsorted(self.classes_, labels.to_numpy())
        with bar():
            return Simulated(method, matrix, codes, self._labels)

    def outages(self) -> pd.DataFrame:
        """Return what it costs, on average over the rows of the fit, if a measurement is missing.

        Returns
        -------
        DataFrame
            The columns are measurement, cost, outage (the rise of the value if it is missing for
            good), switch (if another one is measured first, NaN if features are known from the
            start) and instead (that one, None: stop), with the dearest outage first.
        """
        method = self._fitted()
        task, rows = method.task, []
        said = None if task.given else method.judge(task.start)
        for a, action in enumerate(task.actions):
            others = [(q, b) for b, q in said.choices if b != a] if said else []
            # To stop is one of the others.
            second, instead = min([(said.stop, None), *others], key=lambda o: o[0]) if said else (
                np.nan, None)  # fmt: skip
            name = None if instead is None else self.measurements_[instead]
            switch = difference(second, said.value) if said else np.nan
            rows.append((action.name, action.cost, method.start_outage(a), switch, name))
        columns = ["measurement", "cost", "outage", "switch", "instead"]
        frame = pd.DataFrame(rows, columns=columns)
        frame["instead"] = frame["instead"].astype(object).where(frame["instead"].notna(), None)
        return frame.sort_values("outage", ascending=False, kind="stable", ignore_index=True)

    def plans(self, known: Mapping[str, Any] | None = None) -> list[FeatureSet]:
        """Return the best set of further measurements, and alternatives that differ from it.

        They are proven by enumeration, for the method "plan". The quality is the value with a
        minus sign; there is none if it is best to stop.

        Parameters
        ----------
        known : mapping of str to value, optional
        """
        method = self._fitted()
        if not isinstance(method, PlannedSets):
            raise AltfsError("method", f"'{method.name}' makes no plans", "use 'plan'")
        found = kits.plan_request(method, self._state(known), self._request(Constraints(), 1))
        return [] if found is None else kits.search(*found, self.measurements_).sets

    def plan_for_outages(
        self, features: Sequence[Feature], at_once: int = 1, *, relative_floor: float | None = None
    ) -> OutagePlan:
        """Find a smallest family of kits such that one of them remains in every outage.

        See :meth:`altfs.AlternativeFeatures.plan_for_outages`.
        """
        self._fitted()
        if self._kits is None:
            raise AltfsError("n_features", "there are no kits", "give their size")
        return plan_for_outages(self._kits, features, at_once, relative_floor, lambda _: None)

    def summary(self) -> str:
        """Say in words what the method is worth on the rows of the fit."""
        method, shown = self._fitted(), self._shown()
        value = method.start_value(range(len(self.measurements_)))
        proven = ", proven for these rows" if method.proves else ""
        return f"{method.name}: value {value:.4g} ({method.unit}{proven}).\n{shown.summary()}"

    def explain(self) -> str:
        """Say what is measured first and for whom, what has a substitute, what outages cost."""
        method = self._fitted()
        everything = range(len(self.measurements_))
        value, stop = method.start_value(everything), method.start_value(())
        said = None if method.task.given else method.judge(method.task.start).best
        first = None if said is None else self.measurements_[said]
        lines = [
            self.summary(), *words.first_lines(self._shown()),
            *words.outage_lines(self.outages(), first, stop - value),
            *words.kit_lines(self.kits_),
        ]  # fmt: skip
        return "\n".join(lines)

    def plot(self, kind: str = "outages") -> Any:
        """Draw what outages cost, the tree of the policy, or rows of the fit.

        Parameters
        ----------
        kind : {"outages", "tree", "curve", "rows"}, default="outages"
            For new rows, see ``simulate(X, y).plot``.

        Returns
        -------
        altair.Chart
        """
        self._fitted()
        check_word("kind", kind, ("outages", "tree", "curve", "rows"))
        if kind == "tree":
            return self.policy().plot()
        return plots.outages(self.outages()) if kind == "outages" else self._shown().plot(kind)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.categorical = True
        tags.target_tags.required = True
        return tags

    def _components(self) -> tuple[Method, SubsetModel]:
        name, options = type_and_options(self.method, "method")
        if self.most is not None:
            if "most" not in methods.get(name).Options.model_fields:
                raise AltfsError("most", f"'{name}' looks at no sets", "leave it out")
            options = {**options, "most": self.most}
        method = methods.make(name, options, "method")
        return method, subset_models.make(*type_and_options(self.model, "model"), "model")

    def _request(self, constraints: Constraints, size: int | None = None) -> Request:
        return Request(
            n_features=self.n_features if size is None else size,
            n_alternatives=self.n_alternatives,
            tau=tau_or_default(self.tau, self.max_overlap),
            max_overlap=self.max_overlap,
            constraints=constraints,
            search=Enumeration(),
            limits=Limits(kits.WORK),
        )

    def _fitted(self) -> Method:
        check_is_fitted(self)
        return self.method_

    def _barred(self, without: Sequence[str]) -> frozenset[int]:
        return frozenset(as_indices("without", without, self.measurements_))

    def _number(self, name: str, value: Any) -> float:
        number = self._encoding.number(name, value, "known")
        if np.isnan(number):
            raise AltfsError("known", f"'{name}' has no value", "leave it out")
        return number

    def _state(self, known: Any) -> State:
        """Return the state of a row of which some values are known."""
        task = self._fitted().task
        if not isinstance(known, Mapping | None):
            raise AltfsError.of_value("known", known, "use a mapping of features to values")
        known = known or {}
        features = [as_indices("known", [name], self.names_)[0] for name in known]
        numbers = [
            self._number(self.names_[j], value)
            for j, value in zip(features, known.values(), strict=True)
        ]
        for j in task.given:
            if j not in features:
                reason = f"'{self.names_[j]}' is known from the start"
                raise AltfsError("known", reason, "give its value")
        return task.start.told(features, numbers)

    def _shown(self) -> Simulated:
        """Return what happens to rows of the fit."""
        task = self.method_.task
        rows = np.unique(np.linspace(0, len(task.y) - 1, _SHOWN_ROWS).astype(np.int64))
        return Simulated(self.method_, task.X[rows], task.y[rows], self._labels, of_fit=True)
