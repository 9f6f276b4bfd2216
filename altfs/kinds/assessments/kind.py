"""The kind of answers that assess the sets of a study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from altfs.kinds.base import Kind, kinds

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from altfs._options import StrictModel
    from altfs.evaluation.results import Results
    from altfs.study.config import StudyConfig
    from altfs.study.plan import Plan
    from altfs.study.task import Task


def has_assessments(config: StudyConfig) -> bool:
    """Return True if the sets of a study are assessed."""
    from altfs.kinds.assessments.section import section_of

    return section_of(config) is not None


@kinds.register("assessments")
class Assessments(Kind):
    """Assessments of feature sets: near and equivalent sets, and a sensitive attribute."""

    section = "assessments"
    table = "assessed_sets"
    first_tables = ("assessments",)

    def applies(self, config: StudyConfig) -> bool:
        return has_assessments(config)

    def section_model(self) -> type[StrictModel]:
        from altfs.kinds.assessments.section import AssessmentsSection

        return AssessmentsSection

    def check(self, config: StudyConfig) -> None:
        from altfs.kinds.assessments.section import check_section

        check_section(config)

    def attributes(self, config: StudyConfig, dataset: str) -> Mapping[str, str]:
        from altfs.kinds.assessments.section import section_of

        section = section_of(config)
        column = None if section is None else section.column(dataset)
        return {} if column is None else {"assessments.sensitive": column}

    def task_types(self) -> tuple[type[Task], ...]:
        from altfs.kinds.assessments.task import AssessTask

        return (AssessTask,)

    def tasks(self, plan: Plan, dataset: str, fold: int) -> Iterator[Task]:
        from altfs.kinds.assessments.task import assess_tasks

        return assess_tasks(plan, dataset, fold)

    def table_schema(self) -> pa.Schema:
        from altfs.kinds.assessments.schema import ASSESSMENT_SCHEMA

        return ASSESSMENT_SCHEMA

    def sentences(self, table: pd.DataFrame, results: Results) -> Iterator[str]:
        from altfs.evaluation.stats.roles import is_random
        from altfs.kinds.assessments.words import sentences

        return sentences(table[~is_random(results, table)] if len(table) else table)

    def headings(self) -> Mapping[str, tuple[str, str]]:
        return {
            "n_near": (
                "Nearly as good",
                "Median number, at least, of sets within the share of the best.",
            ),
            "n_near_alternatives": (
                "Of them alternatives",
                "Median number, at least, that differ enough.",
            ),
            "n_equivalent": ("Equivalent sets", "Median number that tests cannot tell apart."),
            "equivalent": ("Equivalent", "Share of folds whose set is one of the equivalent ones."),
            "tells_all": ("Tells all", "Share of folds whose set tells all that they tell."),
            "price": ("Price", "Mean price that the set pays; the objective is less it."),
            "information": ("Bits", "Sum over features, each at least 0: noise has some, too."),
            "chance_information": ("Chance", "Bits about a shuffled attribute."),
            "parity": ("Parity", "Mean difference of demographic parity between groups."),
            "chance_parity": ("Chance", "Parity between shuffled groups."),
            "odds": ("Odds", "Mean difference of equalised odds between groups."),
            "chance_odds": ("Chance", "Odds between shuffled groups."),
        }
