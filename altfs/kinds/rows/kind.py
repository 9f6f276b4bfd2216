"""The kind of sets that explain what a model says of single rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from altfs.errors import DataError
from altfs.kinds.base import Kind, kinds

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from altfs._options import StrictModel
    from altfs.datasets import Dataset
    from altfs.errors import ConfigError
    from altfs.evaluation.results import Results
    from altfs.study.config import StudyConfig
    from altfs.study.plan import Plan
    from altfs.study.task import Task


def has_explanations(config: StudyConfig) -> bool:
    """Return True if single rows of a study are explained."""
    from altfs.kinds.rows.section import section_of

    return section_of(config) is not None


def knows_truth_of_rows(config: StudyConfig) -> bool:
    """Return True if rows are explained whose relevant features are known."""
    from altfs.datasets.row_designs import DESIGNS

    designs = (d.options.get("design") for d in config.datasets if d.type == "synthetic")
    return has_explanations(config) and any(design in DESIGNS for design in designs)


@kinds.register("rows")
class RowExplanations(Kind):
    """Sets that explain single rows of test parts, with alternatives."""

    section = "explanations"
    table = "explanation_rows"
    first_tables = ("explanations",)

    def applies(self, config: StudyConfig) -> bool:
        return has_explanations(config)

    def section_model(self) -> type[StrictModel]:
        from altfs.kinds.rows.section import ExplanationsSection

        return ExplanationsSection

    def check(self, config: StudyConfig) -> None:
        from altfs.kinds.rows.section import check_section

        check_section(config)

    def complaints(
        self, config: StudyConfig, dataset: Dataset, n_rows: int
    ) -> Iterator[ConfigError]:
        from altfs.kinds.rows.section import section_of
        from altfs.prediction import models

        section = section_of(config)
        if section is not None:
            try:
                models.make(section.model).check_part(dataset.target_type, n_rows)
            except DataError as error:
                yield error.at("explanations.model", f"dataset '{dataset.name}'", of="model")

    def task_types(self) -> tuple[type[Task], ...]:
        from altfs.kinds.rows.task import ExplainTask

        return (ExplainTask,)

    def tasks(self, plan: Plan, dataset: str, fold: int) -> Iterator[Task]:
        from altfs.kinds.rows.task import explain_tasks

        return explain_tasks(plan, dataset, fold)

    def table_schema(self) -> pa.Schema:
        from altfs.kinds.rows.schema import EXPLANATION_SCHEMA

        return EXPLANATION_SCHEMA

    def truth(self, results: Results) -> Iterator[pd.DataFrame]:
        from altfs.kinds.rows.truth import truth_of_explanations

        return truth_of_explanations(results)

    def headings(self) -> Mapping[str, tuple[str, str]]:
        return {
            "predicted": ("Predicted", "Class that the model predicts for the whole row."),
            "same_without": (
                "Without",
                "Share of rows whose class is predicted without any feature.",
            ),
            "sufficient": (
                "Sufficient",
                "Share of rows whose class is predicted from it, not without.",
            ),
            "probability_change": (
                "Change",
                "Mean change of the class's probability by its features.",
            ),
            "fidelity": ("Fidelity", "1 - change of the probability of the predicted class, mean."),
            "as_good": (
                "As good",
                "Share of rows for which it is as good as the first explanation.",
            ),
            "r2": ("R² alone", "R² of what the model says from it alone; of numbers."),
            "row_agreement": (
                "Rows agree",
                "Mean Dice similarity of the explanations of two rows.",
            ),
            "n_rows": ("Explained", "Number of explained rows."),
            "dice": ("Dice", "Mean Dice similarity of the explanations of this rank."),
            "nearest": (
                "Nearest",
                "Mean Dice similarity to the most similar one of the second method.",
            ),
            "explanations.n": ("n", "Number of rows that have the explanation."),
            "explanations.share": ("Share", "Mean share of a row's attribution that it has."),
            "explanations.seconds": ("Seconds", "Wall time of a row, its attribution included."),
            "explanations_by_class.n": ("n", "Number of rows of the class with the explanation."),
            "explanation_agreement.n": ("n", "Number of rows that both methods explain."),
        }
