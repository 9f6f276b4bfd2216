"""Paths of the files in the results folder of a study."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple


class ShardKey(NamedTuple):
    """Identity of a shard."""

    dataset: str
    fold: int
    selector: str
    tau: str
    search: str


class Layout(ABC):
    """Paths of a study's files; :class:`altfs.study.plan.Plan` adds the tasks that make them."""

    @property
    @abstractmethod
    def results(self) -> str:
        """Results folder."""

    @property
    def study_file(self) -> str:
        """File of the plan itself, for workers."""
        return f"{self.results}/study.json"

    def data_path(self, dataset: str) -> str:
        """Return the path of a dataset."""
        return f"{self.results}/datasets/{dataset}.parquet"

    def score_path(self, dataset: str, fold: int, score: str) -> str:
        """Return the path of a score of a fold (:func:`altfs.study.scoring.score_name`)."""
        return f"{self.results}/scores/dataset={dataset}/fold={fold}/{score}.parquet"

    def score_part_path(self, dataset: str, fold: int, score: str, part: int) -> str:
        """Return the path of a part of a score of a fold."""
        return f"{self.results}/scores/dataset={dataset}/fold={fold}/{score}/part={part}.parquet"

    def quality_path(self, dataset: str, fold: int, selector: str) -> str:
        """Return the path of the qualities that a selector learned on a fold."""
        return f"{self.results}/qualities/dataset={dataset}/fold={fold}/selector={selector}.parquet"

    def shard_path(self, key: ShardKey) -> str:
        """Return the path of a shard."""
        return (
            f"{self.results}/shards/dataset={key.dataset}/fold={key.fold}/"
            f"selector={key.selector}/tau={key.tau}/search={key.search}.parquet"
        )

    def explanation_path(self, key: ShardKey) -> str:
        """Return the path of the explanations of single rows of a shard's fold."""
        return (
            f"{self.results}/explanations/dataset={key.dataset}/fold={key.fold}/"
            f"selector={key.selector}/tau={key.tau}/search={key.search}.parquet"
        )

    def prediction_path(self, dataset: str, fold: int, model: str) -> str:
        """Return the path of the predictions of one model on one fold."""
        return f"{self.results}/predictions/dataset={dataset}/fold={fold}/model={model}.parquet"

    def collected_path(self) -> str:
        """Return the path of notes on the results: missing files, and a hash of all files."""
        return f"{self.results}/collected.json"

    def portion_path(self, dataset: str) -> str:
        """Return the path of notes on the results of a dataset."""
        return f"{self.results}/collected/{dataset}.json"

    def portion_fronts_path(self, dataset: str) -> str:
        """Return the path of the fronts of a dataset."""
        return f"{self.results}/collected/{dataset}.fronts.parquet"

    def portion_explanations_path(self, dataset: str) -> str:
        """Return the path of the explanations of rows of a dataset."""
        return f"{self.results}/collected/{dataset}.explanations.parquet"

    def front_points_path(self) -> str:
        """Return the path of the table of all fronts."""
        return f"{self.results}/tables/front_points.parquet"

    def explanation_rows_path(self) -> str:
        """Return the path of the table of all explanations."""
        return f"{self.results}/tables/explanation_rows.parquet"

    def all_sets_path(self) -> str:
        """Return the path of all feature sets of the study."""
        return f"{self.results}/tables/feature_sets.parquet"

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
