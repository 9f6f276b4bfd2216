"""A front of families: each has a larger quality or a larger dissimilarity than any other one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal

from altfs.problem.front import Front
from altfs.problem.overlap import Dissimilarity, Overlap
from altfs.problem.problem import Family, Problem
from altfs.problem.results import Status
from altfs.quality import Quality

#: The dissimilarity of a family: the mean one of its pairs, or the smallest one.
FamilyDissimilarity = Literal["average", "smallest"]

#: The names of the objectives of a family.
FAMILY_OBJECTIVES = ("quality", "dissimilarity")


def shared_features(problem: Problem, family: Sequence[Sequence[int]], kind: str) -> Fraction:
    """Return how many features the pairs of a family share: the largest number, or the mean.

    Pairs with given sets count, too. Without pairs it is 0.

    >>> from altfs.quality import Linear
    >>> problem = Problem(Linear([3, 2, 1]), 2, 2, 3)
    >>> sets = ((0, 1), (0, 1), (0, 2))
    >>> shared_features(problem, sets, "smallest"), shared_features(problem, sets, "average")
    (Fraction(2, 1), Fraction(4, 3))
    """
    pairs = [*combinations(family, 2), *((s, g) for s in family for g in problem.given)]
    numbers = [len(set(a) & set(b)) for a, b in pairs]
    if kind == "smallest":
        return Fraction(max(numbers, default=0))
    return Fraction(sum(numbers), max(len(numbers), 1))


def exact_quality(problem: Problem, values: Sequence[Fraction]) -> Fraction:
    """Return the quality of a family from the exact values of its sets."""
    return sum(values, Fraction()) if problem.aggregation == "sum" else min(values)


def limited_to(problem: Problem, shared: int, average: bool = False) -> Problem:
    """Return the problem in which two sets, or all pairs on average, share so many features."""
    return replace(problem, overlap=Overlap(max_overlap=shared), average=average)


def dissimilarity_at(shared: Fraction, n_features: int, measure: Dissimilarity) -> float:
    """Return the dissimilarity of two sets of one size that share a number of features.

    >>> dissimilarity_at(Fraction(1), 2, "dice"), dissimilarity_at(Fraction(1), 2, "jaccard")
    (0.5, 0.6666666666666666)
    """
    union = n_features if measure == "dice" else 2 * n_features - shared
    return float(1 - shared / union)


@dataclass(frozen=True)
class FamilyFront(Front):
    """Families that no other one reaches in quality and in dissimilarity.

    The first one has the largest quality, and is the least dissimilar one.
    """

    families: tuple[Family, ...]
    #: The aggregated quality and the dissimilarity of each family.
    objectives: tuple[tuple[float, float], ...]
    #: The origin of each family.
    solvers: tuple[str, ...]
    work: int
    proven: bool

    def rows(
        self, train: Quality, test: Quality | None, aggregation: str
    ) -> Iterator[dict[str, Any]]:
        aggregate = min if aggregation == "min" else sum
        for point, family in enumerate(self.families):
            tested = None if test is None else [test.evaluate(features) for features in family]
            shared = max((len({*a} & {*b}) for a, b in combinations(family, 2)), default=0)
            for i, features in enumerate(family):
                yield {
                    "run_objective": None,
                    "run_bound": None,
                    "max_overlap": shared,
                    "point": point,
                    "set_index": i,
                    "selected": list(features),
                    "train_objective": train.evaluate(features),
                    "test_objective": None if tested is None else tested[i],
                    "status": str(Status.OPTIMAL if self.proven else Status.FEASIBLE),
                    "solver": self.solvers[point],
                    "objectives": list(self.objectives[point]),
                    "test_objectives": tested and [aggregate(tested), self.objectives[point][1]],
                }


def family_front(
    problem: Problem, kind: str, families: Iterable[tuple[Family, str]], work: int, proven: bool
) -> FamilyFront:
    """Return the front of valid families, each with its origin.

    Qualities are compared in the numbers of exact solvers. Of families with equal objectives
    the first one counts.
    """
    valued = []
    for family, origin in families:
        quality = exact_quality(problem, problem.quality.exact_values(family))
        valued.append((-quality, shared_features(problem, family, kind), family, origin))
    valued.sort(key=lambda row: row[:2])
    measure, size = problem.overlap.dissimilarity, problem.n_features
    least, unbeaten, objectives, solvers = None, [], [], []
    for _, shared, family, origin in valued:
        if least is None or shared < least:
            least = shared
            unbeaten.append(family)
            objectives.append((problem.objective(family), dissimilarity_at(shared, size, measure)))
            solvers.append(origin)
    return FamilyFront(tuple(unbeaten), tuple(objectives), tuple(solvers), work, proven)
