"""The lexicographically first optimal family by counting features, for heavy ties.

The *pattern* of a feature says which sets hold it. Features of one class that lie in the
same decided sets are a *cell*, and are interchangeable. So only the number of features of
a cell with each pattern matters. That is a small integer program, which CP-SAT solves in
milliseconds. For each feature of each set the question is whether an optimum can hold it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from ortools.sat.python import cp_model

from altfs.problem import FeatureIndices
from altfs.solvers.cp_sat.first_of_many import new_solver
from altfs.solvers.first_optimum import OutOfWorkError, first_optimum

# A class, and the decided sets that hold the feature, as bits.
Cell = tuple[int, int]


@dataclass(frozen=True)
class FeatureClass:
    """Features that differ in their index only."""

    #: Ascending.
    members: list[int]
    #: The uses of all members together, one number for each way to be optimal.
    uses: list[int]
    #: The uses of each member, if they are the same in every optimum. Else `uses` holds.
    each: int | None


def first_by_counting(
    shape: tuple[int, int, int],
    classes: list[FeatureClass],
    family: list[FeatureIndices],
    work: float,
) -> tuple[list[FeatureIndices], int]:
    """Return the first of all optimal families, of which one is known, and branches taken.

    `shape` is (T, k, c). `work` is deterministic time of CP-SAT. If it is used up, the best
    family so far is returned.
    """
    questions = _Questions(shape, classes, family, work)
    optimum, _ = first_optimum(questions.sequence(family), questions.candidates, questions.ask)
    return questions.family(optimum), questions.branches


class _Questions:
    """The questions about the next set, with the answers so far.

    A family is the sequence of the features of its sets. Feature number r of set i is
    n i + r.
    """

    def __init__(
        self,
        shape: tuple[int, int, int],
        classes: list[FeatureClass],
        family: list[FeatureIndices],
        work: float,
    ) -> None:
        self.shape, self.classes, self.work = shape, classes, work
        self.branches = 0
        self.class_of = {j: g for g, group in enumerate(classes) for j in group.members}
        self.features = sorted(self.class_of)
        self.rank = {j: r for r, j in enumerate(self.features)}
        #: The best family known.
        self.incumbent = sorted(family)

    def sequence(self, family: list[FeatureIndices]) -> list[int]:
        """Return a family as one sequence."""
        n = len(self.features)
        return [n * i + self.rank[j] for i, chosen in enumerate(family) for j in chosen]

    def family(self, sequence: list[int]) -> list[FeatureIndices]:
        """Return a sequence as a family."""
        n, k = len(self.features), self.shape[1]
        chosen = [self.features[position % n] for position in sequence]
        return [tuple(chosen[i : i + k]) for i in range(0, len(chosen), k)]

    def candidates(self, prefix: list[int], below: int) -> Iterator[int]:
        n, k = len(self.features), self.shape[1]
        i, taken = divmod(len(prefix), k)
        if taken == 0:
            self._open(self.family(prefix))
        start = prefix[-1] + 1 if taken else n * i
        for position in range(start, below):
            # A set takes the first features of a cell, so skipping one skips the rest.
            if self.cell_of[self.features[position - n * i]] not in self.full:
                yield position

    def _open(self, decided: list[FeatureIndices]) -> None:
        """Build the program of the sets that are not decided."""
        self.decided = decided
        self.cells: dict[Cell, list[int]] = {}
        for j in self.features:
            past = sum(1 << h for h, chosen in enumerate(decided) if j in chosen)
            self.cells.setdefault((self.class_of[j], past), []).append(j)
        self.cell_of = {j: cell for cell, members in self.cells.items() for j in members}
        self.full: set[Cell] = set()
        n_open, classes = self.shape[0] - len(decided), self.classes
        self.model = model = cp_model.CpModel()
        #: The number of features of a cell with each pattern, and in the next set.
        self.counts: dict[Cell, dict[int, cp_model.IntVar]] = {}
        self.held: dict[Cell, cp_model.IntVar] = {}
        ways = [model.new_bool_var("") for _ in range(max(len(group.uses) for group in classes))]
        if ways:
            model.add_exactly_one(ways)
        uses: list[list[cp_model.LinearExprT]] = [[] for _ in classes]
        sizes: list[list[cp_model.LinearExprT]] = [[] for _ in range(n_open)]
        common: dict[tuple[int, int], list[cp_model.LinearExprT]] = {}
        for (g, past), members in self.cells.items():
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
            model.add(sum(terms) == self.shape[1])
        for terms in common.values():
            model.add(sum(terms) <= self.shape[2])

    def ask(self, prefix: list[int]) -> list[int] | None:
        n, k = len(self.features), self.shape[1]
        i = len(self.decided)
        needed = dict.fromkeys(self.cells, 0)
        for position in prefix[i * k :]:
            last = self.cell_of[self.features[position - n * i]]
            needed[last] += 1
        optimum = {
            j: sum(1 << b for b, s in enumerate(self.incumbent[i:]) if j in s) for j in self.rank
        }
        if sum(optimum[j] & 1 for j in self.cells[last]) < needed[last]:
            answer = self._solve(needed)
            if answer is None:
                self.full.add(last)
                return None
            optimum = answer
        held: list[list[int]] = [[] for _ in range(self.shape[0] - i)]
        for members in self.cells.values():
            # A set takes the first features of a cell.
            patterns = sorted((optimum[j] for j in members), key=lambda p: ~p & 1)
            for j, pattern in zip(members, patterns, strict=True):
                for b, chosen in enumerate(held):
                    if pattern >> b & 1:
                        chosen.append(j)
        sets = [tuple(sorted(chosen)) for chosen in held]
        self.incumbent = [*self.decided, sets[0], *sorted(sets[1:])]
        return self.sequence(self.incumbent)

    def _solve(self, needed: dict[Cell, int]) -> dict[int, int] | None:
        """Return the open sets that hold each feature, the next one in bit 0; None if none can."""
        if self.work <= 0:
            raise OutOfWorkError
        for cell, count in needed.items():
            domain = self.model.proto.variables[self.held[cell].index].domain
            domain[0], domain[1] = count, count if cell in self.full else len(self.cells[cell])
        solver = new_solver(self.work)
        # The program is small and solved often. Presolve takes longer than the solution.
        solver.parameters.cp_model_presolve = False
        status = solver.solve(self.model)
        self.branches += int(solver.num_branches)
        self.work -= float(solver.response_proto.deterministic_time)
        if status == cp_model.INFEASIBLE:
            return None
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise OutOfWorkError
        optimum: dict[int, int] = {}
        for cell, counts in self.counts.items():
            patterns = [p for p, x in counts.items() for _ in range(solver.value(x))]
            optimum |= dict(zip(self.cells[cell], patterns, strict=True))
        return optimum
