"""The instances of benchmarks/exact_search.yaml, and the qualities they are about."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import yaml

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Instance:
    """One search: what both sides are asked for."""

    group: str
    number: int
    dataset: str
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
    """The grid's file."""
    return yaml.safe_load((HERE / "exact_search.yaml").read_text())


def instances(name: str) -> list[Instance]:
    """All instances of a class, those with obviously too few features left out."""
    settings = grid()
    group = settings["classes"][name]
    found: list[Instance] = []
    for dataset in group.get("datasets", settings["datasets"]):
        n_total = len(qualities(dataset)["relevance"])
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
                            name, len(found), dataset, group["quality"], group["search"],
                            group.get("aggregation", "none"), k, a,
                            str(float(Fraction(distance, k))), overlap,
                        )
                    )  # fmt: skip
    return found


def qualities(dataset: str) -> dict[str, np.ndarray]:
    """Relevance and redundancy by scikit-learn on the first fold; computed once and kept."""
    cache = HERE.parent / "results" / "benchmarks" / "qualities"
    path = cache / f"{dataset}.npz"
    if not path.exists():
        import os

        from sklearn.feature_selection import mutual_info_regression
        from sklearn.model_selection import StratifiedKFold

        from altfs.datasets import make_dataset, sources

        settings = grid()
        component = sources.get("pmlb")
        source = component(
            dataset, component.Options(dataset=dataset), Path(os.environ["ALTFS_PMLB_CACHE"])
        )
        data = make_dataset(dataset, source.load())
        folds = StratifiedKFold(settings["folds"], shuffle=True, random_state=settings["seed"])
        train = next(iter(folds.split(data.X, data.y)))[0]
        X, y = data.X[train], data.y[train]
        relevance = mutual_info_regression(X, y, random_state=settings["seed"])
        redundancy = np.column_stack(
            [
                mutual_info_regression(X, X[:, j], random_state=settings["seed"])
                for j in range(X.shape[1])
            ]
        )
        cache.mkdir(parents=True, exist_ok=True)
        np.savez(path, relevance=relevance, redundancy=redundancy)
    with np.load(path) as stored:
        return dict(stored)
