"""Facts about the data of a study, which are checked before it is planned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from altfs.datasets import Dataset, make_dataset, sources
from altfs.datasets.columns import text_names
from altfs.datasets.pmlb import default_cache
from altfs.errors import AltfsError, ConfigError, DataError, placed
from altfs.kinds.base import kinds
from altfs.prediction.disparities import groups_of
from altfs.searches.request import UNLIMITED, sizes_of, stored_size
from altfs.selectors.base import check_columns
from altfs.study.config import DatasetEntry, StudyConfig
from altfs.study.constraining import combined
from altfs.study.cross_validation import Folds, fold_labels
from altfs.study.folds import part_of

if TYPE_CHECKING:
    import pandas as pd

    from altfs.datasets.base import RawTable

# The rows in which distinct values are counted, so that large tables take no time.
_COUNTED_ROWS = 1_000


class DatasetFacts(BaseModel):
    """Size and identity of one dataset."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    #: SHA-256 of the encoded values; every result depends on it.
    digest: str
    n_rows: int
    #: The number of features.
    n_total: int
    target_type: str
    #: SHA-256 of the digest and the texts of codes; only the stored dataset depends on it.
    identity: str
    #: The mean number of distinct values of a feature in at most 1,000 rows. Only costs use it;
    #: plans of earlier versions do not have it.
    n_values: float = 1.0

    @property
    def size(self) -> tuple[int, int, float]:
        """The numbers that costs depend on: rows, features, distinct values of a feature."""
        return self.n_rows, self.n_total, self.n_values


def load_dataset(
    entry: DatasetEntry,
    cache: Path | None,
    key: str = "dataset",
    folds: Folds | None = None,
    attributes: Mapping[str, str] | None = None,
) -> Dataset:
    """Read and encode the dataset of an entry; errors name its place in the configuration.

    The column of folds, if there is one, is not a feature. Neither are the `attributes`, which have
    keys of the configuration.
    """
    component = sources.get(entry.type, f"{key}.type")
    options = component.Options.model_validate(entry.options)
    with placed(key, f"dataset '{entry.name}': "):
        raw = component(entry.name, options, cache or default_cache()).load()
    named = dict(attributes or {})
    of_dataset = None if folds is None else folds.of(entry.name)
    if of_dataset is not None and isinstance(of_dataset.column, str):
        named["folds.column"] = of_dataset.column
    if not named:
        return make_dataset(entry.name, raw, key, options)
    for at, other in (attributes or {}).items():
        if other == named.get("folds.column"):
            reason = f"'{other}' is the column of the folds of dataset '{entry.name}'"
            raise ConfigError(at, reason, "name another column")
    with placed(key, f"dataset '{entry.name}', "):
        names = text_names(list(raw.frame.columns))
    columns = {at: _further_column(raw, names, at, named[at], entry.name) for at in named}
    exclude = tuple(dict.fromkeys((*options.exclude, *named.values())))
    dataset = make_dataset(entry.name, raw, key, options.model_copy(update={"exclude": exclude}))
    by_folds, texts = columns.pop("folds.column", None), {}
    for at, column in columns.items():
        try:
            codes, groups = groups_of(column, len(column), f"'{named[at]}'")
        except AltfsError as error:
            raise error.at(at, f"dataset '{entry.name}'", of="sensitive") from None
        texts[named[at]] = np.array([*groups], dtype=object)[codes]
    dataset = replace(dataset, attributes=texts)
    if by_folds is None or of_dataset is None:
        return dataset
    labels = fold_labels(by_folds, of_dataset, entry.name)
    return replace(dataset, fold_column=named["folds.column"], fold_labels=labels)


def _further_column(
    raw: RawTable, names: Sequence[str], key: str, column: str, dataset: str
) -> pd.Series[Any]:
    """Return a column that is no feature; ConfigError if it is not there or is the target."""
    others = [name for name in names if name != raw.target]
    if column in others:
        return raw.frame.iloc[:, names.index(column)]
    what = "is the target" if column == raw.target else "is not a column"
    reason = f"'{column}' {what} of dataset '{dataset}'"
    shown = ", ".join(others[:8]) + (", ..." if len(others) > 8 else "")
    raise ConfigError.of_name(
        key, reason, column, others, f"name one of its other columns: {shown}"
    )


def attributes_of(config: StudyConfig, dataset: str) -> dict[str, str]:
    """Return the columns that are no features, but those of folds, by keys of the configuration."""
    found: dict[str, str] = {
        f"constraints[{i}].sensitive": str(entry.sensitive)
        for i, entry in enumerate(config.constraints)
        if entry.sensitive is not None and entry.applies(dataset)
    }
    for kind in kinds.all():
        found |= kind.attributes(config, dataset)
    return found


def gather_facts(config: StudyConfig) -> dict[str, DatasetFacts]:
    """Read every dataset once, and check that the study can use it."""
    facts = {}
    for i, entry in enumerate(config.datasets):
        key = f"datasets[{i}]"
        attributes = attributes_of(config, entry.name)
        dataset = load_dataset(entry, config.pmlb_cache, key, config.folds, attributes)
        for complaint in complaints(config, dataset, key):
            raise complaint
        facts[entry.name] = facts_of(dataset)
    return facts


def facts_of(dataset: Dataset) -> DatasetFacts:
    """Return the facts about a dataset that a plan keeps."""
    # Distinct values are counted in rows at equal distances.
    some = dataset.X[:: -(-len(dataset.y) // _COUNTED_ROWS)]
    return DatasetFacts(
        digest=dataset.digest,
        n_rows=len(dataset.y),
        n_total=dataset.n_total,
        target_type=dataset.target_type,
        identity=dataset.identity,
        n_values=sum(len(np.unique(values)) for values in some.T) / dataset.n_total,
    )


def complaints(config: StudyConfig, dataset: Dataset, key: str) -> Iterator[ConfigError]:
    """Yield the reasons for which a study refuses a dataset, which messages call `key`."""
    sizes_of_searches = [
        config.sizes(search) for search in config.searches if search.is_for(dataset.name)
    ]
    largest = max(stored_size(k) for sizes in sizes_of_searches for k in sizes)
    if largest > dataset.n_total:
        yield ConfigError(
            "n_features",
            f"{largest} is more than the {dataset.n_total} features of dataset '{dataset.name}'",
            f"use at most {dataset.n_total} or leave {key} out",
        )
    folds = config.folds.of(dataset.name)
    classes = dataset.info["encodings"].get(dataset.target, ())
    n_rows, rows, use = len(dataset.y), "rows of dataset", "fewer folds"
    if dataset.target_type != "regression":
        values, counts = np.unique(dataset.y, return_counts=True)
        n_rows, label = int(counts.min()), int(values[counts.argmin()])
        rows = f"rows of class '{classes[label] if classes else label}' in dataset"
        use = f"at most {n_rows} folds"
    where = f"dataset '{dataset.name}'"
    if folds.type == "stratified" and n_rows < folds.number:
        yield ConfigError(
            "folds",
            f"{folds.number} is more than the {n_rows} {rows} '{dataset.name}'",
            f"use {use} or leave {key} out",
        )
        # There are no folds for selectors to learn on.
        return
    try:
        splits = folds.split(dataset, config.seed)
    except DataError as error:
        yield error.at("folds", where)
        return
    for fold, (train, _) in enumerate(splits):
        if dataset.target_type != "regression" and len(np.unique(dataset.y[train])) < 2:
            reason = f"fold {fold} of {where} learns from one class alone"
            yield ConfigError("folds", reason, f"use other folds or leave {key} out")
            return
    # Checks of a training part do not read its features.
    bare = replace(dataset, X=np.zeros((len(dataset.y), 1)), feature_names=("",))
    for i, entry in enumerate(config.selectors):
        if not config.uses(entry, dataset.name):
            continue
        selector = entry.make()
        try:
            selector = selector.with_classes(classes)
            check_columns(selector, dataset.feature_names, dataset.categorical)
        except DataError as error:
            yield error.at(f"selectors[{i}]", where, of="selector")
            continue
        for fold, (train, _) in enumerate(splits):
            try:
                selector.check_part(part_of(bare, train, folds, config.seed, test=False))
            except DataError as error:
                if error.key == "selector":
                    # No other folds would help.
                    yield error.at(f"selectors[{i}]", where, of="selector")
                    break
                text = str(error).rstrip(".")
                why = text[0].lower() + text[1:]
                yield ConfigError(
                    f"selectors[{i}]",
                    f"'{entry.name}' cannot learn on fold {fold} of dataset '{dataset.name}' "
                    f"({why})",
                    f"use other folds than {folds.number}, leave the dataset out, or name the "
                    "datasets of the selector",
                )
                break
    for i, model in enumerate(config.models):
        try:
            model.make().check_part(dataset.target_type, min(len(train) for train, _ in splits))
        except DataError as error:
            yield error.at(f"models[{i}]", where, of="model")
    for kind in kinds.all():
        yield from kind.complaints(config, dataset, min(len(train) for train, _ in splits))
    yield from _constraint_complaints(config, dataset)


def _constraint_complaints(config: StudyConfig, dataset: Dataset) -> Iterator[ConfigError]:
    """Yield the reasons for which no feature set of a dataset satisfies the constraints."""
    names = dataset.feature_names
    for i, constraint in enumerate(config.constraints):
        named = constraint.features() if constraint.applies(dataset.name) else {}
        named.pop("sensitive", None)
        for key, feature in ((key, str(name)) for key, listed in named.items() for name in listed):
            if feature not in names:
                yield ConfigError.of_name(
                    f"constraints[{i}].{key}",
                    f"'{feature}' is not a feature of dataset '{dataset.name}'",
                    feature,
                    names,
                    "use its column names, or say in 'datasets' which are meant",
                )
                return
    for selector, search in product(config.selectors, config.searches):
        if not config.pairs(selector, search, dataset.name):
            continue
        constraints = combined(config.constraints, dataset.name, selector.name, search.name)
        if constraints is None:
            continue
        sizes = {*config.sizes(search)} - {UNLIMITED}
        smallest = min((sizes_of(k)[0] for k in sizes), default=1)
        if len(constraints.include) > smallest:
            yield ConfigError(
                "constraints",
                f"include has {len(constraints.include)} features, sets of {smallest} cannot hold "
                "them",
                f"include fewer or leave n_features {smallest} out",
            )
        try:
            if constraints.sensitive is not None:
                # What features tell is not known yet.
                constraints = constraints.informed(np.zeros(len(names)))
                constraints = constraints.model_copy(update={"sensitive": None})
            constraints.resolved(names)
        except AltfsError as error:
            yield error.at("constraints", f"dataset '{dataset.name}'")
