"""The tasks that measure rows of the test part of a fold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from altfs.kinds.acquisition.base import methods, subset_models
from altfs.kinds.acquisition.section import component_of, section_of
from altfs.study.fingerprint import code_hash
from altfs.study.task import Component, FoldTask
from altfs.study.tasks import on_blocks

if TYPE_CHECKING:
    import pyarrow as pa

    from altfs.study.plan import Plan
    from altfs.study.store import Result

# Bytes of a file without rows, and of each step of a row.
_FILE, _STEP = 6_000, 40
# Measured: the measurements of a row without a budget, and what one takes of it if costs are drawn.
_WITHOUT_BUDGET, _DRAWN_COST = 3.0, 1.5


class AcquireTask(FoldTask):
    """The measurements of each drawn row of a fold, by one method with one limit."""

    rule = "acquire"
    files = "acquisition"
    word = "acquisition"
    pattern = "acquisition/dataset={dataset}/fold={fold}/method={method}/limit={limit}.parquet"
    kind = "acquisition"
    evaluated = True

    component: Component
    subset_model: Component
    #: The mode and the number, such as "budget-3".
    limit: str
    costs: str | dict[str, float]
    rows: int

    @property
    def method(self) -> str:
        """The name of the method."""
        return self.component.name

    @property
    def detail(self) -> str:
        return f"{self.method}, {self.limit}"

    @property
    def work(self) -> tuple[str, ...]:
        return (self.rule, *self.component.work)

    def units(self, plan: Plan) -> float:
        facts, (mode, _, number) = plan.facts[self.dataset], self.limit.partition("-")
        measurements = _WITHOUT_BUDGET
        if mode == "budget":
            affordable = float(number) / max(self._mean_cost(), 1e-9)
            measurements = min(affordable, facts.n_total)
        # A row ends with a step without a measurement.
        return min(self.rows, facts.n_rows / self.folds.number) * (1.0 + measurements)

    def _mean_cost(self) -> float:
        """Return what a measurement costs on average."""
        if isinstance(self.costs, dict):
            return sum(self.costs.values()) / len(self.costs)
        return 1.0 if self.costs == "unit" else _DRAWN_COST

    def units_in(self, n_rows: int) -> float:
        return n_rows

    def bytes(self, plan: Plan) -> float:
        return on_blocks(_FILE + _STEP * self.units(plan))

    def make(self) -> Result:
        from altfs.kinds.acquisition.measuring import measured

        return measured(self)

    def audit(self, table: pa.Table, metadata: Mapping[str, Any], recompute: bool) -> Iterator[str]:
        from altfs.kinds.acquisition.audit import audit_steps

        return audit_steps(self, table, metadata, recompute)

    def columns_of_file(self) -> pa.Schema:
        from altfs.kinds.acquisition.schema import STEP_SCHEMA

        return STEP_SCHEMA


def acquire_tasks(plan: Plan, dataset: str, fold: int) -> Iterator[AcquireTask]:
    """Yield the tasks that measure rows of a fold; methods for two classes skip other datasets."""
    section = section_of(plan.config)
    if section is None:
        return
    for entry in section.methods:
        method = component_of(entry)
        kind = methods.get(method.type)
        if kind.two_classes and plan.facts[dataset].target_type != "binary":
            continue
        model = component_of(kind.only_model or section.model)
        for limit in section.limits():
            yield AcquireTask.model_construct(
                **plan.fold_fields(dataset, fold),
                code=code_hash(
                    "altfs.kinds.acquisition.measuring",
                    kind.__module__,
                    subset_models.get(model.type).__module__,
                ),
                component=method,
                subset_model=model,
                limit=limit,
                costs=section.costs,
                rows=section.rows,
            )
