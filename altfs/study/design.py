"""The design of a study and the origin of its results, as plain data for the evaluation."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from altfs._files import read_json
from altfs.errors import ConfigError
from altfs.problem.overlap import Dissimilarity
from altfs.study.layout import Layout
from altfs.study.store import library_versions


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    #: The publication of the method or the data, if the documentation names one.
    source: str = ""


class DatasetDesign(_Plain):
    """A dataset."""

    target_type: str
    n_rows: int
    n_total: int
    #: That of most tables first.
    metrics: tuple[str, ...]


class _Component(_Plain):
    type: str
    options: dict[str, Any]
    #: The first sentence of its documentation.
    about: str = ""


class SelectorDesign(_Component):
    """A selector."""

    #: True if features or rows arrive one by one.
    streams: bool
    #: True if the selector, or a constraint of the study on its sets, forbids some sets.
    conditions: bool
    #: The datasets that it is for; None for all.
    datasets: tuple[str, ...] | None = None


class SearchDesign(_Component):
    """A search; `options` has the defaults, too."""

    n_alternatives: tuple[int, ...]
    aggregation: tuple[str, ...]
    #: The datasets that it is for; None for all.
    datasets: tuple[str, ...] | None


class RunDesign(NamedTuple):
    """A run of a search on each fold; `n_features` is the number in the results."""

    selector: str
    tau: str
    search: str
    n_features: int
    n_alternatives: int
    aggregation: str


class Design(Layout, BaseModel):
    """Facts of a study that the evaluation needs, in the order of the configuration.

    The study writes it beside the collected results.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    #: Results folder, which may be moved.
    results: str
    name: str
    #: Hash of the study and its data, and of all on which tables, figures and the page depend.
    plan: str
    task_hash: str
    folds: int
    #: The folds as a phrase; empty for stratified ones.
    fold_words: str = ""
    seed: int
    datasets: tuple[DatasetDesign, ...]
    selectors: tuple[SelectorDesign, ...]
    searches: tuple[SearchDesign, ...]
    models: tuple[str, ...]
    taus: tuple[str, ...]
    #: The entry of ``n_features`` in the configuration for each number in the results.
    sizes: dict[int, str]
    dissimilarity: Dissimilarity
    runs: tuple[RunDesign, ...]
    #: The solvers whose work is a number of evaluated sets.
    evaluating: tuple[str, ...]
    #: The names of tables and figures, and of the tables with all rows of a kind of answer.
    tables: tuple[str, ...]
    figures: tuple[str, ...]
    long_tables: tuple[str, ...]

    @property
    def dataset_names(self) -> list[str]:
        """Names of the datasets."""
        return [dataset.name for dataset in self.datasets]

    @property
    def search_types(self) -> dict[str, str]:
        """The type of each search by its name."""
        return {search.name: search.type for search in self.searches}

    @property
    def widths(self) -> dict[str, float]:
        """The number of features of each dataset."""
        return {dataset.name: float(dataset.n_total) for dataset in self.datasets}

    def orders(self) -> dict[str, list[str]]:
        """Return the names of datasets, selectors and searches in the configured order."""
        named: dict[str, Sequence[_Plain]] = {
            "dataset": self.datasets, "selector": self.selectors, "search": self.searches,
        }  # fmt: skip
        return {column: [one.name for one in several] for column, several in named.items()}

    def n_runs(self, selector: str, search: str) -> int:
        """Count the folds of the datasets that a selector and a search are for."""
        names = set(self.dataset_names)
        for several, name in ((self.selectors, selector), (self.searches, search)):
            (datasets,) = (one.datasets for one in several if one.name == name)
            names &= names if datasets is None else set(datasets)
        return self.folds * len(names)

    def of_datasets(self, names: Collection[str]) -> Design:
        """Return the design of the part with some of the datasets."""
        kept = tuple(dataset for dataset in self.datasets if dataset.name in names)
        return self.model_copy(update={"datasets": kept})

    def with_runs(self, keep: Callable[[RunDesign], bool]) -> Design:
        """Return the design of the part with some of the runs."""
        return self.model_copy(update={"runs": tuple(filter(keep, self.runs))})

    def table_metadata(self) -> dict[str, Any]:
        """Return the metadata of every table."""
        return {
            "kind": "table",
            "plan": self.plan,
            "task_hash": self.task_hash,
            "versions": library_versions(),
        }

    def dump(self) -> str:
        """Return the design as JSON, without the folder."""
        # Stratified folds need no phrase.
        left_out = {"results"} if self.fold_words else {"results", "fold_words"}
        return json.dumps(self.model_dump(mode="json", exclude=left_out), indent=1) + "\n"


def read_design(results: str | Path) -> Design:
    """Read the design that was stored in the results folder."""
    path = Path(results, "design.json")
    try:
        return Design.model_validate({**read_json(path), "results": str(results)})
    except (TypeError, ValueError):
        advice = f"run 'altfs report {results}'"
        raise ConfigError("results", f"'{path}' is damaged", advice) from None


class Origin(NamedTuple):
    """The origin of the results of a study, for the page."""

    #: When, how and with what the last run was made, and how long tasks took.
    facts: dict[str, str]
    #: A line for each run.
    runs: list[str]
    #: The configuration as lines of JSON.
    configuration: list[str]
    #: The number of planned shards, and of those that exist.
    n_planned: int
    n_there: int
    #: The files that are missing, and the reasons for which their tasks failed.
    missing: list[str]
    failures: list[str]
    #: Files among the results that belong to no task and were not read.
    foreign: list[str]
    #: What an audit found, and the number of its problems; empty without an audit.
    audit: str = ""
    n_problems: int = 0
