"""What has to be known of the data before a study is planned, and is checked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict

from altfs.datasets import Dataset, make_dataset, sources
from altfs.datasets.pmlb import default_cache
from altfs.datasets.table import encodings_digest, identity_of
from altfs.errors import ConfigError, DataError
from altfs.selectors import selectors
from altfs.study.config import DatasetEntry, SelectorEntry, StudyConfig
from altfs.study.constraining import check_features
from altfs.study.folds import split_rows


class DatasetFacts(BaseModel):
    """Size and identity of one dataset.

    Attributes
    ----------
    digest : str
        SHA-256 of the encoded values; every result depends on it.
    n_rows, n_total : int
        Rows and features.
    target_type : str
    encodings : str
        SHA-256 of the texts that codes stand for; only the stored dataset depends on it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    digest: str
    n_rows: int
    n_total: int
    target_type: str
    encodings: str = ""

    @property
    def identity(self) -> str:
        """What the stored dataset has to be, see :attr:`altfs.datasets.Dataset.identity`."""
        return identity_of(self.digest, self.encodings)


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
        for complaint in complaints(config, dataset, key):
            raise complaint
        check_features(
            config.constraints,
            entry.name,
            dataset.feature_names,
            [selector.name for selector in config.selectors],
            [search.name for search in config.searches],
            min(config.n_features),
        )
        facts[entry.name] = facts_of(dataset)
    return facts


def facts_of(dataset: Dataset) -> DatasetFacts:
    """What a plan keeps of a dataset."""
    return DatasetFacts(
        digest=dataset.digest,
        n_rows=len(dataset.y),
        n_total=dataset.n_total,
        target_type=dataset.target_type,
        encodings=encodings_digest(dataset.info),
    )


def complaints(config: StudyConfig, dataset: Dataset, key: str) -> Iterator[ConfigError]:
    """What a study could not do with a dataset, whatever its constraints are.

    Parameters
    ----------
    config : StudyConfig
    dataset : Dataset
    key : str
        What to call the dataset in messages.
    """
    largest = max(config.n_features)
    if largest > dataset.n_total:
        yield ConfigError(
            f"n_features: {largest} is more than the {dataset.n_total} features of dataset "
            f"'{dataset.name}', use at most {dataset.n_total} or leave {key} out."
        )
    try:
        _check_rows(dataset, config.folds, key)
    except ConfigError as error:
        # Then there are no folds for selectors to learn on.
        yield error
        return
    for i, entry in enumerate(config.selectors):
        try:
            _check_selector(entry, dataset, config.folds, config.seed, f"selectors[{i}]")
        except ConfigError as error:
            yield error


def _check_selector(
    entry: SelectorEntry, dataset: Dataset, folds: int, seed: int, key: str
) -> None:
    """Refuse a selector that could not learn on the training part of some fold."""
    component = selectors.get(entry.type)
    selector = component(component.Options.model_validate(entry.options))
    for fold, (train, _) in enumerate(split_rows(dataset, folds, seed)):
        try:
            selector.check_target(dataset.y[train], dataset.target_type, seed)
        except DataError as error:
            why = str(error)[0].lower() + str(error)[1:].rstrip(".")
            raise ConfigError(
                f"{key}: '{entry.name}' cannot learn on fold {fold} of dataset '{dataset.name}' "
                f"({why}), use other folds than {folds} or leave the selector or the dataset out."
            ) from None


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
