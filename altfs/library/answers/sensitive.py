"""Information of feature sets about a sensitive attribute, which is never a feature."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse import issparse

from altfs._numbers import IntArray
from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.library.answers.fitted import FittedRequest
from altfs.library.answers.folds import FittedOn, splits_of
from altfs.library.answers.themes import Theme, in_theme
from altfs.library.feature_sets import EMPTY, set_name
from altfs.library.held_out import HeldOut
from altfs.prediction.disparities import disparities, groups_of
from altfs.problem import FeatureIndices
from altfs.quality import BlackBox
from altfs.scores.attributes import about, attribute_bits, chance_bits, chance_disparities
from altfs.scores.base import Part
from altfs.searches.request import Request
from altfs.solvers.every_set import every_set, number_of_sets
from altfs.solvers.trade_off import heaviest, trade_off

_COLUMNS = ["set", "tells", "information", "chance_information", "parity", "chance_parity"]
_COLUMNS += ["odds", "chance_odds"]


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Information of each set about a sensitive attribute.

    Attributes
    ----------
    table : DataFrame
        A row per set and one for no feature. The columns are set, tells (how well a forest tells
        the attribute from the set on held-out rows, the area under the ROC curve: 0.5 tells
        nothing), information (the sum of the features' mutual information with the attribute, in
        bits, corrected for chance; what they tell only together, such as an exclusive or, is not
        in it), parity (the difference of demographic parity: the largest less the smallest share
        of a group that is predicted to be of a class) and odds (that of equalised odds: the larger
        of the differences of the shares of true and of false positives; Agarwal et al., ICML
        2018). Both are of predictions on held-out folds. With several classes they are the
        largest of all classes, with numbers parity is the difference of mean predictions, and
        odds is missing. Beside information, parity and odds, chance_information, chance_parity
        and chance_odds are their means over shuffled attributes: what a set has that tells
        nothing. Rows of a group stay together in these, and rows with times are shifted.
    information : Series
        The mutual information of each feature with the attribute in bits, at least 0. As the
        weights of a :class:`altfs.WeightedSum` they limit what sets tell.
    front : DataFrame
        The sets of which none is better and tells less: feature_names, quality, information, and
        optimal (True if that is proven). It is empty for a range of sizes, mean overlaps, and too
        many sets that would have to be evaluated.
    complete : bool
        True if the front is known to lack no set. Of a front of very many, 100 problems are solved.
    name : str
        The name of the attribute.
    groups : dict of str to int
        The number of rows of each of its groups.
    """

    table: pd.DataFrame
    information: pd.Series
    front: pd.DataFrame
    complete: bool
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
    is_given = values is not None
    values, label = _attribute(fitted, data, values, name)
    codes, groups = groups_of(values, len(data.y), label)
    _check_no_target(part, codes, label)
    if is_given:
        _check_no_feature(fitted, part, codes, label)
    told = about(part, codes)
    bits, by_chance = attribute_bits(told), chance_bits(told)
    held_out = HeldOut(told)
    canonical = part.canonical_rows()
    folds = splits_of(cv, data, estimator.target_type_, canonical)
    ranks = data.ranks(cv, canonical)
    rows: list[list[object]] = []
    for i, features in enumerate(fitted.sets):
        predicted, of_rows = _predictions(estimator, data, features.indices, model, folds, ranks)
        judged = predicted, data.y[of_rows], codes[of_rows], estimator.target_type_
        chosen = list(features.indices)
        pairs = [(float(bits[chosen].sum()), float(by_chance[chosen].sum()))]
        by_shuffles = chance_disparities(*judged, **data.labels(of_rows))
        pairs += zip(disparities(*judged), by_shuffles, strict=True)
        tells = held_out.score(features.indices)
        rows.append([set_name(i), tells, *(value for pair in pairs for value in pair)])
    no_odds = float("nan") if estimator.target_type_ == "regression" else 0.0
    rows.append([EMPTY, 0.5, 0.0, 0.0, 0.0, 0.0, no_odds, no_odds])
    table = pd.DataFrame(rows, columns=_COLUMNS)
    information = pd.Series(bits, index=pd.Index(fitted.names, name="feature"), name="bits")
    return Sensitivity(table, information, *_front(fitted, bits), label, groups)


def _predictions(
    estimator: Any,
    data: FittedOn,
    features: FeatureIndices,
    model: Any,
    folds: Sequence[Any],
    ranks: Sequence[int],
) -> tuple[npt.NDArray[Any], IntArray]:
    """Return what models of the other folds predict, and the rows of it."""
    from sklearn.utils import _safe_indexing

    predicted, rows = [], []
    columns = sorted(estimator._fitted.originals(features), key=ranks.__getitem__)
    for train, test in folds:
        pipeline = estimator._pipeline(columns, model)
        with warnings.catch_warnings():
            # A fold may lack a class, which scikit-learn says in several ways.
            warnings.simplefilter("ignore")
            pipeline.fit(_safe_indexing(data.X, train), data.y[train])
            predicted.append(np.asarray(pipeline.predict(_safe_indexing(data.X, test))))
        rows.append(test)
    return np.concatenate(predicted), np.concatenate(rows)


def _attribute(
    fitted: FittedRequest, data: FittedOn, values: Any, name: str | None
) -> tuple[Any, str]:
    """Return the values of an attribute and its name; by default those of the constraints."""
    if isinstance(values, str):
        reason = f"'{values}' is one text"
        advice = "give a value for each row, or name the column in constraints as `sensitive`"
        raise AltfsError("sensitive", reason, advice)
    if values is None:
        column = fitted.request.constraints.sensitive
        if column is None:
            reason = "there are no values"
            advice = "give one for each row, or name the column in constraints as `sensitive`"
            raise AltfsError("sensitive", reason, advice)
        values = data.column(fitted.originals([column])[0])
        name = name or fitted.names[column]
    return values, str(name or getattr(values, "name", None) or "the attribute")


def _is_same(codes: IntArray, values: npt.NDArray[Any]) -> bool:
    """Return True if values are those of an attribute, by any names."""
    pairs = np.unique(np.stack([codes, pd.factorize(values)[0]]), axis=1)
    return all(len(np.unique(side)) == pairs.shape[1] for side in pairs)


def _check_no_target(part: Part, codes: IntArray, label: str) -> None:
    if _is_same(codes, part.y):
        raise AltfsError("sensitive", f"{label} is the target", "give another attribute")


def _check_no_feature(fitted: FittedRequest, part: Part, codes: IntArray, label: str) -> None:
    for j in sorted({*range(part.X.shape[1])} - {*fitted.problem.constraints.exclude}):
        if _is_same(codes, part.X[:, j]):
            reason = f"{label} has the values of the feature '{fitted.names[j]}'"
            advice = "leave that column out, or name it in constraints as `sensitive`"
            raise AltfsError("sensitive", reason, advice)


def informed(request: Request, part: Part, values: Any, names: Sequence[str]) -> Request:
    """Return a request that knows what features tell about its sensitive column.

    `values` are those of the column, in which some may be missing.
    """
    column = request.constraints.sensitive
    assert column is not None
    label = f"'{names[column]}'"
    if issparse(part.X):
        reason = "columns of a sparse table are not compared with an attribute"
        raise AltfsError("sensitive", reason, "use X.toarray()")
    codes, _ = groups_of(values, len(part.y), label)
    _check_no_target(part, codes, label)
    constraints = request.constraints.informed(attribute_bits(about(part, codes)))
    return replace(request, constraints=constraints)


def _front(fitted: FittedRequest, bits: npt.NDArray[np.float64]) -> tuple[pd.DataFrame, bool]:
    """Return the sets of which no other one has at least their quality and tells less.

    Beside it True, if it is known to be complete.
    """
    columns = ["feature_names", "quality", "information", "optimal"]
    nothing = pd.DataFrame(columns=columns), False
    if fitted.request.averages or len(fitted.problem.sizes) > 1 or fitted.has_prices:
        return nothing
    problem, weights = fitted.singles()[0], np.round(bits, 6).tolist()
    quality = problem.quality
    if isinstance(quality, BlackBox):
        if number_of_sets(problem) > quality.max_evaluations:
            return nothing
        sets = [s for s in every_set(problem) if problem.violation((s,)) is None]
        worths = {s: (-quality.evaluate(s), heaviest((s,), weights), s) for s in sets}
        chosen = list[FeatureIndices]()
        for s in sorted(sets, key=lambda s: worths[s]):
            # Weights are compared exactly.
            if not chosen or worths[s][1] < worths[chosen[-1]][1]:
                chosen.append(s)
        proven = True
    else:
        try:
            best = trade_off(problem, weights, fitted.request.limits)
        except UnsupportedProblemError:
            return nothing
        chosen, proven = [family[0] for family, _ in best.families], best.proven
    rows = [
        [fitted.label(s), quality.evaluate(s), sum(weights[j] for j in s), proven] for s in chosen
    ]
    return pd.DataFrame(rows, columns=columns), proven
