"""The constraints of alternative feature selection as a CP-SAT model.

Besides the constraints of the paper (Definitions 3 and 4) the model has the
*multiplicity* of every feature, the number of sets that hold it. There are
T (T - 1) / 2 * c overlaps. m sets that share a feature use m (m - 1) / 2 of them.
This row makes the relaxation nearly tight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from math import comb, floor, lcm

import numpy as np
from ortools.sat.python import cp_model

from altfs._numbers import BoolArray
from altfs.problem import FeatureIndices, Problem
from altfs.problem.conditions import Inequality
from altfs.problem.constraints import Constraints

Variable = cp_model.IntVar
# Entries for a feature and two sets. Larger models take gigabytes.
_MOST_SHARED = 300_000
# The largest sum of the excesses of all pairs of sets, as CP-SAT has integers of 64 bits.
_MOST_EXCESS = 1 << 58


@dataclass
class SetModel:
    """Valid families of feature sets, before any objective."""

    model: cp_model.CpModel
    #: The original indices that the model's columns stand for, ascending.
    features: list[int]
    #: ``member[i][p]``: set i holds feature ``features[p]``.
    member: list[list[Variable]]
    #: ``at_least[p][t]``: more than t sets hold feature ``features[p]``.
    at_least: list[list[Variable]] = field(default_factory=list)
    #: The features that each pair of sets shares, in the order of `itertools.combinations`.
    both: list[list[Variable]] = field(default_factory=list)

    def decode(self, solver: cp_model.CpSolver) -> list[FeatureIndices]:
        """Return the sets of the last solution, as original feature indices."""
        return [
            tuple(j for j, x in zip(self.features, row, strict=True) if solver.boolean_value(x))
            for row in self.member
        ]

    def hint(self, sets: Sequence[FeatureIndices]) -> None:
        """Give the solver known sets in place of earlier hints."""
        self.model.clear_hints()  # type: ignore[no-untyped-call]
        for row, chosen in zip(self.member, sets, strict=True):
            for j, x in zip(self.features, row, strict=True):
                self.model.add_hint(x, j in chosen)


def is_too_large(n_columns: int, n_sets: int) -> bool:
    """Return True if a model of so many sets would take gigabytes.

    Examples
    --------
    >>> is_too_large(100, 64), is_too_large(100, 78)
    (False, True)
    """
    return comb(n_sets, 2) * n_columns > _MOST_SHARED


def build(
    features: Sequence[int],
    sizes: Sequence[int],
    most_shared: Callable[[int, int], int],
    given: Sequence[FeatureIndices] = (),
    conflicts: BoolArray | None = None,
) -> SetModel:
    """Model sets of some sizes; indices are original ones.

    `most_shared` returns how many features two sets may share, given their sizes.
    """
    model = cp_model.CpModel()
    columns = list(features)
    member = [[model.new_bool_var("") for _ in columns] for _ in sizes]
    built = SetModel(model, columns, member)
    for row, size in zip(member, sizes, strict=True):
        model.add(sum(row) == size)
        for other in given:
            shared = [x for j, x in zip(columns, row, strict=True) if j in set(other)]
            most = most_shared(size, len(other))
            if len(shared) > most:
                model.add(sum(shared) <= most)
    if conflicts is not None:
        among = conflicts[np.ix_(columns, columns)]
        for p, r in np.argwhere(np.triu(among)).tolist():
            for row in member:
                model.add_at_most_one(row[p], row[r])
    if len(sizes) > 1:
        _limit_overlaps(built, sizes, most_shared)
    else:
        built.at_least = [[x] for x in member[0]]
    return built


def add_constraints(built: SetModel, constraints: Constraints) -> None:
    """Add the constraints on every set, except for the quality floor."""
    columns = {j: p for p, j in enumerate(built.features)}
    for row in built.member:
        for j in constraints.include:
            built.model.add(row[columns[j]] == 1)
        for j in constraints.exclude:
            if j in columns:
                built.model.add(row[columns[j]] == 0)
        for group in constraints.groups:
            held = sum(row[columns[j]] for j in group.features)
            if group.at_least > 0:
                built.model.add(held >= group.at_least)
            if group.at_most is not None:
                built.model.add(held <= group.at_most)
            if group.all_or_none:
                for first, second in pairwise(group.features):
                    built.model.add(row[columns[first]] == row[columns[second]])
        for limit in constraints.inequalities(groups=False):
            _add_limit(built.model, limit.in_64_bits(), {j: row[p] for j, p in columns.items()})


def _add_limit(model: cp_model.CpModel, limit: Inequality, member: Mapping[int, Variable]) -> None:
    terms: list[cp_model.LinearExprT] = [w * member[j] for j, w in limit.weights.items()]
    for features, weight in limit.shared:
        any_of = model.new_bool_var("")
        model.add_max_equality(any_of, [member[j] for j in sorted(features)])
        terms.append(weight * any_of)
    if limit.least is not None:
        model.add(sum(terms) >= limit.least)
    if limit.most is not None:
        model.add(sum(terms) <= limit.most)


def _limit_overlaps(
    built: SetModel, sizes: Sequence[int], most_shared: Callable[[int, int], int]
) -> None:
    model, member, n_sets = built.model, built.member, len(built.member)
    together = 0
    for (first, size), (second, other) in combinations(zip(member, sizes, strict=True), 2):
        both = []
        for a, b in zip(first, second, strict=True):
            shared = model.new_bool_var("")
            model.add_bool_or(~a, ~b, shared)
            model.add_implication(shared, a)
            model.add_implication(shared, b)
            both.append(shared)
        built.both.append(both)
        most = most_shared(size, other)
        together += most
        model.add(sum(both) <= most)
    for p in range(len(built.features)):
        levels = [model.new_bool_var("") for _ in range(n_sets)]
        model.add(sum(row[p] for row in member) == sum(levels))
        for lower, upper in pairwise(levels):
            model.add_implication(upper, lower)
        built.at_least.append(levels)
    model.add(
        sum(t * level for levels in built.at_least for t, level in enumerate(levels)) <= together
    )
    model.add(sum(level for levels in built.at_least for level in levels) == sum(sizes))


def limit_mean(built: SetModel, problem: Problem) -> None:
    """Limit the mean of all pairs of sets, and of pairs with given sets.

    Excesses that have too many digits are rounded down, so that no valid family is lost.
    """
    k, columns = problem.n_features, {j: p for p, j in enumerate(built.features)}
    pairs = [(k, both) for both in built.both]
    for row in built.member:
        pairs += [(len(g), [row[columns[j]] for j in g if j in columns]) for g in problem.given]
    tables = {size: problem.overlap.excesses(k, size) for size, _ in pairs}
    exact = lcm(*(excess.denominator for table in tables.values() for excess in table))
    unit = min(exact, _MOST_EXCESS // max(len(pairs), 1))
    whole = {size: [floor(excess * unit) for excess in table] for size, table in tables.items()}
    total: list[cp_model.LinearExprT] = []
    for size, shared in pairs:
        levels = [built.model.new_bool_var("") for _ in whole[size][1:]]
        built.model.add(sum(levels) == sum(shared))
        for lower, upper in pairwise(levels):
            built.model.add_implication(upper, lower)
        steps = (after - before for before, after in pairwise(whole[size]))
        total += [whole[size][0], *(s * level for s, level in zip(steps, levels, strict=True))]
    built.model.add(sum(total) <= 0)
    # Features that m sets hold make m (m - 1) / 2 of the overlaps, which tightens the relaxation.
    uses = (t * level for levels in built.at_least for t, level in enumerate(levels))
    built.model.add(sum(uses) == sum(x for both in built.both for x in both))


def order_equals(built: SetModel, groups: Sequence[Sequence[int]]) -> None:
    """Keep, of solutions that differ by swapping equal features, the first one.

    The groups are column positions of interchangeable features, ascending. The membership
    pattern of a feature says in which sets it is: (set 1, set 2, ...). In the canonical answer
    it is never smaller than that of an equal feature with a larger index. Otherwise a swap
    would give lexicographically smaller sets.
    """
    model, member = built.model, built.member
    for group in groups:
        for p, r in pairwise(group):
            undecided: list[Variable] = []
            for i, row in enumerate(member):
                model.add_bool_or(~row[r], row[p], *[~u for u in undecided])
                if i + 1 < len(member):
                    equal = model.new_bool_var("")
                    model.add_bool_or(row[p], row[r], equal, *[~u for u in undecided])
                    model.add_bool_or(~row[p], ~row[r], equal, *[~u for u in undecided])
                    undecided = [equal]
