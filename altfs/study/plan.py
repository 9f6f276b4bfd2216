"""The plan: every task of a study, where its file is and what it depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import Any

from altfs.prediction import models
from altfs.searches import searches
from altfs.selectors import Selector, selectors
from altfs.study.config import SearchEntry, SelectorEntry, StudyConfig, parse_config
from altfs.study.constraining import combined
from altfs.study.evaluation_names import FIGURES, TABLES
from altfs.study.facts import DatasetFacts
from altfs.study.fingerprint import code_hash, files_hash, members_of
from altfs.study.layout import Layout, ShardKey
from altfs.study.scoring import parse_score, score_name
from altfs.study.special_shards import is_special
from altfs.study.store import SCHEMA_VERSION, task_hash

# Scores of feature pairs are computed in parts of this many features, so that
# the workers share a wide dataset.
_FEATURES_PER_PART = 24


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
        """The results folder."""
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
    def fitted_selectors(self) -> dict[str, Selector]:
        """Selector objects by name; they say which scores they need."""
        made = {}
        for name, entry in self.selector_entries.items():
            component = selectors.get(entry.type)
            made[name] = component(component.Options.model_validate(entry.options))
        return made

    @cached_property
    def sizes_by_tau(self) -> dict[str, list[int]]:
        """Tau -> the sizes of feature sets it is used for."""
        return self.config.sizes_by_tau()

    @cached_property
    def hash(self) -> str:
        """Identifies the study with its data; belongs to tables and report only."""
        content = {
            "config": self.config.model_dump(mode="json", exclude={"pmlb_cache", "results"}),
            "facts": {name: fact.digest for name, fact in self.facts.items()},
            "schema_version": SCHEMA_VERSION,
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]

    def n_parts(self, dataset: str) -> int:
        """In how many pieces scores of feature pairs are computed."""
        return -(-self.facts[dataset].n_total // _FEATURES_PER_PART)

    def score_part_paths(self, dataset: str, fold: int, score: str) -> list[str]:
        """The pieces in which a score of feature pairs is computed."""
        folder = f"{self.results}/scores/dataset={dataset}/fold={fold}/{score}"
        return [f"{folder}/part={p}.parquet" for p in range(self.n_parts(dataset))]

    def shard_keys(self, dataset: str | None = None, fold: int | None = None) -> Iterator[ShardKey]:
        """The keys of all shards, or of those of one dataset and fold."""
        names = [entry.name for entry in self.config.datasets] if dataset is None else [dataset]
        folds = range(self.config.folds) if fold is None else [fold]
        combinations = product(
            names, folds, self.selector_entries, self.sizes_by_tau, self.search_entries
        )
        return (ShardKey(*combination) for combination in combinations)

    def selector_scores(self, selector: str) -> list[str]:
        """The names of the scores that a selector reads, each of them once."""
        component = self.fitted_selectors[selector]
        sides = (("train", component.train_scores), ("test", component.test_scores))
        return sorted({score_name(key, side) for side, keys in sides for key in keys})

    def scores(self) -> list[str]:
        """The names of all scores that the study needs of a fold."""
        return sorted({s for name in self.selector_entries for s in self.selector_scores(name)})

    def selector_inputs(self, dataset: str, fold: int, selector: str) -> list[str]:
        """The files that a selector reads."""
        paths = [self.score_path(dataset, fold, s) for s in self.selector_scores(selector)]
        return [self.data_path(dataset), *paths]

    def data_arguments(self, dataset: str) -> dict[str, Any]:
        """Arguments of :func:`altfs.study.tasks.data`."""
        facts = self.facts[dataset]
        return {
            "study": self.study_file,
            "dataset": dataset,
            "digest": facts.digest,
            **({"encodings": facts.encodings} if facts.encodings else {}),
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

    def score_arguments(self, dataset: str, fold: int, score: str) -> dict[str, Any]:
        """Arguments of :func:`altfs.study.tasks.score`."""
        key, side = parse_score(score)
        return {
            **self._fold_arguments(dataset, fold),
            "kind": key.kind,
            "variant": key.variant,
            **({"side": side} if key.of_pairs else {}),
            "code": code_hash("altfs.study.scoring"),
            "files": {"data": self.data_path(dataset)},
            "output": self.score_path(dataset, fold, score),
        }

    def score_part_arguments(
        self, dataset: str, fold: int, score: str, part: int
    ) -> dict[str, Any]:
        """Arguments of :func:`altfs.study.tasks.score_part`."""
        return {
            **self.score_arguments(dataset, fold, score),
            "part": part,
            "parts": self.n_parts(dataset),
            "output": self.score_part_paths(dataset, fold, score)[part],
        }

    def score_join_arguments(self, dataset: str, fold: int, score: str) -> dict[str, Any]:
        """Arguments of :func:`altfs.study.tasks.score_join`."""
        return {
            **self.score_arguments(dataset, fold, score),
            "files": {"parts": self.score_part_paths(dataset, fold, score)},
        }

    def search_arguments(self, key: ShardKey) -> dict[str, Any]:
        """Arguments of :func:`altfs.study.tasks.search`."""
        selector, search = self.selector_entries[key.selector], self.search_entries[key.search]
        arguments = {
            **self._fold_arguments(key.dataset, key.fold),
            "selector": selector.model_dump(mode="json"),
            "search": search.model_dump(mode="json"),
            "tau": key.tau,
            "n_features": self.sizes_by_tau[key.tau],
            "limits": self.config.limits.model_dump(),
            "files": {
                "hashes": self._score_hashes(key),
                "data": self.data_path(key.dataset),
                "scores": {
                    score: self.score_path(key.dataset, key.fold, score)
                    for score in self.selector_scores(key.selector)
                },
            },
            "output": self.shard_path(key),
        }
        wanted = combined(self.config.constraints, key.dataset, key.selector, key.search)
        if wanted is not None:
            arguments["constraints"] = wanted
        return {**arguments, "code": _search_code(selector.type, search.type, arguments)}

    def _score_hashes(self, key: ShardKey) -> dict[str, str]:
        """The task hashes that the scores of a shard have to have, by name."""
        names = self.selector_scores(key.selector)
        return {name: self._score_hash(key.dataset, key.fold, name) for name in names}

    def _score_hash(self, *score: Any) -> str:
        # All shards of a fold ask for the same ones.
        if score not in self._known_hashes:
            self._known_hashes[score] = task_hash(self.score_arguments(*score))
        return self._known_hashes[score]

    @cached_property
    def _known_hashes(self) -> dict[tuple[Any, ...], str]:
        return {}

    def predict_arguments(self, dataset: str, fold: int, model: str) -> dict[str, Any]:
        """Arguments of :func:`altfs.study.tasks.predict`."""
        return {
            **self._fold_arguments(dataset, fold),
            "model": model,
            "code": code_hash("altfs.study.predicting", models.get(model).__module__),
            "study": self.study_file,
            "files": {"data": self.data_path(dataset)},
            "output": self.prediction_path(dataset, fold, model),
        }

    def gather_arguments(self) -> dict[str, Any]:
        """Arguments of :func:`altfs.study.tasks.gather`."""
        return {"study": self.study_file, "output": self.gathered_path()}

    def evaluation_paths(self) -> list[str]:
        """What the last task makes, the report excepted."""
        tables = [f"{self.results}/tables/{t}.{e}" for t in TABLES for e in ("parquet", "csv")]
        figures = [f"{self.results}/figures/{f}.{e}" for f in FIGURES for e in ("svg", "pdf")]
        sets = [self.dataset_sets_path(entry.name) for entry in self.config.datasets]
        all_sets = f"{self.results}/tables/feature_sets.parquet"
        return [all_sets, *sets, *tables, *figures, self.evaluated_path()]

    def evaluate_arguments(self) -> dict[str, Any]:
        """Arguments of :func:`altfs.evaluation.task.evaluate`."""
        return {
            "study": self.study_file,
            "plan": self.hash,
            "code": code_hash("altfs.evaluation.task"),
            "page": files_hash("altfs.evaluation.report"),
        }

    # -- storage -----------------------------------------------------------

    def dump(self) -> str:
        """The plan as JSON, for ``study.json``."""
        content = {
            "schema_version": SCHEMA_VERSION,
            "config": self.config.model_dump(mode="json"),
            "facts": {name: fact.model_dump() for name, fact in self.facts.items()},
        }
        return json.dumps(content, indent=1, sort_keys=True) + "\n"


def shard_hash(plan: Plan, key: ShardKey) -> str:
    """The task hash that the shard of a key has to have."""
    return task_hash(plan.search_arguments(key))


@lru_cache(maxsize=4)
def _parse_plan(text: str) -> Plan:
    content = json.loads(text)
    facts = {n: DatasetFacts.model_validate(f) for n, f in content["facts"].items()}
    return Plan(parse_config(content["config"]), facts)


def load_plan(study_file: str | Path) -> Plan:
    """Read the plan that the main process stored."""
    return _parse_plan(Path(study_file).read_text("utf-8"))


def _search_code(selector: str, search: str, arguments: dict[str, Any]) -> str:
    special = ["altfs.study.special_shards"] if is_special(arguments) else []
    return code_hash(
        "altfs.study.sharding",
        *special,
        searches.get(search).__module__,
        selectors.get(selector).__module__,
        *members_of("altfs.solvers"),
    )
