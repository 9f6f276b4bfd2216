"""The kind of fronts of sets, and of fronts of families of sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from altfs.kinds.base import Kind, kinds

if TYPE_CHECKING:
    import pyarrow as pa

    from altfs.solvers import Limits
    from altfs.study.config import StudyConfig


def _has_search(config: StudyConfig, types: Sequence[str]) -> bool:
    return any(search.type in types for search in config.searches)


def _has_families(config: StudyConfig, against: str) -> bool:
    searches = [search for search in config.searches if search.type == "pareto"]
    return any(search.options.get("against") == against for search in searches)


#: True for a study with fronts of sets by their curves, of families by their dissimilarity or by
#: their information, and of any of these.
has_curves = partial(_has_search, types=["many_objective"])
has_dissimilarity_fronts = partial(_has_families, against="dissimilarity")
has_information_fronts = partial(_has_families, against="information")
has_fronts = partial(_has_search, types=["many_objective", "pareto"])


@kinds.register("fronts")
class Fronts(Kind):
    """Sets or families of sets that no other one beats, beside the sets chosen from them."""

    table = "front_points"
    first_tables = ("fronts",)

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

    def mixins(self) -> tuple[type, ...]:
        from altfs.kinds.fronts.answers import FrontMixin

        return (FrontMixin,)

    def plots(self) -> Mapping[str, Callable[[Any], Any]]:
        from altfs.kinds.fronts import plots

        return {"front": plots.front, "curves": plots.curves}

    def headings(self) -> Mapping[str, tuple[str, str]]:
        return {
            "dominance_factor": (
                "Factor",
                "Gain over loss from which a set dominates another one.",
            ),
            "points": ("Sets in front", "Number of sets in the front."),
            "proven": ("Proven", "Share of the folds whose front is proven to be complete."),
            "train_area": (
                "Training area",
                "Area below the envelope of the front's training curves.",
            ),
            "test_area": ("Test area", "The same of the test curves."),
            "test_chosen": (
                "Test area as chosen",
                "The same with the sets that are best in training.",
            ),
            "train_best": ("Best training area", "Largest area of a single training curve."),
            "test_best": ("Its test area", "Area of the test curve of the same set."),
            "sets_needed": ("Sets needed", "Number of sets that have 99 % of the envelope's area."),
        }
