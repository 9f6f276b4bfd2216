"""Changes from set to set, and the features that replace each feature of the original set."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import pandas as pd

from altfs.errors import DataError
from altfs.library.answers.fitted import FittedRequest, Say
from altfs.library.answers.redundancy import redundancy
from altfs.library.held_out import HeldOut
from altfs.problem.overlap import dissimilarity_of
from altfs.problem.results import NAN
from altfs.scores.base import Part


def changes(fitted: FittedRequest) -> pd.DataFrame:
    """Compare every set with the original set and with the previous set.

    Returns
    -------
    DataFrame
        A row for every alternative against the original set (compared_to 0) and, from the
        second on, against the previous one. The columns are set_index, compared_to, comes_in,
        goes_out, stays (lists of names), train_objective, of_original (its share of the
        original set's quality; NaN if that is not positive), dissimilarity of the two, status.
    """
    rows = []
    pairs = [(before, i) for i in range(1, len(fitted.sets)) for before in sorted({0, i - 1})]
    for before, i in pairs:
        new = fitted.sets[i]
        was, now = set(fitted.sets[before].indices), set(new.indices)
        moved = [fitted.label(sorted(part)) for part in (now - was, was - now, now & was)]
        of_original = fitted.share(new.train_objective, fitted.sets[0].train_objective)
        dissimilarity = float(dissimilarity_of(now, was, fitted.request.dissimilarity))
        quality = [new.train_objective, of_original, dissimilarity, str(new.status)]
        rows.append([i, before, *moved, *quality])
    columns = [
        "set_index", "compared_to", "comes_in", "goes_out", "stays", "train_objective",
        "of_original", "dissimilarity", "status",
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def substitutes(fitted: FittedRequest, say: Say, part: Part | None = None) -> pd.DataFrame:
    """Find the best set without each feature of the original set.

    The set satisfies the request otherwise (size, constraints, given sets). The feature is
    left out even if it has to be included.

    Returns
    -------
    DataFrame
        A row for every feature of the original set. The columns are feature, comes_in and
        goes_out (the changes from the original set), feature_names of the set, train_objective,
        loss (of quality against the original set), of_original (share of its quality; NaN if
        that is not positive), status ("infeasible" if there is no set without the feature). With
        the rows follow stand_in (the other feature of the original set that says most of what
        this one says), left (the largest share that it may not say; 0 for a copy), score_without
        (of the other features of the set, by a forest on held-out rows) and score (of the set
        that replaces the original), beside score_of_original.
    """
    rows = []
    stand_ins = _Rows(fitted, part) if part is not None and fitted.sets else None
    for original in fitted.sets[:1]:
        was, best = set(original.indices), original.train_objective
        for done, feature in enumerate(original.indices):
            say(f"substitutes: {done} of {len(original)} features left out")
            substitute, status = fitted.best_without([feature])
            now = set() if substitute is None else set(substitute.indices)
            objective = NAN if substitute is None else substitute.train_objective
            parts = (now - was, was - now if now else (), now)
            moved = [fitted.label(sorted(part)) for part in parts]
            quality = [objective, best - objective, fitted.share(objective, best), str(status)]
            more = [] if stand_ins is None else stand_ins.without(feature, now)
            rows.append([fitted.names[feature], *moved, *quality, *more])
    more_columns = ["stand_in", "left", "score_without", "score", "score_of_original"]
    columns = [
        "feature", "comes_in", "goes_out", "feature_names", "train_objective", "loss",
        "of_original", "status", *(more_columns if stand_ins is not None else ()),
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


class _Rows:
    """Comparison of the original set with and without each of its features, on the rows."""

    def __init__(self, fitted: FittedRequest, part: Part) -> None:
        self._fitted, self._original = fitted, fitted.sets[0]
        self._map = redundancy(part, fitted.names, self._original.indices)
        try:
            self._halves: HeldOut | None = HeldOut(part)
        except DataError:
            self._halves = None
        self._score_of_original = self._score(self._original.indices)

    def without(self, feature: int, instead: Collection[int]) -> list[Any]:
        """Return the values of the columns that need the rows."""
        others = [j for j in self._original.indices if j != feature]
        label = self._fitted.names[feature]
        stand_in, left = self._map.stand_in(label, self._fitted.label(others))
        scores = [self._score(others), self._score(sorted(instead)) if instead else NAN]
        return [stand_in, left, *scores, self._score_of_original]

    def _score(self, features: Sequence[int]) -> float:
        return NAN if self._halves is None else self._halves.score(features)
