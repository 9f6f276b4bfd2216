"""The tasks that explain rows of the test part of a fold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from altfs.datasets.row_designs import DESIGNS
from altfs.kinds.rows.section import is_explained, section_of
from altfs.prediction import models
from altfs.selectors import selectors
from altfs.study.fingerprint import code_hash
from altfs.study.task import Component, RunsTask
from altfs.study.tasks import on_blocks

if TYPE_CHECKING:
    import pyarrow as pa

    from altfs.study.plan import Plan
    from altfs.study.store import Result

# Bytes of a file without rows, and of each set of an explained row.
_FILE, _EXPLAINED = 3_000, 40


class ExplainTask(RunsTask):
    """The sets of each explained row of a fold, by one search at one tau."""

    rule = "explain"
    files = "explanations"
    word = "explanation"
    pattern = (
        "explanations/dataset={dataset}/fold={fold}/selector={selector}/tau={tau}/"
        "search={search}.parquet"
    )
    kind = "explanations"
    evaluated = True

    attribution: Component
    #: The number of explained rows, the model, and the number of rows in the background.
    explained: dict[str, Any]
    #: The design of a made dataset, each row of which has relevant features of its own.
    design: str | None
    search_code: str

    @property
    def component(self) -> Component:
        return self.attribution

    def units(self, plan: Plan) -> float:
        sets: int = self.explained["rows"] * sum(run[1] + 1 for run in self.runs())
        return sets

    def bytes(self, plan: Plan) -> float:
        return on_blocks(_FILE + _EXPLAINED * self.units(plan))

    def make(self) -> Result:
        from altfs.kinds.rows.explaining import make_explanations

        return make_explanations(self)

    def audit(self, table: pa.Table, metadata: Mapping[str, Any], recompute: bool) -> Iterator[str]:
        from altfs.kinds.rows.audit import audit_explanations

        return audit_explanations(self, table, metadata, recompute)

    def columns_of_file(self) -> pa.Schema:
        from altfs.kinds.rows.schema import EXPLANATION_SCHEMA

        return EXPLANATION_SCHEMA


def explain_tasks(plan: Plan, dataset: str, fold: int) -> Iterator[ExplainTask]:
    """Yield the tasks that explain rows of a fold."""
    section = section_of(plan.config)
    if section is None:
        return
    entry = next(e for e in plan.config.datasets if e.name == dataset)
    design = str(entry.options.get("design"))
    for place in plan.places(dataset, fold):
        selector = plan.selector_entries[place.selector]
        if not is_explained(plan.config, selector, plan.search_entries[place.search]):
            continue
        yield ExplainTask.model_construct(
            **plan.fold_fields(dataset, fold),
            **plan.run_fields(place),
            code=code_hash(
                "altfs.kinds.rows.explaining",
                selectors.get(selector.type).__module__,
                models.get(section.model).__module__,
                *plan.fitted_selectors[place.selector].other_code,
            ),
            search_code=plan.search_code(place.search),
            attribution=selector.component,
            explained=section.model_dump(exclude={"selectors", "searches"}),
            design=design if entry.type == "synthetic" and design in DESIGNS else None,
        )
