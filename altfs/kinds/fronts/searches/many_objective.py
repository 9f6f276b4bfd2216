"""Many-objective search: sets for every purpose, chosen from the front of their curves."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import Literal

from pydantic import Field, field_validator, model_validator

from altfs._clock import work_clock
from altfs.errors import UnsupportedProblemError
from altfs.kinds.fronts.curve import Curve
from altfs.kinds.fronts.curve_front import CurveFront, front_of
from altfs.kinds.fronts.dominance import Dominance, checked_factor
from altfs.kinds.fronts.evolved_sets import SetEvolution
from altfs.kinds.fronts.nsga import NsgaOptions
from altfs.kinds.fronts.valid_sets import ValidSets
from altfs.problem import Family, FeatureIndices, Problem, overlap_violation
from altfs.problem.results import SearchResult, Status
from altfs.quality import Quality
from altfs.searches.base import SeededSearch, listed_result, searches
from altfs.solvers import Limits

# The number of sets in a unit of work.
_SETS_PER_UNIT = 5_000


class ManyObjectiveOptions(NsgaOptions):
    """Options of many-objective search.

    dominance_factor: how many times more a set has to gain than to lose to dominate another
    one, from 1; `inf` for nowhere lower. by_size: the number of features is an objective, too: no
    set dominates a smaller one; needs the factor `inf`. envelope: only sets of the envelope are
    kept, which are highest at some sensitivity, of equals that of the largest area. sizes: sets
    of `up_to` n_features features, or of `exact` so many. population, generations, crossover,
    mutation: those of NSGA-II; the last two are shares.
    """

    generations: int = Field(default=500, ge=1)
    dominance_factor: float | str = 5.0
    by_size: bool = False
    envelope: bool = False
    sizes: Literal["up_to", "exact"] = "up_to"

    _checked_factor = field_validator("dominance_factor")(checked_factor)

    @model_validator(mode="after")
    def _allowed_objectives(self) -> ManyObjectiveOptions:
        if self.by_size and isfinite(float(self.dominance_factor)):
            reason = f"by_size is not allowed with dominance_factor: {self.dominance_factor}"
            raise ValueError(f"{reason}, use inf")
        if self.by_size and self.envelope:
            raise ValueError("by_size is not allowed with envelope, use one of them")
        return self


@searches.register("many_objective")
class ManyObjective(SeededSearch):
    """Sets that are unbeaten at some sensitivity: a front of the curves of their quality.

    1. If all valid sets can be looked at, the front is that of all of them. At most 5000 sets
       are looked at per unit of `Limits.work`. Sets are then ``optimal``, which means that no
       valid set dominates them.
    2. Else NSGA-II looks for the front. It ends after so many generations. Sets are then
       ``feasible``: no set that was evaluated dominates them.
    3. The first set of the result is that of the front with the largest area. The others are those
       that add most to its envelope, of sets that differ enough from it and each other. Up to
       20,000 choices are all compared, which gives the most sets, and of these the best. Else
       each set is the one that adds most to the envelope of the sets before it.

    An entry without a set is ``infeasible`` if the front is proven, which means that no set of
    the front differs enough from those before. Else it is ``unknown``. A range as `n_features`
    has the sizes of sets, whatever the option `sizes` says.

    The quality has to have a curve. Any constraint is possible. `max_iterations` of the quality
    is for other searches.

    Source: Reynolds, Corne, Chantler, *Feature Selection for Multi-Purpose Predictive Models: a
    Many-Objective Task*, 2009.
    """

    Options = ManyObjectiveOptions
    aggregations = ("none",)
    several_sizes = True
    proof = "on the front"
    kind = "fronts"
    falling = False
    every_quality = False

    def __init__(self, seed: int = 0, options: ManyObjectiveOptions | None = None) -> None:
        super().__init__(seed, options)
        self.takes_smaller = self.options.sizes == "up_to"

    def check_quality(self, quality: Quality) -> None:
        if not isinstance(quality, Curve):
            raise UnsupportedProblemError(
                "search",
                f"'{self.name}' cannot handle a {type(quality).__name__}, it needs a quality with "
                "a curve",
                "use the selector 'naive_bayes_curve' or 'logistic_curve', or the search 'pareto'",
            )

    def objectives(self, quality: Quality) -> list[str]:
        assert isinstance(quality, Curve)
        return quality.objectives

    def shortfall(self, result: SearchResult, request: str) -> str:
        number = sum(map(bool, result.sets))
        if not number:
            return "search: no set that was looked at satisfies all constraints, leave some out."
        larger = isfinite(self.options.dominance_factor)
        return (
            f"n_alternatives={result.n_alternatives}: {number} of {len(result.sets)} feature sets "
            "found, no further set of the front differs enough from the previous ones, use a "
            f"smaller tau or {'a larger dominance_factor' if larger else 'more features'}."
        )

    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        start = work_clock()
        front = self.front(problem, limits)

        def fits(chosen: FeatureIndices, family: Family) -> bool:
            pairs = [(chosen, other) for other in family]
            return overlap_violation(pairs, problem.overlap, average=False) is None

        family = front.alternatives(problem.n_sets, fits)
        chosen, missing = Status.FEASIBLE, Status.UNKNOWN
        if front.proven:
            chosen, missing = Status.OPTIMAL, Status.INFEASIBLE
        result = listed_result(
            problem, family, [chosen] * len(family) + [missing] * (problem.n_sets - len(family)),
            solver="enumeration" if front.proven else "nsga_ii", work=front.work,
            seconds=work_clock() - start, bound=problem.quality.bound(problem.n_features),
        )  # fmt: skip
        return replace(result, front=front)

    def front(self, problem: Problem, limits: Limits) -> CurveFront:
        """Return the front of all valid sets, or of those that NSGA-II finds."""
        quality, valid = problem.quality, ValidSets(problem)
        assert isinstance(quality, Curve)
        rule = self.rule(quality)
        if valid.number > _SETS_PER_UNIT * limits.work:
            front = SetEvolution(quality, valid, rule, self.options, self.seed).front()
        else:
            front = front_of(quality, valid, rule)
        return front.of_envelope() if self.options.envelope else front

    def rule(self, quality: Curve) -> Dominance:
        """Return the rule by which a set dominates another one."""
        options = self.options
        return Dominance.of(float(options.dominance_factor), quality, by_size=options.by_size)
