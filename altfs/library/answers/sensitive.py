"""Information of feature sets about a sensitive attribute, which is never a feature."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs._numbers import IntArray
from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.library.answers.evaluation import FittedOn, splits_of
from altfs.library.answers.fitted import FittedRequest
from altfs.library.answers.themes import Theme, in_theme
from altfs.library.feature_sets import EMPTY, set_name
from altfs.library.held_out import HeldOut
from altfs.prediction.disparities import chance_disparities, disparities, groups_of
from altfs.problem import FeatureIndices, Problem, WeightedSum
from altfs.problem.results import Status
from altfs.quality import BlackBox
from altfs.scores.attributes import about, attribute_bits
from altfs.scores.base import Part
from altfs.solvers import solve
from altfs.solvers.every_set import every_set, number_of_sets

# The points of a front.
_MOST_POINTS = 50
# A set, its quality, what it tells in bits, and whether it is proven.
_Point = tuple[FeatureIndices, float, float, bool]
_COLUMNS = ["set", "tells", "information", "chance_information", "parity", "chance_parity"]
_COLUMNS += ["odds", "chance_odds"]
# The least step of information between two points, in bits.
_STEP = 1e-6


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Information of each set about a sensitive attribute.

    Attributes
    ----------
    table : DataFrame
        A row per set and one for no feature. The columns are set, tells (how well a forest tells
        the attribute from the set on held-out rows, the area under the ROC curve: 0.5 tells
        nothing), information (the sum of the features' mutual information with the attribute, in
        bits, corrected for chance), parity (the difference of demographic parity: the largest
        less the smallest share of a group that is predicted to be of a class) and odds (that of
        equalised odds: the larger of the differences of the shares of true and of false positives;
        Agarwal et al., ICML 2018). Both are of predictions on held-out folds. With several
        classes they are the largest of all classes, with numbers parity is the difference of mean
        predictions, and odds is missing. Beside information, parity and odds, chance_information,
        chance_parity and chance_odds are their means over shuffled attributes: what a set has that
        tells nothing.
    information : Series
        The mutual information of each feature with the attribute in bits, at least 0. As the
        weights of a :class:`altfs.WeightedSum` they limit what sets tell.
    front : DataFrame
        The sets of which none is better and tells less: feature_names, quality, information, and
        optimal (True if that is proven). It is empty for a range of sizes, mean overlaps, and too
        many sets that would have to be evaluated.
    name : str
        The name of the attribute.
    groups : dict of str to int
        The number of rows of each of its groups.
    """

    table: pd.DataFrame
    information: pd.Series
    front: pd.DataFrame
    name: str
    groups: dict[str, int]

    @property
    def sentence(self) -> str:
        """The sets that tell least and most, in words."""
        sets = self.table[self.table["set"] != EMPTY]
        ranked = sets.sort_values("tells", kind="stable").to_dict("records")
        least, most = ranked[0], ranked[-1]
        said = f"A forest tells {self.name} from {_of(most['set'])} best (AUC {most['tells']:.2f})"
        if least["set"] != most["set"]:
            said += f", and from {_of(least['set'])} worst ({least['tells']:.2f})"
        return f"{said}; 0.5 tells nothing."

    def __str__(self) -> str:
        return f"{self.sentence}\n{self.table.round(3).to_string(index=False)}"

    def plot(self, *, theme: Theme = "light") -> Any:
        """Draw the quality of the sets of the front over what they tell.

        Parameters
        ----------
        theme : {"light", "dark"}, default="light"
            The page for which it is drawn.

        Returns
        -------
        altair chart
        """
        import altair as alt

        data = self.front.assign(features=self.front["feature_names"].map(", ".join))
        chart = alt.Chart(data.drop(columns="feature_names")).mark_line(point=True).encode(
            x=alt.X("information:Q", title=f"information about {self.name} (bits)"),
            y=alt.Y("quality:Q", scale=alt.Scale(zero=False)),
            tooltip=["features:N", "quality:Q", "information:Q"],
        )  # fmt: skip
        return in_theme(chart, theme)


def _of(name: str) -> str:
    return f"the {name} set" if name == "original" else name


def sensitivity(estimator: Any, values: Any, model: Any, cv: Any, name: str | None) -> Sensitivity:
    """Say what the sets of a fitted estimator tell about an attribute of the rows."""
    fitted: FittedRequest = estimator._fitted
    data: FittedOn | None = getattr(estimator, "_fitted_on", None)
    part: Part | None = getattr(estimator, "_part_fitted_on", None)
    if data is None or part is None:
        reason = "it needs the rows, which given qualities, copies and pickles do not hold"
        raise AltfsError("sensitive", reason, "call fit with a selector that learns")
    label = str(name or getattr(values, "name", None) or "the attribute")
    codes, groups = groups_of(values, len(data.y), label)
    told = about(part, codes)
    bits, by_chance = attribute_bits(told)
    held_out = HeldOut(told)
    folds = splits_of(cv, data, estimator.target_type_, part.canonical_rows())
    rows: list[list[object]] = []
    for i, features in enumerate(fitted.sets):
        predicted, of_rows = _predictions(estimator, data, features.indices, model, folds)
        judged = predicted, data.y[of_rows], codes[of_rows], estimator.target_type_
        chosen = list(features.indices)
        pairs = [(float(bits[chosen].sum()), float(by_chance[chosen].sum()))]
        pairs += zip(disparities(*judged), chance_disparities(*judged), strict=True)
        tells = held_out.score(features.indices)
        rows.append([set_name(i), tells, *(value for pair in pairs for value in pair)])
    no_odds = float("nan") if estimator.target_type_ == "regression" else 0.0
    rows.append([EMPTY, 0.5, 0.0, 0.0, 0.0, 0.0, no_odds, no_odds])
    table = pd.DataFrame(rows, columns=_COLUMNS)
    information = pd.Series(bits, index=pd.Index(fitted.names, name="feature"), name="bits")
    return Sensitivity(table, information, front(fitted, bits), label, groups)


def _predictions(
    estimator: Any, data: FittedOn, features: FeatureIndices, model: Any, folds: Sequence[Any]
) -> tuple[npt.NDArray[Any], IntArray]:
    """Return what models of the other folds predict, and the rows of it."""
    from sklearn.utils import _safe_indexing

    predicted, rows = [], []
    for train, test in folds:
        pipeline = estimator._pipeline(estimator._fitted.originals(features), model)
        with warnings.catch_warnings():
            # A fold may lack a class, which scikit-learn says in several ways.
            warnings.simplefilter("ignore")
            pipeline.fit(_safe_indexing(data.X, train), data.y[train])
            predicted.append(np.asarray(pipeline.predict(_safe_indexing(data.X, test))))
        rows.append(test)
    return np.concatenate(predicted), np.concatenate(rows)


def front(fitted: FittedRequest, bits: npt.NDArray[np.float64]) -> pd.DataFrame:
    """Return the sets of which no other one has at least their quality and tells less."""
    points: list[_Point] = []
    if not fitted.request.averages and len(fitted.problem.sizes) == 1 and not fitted.has_prices:
        try:
            points = [*_points(fitted.singles()[0], bits, fitted)]
        except UnsupportedProblemError:
            points = []
    # Of equally good sets only the last one tells least.
    kept = [p for i, p in enumerate(points) if not any(q[1] >= p[1] for q in points[i + 1 :])]
    rows = [[fitted.label(s), quality, told, proven] for s, quality, told, proven in kept]
    return pd.DataFrame(rows, columns=["feature_names", "quality", "information", "optimal"])


def _points(
    problem: Problem, bits: npt.NDArray[np.float64], fitted: FittedRequest
) -> Iterator[_Point]:
    quality = problem.quality
    if isinstance(quality, BlackBox):
        if number_of_sets(problem) > quality.max_evaluations:
            return
        sets = [s for s in every_set(problem) if problem.violation((s,)) is None]
        worths = {s: (quality.evaluate(s), float(bits[list(s)].sum())) for s in sets}
        least = np.inf
        for s, (worth, told) in sorted(worths.items(), key=lambda p: (-p[1][0], p[1][1], p[0])):
            if told < least - _STEP:
                least = told
                yield s, worth, told, True
        return
    # Solvers add whole numbers of millionths.
    weights = np.rint(bits / _STEP).astype(np.int64)
    limits = fitted.request.limits
    most: int | None = None
    for _ in range(_MOST_POINTS):
        constraints = problem.constraints
        if most is not None:
            named = {int(j): float(weights[j]) for j in np.flatnonzero(weights)}
            if not named:
                return
            limit = WeightedSum(named, at_most=float(most))
            constraints = constraints.model_copy(update={"sums": (*constraints.sums, limit)})
        solution = solve(replace(problem, constraints=constraints), limits)
        if not solution.sets:
            return
        best = list(solution.sets[0])
        # Of sets of this quality, one that tells least.
        told = int(weights[best].sum())
        yield tuple(best), quality.evaluate(best), told * _STEP, solution.status is Status.OPTIMAL
        most = told - 1
        if most < 0:
            return
