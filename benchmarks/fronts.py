"""CPU seconds of fronts on full tables of PMLB, one thread.

    python benchmarks/fronts.py

Prints the front of all sets of at most 4 and 5 features of ionosphere, by naive Bayes and for
each factor; 500 generations of NSGA-II on the same and on wdbc with logistic regression; how
much of the proven front NSGA-II finds; and the seconds of pymoo with the same operators.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import process_time
from typing import Any

from wrappers import part_of

from altfs.datasets.pmlb import default_cache
from altfs.kinds.fronts.curve import Curve
from altfs.kinds.fronts.dominance import Dominance
from altfs.kinds.fronts.searches.many_objective import ManyObjective, ManyObjectiveOptions
from altfs.problem import Problem
from altfs.selectors import selectors
from altfs.solvers import Limits

FACTORS = (1, 2, 5, 10, 20, 50, inf)
ALL, NONE = Limits(1000), Limits(0.001)


def curve_of(selector: str, dataset: str, **options: Any) -> Curve:
    component = selectors.get(selector)
    made = component(component.Options(**options))
    quality = made.quality(part_of(dataset, default_cache()))
    assert isinstance(quality, Curve)
    return quality


def front(quality: Curve, most: int, limits: Limits, factor: float, seed: int = 0) -> Any:
    search = ManyObjective(seed, ManyObjectiveOptions(dominance_factor=factor))
    return search.front(search.prepared(Problem(quality, most, most)), limits)


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    start = process_time()
    return function(*arguments), process_time() - start


def against_pymoo(quality: Curve) -> None:
    """Compare with pymoo's loop, whose operators and dominance are the same (extra `test`)."""
    from _pymoo_loop import evolved, unbeaten

    rule = Dominance.of(5, quality)
    evolved(quality, 4, rule, 1, 0)
    for seed in range(3):
        ours, seconds = timed(front, quality, 4, NONE, 5, seed)
        known, peers = timed(evolved, quality, 4, rule, 500, seed)
        same = set(unbeaten(known, rule)) == set(ours.sets)
        print(f"pymoo, seed {seed}: {peers:.1f} s, {peers / seconds:.1f} times ours; "
              f"{'the same front' if same else 'another front'}", flush=True)  # fmt: skip


def main() -> None:
    quality = curve_of("naive_bayes_curve", "ionosphere")
    for limits in (ALL, NONE):
        # Compile.
        front(quality, 1, limits, 5)
    for most, factors in ((4, FACTORS), (5, (5, inf))):
        for factor in factors:
            found, seconds = timed(front, quality, most, ALL, factor)
            print(f"all of at most {most}, factor {factor}: {found.work:,} sets, "
                  f"{len(found.sets)} in the front, {seconds:.2f} s", flush=True)  # fmt: skip
    for factor in (5, inf):
        whole = set(front(quality, 4, ALL, factor).sets)
        for seed in range(10):
            found, seconds = timed(front, quality, 4, NONE, factor, seed)
            members, others = len(whole & set(found.sets)), len(set(found.sets) - whole)
            said = f"NSGA-II, factor {factor}, seed {seed}: {found.work:,} sets, {members} of "
            print(f"{said}{len(whole)} members, {others} others, {seconds:.2f} s", flush=True)
    against_pymoo(quality)
    fresh = curve_of("logistic_curve", "wdbc", curve="confidence")
    found, seconds = timed(front, fresh, 4, NONE, 5)
    print(f"wdbc, logistic regression: {found.work:,} sets, {seconds:.1f} s")


if __name__ == "__main__":
    main()
