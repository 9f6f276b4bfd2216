"""Classes of statistically equivalent features (MMPC and SES)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, count

from altfs.errors import AltfsError
from altfs.scores.independence import Independence

# More tests take minutes.
_MOST_TESTS = 300_000
#: The logarithm of the p-value of a column, given some others.
LogP = Callable[[int, frozenset[int]], float]


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
) -> tuple[int, ...] | None:
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
) -> tuple[int, ...] | None:  # fmt: skip
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


def compared(
    log_p: LogP, chosen: Sequence[int], classes: Sequence[Sequence[int]], least: float, most: int
) -> tuple[bool, int, int, bool]:
    """Compare a set with equivalent ones.

    Returns
    -------
    tuple of (bool, int, int, bool)
        Whether it is one of them, the number of classes that it has a member of, its features of
        no class, and whether no first member of a class tells more than some of its features.
    """
    members = [sum(j in chosen for j in of_class) for of_class in classes]
    others = len(chosen) - sum(members)
    is_one = bool(classes) and not others and all(n == 1 for n in members)
    tells_all = all(
        of_class[0] in chosen or separating(log_p, of_class[0], chosen, least, most) is not None
        for of_class in classes
    )
    return is_one, sum(n > 0 for n in members), others, tells_all
