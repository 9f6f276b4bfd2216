"""Statistically equivalent sets (MMPC and SES) beside the sets of a fit."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, product
from math import log, prod
from typing import Any

import pandas as pd

from altfs._numbers import check_whole, is_number
from altfs.errors import AltfsError
from altfs.library.answers.fitted import FittedRequest
from altfs.library.feature_sets import set_name
from altfs.scores.base import Part
from altfs.scores.equivalence import compared, equivalence_classes, remembered
from altfs.scores.independence import independence


@dataclass(frozen=True, eq=False)
class EquivalentSets:
    """Sets that tests of conditional independence cannot tell apart, and those of the fit.

    Attributes
    ----------
    classes : list of tuple of str
        One for each member of the set of MMPC, which comes first, and the features that can take
        its place: one feature of each makes an equivalent set.
    number : int
        The number of equivalent sets.
    sets : DataFrame
        A row for each equivalent set, up to a limit, that of MMPC first: feature_names, common
        (features that it shares with the original set) and alternative (True if it differs
        enough from the original set).
    table : DataFrame
        A row for each set of the fit: set, equivalent (True if it is one of the equivalent sets),
        of_classes (the number of classes that it has a member of), others (features of no class)
        and tells_all (True if no member of MMPC's set tells more of the target than some features
        of this set, at most as many as a test is given).
    test : str
        The name of the test.
    by_chance : float
        The number of features that pass the first tests if none depends on the target: the level
        times the number of features. Levels are not corrected for it.
    n_groups : int or None
        The number of groups of rows, of each of which one row is tested; None if all rows are.
    """

    classes: list[tuple[str, ...]]
    number: int
    sets: pd.DataFrame
    table: pd.DataFrame
    test: str
    by_chance: float
    n_groups: int | None = None

    @property
    def sentence(self) -> str:
        """The number of equivalent sets and of alternatives among them, in words."""
        if not self.classes:
            return f"No feature depends on the target by {self.test} test."
        size = f"{len(self.classes)} feature{'s' * (len(self.classes) > 1)}"
        number = f"{self.number:,} set{'s' * (self.number > 1)} of {size}"
        cannot = "cannot be told apart" if self.number > 1 else "is left"
        said = f"{number} {cannot} by {self.test} test"
        rows = self.table[self.table["set"] != "original"]
        if len(rows):
            alternatives = f"{len(rows)} alternative{'s' * (len(rows) > 1)}"
            said += (
                f"; of {alternatives}, {rows['equivalent'].sum()} are among them and "
                f"{rows['tells_all'].sum()} tell all that the first one tells"
            )
        if self.n_groups is not None:
            said += f" (one row of each of {self.n_groups:,} groups is tested)"
        return f"{said}. About {self.by_chance:.2g} worthless features pass the level by chance."

    def __str__(self) -> str:
        lines = [f"  {' or '.join(names)}" for names in self.classes]
        return "\n".join([self.sentence, *lines, self.table.to_string(index=False)])


def equivalents(estimator: Any, alpha: float, max_conditioning: int, limit: int) -> EquivalentSets:
    """Compare the sets of a fitted estimator with those that SES finds."""
    if not (is_number(alpha) and 0 < alpha < 1):
        raise AltfsError("alpha", f"{alpha!r} is not allowed", "use 0 < alpha < 1")
    check_whole("max_conditioning", max_conditioning, 0)
    check_whole("limit", limit, 1)
    part: Part | None = getattr(estimator, "_part_fitted_on", None)
    if part is None:
        reason = "it needs the rows, which given qualities, copies and pickles do not hold"
        raise AltfsError("equivalents", reason, "call fit with a selector that learns")
    fitted: FittedRequest = estimator._fitted
    test = independence(part)
    log_p = remembered(test)
    classes = equivalence_classes(log_p, part.X.shape[1], log(alpha), max_conditioning)
    signatures = islice(product(*classes), limit if classes else 0)
    original = set(fitted.sets[0].indices)
    rows = [
        [
            [fitted.names[j] for j in chosen],
            len(original & set(chosen)),
            len(original & set(chosen)) <= fitted.problem.overlap(len(original), len(chosen)),
        ]
        for chosen in signatures
    ]
    return EquivalentSets(
        [tuple(str(fitted.names[j]) for j in members) for members in classes],
        prod(map(len, classes)) if classes else 0,
        pd.DataFrame(rows, columns=["feature_names", "common", "alternative"]),
        pd.DataFrame(
            [
                [set_name(i), *compared(log_p, features.indices, classes, log(alpha),
                                        max_conditioning)]
                for i, features in enumerate(fitted.sets)
            ],
            columns=["set", "equivalent", "of_classes", "others", "tells_all"],
        ),
        test.name,
        alpha * part.X.shape[1],
        None if part.groups is None else len(set(part.groups.tolist())),
    )  # fmt: skip
