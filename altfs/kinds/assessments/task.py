"""The tasks that assess the feature sets of a shard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from altfs.kinds.assessments.section import is_assessed, section_of
from altfs.prediction.base import models
from altfs.study.fingerprint import code_hash
from altfs.study.layout import data_path
from altfs.study.task import Component, RunsTask
from altfs.study.tasks import SearchTask, on_blocks

if TYPE_CHECKING:
    import pyarrow as pa

    from altfs.study.plan import Plan
    from altfs.study.store import Result

# Bytes of a file without rows, and of each set.
_FILE, _SET = 8_000, 60


class AssessTask(RunsTask):
    """Assessments of the sets of one search at one tau on a fold."""

    rule = "assess"
    files = "assessments"
    word = "assessment"
    pattern = (
        "assessments/dataset={dataset}/fold={fold}/selector={selector}/tau={tau}/"
        "search={search}.parquet"
    )
    kind = "assessments"
    evaluated = True
    locations = frozenset({"results", "searched"})

    #: The task that finds the sets.
    shard: SearchTask
    #: The section of the configuration, with the column of this dataset.
    section: dict[str, Any]
    #: The model whose predictions are compared between groups; None without one.
    model: Component | None
    #: The file that Snakemake waits for: the shard, or that of its group.
    searched: str

    @property
    def component(self) -> Component:
        return self.shard.component

    def needs(self) -> Mapping[str, str]:
        return {self.shard.path: self.shard.hash}

    def inputs(self, plan: Plan) -> list[str]:
        # With groups of shards, no rule makes the shard alone.
        return [data_path(self.results, self.dataset), self.searched, *self.shard.needs()]

    def units(self, plan: Plan) -> float:
        return sum(run[1] + 1 for run in self.runs())

    def bytes(self, plan: Plan) -> float:
        return on_blocks(_FILE + _SET * self.units(plan))

    def make(self) -> Result:
        from altfs.kinds.assessments.assessing import make_assessments

        return make_assessments(self)

    def audit(self, table: pa.Table, metadata: Mapping[str, Any], recompute: bool) -> Iterator[str]:
        from altfs.kinds.assessments.audit import audit_assessments

        return audit_assessments(self, table, metadata, recompute)

    def columns_of_file(self) -> pa.Schema:
        from altfs.kinds.assessments.schema import ASSESSMENT_SCHEMA

        return ASSESSMENT_SCHEMA


def assess_tasks(plan: Plan, dataset: str, fold: int) -> Iterator[AssessTask]:
    """Yield the tasks that assess the sets of a fold."""
    section = section_of(plan.config)
    if section is None:
        return
    column = section.column(dataset)
    asked = {**section.model_dump(), "sensitive": column}
    kind = "regression" if plan.facts[dataset].target_type == "regression" else "classification"
    entries = [e for e in plan.config.models if kind in models.get(e.type).tasks] if column else []
    model = entries[0].component if entries else None
    for place in plan.places(dataset, fold):
        if not is_assessed(plan.search_entries[place.search]):
            continue
        shard = plan.search_task(place)
        grouped = plan.config.shards_per_job == "all"
        whole = plan.searches_task(dataset, fold, place.selector) if grouped else shard
        yield AssessTask.model_construct(
            **plan.fold_fields(dataset, fold),
            **plan.run_fields(place),
            code=code_hash(
                "altfs.kinds.assessments.assessing",
                *([models.get(model.type).__module__] if model else []),
            ),
            shard=shard,
            section=asked,
            model=model,
            searched=whole.path,
        )
