"""The instances of benchmarks/exact_search.yaml, and the qualities they are about."""

from __future__ import annotations

import os
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from sklearn.feature_selection import mutual_info_regression
from sklearn.model_selection import StratifiedKFold

from altfs.datasets import make_dataset, sources

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Instance:
    """One search: what both sides are asked for."""

    group: str
    number: int
    dataset: str
    fold: int
    quality: str
    search: str
    aggregation: str
    n_features: int
    n_alternatives: int
    tau: str
    max_overlap: int

    @property
    def key(self) -> str:
        return f"{self.group}/{self.number}"


def grid() -> dict[str, Any]:
    """Return the grid."""
    return yaml.safe_load((HERE / "exact_search.yaml").read_text())


def instances(name: str) -> list[Instance]:
    """Return all instances of a class, without those with obviously too few features."""
    settings = grid()
    group = settings["classes"][name]
    found: list[Instance] = []
    every = [
        (dataset, fold)
        for dataset in group.get("datasets", settings["datasets"])
        for fold in range(group.get("folds", 1))
    ]
    for dataset, fold in every:
        n_total = len(qualities(dataset, fold)["relevance"])
        for k in settings["n_features"]:
            for distance in range(1, k + 1):
                for a in group["n_alternatives"]:
                    overlap = k - distance
                    n_sets = a + 1
                    low, more = divmod(n_sets * k, n_total)
                    pairs = (n_total - more) * comb(low, 2) + more * comb(low + 1, 2)
                    if group["search"] == "simultaneous" and pairs > comb(n_sets, 2) * overlap:
                        continue
                    found.append(
                        Instance(
                            name, len(found), dataset, fold, group["quality"], group["search"],
                            group.get("aggregation", "none"), k, a,
                            str(float(Fraction(distance, k))), overlap,
                        )
                    )  # fmt: skip
    return found


def qualities(dataset: str, fold: int = 0) -> dict[str, np.ndarray]:
    """Return relevance by scikit-learn, and redundancy of the first fold; both are kept."""
    cache = HERE.parent / "results" / "benchmarks" / "qualities"
    path = cache / (f"{dataset}.npz" if fold == 0 else f"{dataset}_{fold}.npz")
    if not path.exists():
        X, y, seed = _training_part(dataset, fold)
        found = {"relevance": mutual_info_regression(X, y, random_state=seed)}
        if fold == 0:
            columns = [mutual_info_regression(X, column, random_state=seed) for column in X.T]
            found["redundancy"] = np.column_stack(columns)
        cache.mkdir(parents=True, exist_ok=True)
        np.savez(path, **found)
    with np.load(path) as stored:
        return dict(stored)


def _training_part(dataset: str, fold: int) -> tuple[np.ndarray, np.ndarray, int]:
    settings = grid()
    component = sources.get("pmlb")
    cache = Path(os.environ["ALTFS_PMLB_CACHE"])
    data = make_dataset(
        dataset, component(dataset, component.Options(dataset=dataset), cache).load()
    )
    folds = StratifiedKFold(settings["folds"], shuffle=True, random_state=settings["seed"])
    train = list(folds.split(data.X, data.y))[fold][0]
    return data.X[train], data.y[train], settings["seed"]
