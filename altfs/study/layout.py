"""Where the files of a study lie in its results folder."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple


class ShardKey(NamedTuple):
    """What identifies a shard."""

    dataset: str
    fold: int
    selector: str
    tau: str
    search: str


class Layout(ABC):
    """The paths of a study's files; what they hold is :class:`altfs.study.plan.Plan`'s."""

    @property
    @abstractmethod
    def results(self) -> str:
        """The results folder."""

    @property
    def study_file(self) -> str:
        """Where the plan itself is stored, for workers."""
        return f"{self.results}/study.json"

    def data_path(self, dataset: str) -> str:
        """The dataset as used."""
        return f"{self.results}/datasets/{dataset}.parquet"

    def score_path(self, dataset: str, fold: int, score: str) -> str:
        """One score of a fold, by its name (see :func:`altfs.study.scoring.score_name`)."""
        return f"{self.results}/scores/dataset={dataset}/fold={fold}/{score}.parquet"

    def shard_path(self, key: ShardKey) -> str:
        """The shard of a key."""
        return (
            f"{self.results}/shards/dataset={key.dataset}/fold={key.fold}/"
            f"selector={key.selector}/tau={key.tau}/search={key.search}.parquet"
        )

    def prediction_path(self, dataset: str, fold: int, model: str) -> str:
        """The predictions of one model on one fold."""
        return f"{self.results}/predictions/dataset={dataset}/fold={fold}/model={model}.parquet"

    def gathered_path(self) -> str:
        """What tells that every file that the last task reads is there, and which these are."""
        return f"{self.results}/gathered.json"

    def report_path(self) -> str:
        """The page of the study."""
        return f"{self.results}/report.html"

    def evaluated_path(self) -> str:
        """What tells which files the last task made, with which content and code."""
        return f"{self.results}/evaluated.json"

    def dataset_sets_path(self, dataset: str) -> str:
        """All feature sets of a dataset with their scores, which its view in the report links."""
        return f"{self.results}/tables/feature_sets/{dataset}.parquet"
