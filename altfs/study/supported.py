"""Check that searches support a study's selectors and constraints, before anything runs.

Every search solves a toy problem. Its quality is of the selector's kind, and its constraints are
of the configured kinds.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np

from altfs.errors import AltfsError, ConfigError, UnsupportedProblemError
from altfs.problem import (
    NO_CONSTRAINTS,
    Aggregation,
    Constraints,
    Group,
    Implication,
    Problem,
    WeightedSum,
    Wish,
)
from altfs.quality import Quality
from altfs.searches.request import UNLIMITED, sizes_of
from altfs.selectors import Part
from altfs.solvers import Limits
from altfs.solvers.base import check_solver
from altfs.study.config import SelectorEntry, StudyConfig
from altfs.study.constraining import combined

_N_TOTAL, _N_ROWS = 6, 40
_PRICES = ("wishes", "share_price")


def check_supported(config: StudyConfig) -> None:
    """Check that searches support all combinations of selectors and constraints."""
    for i, search in enumerate(config.searches):
        for sizes in [] if search.streams else map(sizes_of, {*config.sizes(search)} - {UNLIMITED}):
            try:
                search.make().check_sizes(sizes)
            except AltfsError as error:
                raise error.at(f"searches[{i}]") from None
    toys: dict[str, Quality] = {}
    tried = set()
    for (i, search), selector, dataset in product(
        enumerate(config.searches), config.selectors, config.datasets
    ):
        names = dataset.name, selector.name, search.name
        constraints = combined(config.constraints, *names) or NO_CONSTRAINTS
        screened = constraints.prescreen is not None
        further = (*_PRICES, "sensitive", "information")
        used = {*constraints.kinds(), *(key for key in further if getattr(constraints, key))}
        toy = search.name, selector.name, _toy_constraints({*used}), screened
        if not config.pairs(selector, search, dataset.name):
            continue
        picky = not search.make().every_quality
        named = search.make_solver()
        average = search.overlap == "average"
        if not (used or screened or picky or named or average) or toy in tried:
            continue
        tried.add(toy)
        if selector.name not in toys:
            toys[selector.name] = _toy_quality(selector)
        quality = toys[selector.name]
        key, pair = f"searches[{i}]", f"search '{search.name}' with selector '{selector.name}'"
        if constraints.relative_floor is not None and not quality.exact:
            reason = f"{pair} cannot have a relative_floor, as the best set is not known beforehand"
            raise ConfigError(key, reason, "use a number as floor or leave one of them out")
        if screened and quality.feature_relevance is None:
            reason = f"{pair} cannot have a prescreen, as it has no relevance of single features"
            raise ConfigError(key, reason, "leave one of them out")
        aggregations: list[Aggregation] = [*search.aggregation] or ["sum"]
        # A plain search is tried with one size only.
        several = {len(sizes_of(k)) > 1 for k in config.sizes(search) if k != UNLIMITED}
        ranges = several if named or average else {False}
        n_sets = min(1, max(search.n_alternatives)) + 1
        try:
            for aggregation, ranged in product(aggregations, sorted(ranges)):
                problem = Problem(
                    quality, (1, 2) if ranged else 2, 1, n_sets, aggregation, (), toy[2], average
                )
                if named is None:
                    tried_search = search.make()
                    tried_search.check_quality(quality)
                    tried_search.search(problem, Limits())
                elif search.aggregation:
                    check_solver(named, problem)
                else:
                    # Each set differs from those before it.
                    given = ((0, 1),) * (n_sets - 1)
                    check_solver(named, replace(problem, n_sets=1, given=given))
        except UnsupportedProblemError as error:
            raise ConfigError(key, f"{pair} is not possible: {error.clause}") from None


def _toy_quality(entry: SelectorEntry) -> Quality:
    selector = entry.make().simplified()
    rng = np.random.default_rng(0)
    part = Part(rng.random((_N_ROWS, _N_TOTAL)), np.arange(_N_ROWS) % 2, "binary", 0)
    for key in selector.train_scores:
        # Only the kind of quality counts, so toy scores are enough.
        part.scores[key] = key.score.toy(_N_TOTAL, key.variant)
    return selector.quality(part)


def _toy_constraints(kinds: set[str]) -> Constraints:
    """Return constraints of some kinds."""
    groups = {
        "at_most": Group((1, 2), at_most=1),
        "at_least": Group((1, 2, 3, 4), at_least=1),
        "all_or_none": Group((3, 4), all_or_none=True),
    }
    kinds |= {"at_most"} if "given" in kinds else set()
    budget = "budget" in kinds
    return Constraints(
        include=(0,) if "include" in kinds else (),
        exclude=(_N_TOTAL - 1,) if "exclude" in kinds else (),
        groups=tuple(group for kind, group in groups.items() if kind in kinds),
        costs=(0.0,) * _N_TOTAL if budget else None,
        budget=0.0 if budget else None,
        information=(0.0,) * _N_TOTAL if {"sensitive", "information"} & kinds else None,
        implications=(Implication((1,), (2,)),) if "implications" in kinds else (),
        sums=(WeightedSum({1: 1}, (), 0, 1),) if "sums" in kinds else (),
        quality_floor=0.0 if "quality_floor" in kinds else None,
        wishes=(Wish(0.1, Group((1,), at_most=0)),) if "wishes" in kinds else (),
        share_price=0.1 if "share_price" in kinds else 0.0,
    )
