"""A front of families: each has a larger quality, or is better in a second objective."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal

from altfs.problem.front import Front
from altfs.problem.overlap import Dissimilarity, Overlap, dissimilarity_of
from altfs.problem.problem import Family, Problem
from altfs.problem.results import Status
from altfs.quality import Quality
from altfs.solvers.trade_off import heaviest

#: The second objective of a family: the mean dissimilarity of its pairs, the smallest one, or the
#: largest information of its sets about a sensitive attribute.
SecondObjective = Literal["average", "smallest", "information"]


def objectives_of(kind: SecondObjective) -> tuple[str, str]:
    """Return the names of the objectives of a family."""
    return "quality", "information" if kind == "information" else "dissimilarity"


def to_lower(problem: Problem, family: Sequence[Sequence[int]], kind: SecondObjective) -> Fraction:
    """Return the second objective of a family as a number that should be low.

    It is the largest information of a set in bits. Of dissimilarities it is what pairs share, those
    with given sets, too: the largest number of features, or 1 less the mean dissimilarity; 0
    without pairs.

    >>> from altfs.quality import Linear
    >>> problem = Problem(Linear([3, 2, 1]), 2, 2, 3)
    >>> sets = ((0, 1), (0, 1), (0, 2))
    >>> to_lower(problem, sets, "smallest"), to_lower(problem, sets, "average")
    (Fraction(2, 1), Fraction(2, 3))
    """
    if kind == "information":
        return heaviest(family, problem.constraints.information or ())
    pairs = [*combinations(family, 2), *((s, g) for s in family for g in problem.given)]
    if kind == "smallest":
        return Fraction(max((len(set(a) & set(b)) for a, b in pairs), default=0))
    measure = problem.overlap.dissimilarity
    shares = (1 - dissimilarity_of(a, b, measure) for a, b in pairs)
    return sum(shares, Fraction(0)) / max(len(pairs), 1)


def exact_quality(problem: Problem, values: Sequence[Fraction]) -> Fraction:
    """Return the quality of a family from the exact values of its sets."""
    return sum(values, Fraction()) if problem.aggregation == "sum" else min(values)


def limited_to(problem: Problem, shared: int) -> Problem:
    """Return the problem in which two sets share at most so many features."""
    return replace(problem, overlap=Overlap(max_overlap=shared), average=False)


def limited_on_average(problem: Problem, shared: int) -> Problem:
    """Return the problem in which pairs are on average as dissimilar as two that share so many."""
    measure = problem.overlap.dissimilarity
    tau = dissimilarity_at(Fraction(shared), problem.n_features, measure)
    return replace(problem, overlap=Overlap(tau, None, measure), average=True)


def dissimilarity_at(shared: Fraction, n_features: int, measure: Dissimilarity) -> Fraction:
    """Return the dissimilarity of two sets of one size that share a number of features.

    >>> dissimilarity_at(Fraction(1), 2, "dice"), dissimilarity_at(Fraction(1), 2, "jaccard")
    (Fraction(1, 2), Fraction(2, 3))
    """
    union = n_features if measure == "dice" else 2 * n_features - shared
    return 1 - shared / union


@dataclass(frozen=True)
class FamilyFront(Front):
    """Families that no other one reaches in quality and in a second objective.

    The first one has the largest quality.
    """

    families: tuple[Family, ...]
    #: The aggregated quality and the second objective of each family.
    objectives: tuple[tuple[float, float], ...]
    #: The origin of each family.
    solvers: tuple[str, ...]
    work: int
    proven: bool
    #: The names of both objectives.
    names: tuple[str, str]

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
    problem: Problem,
    kind: SecondObjective,
    families: Iterable[tuple[Family, str]],
    work: int,
    proven: bool,
) -> FamilyFront:
    """Return the front of valid families, each with its origin.

    Qualities are compared in the numbers of exact solvers. Of families with equal objectives
    the first one counts.
    """
    valued = []
    for family, origin in families:
        quality = exact_quality(problem, problem.quality.exact_values(family))
        valued.append((-quality, to_lower(problem, family, kind), family, origin))
    valued.sort(key=lambda row: row[:2])
    measure, size = problem.overlap.dissimilarity, problem.n_features
    least, unbeaten, objectives, solvers = None, [], [], []
    for _, low, family, origin in valued:
        if least is None or low < least:
            least = second = low
            unbeaten.append(family)
            if kind != "information":
                second = dissimilarity_at(low, size, measure) if kind == "smallest" else 1 - low
            objectives.append((problem.objective(family), float(second)))
            solvers.append(origin)
    names = objectives_of(kind)
    return FamilyFront(tuple(unbeaten), tuple(objectives), tuple(solvers), work, proven, names)
