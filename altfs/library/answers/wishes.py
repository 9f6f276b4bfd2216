"""The costs of wishes with a price."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from altfs.errors import UnsupportedProblemError
from altfs.library.answers.fitted import FittedRequest
from altfs.problem import Problem
from altfs.problem.priced import Priced
from altfs.searches.conflicts import condition_words
from altfs.solvers import solve

_COLUMNS = ["wish", "condition", "price", "violated", "cost"]


def wishes(fitted: FittedRequest) -> pd.DataFrame:
    """Say what each wish costs.

    Returns
    -------
    DataFrame
        A row per wish, and one for features that sets share if these have a price. The columns are
        wish (its key), condition (in words), price, violated (the number of sets that pay; of
        shared features their number), and cost: by how much the quality without any price of the
        best set is lower if the wish is a constraint than if it is left out. It is missing for
        shared features, for sets of several sizes, and where it is not proven.
    """
    asked = fitted.request.constraints
    if not asked.wishes and not asked.share_price:
        return pd.DataFrame(columns=_COLUMNS)
    quality = fitted.problem.quality_as(Priced)
    given = fitted.problem.given
    paid = []
    for i, features in enumerate(fitted.sets):
        before = [s.indices for s in fitted.sets[:i]]
        paid.append(quality.beside([*given, *before]).payments(features.indices))
    rows: list[list[object]] = []
    for i, wish in enumerate(asked.wishes):
        words = condition_words(wish.condition, fitted.names)
        violated = sum(payments[i] > 0 for payments in paid)
        rows.append([f"wishes[{i}]", words, wish.price, violated, _cost(fitted, i)])
    if asked.share_price:
        shared = round(sum(payments[-1] for payments in paid) / asked.share_price)
        rows.append(["share_price", "shared features", asked.share_price, shared, float("nan")])
    return pd.DataFrame(rows, columns=_COLUMNS)


def _cost(fitted: FittedRequest, i: int) -> float:
    """Return what is lost of the base's quality if a wish is kept in any case; NaN if unknown."""
    if len(fitted.problem.sizes) > 1:
        return float("nan")
    constraints = fitted.request.constraints
    wish, rest = constraints.wishes[i], constraints.wishes[:i] + constraints.wishes[i + 1 :]
    free = constraints.model_copy(update={"wishes": rest})
    listed = {"group": "groups", "implication": "implications", "sum": "sums"}[wish.kind]
    hard = free.model_copy(update={listed: (*getattr(free, listed), wish.condition)})
    values = []
    for each in (free, hard):
        problem: Problem = replace(fitted.request, constraints=each).problem(fitted.quality)
        try:
            solution = solve(replace(problem, n_sets=1, aggregation="sum"), fitted.request.limits)
        except UnsupportedProblemError:
            return float("nan")
        if solution.status != "optimal":
            return float("nan")
        values.append(fitted.quality.evaluate(solution.sets[0]))
    return values[0] - values[1]
