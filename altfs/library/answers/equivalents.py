"""Statistically equivalent sets (MMPC and SES) beside the sets of a fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, count, islice, product
from math import log, prod
from typing import Any

import pandas as pd

from altfs._numbers import check_whole, is_number
from altfs.errors import AltfsError
from altfs.library.answers.fitted import FittedRequest
from altfs.library.feature_sets import set_name
from altfs.problem import FeatureIndices
from altfs.scores.base import Part
from altfs.scores.independence import Independence, independence

# More tests take minutes.
_MOST_TESTS = 300_000
# The logarithm of the p-value of a column, given some others.
LogP = Callable[[int, frozenset[int]], float]


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
    """

    classes: list[tuple[str, ...]]
    number: int
    sets: pd.DataFrame
    table: pd.DataFrame
    test: str
    by_chance: float

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
                [set_name(i), *_compared(log_p, features.indices, classes, log(alpha),
                                         max_conditioning)]
                for i, features in enumerate(fitted.sets)
            ],
            columns=["set", "equivalent", "of_classes", "others", "tells_all"],
        ),
        test.name,
        alpha * part.X.shape[1],
    )  # fmt: skip


def _compared(
    log_p: LogP, chosen: FeatureIndices, classes: Sequence[Sequence[int]], least: float, most: int
) -> Iterator[object]:
    members = [sum(j in chosen for j in of_class) for of_class in classes]
    others = len(chosen) - sum(members)
    yield bool(classes) and not others and all(n == 1 for n in members)
    yield sum(n > 0 for n in members)
    yield others
    yield all(
        of_class[0] in chosen or separating(log_p, of_class[0], chosen, least, most) is not None
        for of_class in classes
    )


def remembered(test: Independence) -> LogP:
    """Return a test that is computed once for each column and set of given columns.

    More than 300,000 tests are an AltfsError.
    """
    numbers = count(1)

    @cache
    def log_p(column: int, given: frozenset[int]) -> float:
        if next(numbers) > _MOST_TESTS:
            reason = f"more than {_MOST_TESTS:,} tests are needed"
            raise AltfsError("equivalents", reason, "use a smaller max_conditioning or alpha")
        return test.log_p(column, sorted(given))

    return log_p


def separating(
    log_p: LogP, column: int, among: Sequence[int], least: float, most: int
) -> FeatureIndices | None:
    """Return the first features, at most `most`, given which a column is independent."""
    for size in range(min(most, len(among)) + 1):
        for given in combinations(among, size):
            if log_p(column, frozenset(given)) > least:
                return given
    return None


def equivalence_classes(log_p: LogP, n_features: int, least: float, most: int) -> list[list[int]]:
    """Return the classes of equivalent features of SES; the first ones are the set of MMPC.

    Parameters
    ----------
    log_p : callable
        Returns the logarithm of the p-value of a column, given others.
    n_features : int
    least : float
        The logarithm of the level; larger ones are independent.
    most : int
        The largest number of given features.

    Notes
    -----
    Algorithm 1 of Lagani et al., *Feature Selection with the R Package MXM: Discovering
    Statistically Equivalent Feature Subsets*, Journal of Statistical Software 80 (2017), in the
    order of that package: of given features, the one that was selected last is always among them.

    Examples
    --------
    Columns 0 and 1 are copies.

    >>> def log_p(column, given):
    ...     return 0.0 if column == 2 or 1 - column in given else -9.0 + column
    >>> equivalence_classes(log_p, 3, -3.0, 1)
    [[0, 1]]
    """
    weakest = [log_p(j, frozenset()) for j in range(n_features)]
    remaining = [j for j in range(n_features) if weakest[j] <= least]
    classes = {j: [j] for j in remaining}
    selected: list[int] = []
    while remaining:
        last = min(remaining, key=lambda j: (weakest[j], j))
        remaining.remove(last)
        selected = sorted([*selected, last])
        for j in sorted([*selected, *remaining]):
            if j == last:
                continue
            earlier = [other for other in selected if other not in (j, last)]
            given = _first_separating(log_p, j, earlier, last, weakest, least, most)
            if given is None:
                continue
            (selected if j in selected else remaining).remove(j)
            for other in given:
                if log_p(other, frozenset({*given, j} - {other})) > least:
                    classes[other] += [new for new in classes[j] if new not in classes[other]]
                    break
    return [classes[j] for j in selected]


def _first_separating(
    log_p: LogP, column: int, earlier: Sequence[int], last: int, weakest: list[float],
    least: float, most: int,
) -> FeatureIndices | None:  # fmt: skip
    """Return the first features, with the last one among them, given which it is independent.

    Note the largest p-value of the column.
    """
    for size in range(min(most - 1, len(earlier)) + 1):
        for rest in combinations(earlier, size):
            value = log_p(column, frozenset({*rest, last}))
            weakest[column] = max(weakest[column], value)
            if value > least:
                return (*rest, last)
    return None
