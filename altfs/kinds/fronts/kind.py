"""The kind of fronts of sets, and of fronts of families of sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from altfs.kinds.base import Kind, kinds

if TYPE_CHECKING:
    import pyarrow as pa

    from altfs.solvers import Limits
    from altfs.study.config import StudyConfig
    from altfs.study.plan import Plan


def has_curves(config: StudyConfig) -> bool:
    """Return True if a search of the study has a front of sets by their curves."""
    return any(search.type == "many_objective" for search in config.searches)


def has_family_fronts(config: StudyConfig) -> bool:
    """Return True if a search of the study has a front of quality against dissimilarity."""
    return any(search.type == "pareto" for search in config.searches)


def has_fronts(config: StudyConfig) -> bool:
    """Return True if a search of the study chooses sets from a front."""
    return has_curves(config) or has_family_fronts(config)


@kinds.register("fronts")
class Fronts(Kind):
    """Sets or families of sets that no other one beats, beside the sets chosen from them."""

    table = "front_points"

    def applies(self, config: StudyConfig) -> bool:
        return has_fronts(config)

    def columns(self) -> list[pa.Field]:
        from altfs.kinds.fronts.schema import FRONT_COLUMNS

        return FRONT_COLUMNS

    def audit_shard(
        self,
        runs: Sequence[Any],
        rows: pa.Table,
        metadata: Mapping[str, Any],
        limits: Limits | None,
    ) -> Iterator[str]:
        from altfs.kinds.fronts.audit import check_fronts

        return check_fronts(runs, rows.to_pylist(), metadata, limits)

    def table_schema(self) -> pa.Schema:
        from altfs.kinds.fronts.schema import POINTS_SCHEMA

        return POINTS_SCHEMA

    def facts(self, plan: Plan) -> dict[str, Any]:
        entries: dict[str, Any] = {n: entry.make() for n, entry in plan.search_entries.items()}
        factors = {
            name: f"{float(search.options.dominance_factor):g}"
            for name, search in entries.items()
            if search.name == "many_objective"
        }
        return {"factors": factors}

    def questions(self) -> tuple[tuple[int, Callable[..., Iterator[Any]]], ...]:
        from altfs.kinds.fronts.words import front_words

        return ((130, front_words),)

    def mixins(self) -> tuple[type, ...]:
        from altfs.kinds.fronts.answers import FrontMixin

        return (FrontMixin,)

    def plots(self) -> Mapping[str, Callable[[Any], Any]]:
        from altfs.kinds.fronts import plots

        return {"front": plots.front, "curves": plots.curves}
