"""The lexicographically first optimal family by counting features, for heavy ties.

A feature's *pattern* says which sets hold it. Features of one class that lie in
the same of the sets decided so far are interchangeable (a *cell*), so only how
many of a cell have which pattern matters: a small integer program that CP-SAT
answers in milliseconds. Set by set and feature by feature it is asked whether
an optimum can hold this one, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from ortools.sat.python import cp_model

from altfs.problem import FeatureIndices
from altfs.solvers._canonical import new_solver

# A class, and the decided sets that hold the feature, as bits.
Cell = tuple[int, int]


@dataclass(frozen=True)
class FeatureClass:
    """Features that differ in their index only.

    Attributes
    ----------
    members : list of int
        Ascending.
    uses : list of int
        How often an optimum uses them, all together; one number for every way to be optimal.
    each : int or None
        How often every optimum uses each of them, if that is settled; else `uses` counts.
    """

    members: list[int]
    uses: list[int]
    each: int | None


def first_by_counting(
    shape: tuple[int, int, int],
    classes: list[FeatureClass],
    family: list[FeatureIndices],
    work: float,
) -> tuple[list[FeatureIndices], int]:
    """Find the first of all optimal families.

    Parameters
    ----------
    shape : tuple of int
        T, k and c.
    classes : list of FeatureClass
    family : list of tuple of int
        One of them.
    work : float
        Deterministic time of CP-SAT. When it is used up, the best family so far is returned.

    Returns
    -------
    family : list of tuple of int
    work : int
        Branches taken.
    """
    n_sets, n_features, max_overlap = shape
    place = {j: (g, 0) for g, group in enumerate(classes) for j in group.members}
    # Of a known optimum: which of the sets to come hold a feature, the next one in bit 0.
    known = {j: sum(1 << i for i, s in enumerate(sorted(family)) if j in s) for j in place}
    branches = 0
    for i in range(n_sets):
        cells: dict[Cell, list[int]] = {}
        for j in sorted(place):
            cells.setdefault(place[j], []).append(j)
        questions = _Questions(n_sets - i, n_features, max_overlap, classes, cells)
        taken = dict.fromkeys(cells, 0)
        full: set[Cell] = set()
        for j in sorted(place):
            cell = place[j]
            if cell in full:
                continue
            if sum(taken.values()) == n_features:
                break
            if sum(known[m] & 1 for m in cells[cell]) <= taken[cell]:
                complete, optimum, steps, spent = questions.can_take(cell, taken[cell] + 1, work)
                branches += steps
                work -= spent
                if not complete:
                    return _family(n_sets, i, place, known), branches
                if optimum is None:
                    full.add(cell)
                    continue
                known = optimum
            taken[cell] += 1
            questions.take(cell, taken[cell])
        for (g, past), members in cells.items():
            # In a cell the first features are taken: which are the known ones does not matter.
            patterns = sorted((known[j] for j in members), key=lambda p: ~p & 1)
            for j, pattern in zip(members, patterns, strict=True):
                place[j] = (g, past | (pattern & 1) << i)
                known[j] = pattern >> 1
    return _family(n_sets, n_sets, place, known), branches


def _family(
    n_sets: int, decided: int, place: dict[int, Cell], known: dict[int, int]
) -> list[FeatureIndices]:
    held = {j: past | known[j] << decided for j, (_, past) in place.items()}
    return sorted(tuple(sorted(j for j in held if held[j] >> i & 1)) for i in range(n_sets))


class _Questions:
    """What can be asked about the next set, and what has been settled about it."""

    def __init__(
        self,
        n_open: int,
        n_features: int,
        max_overlap: int,
        classes: list[FeatureClass],
        cells: dict[Cell, list[int]],
    ) -> None:
        self.cells = cells
        self.model = model = cp_model.CpModel()
        #: How many features of a cell have a pattern; of a cell, how many the next set holds.
        self.counts: dict[Cell, dict[int, cp_model.IntVar]] = {}
        self.held: dict[Cell, cp_model.IntVar] = {}
        ways = [model.new_bool_var("") for _ in range(max(len(group.uses) for group in classes))]
        if ways:
            model.add_exactly_one(ways)
        uses: list[list[cp_model.LinearExprT]] = [[] for _ in classes]
        sizes: list[list[cp_model.LinearExprT]] = [[] for _ in range(n_open)]
        common: dict[tuple[int, int], list[cp_model.LinearExprT]] = {}
        for (g, past), members in cells.items():
            each, before = classes[g].each, past.bit_count()
            counts = self.counts[g, past] = {
                pattern: model.new_int_var(0, len(members), "")
                for pattern in range(1 << n_open)
                if each is None or pattern.bit_count() + before == each
            }
            held = self.held[g, past] = model.new_int_var(0, len(members), "")
            model.add(sum(counts.values()) == len(members))
            model.add(sum(x for pattern, x in counts.items() if pattern & 1) == held)
            earlier = [~q for q in range(past.bit_length()) if past >> q & 1]
            uses[g].append(before * len(members))
            for pattern, x in counts.items():
                holders = [b for b in range(n_open) if pattern >> b & 1]
                uses[g].append(len(holders) * x)
                for b in holders:
                    sizes[b].append(x)
                    for q in earlier:
                        common.setdefault((b, q), []).append(x)
                for pair in combinations(holders, 2):
                    common.setdefault(pair, []).append(x)
        for group, terms in zip(classes, uses, strict=True):
            if group.each is None:
                total = sum(n * way for n, way in zip(group.uses, ways, strict=True))
                model.add(sum(terms) == total)
        for terms in sizes:
            model.add(sum(terms) == n_features)
        for terms in common.values():
            model.add(sum(terms) <= max_overlap)

    def can_take(
        self, cell: Cell, count: int, work: float
    ) -> tuple[bool, dict[int, int] | None, int, float]:
        """Whether the next set can hold `count` features of a cell.

        Returns whether that was settled, an optimum with these features, branches and work.
        """
        if work <= 0:
            return False, None, 0, 0.0
        self._set_domain(cell, count, len(self.cells[cell]))
        solver = new_solver(work)
        # The program is small and asked often: to rework it takes longer than to solve it.
        solver.parameters.cp_model_presolve = False
        status = solver.solve(self.model)
        branches = int(solver.num_branches)
        spent = float(solver.response_proto.deterministic_time)
        if status == cp_model.INFEASIBLE:
            self._set_domain(cell, count - 1, count - 1)
            return True, None, branches, spent
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return False, None, branches, spent
        optimum: dict[int, int] = {}
        for key, counts in self.counts.items():
            patterns = [p for p, x in counts.items() for _ in range(solver.value(x))]
            optimum |= dict(zip(self.cells[key], patterns, strict=True))
        return True, optimum, branches, spent

    def take(self, cell: Cell, count: int) -> None:
        self._set_domain(cell, count, len(self.cells[cell]))

    def _set_domain(self, cell: Cell, low: int, high: int) -> None:
        domain = self.model.proto.variables[self.held[cell].index].domain
        domain[0], domain[1] = low, high
