"""What has to be known of the data before a study is planned, and is checked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict

from altfs.datasets import Dataset, make_dataset, sources
from altfs.datasets.pmlb import default_cache
from altfs.errors import ConfigError, DataError
from altfs.study.config import DatasetEntry, StudyConfig
from altfs.study.constraining import check_features


class DatasetFacts(BaseModel):
    """Size and identity of one dataset.

    Attributes
    ----------
    digest : str
        SHA-256 of the encoded values; every result depends on it.
    n_rows, n_total : int
        Rows and features.
    target_type : str
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    digest: str
    n_rows: int
    n_total: int
    target_type: str


def load_dataset(entry: DatasetEntry, cache: Path | None, key: str = "dataset") -> Dataset:
    """Read and encode the dataset of one configuration entry.

    Raises
    ------
    DataError
        With the entry's place in the configuration.
    """
    component = sources.get(entry.type, f"{key}.type")
    options = component.Options.model_validate(entry.options)
    try:
        raw = component(entry.name, options, cache or default_cache()).load()
    except DataError as error:
        raise DataError(f"{key}: {error}") from None
    return make_dataset(entry.name, raw, key)


def gather_facts(config: StudyConfig) -> dict[str, DatasetFacts]:
    """Read every dataset once and refuse what the study cannot do with it.

    Raises
    ------
    DataError, ConfigError
        If a dataset cannot be had or used, a set would have more features than
        the dataset, or a class has fewer rows than there are folds.
    """
    facts = {}
    for i, entry in enumerate(config.datasets):
        key = f"datasets[{i}]"
        dataset = load_dataset(entry, config.pmlb_cache, key)
        largest = max(config.n_features)
        if largest > dataset.n_total:
            raise ConfigError(
                f"n_features: {largest} is more than the {dataset.n_total} features of dataset "
                f"'{entry.name}', use at most {dataset.n_total} or leave {key} out."
            )
        _check_rows(dataset, config.folds, key)
        check_features(
            config.constraints,
            entry.name,
            dataset.feature_names,
            [selector.name for selector in config.selectors],
            [search.name for search in config.searches],
            min(config.n_features),
        )
        facts[entry.name] = DatasetFacts(
            digest=dataset.digest,
            n_rows=len(dataset.y),
            n_total=dataset.n_total,
            target_type=dataset.target_type,
        )
    return facts


def _check_rows(dataset: Dataset, folds: int, key: str) -> None:
    if dataset.target_type == "regression":
        if len(dataset.y) < folds:
            raise ConfigError(
                f"folds: {folds} is more than the {len(dataset.y)} rows of dataset "
                f"'{dataset.name}', use fewer folds or leave {key} out."
            )
        return
    values, counts = np.unique(dataset.y, return_counts=True)
    fewest = int(counts.argmin())
    if counts[fewest] < folds:
        label = int(values[fewest])
        texts = dataset.info["encodings"].get(dataset.target)
        shown = texts[label] if texts else label
        raise ConfigError(
            f"folds: {folds} is more than the {counts[fewest]} rows of class '{shown}' in dataset "
            f"'{dataset.name}', use at most {counts[fewest]} folds or leave {key} out."
        )
