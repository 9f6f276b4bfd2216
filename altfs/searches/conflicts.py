"""The smallest set of constraints that cannot be satisfied together.

A conflict has to hold a constraint of every set of constraints without which sets exist. So
the smallest set that does so is either a conflict, or shows one more such set
(Ignatiev et al., Smallest MUS extraction with minimal hitting set dualization, CP 2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from altfs.problem import Group, Implication, Problem
from altfs.problem.conditions import Condition
from altfs.problem.constraints import Constraints
from altfs.searches.existence import families_exist
from altfs.solvers import Limits

# Of more constraints no conflict is looked for.
_MOST_PARTS = 40
# Each constraint that is not a conflict by itself costs a question to a solver.
_MOST_ROUNDS = 100

# Limits of a sum over all features.
_LIMITS = ("budget", "most_information")
# A key of the constraints, and a position in it unless it has one value.
Part = tuple[str, int | None]


def smallest_conflict(problem: Problem, limits: Limits) -> tuple[Part, ...] | None:
    """Return the fewest constraints with which the sets of a problem do not exist.

    Parameters
    ----------
    problem : Problem
        Of one size, with a number as quality floor if it has one. Its sets do not exist.
    limits : Limits
        Of each question whether sets exist.

    Returns
    -------
    tuple of (str, int or None), or None
        Keys and positions, such as ``("groups", 1)`` and ``("budget", None)``. It is empty if the
        sets do not exist without any constraint. It is None if that is not decided.

    Examples
    --------
    >>> from altfs.problem import Group
    >>> from altfs.quality import Linear
    >>> rules = Constraints(include=(0,), groups=(Group((1, 2), at_least=1), Group((1, 2, 3), 2)))
    >>> smallest_conflict(Problem(Linear([1.0] * 5), 2, overlap=0, constraints=rules), Limits())
    (('include', 0), ('groups', 1))
    """
    constraints = _with_given(problem)
    parts = parts_of(constraints)
    if len(parts) > _MOST_PARTS:
        return None

    def exist(chosen: Sequence[Part]) -> bool | None:
        only = restricted(constraints, chosen)
        given, rest = only.given, only.model_copy(update={"given": ()})
        smaller = replace(problem, given=given, constraints=rest)
        return families_exist(smaller, problem.n_sets, limits)

    needed: list[frozenset[Part]] = []
    for _ in range(_MOST_ROUNDS):
        chosen = _smallest_hitting(parts, needed)
        answer = exist(chosen)
        if not answer:
            return None if answer is None else tuple(chosen)
        kept = [*chosen]
        for part in parts:
            if part not in kept and exist([*kept, part]):
                kept.append(part)
        if len(kept) == len(parts):
            return None
        needed.append(frozenset(parts) - {*kept})
    return None


def _smallest_hitting(parts: list[Part], needed: list[frozenset[Part]]) -> list[Part]:
    """Return the fewest parts, the first ones among equals, that each needed set holds one of."""
    useful = [part for part in parts if any(part in some for some in needed)]
    for size in range(len(useful) + 1):
        for chosen in combinations(useful, size):
            if all(not some.isdisjoint(chosen) for some in needed):
                return list(chosen)
    raise AssertionError("every needed set has a part")


def parts_of(constraints: Constraints) -> list[Part]:
    """Return the constraints one by one; all excluded features together are one.

    Examples
    --------
    >>> parts_of(Constraints(include=(0, 3), exclude=(4, 5), costs=(1,) * 6, budget=2))
    [('include', 0), ('include', 1), ('exclude', None), ('budget', None)]
    """
    parts: list[Part] = []
    for key in ("include", "exclude", "groups", *_LIMITS, "implications", "sums", "given"):
        value = getattr(constraints, key)
        single = key in ("exclude", *_LIMITS)
        if not single:
            parts += [(key, i) for i in range(len(value))]
        elif value not in (None, ()):
            parts.append((key, None))
    if constraints.quality_floor is not None:
        parts.append(("quality_floor", None))
    return parts


def restricted(constraints: Constraints, parts: Sequence[Part]) -> Constraints:
    """Return some of the constraints alone."""
    update: dict[str, object] = {}
    for key in ("include", "groups", "implications", "sums", "given"):
        value = getattr(constraints, key)
        update[key] = tuple(v for i, v in enumerate(value) if (key, i) in parts)
    if ("exclude", None) not in parts:
        update["exclude"] = ()
    if ("budget", None) not in parts:
        update["costs"] = None
    for key in (*_LIMITS, "quality_floor"):
        if (key, None) not in parts:
            update[key] = None
    return constraints.model_copy(update=update)


def conflict_words(
    problem: Problem, parts: Sequence[Part], names: Sequence[str] | None = None
) -> str:
    """Return some constraints of a problem in words, with numbers of features by default.

    Examples
    --------
    >>> from altfs.quality import Linear
    >>> rules = Constraints(include=(0,), costs=(3, 1), budget=2)
    >>> problem = Problem(Linear([1.0, 1.0]), 1, overlap=0, constraints=rules)
    >>> conflict_words(problem, [("include", 0), ("budget", None)], ["scan", "age"])
    'include (scan) and budget 2'
    """
    constraints = _with_given(problem)
    labels = names or [str(j) for j in range(problem.quality.n_total)]
    words = [_words(constraints, part, labels) for part in parts]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _with_given(problem: Problem) -> Constraints:
    return problem.constraints.model_copy(update={"given": problem.given})


def _words(constraints: Constraints, part: Part, names: Sequence[str]) -> str:
    key, place = part
    if place is None:
        value = getattr(constraints, key)
        return f"exclude ({_listed(value, names)})" if key == "exclude" else f"{key} {value:g}"
    entry = getattr(constraints, key)[place]
    if key == "include":
        return f"include ({_listed((entry,), names)})"
    if key == "given":
        return f"given[{place}] ({_listed(entry, names)})"
    words = condition_words(entry, names)
    # Two features that exclude each other may come from the key `exclusive`.
    pair = key == "groups" and len(entry.features) == 2 and entry == Group(entry.features, 0, 1)
    return words if pair else f"{key}[{place}] ({words})"


def condition_words(condition: Condition, names: Sequence[str]) -> str:
    """Return a condition in words.

    Examples
    --------
    >>> condition_words(Group((0, 1), at_most=1), ["kg", "lb"])
    'at most 1 of kg, lb'
    """
    if isinstance(condition, Implication):
        need = "" if condition.at_least is None else f"{condition.at_least} of "
        return f"{_listed(condition.when, names)} needs {need}{_listed(condition.then, names)}"
    ends = [
        f"{words} {value:g}"
        for words, value in (("at least", condition.at_least), ("at most", condition.at_most))
        if value is not None and (value or words == "at most")
    ]
    limits = " and ".join(ends)
    if isinstance(condition, Group):
        if condition.all_or_none:
            limits = " and ".join([*ends, "all or none"])
        limits = "none" if condition.at_most == 0 else limits
        return f"{limits} of {_listed(condition.features, names)}"
    features = dict.fromkeys(
        (*condition.weights, *(j for s in condition.shared for j in s.features))
    )
    return f"{limits} for the weights of {_listed(tuple(features), names)}"


def _listed(features: Sequence[int], names: Sequence[str]) -> str:
    shown = [names[j] for j in features[:4]]
    return ", ".join([*shown, *(["..."] if len(features) > 4 else [])])
