"""Paths of the files in the results folder of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING


def data_path(results: str, dataset: str) -> str:
    """Return the path of a dataset."""
    return f"{results}/datasets/{dataset}.parquet"


class Layout:
    """Paths of a study's files; :class:`altfs.study.plan.Plan` adds the tasks that make them."""

    if TYPE_CHECKING:

        @property
        def results(self) -> str:
            """Results folder."""

    @property
    def study_file(self) -> str:
        """File of the plan itself, for workers."""
        return f"{self.results}/study.json"

    def data_path(self, dataset: str) -> str:
        """Return the path of a dataset."""
        return data_path(self.results, dataset)

    def collected_path(self) -> str:
        """Return the path of notes on the results: missing files, and a hash of all files."""
        return f"{self.results}/collected.json"

    def long_table_path(self, name: str) -> str:
        """Return the path of the table of a kind of answer."""
        return f"{self.results}/tables/{name}.parquet"

    def all_sets_path(self) -> str:
        """Return the path of all feature sets of the study."""
        return f"{self.results}/tables/feature_sets.parquet"

    def scores_path(self) -> str:
        """Return the path of the scores of all feature sets."""
        return f"{self.results}/tables/scores.parquet"

    def table_paths(self, name: str) -> list[str]:
        """Return the files of a table of the evaluation."""
        return [f"{self.results}/tables/{name}.{kind}" for kind in ("parquet", "csv")]

    def figure_paths(self, name: str, *kinds: str) -> list[str]:
        """Return the files of a figure: of these kinds, or all of them.

        ``pdf`` has the width of a page's text, ``column.pdf`` that of one of two columns.
        """
        kinds = kinds or ("svg", "pdf", "column.pdf", "json")
        return [f"{self.results}/figures/{name}.{kind}" for kind in kinds]

    def inside(self, path: str) -> str:
        """Return a path relative to the results folder, which may be moved."""
        return path.removeprefix(f"{self.results}/")

    def report_path(self) -> str:
        """Return the path of the page of the study."""
        return f"{self.results}/report.html"

    def evaluated_path(self) -> str:
        """Return the path of the note on the files of the last task."""
        return f"{self.results}/evaluated.json"

    def dataset_sets_path(self, dataset: str) -> str:
        """Return the path of a dataset's feature sets with scores, which the report links."""
        return f"{self.results}/tables/feature_sets/{dataset}.parquet"
