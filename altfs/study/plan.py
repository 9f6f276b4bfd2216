"""The plan: every task of a study, its file and its inputs."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, wraps
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import yaml

from altfs._files import parse_json, read_bytes
from altfs.catalogue import figures, tables
from altfs.kinds.base import kinds
from altfs.prediction import models
from altfs.prediction.metrics import metrics_for
from altfs.scores import ScoreKey, scores
from altfs.searches import searches
from altfs.searches.request import UNLIMITED
from altfs.selectors import Selector, selectors
from altfs.solvers import solvers
from altfs.study.config import ModelEntry, SearchEntry, SelectorEntry, StudyConfig, parse_config
from altfs.study.constraining import combined
from altfs.study.facts import DatasetFacts
from altfs.study.fingerprint import code_hash, files_hash, members_of
from altfs.study.layout import Layout
from altfs.study.parts import PARTS
from altfs.study.store import SCHEMA_VERSION
from altfs.study.task import FoldTask, Place, Task, hash_of
from altfs.study.tasks import (
    DataTask,
    PredictTask,
    QualityTask,
    ScoreTask,
    SearchesTask,
    SearchTask,
    StoredScore,
)
from altfs.study.times import seconds_by_table

T = TypeVar("T")

# The room of solvers that nothing asks unless it names them.
_BY_NAME = "altfs.solvers.by_name"
# The number of features in a part of a score of pairs. Workers share the parts of a wide dataset.
_FEATURES_PER_PART = 24
# Where files lie and which job makes them, on which no result depends.
_PLACES = {"pmlb_cache", "results", "shards_per_job"}
# Sets that are trained in about so many seconds are a part.
_SECONDS_PER_PART = 30.0


def _once(method: Callable[..., T]) -> Callable[..., T]:
    """Let a method of a plan make each task once."""

    @wraps(method)
    def remembered(self: Plan, *place: Any) -> T:
        key = (method.__name__, *place)
        if key not in self._memory:
            self._memory[key] = method(self, *place)
        task: T = self._memory[key]
        return task

    return remembered


class Run(NamedTuple):
    """A run of a search; `n_features` is an entry of the configuration."""

    selector: str
    tau: str
    search: str
    n_features: int | str
    n_alternatives: int
    aggregation: str


@dataclass(frozen=True)
class Plan(Layout):
    """The tasks of a study."""

    config: StudyConfig
    #: By dataset name.
    facts: dict[str, DatasetFacts]
    # Tasks are made again and again, for their paths, their hashes and their inputs.
    _memory: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def results(self) -> str:
        """Results folder."""
        return str(self.config.results)

    @cached_property
    def selector_entries(self) -> dict[str, SelectorEntry]:
        """Selector entries by name."""
        return {entry.name: entry for entry in self.config.selectors}

    @cached_property
    def search_entries(self) -> dict[str, SearchEntry]:
        """Search entries by name."""
        return {entry.name: entry for entry in self.config.searches}

    @cached_property
    def model_entries(self) -> dict[str, ModelEntry]:
        """Model entries by name."""
        return {entry.name: entry for entry in self.config.models}

    @cached_property
    def fitted_selectors(self) -> dict[str, Selector]:
        """Selectors by name, which list the scores that they need."""
        return {name: entry.make() for name, entry in self.selector_entries.items()}

    @cached_property
    def sizes_by_tau(self) -> dict[str, list[int | str]]:
        """Sizes of feature sets by the tau that they are searched with."""
        return self.config.sizes_by_tau()

    @cached_property
    def hash(self) -> str:
        """Hash of the study and its data, on which only tables and report depend."""
        return hash_of({
            "config": self.config.model_dump(mode="json", exclude=_PLACES),
            "facts": {name: fact.digest for name, fact in self.facts.items()},
            "schema_version": SCHEMA_VERSION,
        })  # fmt: skip

    @cached_property
    def tasks(self) -> dict[str, Task]:
        """The tasks of the study by their files, except those of the evaluation."""
        return {task.path: task for name in self.facts for task in self.tasks_on(name)}

    def tasks_on(self, dataset: str) -> Iterator[Task]:
        """Yield the tasks of a dataset."""
        identity = self.facts[dataset].identity
        yield DataTask.model_construct(results=self.results, dataset=dataset, identity=identity)
        for fold in range(self.config.folds.number):
            yield from self.tasks_of_fold(dataset, fold)

    def tasks_of_fold(self, dataset: str, fold: int) -> Iterator[Task]:
        """Yield the tasks of one fold of a dataset, each after those whose files it reads."""
        used = self.selectors_on(dataset)
        names = sorted(
            {score for name in used for score in self.scores_of(name)}, key=lambda s: s.name
        )
        for score in names:
            task = self.score_task(dataset, fold, score)
            yield from (*task.columns(), task)
        for selector in filter(self.stores_quality, used):
            yield self.quality_task(dataset, fold, selector)
        yield from self.searching(dataset, fold)
        for kind in kinds.all():
            yield from kind.tasks(self, dataset, fold)
        for model in self.model_entries:
            predicting = self.predict_task(dataset, fold, model)
            yield from (*predicting.pieces(), predicting)

    def places(
        self, dataset: str | None = None, fold: int | None = None, selector: str | None = None
    ) -> Iterator[Place]:
        """Return the places of all shards, or of those of one dataset, fold and selector."""
        names = self.orders()["dataset"] if dataset is None else [dataset]
        folds = range(self.config.folds.number) if fold is None else [fold]
        return (
            Place(*place, *setting)
            for place in product(names, folds)
            for setting in self._settings(place[0])
            if selector in (None, setting[0])
        )

    def _pairs(self, selector: str, search: str, dataset: str) -> bool:
        entries = self.selector_entries[selector], self.search_entries[search]
        return self.config.pairs(*entries, dataset)

    @_once
    def _settings(self, dataset: str) -> list[tuple[str, str, str]]:
        """Return selector, tau and search of the shards of a fold of a dataset."""
        runs = (run for run in self.runs if self._pairs(run.selector, run.search, dataset))
        return list(dict.fromkeys((run.selector, run.tau, run.search) for run in runs))

    def shards(
        self, dataset: str | None = None, fold: int | None = None, selector: str | None = None
    ) -> Iterator[SearchTask]:
        """Return the tasks of all shards, or of those of one dataset, fold and selector."""
        return map(self.search_task, self.places(dataset, fold, selector))

    def shard_paths(self, dataset: str, fold: int, selector: str) -> Iterator[str]:
        """Return the files of the shards of a dataset, fold and selector, without their tasks."""
        begin = f"{self.results}/"
        places = self.places(dataset, fold, selector)
        return (begin + SearchTask.pattern.format(**place._asdict()) for place in places)

    def searching(self, dataset: str, fold: int) -> Iterator[SearchTask | SearchesTask]:
        """Return the tasks that make the shards of a dataset and fold, one by one or in groups."""
        if self.config.shards_per_job == "one":
            return self.shards(dataset, fold)
        searched = dict.fromkeys(place.selector for place in self.places(dataset, fold))
        return (self.searches_task(dataset, fold, selector) for selector in searched)

    @cached_property
    def runs(self) -> list[Run]:
        """The runs of searches on one fold of a dataset that all searches are for."""
        return [
            Run(selector.name, tau, search.name, k, n_alternatives, aggregation)
            for selector, tau, search in product(
                self.config.selectors, self.sizes_by_tau, self.config.searches
            )
            if self.config.pairs(selector, search)
            for k in self.sizes(selector.name, tau, search.name)
            for n_alternatives in search.n_alternatives
            for aggregation in tuple(search.aggregation) or ("none",)
        ]

    def sizes(self, selector: str, tau: str, search: str) -> list[int | str]:
        """Return the sizes of sets that a search looks for with a selector and a tau."""
        unlimited = self.selector_entries[selector].unlimited
        sizes = self.config.sizes(self.search_entries[search])
        return [k for k in self.sizes_by_tau[tau] if k in sizes and (unlimited or k != UNLIMITED)]

    def scores_of(self, selector: str) -> list[StoredScore]:
        """Return the scores that a selector reads, without duplicates."""
        component = self.fitted_selectors[selector]
        sides = (("train", component.train_scores), ("test", component.test_scores))
        # A score of single features has one file for both parts.
        named = {
            StoredScore(kind=key.kind, variant=key.variant, side=side if key.of_pairs else "train")
            for side, keys in sides
            for key in keys
        }
        return sorted(named, key=lambda score: score.name)

    def selectors_on(self, dataset: str) -> list[str]:
        """Return the names of the selectors that a search uses on a dataset."""
        entries = self.selector_entries.items()
        return [name for name, entry in entries if self.config.uses(entry, dataset)]

    def stores_quality(self, selector: str) -> bool:
        """Return True if the study stores the qualities of a selector."""
        return self.fitted_selectors[selector].stores

    def fold_fields(self, dataset: str, fold: int) -> dict[str, Any]:
        """Return the fields that all tasks of a fold have."""
        return {
            "results": self.results,
            "dataset": dataset,
            "digest": self.facts[dataset].digest,
            "fold": fold,
            "folds": self.config.folds.of(dataset),
            "seed": self.config.seed,
        }

    @_once
    def score_task(self, dataset: str, fold: int, score: StoredScore) -> ScoreTask:
        """Return the task of a score, for all of it."""
        n_total = self.facts[dataset].n_total
        return ScoreTask.model_construct(
            **self.fold_fields(dataset, fold),
            code=_score_code(score.key),
            of=score,
            n_parts=-(-n_total // _FEATURES_PER_PART) if score.key.of_pairs else 0,
        )

    @_once
    def quality_task(self, dataset: str, fold: int, selector: str) -> QualityTask:
        """Return the task of a selector's qualities, which may be stored or not."""
        entry = self.selector_entries[selector]
        floored: dict[str, Any] = {}
        if self.stores_quality(selector) and self.config.n_shuffles:
            sizes = tuple(k for k in self.config.n_features if k != UNLIMITED)
            floored = {"n_shuffles": self.config.n_shuffles, "sizes": sizes}
        # All selectors of a fold share scores.
        scores = tuple(
            score.model_copy(update={"hash": self.score_task(dataset, fold, score).hash})
            for score in self.scores_of(selector)
        )
        return QualityTask.model_construct(
            **self.fold_fields(dataset, fold),
            code=code_hash(
                "altfs.study.floors" if floored else "altfs.study.qualities",
                selectors.get(entry.type).__module__,
                *self.fitted_selectors[selector].other_code,
            ),
            component=entry.component,
            scores=scores,
            **floored,
        )

    @_once
    def search_task(self, place: Place) -> SearchTask:
        """Return the task of a shard."""
        return SearchTask.model_construct(
            **self.fold_fields(place.dataset, place.fold),
            **self.run_fields(place),
            code=self.search_code(place.search),
            learning=self.quality_task(*place[:3]),
            stored=self.stores_quality(place.selector),
        )

    @_once
    def searches_task(self, dataset: str, fold: int, selector: str) -> SearchesTask:
        """Return the task of all shards of a selector on a fold."""
        return SearchesTask.model_construct(
            **self.fold_fields(dataset, fold),
            code=code_hash("altfs.study.group"),
            settings=self._settings_of_searches(dataset, selector),
            learning=self.quality_task(dataset, fold, selector),
            stored=self.stores_quality(selector),
        )

    @_once
    def _settings_of_searches(self, dataset: str, selector: str) -> str:
        """Return the hash of all that shards of a selector depend on, but its qualities."""
        shards = self.shards(dataset, 0, selector)
        locations = {*SearchTask.locations, "learning", *FoldTask.model_fields} - {"code"}
        return hash_of(
            {"shards": [task.model_dump(mode="json", exclude=locations) for task in shards]}
        )

    @_once
    def works_of_searches(self, dataset: str, selector: str) -> Counter[tuple[str, ...]]:
        """Return the expected units of each kind of work of the shards of a selector on a fold."""
        works: Counter[tuple[str, ...]] = Counter()
        for task in self.shards(dataset, 0, selector):
            works[task.work] += int(task.units(self))
        return works

    def run_fields(self, place: Place) -> dict[str, Any]:
        """Return the fields of a task that runs a search."""
        search = self.search_entries[place.search]
        constraints = self.config.constraints
        return {
            # The result does not depend on the other selectors and datasets of the search.
            "entry": search.model_dump(mode="json", exclude={*PARTS}),
            "tau": place.tau,
            "n_features": tuple(self.sizes(place.selector, place.tau, place.search)),
            "dissimilarity": self.config.dissimilarity,
            "limits": self.config.limits.model_dump(),
            "constraints": combined(constraints, place.dataset, place.selector, place.search),
        }

    def search_code(self, search: str) -> str:
        """Return the hash of the code of a search."""
        entry = self.search_entries[search]
        return code_hash(
            "altfs.study.sharding", searches.get(entry.type).__module__, *_solver_modules(entry)
        )

    @_once
    def predict_task(self, dataset: str, fold: int, model: str) -> PredictTask:
        """Return the task of the predictions of a model."""
        entry = self.model_entries[model]
        task = PredictTask.model_construct(
            **self.fold_fields(dataset, fold),
            code=code_hash("altfs.study.predicting", models.get(entry.type).__module__),
            component=entry.component,
            metrics=tuple(self.metrics(dataset)),
        )
        # By the table alone, so that a study has the same parts everywhere.
        each = seconds_by_table(task.work, self.facts[dataset].size) or 0.0
        n_parts = math.ceil(each * task.units(self) / _SECONDS_PER_PART)
        return task.model_copy(update={"n_parts": max(n_parts, 1)})

    def n_sets(self, dataset: str) -> int:
        """Count the feature sets of one fold of a dataset."""
        runs = (run for run in self.runs if self._pairs(run.selector, run.search, dataset))
        return sum(run.n_alternatives + 1 for run in runs)

    def metrics(self, dataset: str) -> list[str]:
        """Return the metrics that fit the target of a dataset, that of most tables first."""
        return metrics_for(self.facts[dataset].target_type, self.config.metrics)

    def evaluated(self, dataset: str) -> list[str]:
        """Return the files of a dataset that the evaluation reads."""
        return [task.path for task in self.tasks_on(dataset) if task.evaluated]

    def orders(self) -> dict[str, list[str]]:
        """Return the names of datasets, selectors and searches in the configured order."""
        return {
            "dataset": [entry.name for entry in self.config.datasets],
            "selector": list(self.selector_entries),
            "search": list(self.search_entries),
        }

    @cached_property
    def long_tables(self) -> list[str]:
        """The names of the tables with all rows of a kind of answer."""
        return [kind.table for kind in kinds.all() if kind.table and kind.applies(self.config)]

    def collected_portion(self, dataset: str) -> list[str]:
        """Return the files of a dataset's collected results: notes, sets and what else it has."""
        begin = f"{self.results}/collected/{dataset}"
        more = [f"{begin}.{name}.parquet" for name in self.long_tables]
        return [f"{begin}.json", self.dataset_sets_path(dataset), *more]

    def combined_paths(self) -> list[str]:
        """Return the files of the combined results of all datasets."""
        more = map(self.long_table_path, self.long_tables)
        design = f"{self.results}/design.json"
        return [self.collected_path(), design, self.all_sets_path(), self.scores_path(), *more]

    @property
    def tables(self) -> list[str]:
        """The names of the tables of the study."""
        return tables.order(self.config)

    @property
    def figures(self) -> list[str]:
        """The names of the figures of the study."""
        return figures.order(self.config)

    def evaluation_paths(self) -> list[str]:
        """Return all files that are made from the results, except the page."""
        portions = [path for name in self.facts for path in self.collected_portion(name)]
        tables = [path for name in self.tables for path in self.table_paths(name)]
        drawn = [path for name in self.figures for path in self.figure_paths(name)]
        return [*self.combined_paths(), *portions, *tables, *drawn, self.evaluated_path()]

    @cached_property
    def evaluation(self) -> dict[str, Any]:
        """Everything on which tables, figures and the page depend."""
        modules = [m for registry in (kinds, tables, figures) for m in registry.modules()]
        modules += [
            p.module for registry in (kinds, tables, figures) for p in registry.entry_points()
        ]
        return {
            "plan": self.hash,
            "code": code_hash(
                "altfs.study.collect",
                "altfs.study.origin",
                *members_of("altfs.evaluation"),
                *modules,
            ),
            "page": files_hash("altfs.evaluation.report"),
        }

    def configuration(self) -> str:
        """Return the configuration as YAML, from which Snakemake makes the same study."""
        content = self.config.model_dump(mode="json")
        return yaml.safe_dump(content, sort_keys=False, allow_unicode=True)

    def dump(self, runs: Sequence[Mapping[str, Any]] = ()) -> str:
        """Return the plan and the runs of the study as JSON, for ``study.json``."""
        content = {
            "runs": list(runs),
            "schema_version": SCHEMA_VERSION,
            "config": self.config.model_dump(mode="json"),
            "facts": {name: fact.model_dump() for name, fact in self.facts.items()},
        }
        return json.dumps(content, indent=1, sort_keys=True) + "\n"


@lru_cache(maxsize=4)
def _parse_plan(text: str) -> Plan:
    content = parse_json(text)
    facts = {n: DatasetFacts.model_validate(f) for n, f in content["facts"].items()}
    return Plan(parse_config(content["config"]), facts)


def load_plan(results: str | Path) -> Plan:
    """Read the plan that the main process stored in the results folder."""
    return _parse_plan(read_bytes(Path(results, "study.json")).decode())


def _solver_modules(search: SearchEntry) -> tuple[str, ...]:
    """Return the solvers that a search may ask: the one that it names, and the unnamed ones."""
    by_name = members_of(_BY_NAME)
    unnamed = [module for module in members_of("altfs.solvers") if module not in by_name]
    if solvers.entry_points():
        # Theirs have no room, so their classes say which are unnamed.
        unnamed += [s.__module__ for s in solvers if not s.by_name_only]
    named = [] if search.solver is None else [solvers.get(search.solver.type).__module__]
    return (*unnamed, *named)


def _score_code(key: ScoreKey) -> str:
    """Hash the code of a score, and of the scores that it starts from."""
    pending, kinds = [key.kind], set()
    while pending:
        one = pending.pop()
        kinds.add(one)
        pending += set(scores.get(one).starts_from) - kinds
    modules = (scores.get(k).__module__ for k in sorted(kinds))
    return code_hash("altfs.study.scoring", *modules, *key.score.other_code(key.variant))
