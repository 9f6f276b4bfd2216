"""Whether searches honour a study's constraints, found out before anything runs.

Every search is tried on a toy problem: with a quality of the selector's kind,
and with constraints of the kinds that are wanted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from altfs.constraints import Constraints, Group
from altfs.errors import ConfigError, UnsupportedProblemError
from altfs.quality import Linear, Quality
from altfs.searches import searches
from altfs.searches._greedy import GreedySearch
from altfs.selectors import Part, selectors
from altfs.solvers import Limits
from altfs.study.config import SearchEntry, SelectorEntry, StudyConfig
from altfs.study.constraining import combined

_N_TOTAL, _N_ROWS = 6, 40


def check_supported(config: StudyConfig) -> None:
    """Refuse combinations of selector, search and constraints that no job could do.

    Raises
    ------
    ConfigError
        In one sentence.
    """
    toys: dict[str, Quality] = {}
    tried = set()
    for i, search in enumerate(config.searches):
        for selector in config.selectors:
            for dataset in config.datasets:
                names = (dataset.name, selector.name, search.name)
                wanted = combined(config.constraints, *names)
                greedy = issubclass(searches.get(search.type), GreedySearch)
                toy = _toy_constraints(wanted or {})
                if not (wanted or greedy) or (*names[1:], toy) in tried:
                    continue
                tried.add((*names[1:], toy))
                if selector.name not in toys:
                    toys[selector.name] = _toy_quality(selector)
                quality = toys[selector.name]
                place = f"searches[{i}]: search '{search.name}' with selector '{selector.name}'"
                relative = "relative" in (wanted or {}).get("quality_floor", {})
                if relative and not isinstance(quality, Linear):
                    raise ConfigError(
                        f"{place} cannot have a relative quality_floor, as the best set is not "
                        "known beforehand, use a number as floor or leave one of them out."
                    )
                try:
                    _try(search, quality, toy)
                except UnsupportedProblemError as error:
                    why = str(error).removeprefix("search: ")
                    raise ConfigError(f"{place} is not possible: {why}") from None


def _try(search: SearchEntry, quality: Quality, constraints: Constraints) -> None:
    aggregations: list[str] = [*search.aggregation] or ["none"]
    for aggregation in aggregations:
        searches.get(search.type)().search(
            quality,
            n_features=2,
            n_alternatives=min(1, max(search.n_alternatives)),
            max_overlap=1,
            aggregation=aggregation,
            limits=Limits(),
            constraints=constraints,
        )


def _toy_quality(entry: SelectorEntry) -> Quality:
    component = selectors.get(entry.type)
    made = component(component.Options.model_validate(entry.options))
    rng = np.random.default_rng(0)
    parts = [
        Part(rng.random((_N_ROWS, _N_TOTAL)), np.arange(_N_ROWS) % 2, "binary", 0) for _ in range(2)
    ]
    for part, keys in zip(parts, (made.train_scores, made.test_scores), strict=True):
        for key in keys:
            # Only the kind of quality counts, so no score has to be computed.
            if key.kind == "conflicts":
                part.known[key] = np.eye(_N_TOTAL, k=_N_TOTAL - 2, dtype=bool)
            else:
                part.known[key] = np.ones((_N_TOTAL,) * (2 if key.of_pairs else 1))
    return made.fit(*parts).train


def _toy_constraints(wanted: Mapping[str, Any]) -> Constraints:
    """Constraints of the wanted kinds."""
    groups = list(wanted.get("groups", ()))
    at_most = bool(wanted.get("exclusive") or wanted.get("given")) or any(
        g["at_most"] is not None for g in groups
    )
    at_least = any(g["at_least"] > 0 for g in groups)
    made = [Group((1, 2), at_most=1)] * at_most + [Group((1, 2, 3, 4), at_least=1)] * at_least
    if any(g.get("all_or_none") for g in groups):
        made.append(Group((3, 4), all_or_none=True))
    budget = wanted.get("budget") is not None
    return Constraints(
        include=(0,) if wanted.get("include") else (),
        exclude=(_N_TOTAL - 1,) if wanted.get("exclude") else (),
        groups=tuple(made),
        costs=(0.0,) * _N_TOTAL if budget else None,
        budget=0.0 if budget else None,
        quality_floor=None if wanted.get("quality_floor") is None else 0.0,
    )
