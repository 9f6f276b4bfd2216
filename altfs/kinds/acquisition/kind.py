"""The kind of answers that say what to measure next of a row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from altfs.kinds.base import Kind, kinds

if TYPE_CHECKING:
    import pyarrow as pa

    from altfs._options import StrictModel
    from altfs.datasets import Dataset
    from altfs.errors import ConfigError
    from altfs.study.config import StudyConfig
    from altfs.study.plan import Plan
    from altfs.study.task import Task


def has_acquisition(config: StudyConfig) -> bool:
    """Return True if rows of a study are measured one value after the other."""
    from altfs.kinds.acquisition.section import section_of

    return section_of(config) is not None


@kinds.register("acquisition")
class AcquisitionOfFeatures(Kind):
    """Measurements of a row, one by one, with what to measure instead."""

    section = "acquisition"
    table = "acquisition_steps"
    first_tables = ("acquisition",)

    def applies(self, config: StudyConfig) -> bool:
        return has_acquisition(config)

    def section_model(self) -> type[StrictModel]:
        from altfs.kinds.acquisition.section import AcquisitionSection

        return AcquisitionSection

    def libraries(self, config: StudyConfig) -> set[str]:
        from altfs.kinds.acquisition.section import libraries

        return libraries(config)

    def complaints(
        self, config: StudyConfig, dataset: Dataset, n_rows: int
    ) -> Iterator[ConfigError]:
        from altfs.kinds.acquisition.section import complaints

        return complaints(config, dataset)

    def task_types(self) -> tuple[type[Task], ...]:
        from altfs.kinds.acquisition.acquire_task import AcquireTask

        return (AcquireTask,)

    def tasks(self, plan: Plan, dataset: str, fold: int) -> Iterator[Task]:
        from altfs.kinds.acquisition.acquire_task import acquire_tasks

        return acquire_tasks(plan, dataset, fold)

    def table_schema(self) -> pa.Schema:
        from altfs.kinds.acquisition.schema import STEP_SCHEMA

        return STEP_SCHEMA

    def headings(self) -> Mapping[str, tuple[str, str]]:
        return {
            "method": ("Method", "What chooses the next measurement."),
            "mode": (
                "Mode",
                "budget: the most that a row may cost; price: what a cost has to save.",
            ),
            "limit": ("Limit", "The budget or price; mean: the mean over those of a mode."),
            "accuracy": ("Accuracy", "Share of right answers."),
            "mcc": ("MCC", "Matthews' correlation coefficient of the answers."),
            "cost": ("Cost", "Mean cost of a row."),
            "measurements": ("Measured", "Mean number of measurements of a row."),
            "step": ("Step", "Mean place among the measurements of a row, from 1."),
            "switch": ("Switch", "Mean price of taking another measurement first."),
            "outage": ("Outage", "Mean price of never having it."),
            "acquisition.n": ("n", "Number of measured rows."),
            "acquisition_features.n": ("n", "Number of rows of which it is measured."),
            "acquisition_features.share": ("Share", "Share of the rows of which it is measured."),
        }
