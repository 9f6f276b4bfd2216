"""The plan: every task of a study, its file and its inputs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, product
from pathlib import Path
from typing import Any, NamedTuple

from altfs.datasets.row_designs import DESIGNS
from altfs.prediction import models
from altfs.prediction.metrics import metrics_for
from altfs.scores import scores
from altfs.searches import searches
from altfs.searches.request import UNLIMITED
from altfs.selectors import Selector, selectors
from altfs.solvers import solvers
from altfs.study.catalogue import figures, has_explanations, has_fronts, tables
from altfs.study.config import ModelEntry, SearchEntry, SelectorEntry, StudyConfig, parse_config
from altfs.study.constraining import combined
from altfs.study.explained import is_explained
from altfs.study.facts import DatasetFacts
from altfs.study.fingerprint import code_hash, files_hash, members_of
from altfs.study.layout import Layout, ShardKey
from altfs.study.parts import PARTS
from altfs.study.scoring import parse_score, score_name
from altfs.study.store import SCHEMA_VERSION, task_hash

# The room of solvers that nothing asks unless it names them.
_BY_NAME = "altfs.solvers.by_name"
# The arguments of a shard that the explanations of its fold have, too.
_OF_SEARCH = ("search", "tau", "n_features", "dissimilarity", "limits", "constraints")
# The number of features in a part of a score of pairs. Workers share the parts of a wide dataset.
_FEATURES_PER_PART = 24


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
    """The tasks of a study.

    Parameters
    ----------
    config : StudyConfig
    facts : dict of str to DatasetFacts
        By dataset name.
    """

    config: StudyConfig
    facts: dict[str, DatasetFacts]

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
        content = {
            "config": self.config.model_dump(mode="json", exclude={"pmlb_cache", "results"}),
            "facts": {name: fact.digest for name, fact in self.facts.items()},
            "schema_version": SCHEMA_VERSION,
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]

    def parts(self, dataset: str, score: str) -> range:
        """Return the parts in which a score is computed; none for a score of single features."""
        of_pairs = parse_score(score)[0].of_pairs
        return range(-(-self.facts[dataset].n_total // _FEATURES_PER_PART) if of_pairs else 0)

    def score_part_paths(self, dataset: str, fold: int, score: str) -> list[str]:
        """Return the files of the parts of a score."""
        parts = self.parts(dataset, score)
        return [self.score_part_path(dataset, fold, score, part) for part in parts]

    def shard_keys(self, dataset: str | None = None, fold: int | None = None) -> Iterator[ShardKey]:
        """Return the keys of all shards, or of those of one dataset and fold."""
        names = self.orders()["dataset"] if dataset is None else [dataset]
        folds = range(self.config.folds) if fold is None else [fold]
        settings = list(dict.fromkeys((run.selector, run.tau, run.search) for run in self.runs))
        return (
            ShardKey(*place, *one)
            for place in product(names, folds)
            for one in settings
            if self.config.takes(self.search_entries[one[-1]], place[0])
        )

    def explanation_keys(
        self, dataset: str | None = None, fold: int | None = None
    ) -> Iterator[ShardKey]:
        """Return the keys of the shards with whose settings rows are explained."""
        asked = {
            (selector.name, search.name)
            for selector, search in product(self.config.selectors, self.config.searches)
            if is_explained(self.config, selector, search)
        }
        keys = self.shard_keys(dataset, fold) if asked else iter(())
        return (key for key in keys if (key.selector, key.search) in asked)

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

    def runs_on(self, dataset: str) -> list[Run]:
        """Return the runs of searches on one fold of a dataset."""
        takes, searches = self.config.takes, self.search_entries
        return [run for run in self.runs if takes(searches[run.search], dataset)]

    def sizes(self, selector: str, tau: str, search: str) -> list[int | str]:
        """Return the sizes of sets that a search looks for with a selector and a tau."""
        unlimited = self.selector_entries[selector].unlimited
        asked = self.config.sizes(self.search_entries[search])
        return [k for k in self.sizes_by_tau[tau] if k in asked and (unlimited or k != UNLIMITED)]

    def selector_scores(self, selector: str) -> list[str]:
        """Return the names of the scores that a selector reads, without duplicates."""
        component = self.fitted_selectors[selector]
        sides = (("train", component.train_scores), ("test", component.test_scores))
        return sorted({score_name(key, side) for side, keys in sides for key in keys})

    def selectors_on(self, dataset: str) -> list[str]:
        """Return the names of the selectors that a search uses on a dataset."""
        entries = self.selector_entries.items()
        return [name for name, entry in entries if self.config.uses(entry, dataset)]

    def scores(self, dataset: str) -> list[str]:
        """Return the names of all scores that the study needs of a fold of a dataset."""
        used = self.selectors_on(dataset)
        return sorted({score for name in used for score in self.selector_scores(name)})

    def selector_inputs(self, dataset: str, fold: int, selector: str) -> list[str]:
        """Return the files that a selector reads."""
        return [self.data_path(dataset), *self._score_paths(dataset, fold, selector).values()]

    def search_inputs(self, dataset: str, fold: int, selector: str) -> list[str]:
        """Return the files that a shard reads."""
        if self.stores_quality(selector):
            return [self.data_path(dataset), self.quality_path(dataset, fold, selector)]
        return self.selector_inputs(dataset, fold, selector)

    def stores_quality(self, selector: str) -> bool:
        """Return True if the study stores the qualities of a selector."""
        return self.fitted_selectors[selector].stores

    def _score_paths(self, dataset: str, fold: int, selector: str) -> dict[str, str]:
        names = self.selector_scores(selector)
        return {name: self.score_path(dataset, fold, name) for name in names}

    def data_arguments(self, dataset: str) -> dict[str, Any]:
        """Return the arguments of :func:`altfs.study.tasks.data`."""
        return {
            "study": self.study_file,
            "dataset": dataset,
            "identity": self.facts[dataset].identity,
            "schema_version": SCHEMA_VERSION,
            "output": self.data_path(dataset),
        }

    def _fold_arguments(self, dataset: str, fold: int) -> dict[str, Any]:
        return {
            "dataset": dataset,
            "digest": self.facts[dataset].digest,
            "fold": fold,
            "folds": self.config.folds,
            "seed": self.config.seed,
        }

    def score_arguments(
        self, dataset: str, fold: int, score: str, part: int | None = None
    ) -> dict[str, Any]:
        """Return the arguments of :func:`altfs.study.tasks.score`, for all of it or a part."""
        arguments = {
            **self._fold_arguments(dataset, fold),
            "score": score,
            "code": _score_code(parse_score(score)[0].kind),
            "files": {"data": self.data_path(dataset)},
            "output": self.score_path(dataset, fold, score),
        }
        if part is not None:
            path = self.score_part_path(dataset, fold, score, part)
            parts = len(self.parts(dataset, score))
            return {**arguments, "part": part, "parts": parts, "output": path}
        paths = self.score_part_paths(dataset, fold, score)
        return {**arguments, "files": {"parts": paths}} if paths else arguments

    def quality_arguments(self, dataset: str, fold: int, selector: str) -> dict[str, Any]:
        """Return the arguments of :func:`altfs.study.tasks.quality`."""
        entry = self.selector_entries[selector]
        paths = self._score_paths(dataset, fold, selector)
        return {
            **self._fold_arguments(dataset, fold),
            "selector": entry.model_dump(mode="json"),
            "scores": {name: self._score_hash(dataset, fold, name) for name in paths},
            "code": code_hash(
                "altfs.study.qualities",
                selectors.get(entry.type).__module__,
                *self.fitted_selectors[selector].other_code,
            ),
            "files": {"data": self.data_path(dataset), "scores": paths},
            "output": self.quality_path(dataset, fold, selector),
        }

    def search_arguments(self, key: ShardKey) -> dict[str, Any]:
        """Return the arguments of :func:`altfs.study.tasks.search`."""
        search = self.search_entries[key.search]
        return {
            **self._learned(*key[:3]),
            # The shard does not depend on the other selectors and datasets of the search.
            "search": search.model_dump(mode="json", exclude={*PARTS}),
            "tau": key.tau,
            "n_features": self.sizes(key.selector, key.tau, key.search),
            "dissimilarity": self.config.dissimilarity,
            "limits": self.config.limits.model_dump(),
            "constraints": combined(self.config.constraints, key.dataset, key.selector, key.search),
            "code": code_hash(
                "altfs.study.sharding",
                searches.get(search.type).__module__,
                *_solver_modules(search),
            ),
            "output": self.shard_path(key),
        }

    def explain_arguments(self, key: ShardKey) -> dict[str, Any]:
        """Return the arguments of :func:`altfs.study.tasks.explain`."""
        section, selector = self.config.explanations, self.selector_entries[key.selector]
        assert section is not None
        search = self.search_arguments(key)
        dataset = next(e for e in self.config.datasets if e.name == key.dataset)
        design = str(dataset.options.get("design"))
        return {
            **self._fold_arguments(key.dataset, key.fold),
            **{name: search[name] for name in _OF_SEARCH},
            "selector": selector.model_dump(mode="json"),
            "explained": section.model_dump(exclude={"selectors", "searches"}),
            # Each row of such a design has relevant features of its own.
            "design": design if dataset.type == "synthetic" and design in DESIGNS else None,
            "search_code": search["code"],
            "code": code_hash(
                "altfs.study.explaining",
                selectors.get(selector.type).__module__,
                models.get(section.model).__module__,
                *self.fitted_selectors[key.selector].other_code,
            ),
            "files": {"data": self.data_path(key.dataset)},
            "output": self.explanation_path(key),
        }

    def _learned(self, *place: Any) -> dict[str, Any]:
        """Return the arguments of a shard that describe its quality, stored or not."""
        if place not in self._qualities:
            arguments = self.quality_arguments(*place)
            # The qualities are part of a shard's hash, stored or not.
            arguments["quality"] = task_hash(arguments)
            if self.stores_quality(place[2]):
                paths = {"data": self.data_path(place[0]), "quality": arguments["output"]}
                arguments["files"] = paths
            self._qualities[place] = arguments
        return self._qualities[place]

    def _score_hash(self, *place: Any) -> str:
        if place not in self._score_hashes:
            self._score_hashes[place] = task_hash(self.score_arguments(*place))
        return self._score_hashes[place]

    # All shards of a fold and selector have the same qualities. All selectors of a fold share
    # scores.
    @cached_property
    def _qualities(self) -> dict[tuple[Any, ...], dict[str, Any]]:
        return {}

    @cached_property
    def _score_hashes(self) -> dict[tuple[Any, ...], str]:
        return {}

    def metrics(self, dataset: str) -> list[str]:
        """Return the metrics that fit the target of a dataset, that of most tables first."""
        return metrics_for(self.facts[dataset].target_type, self.config.metrics)

    def predict_arguments(self, dataset: str, fold: int, model: str) -> dict[str, Any]:
        """Return the arguments of :func:`altfs.study.tasks.predict`."""
        entry = self.model_entries[model]
        return {
            **self._fold_arguments(dataset, fold),
            "model": model,
            **({"variant": entry.variant} if entry.variant else {}),
            **({"metrics": self.metrics(dataset)} if self.config.metrics else {}),
            "code": code_hash("altfs.study.predicting", models.get(entry.type).__module__),
            "study": self.study_file,
            "files": {"data": self.data_path(dataset)},
            "output": self.prediction_path(dataset, fold, model),
        }

    def orders(self) -> dict[str, list[str]]:
        """Return the names of datasets, selectors and searches in the configured order."""
        return {
            "dataset": [entry.name for entry in self.config.datasets],
            "selector": list(self.selector_entries),
            "search": list(self.search_entries),
        }

    def collected_portion(self, dataset: str) -> list[str]:
        """Return the files of a dataset's collected results: notes, sets and what else it has."""
        return [
            self.portion_path(dataset),
            self.dataset_sets_path(dataset),
            *[self.portion_fronts_path(dataset)] * has_fronts(self.config),
            *[self.portion_explanations_path(dataset)] * has_explanations(self.config),
        ]

    def combined_paths(self) -> list[str]:
        """Return the files of the combined results of all datasets."""
        more = [self.front_points_path()] * has_fronts(self.config)
        more += [self.explanation_rows_path()] * has_explanations(self.config)
        return [self.collected_path(), self.all_sets_path(), *more]

    def collected_paths(self) -> list[str]:
        """Return the files that tables, figures and the page are made from."""
        portions = map(self.collected_portion, self.orders()["dataset"])
        return [*self.combined_paths(), *chain.from_iterable(portions)]

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
        made = [path for name in self.tables for path in self.table_paths(name)]
        drawn = [path for name in self.figures for path in self.figure_paths(name)]
        return [*self.collected_paths(), *made, *drawn, self.evaluated_path()]

    def evaluate_arguments(self) -> dict[str, Any]:
        """Return the arguments of the evaluation's tasks; a table or figure adds its name."""
        return {
            "study": self.study_file,
            "plan": self.hash,
            "code": code_hash("altfs.evaluation.task", *members_of("altfs.evaluation")),
            "page": files_hash("altfs.evaluation.report"),
        }

    def dump(self, runs: Sequence[Mapping[str, Any]] = ()) -> str:
        """Return the plan and the runs of the study as JSON, for ``study.json``."""
        content = {
            "runs": list(runs),
            "schema_version": SCHEMA_VERSION,
            "config": self.config.model_dump(mode="json"),
            "facts": {name: fact.model_dump() for name, fact in self.facts.items()},
        }
        return json.dumps(content, indent=1, sort_keys=True) + "\n"


def shard_hash(plan: Plan, key: ShardKey) -> str:
    """Return the task hash that the shard of a key has to have."""
    return task_hash(plan.search_arguments(key))


@lru_cache(maxsize=4)
def _parse_plan(text: str) -> Plan:
    content = json.loads(text)
    facts = {n: DatasetFacts.model_validate(f) for n, f in content["facts"].items()}
    return Plan(parse_config(content["config"]), facts)


def load_plan(study_file: str | Path) -> Plan:
    """Read the plan that the main process stored."""
    return _parse_plan(Path(study_file).read_text("utf-8"))


def _solver_modules(search: SearchEntry) -> tuple[str, ...]:
    """Return the solvers that a search may ask: the one that it names, and the unnamed ones."""
    by_name = members_of(_BY_NAME)
    unnamed = [module for module in members_of("altfs.solvers") if module not in by_name]
    named = [] if search.solver is None else [solvers.get(search.solver.type).__module__]
    return (*unnamed, *named)


def _score_code(kind: str) -> str:
    """Hash the code of a score, and of the scores that it starts from."""
    pending, kinds = [kind], set()
    while pending:
        one = pending.pop()
        kinds.add(one)
        pending += set(scores.get(one).starts_from) - kinds
    return code_hash("altfs.study.scoring", *(scores.get(k).__module__ for k in sorted(kinds)))
