"""Qualities that a selector learns on a fold, as a stored table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from altfs.quality import Quality, from_table
from altfs.quality.base import TABLE_KEY
from altfs.selectors.base import Qualities, selectors
from altfs.study.folds import fold_parts, load_planned_dataset
from altfs.study.scoring import read_scores
from altfs.study.store import Result, read_table

_SIDES = ("train", "test")


def make_qualities(arguments: Mapping[str, Any]) -> Result:
    """Learn the qualities of a selector on a fold."""
    return qualities_table(learn(arguments), arguments)


def learn(arguments: Mapping[str, Any]) -> Qualities:
    """Learn the qualities of a selector from data and scores."""
    train, test = fold_parts(arguments)
    read_scores(train, arguments["files"]["scores"], "train")
    read_scores(test, arguments["files"]["scores"], "test")
    # Without the configuration's model, whose code no quality depends on.
    component = selectors.get(arguments["selector"]["type"])
    options = component.Options.model_validate(arguments["selector"]["options"])
    return component(options).learn(train, test)


def qualities_table(qualities: Qualities, arguments: Mapping[str, Any]) -> Result:
    """Return the table of both qualities, and the metadata that describe it.

    The column feature has the names of the features. The columns of each quality's table
    (:mod:`altfs.quality.stored`) follow, with the prefix ``train_`` or ``test_``.
    """
    columns: dict[str, Any] = {"feature": load_planned_dataset(arguments).feature_names}
    kinds: dict[str, Any] = {}
    for side, quality in zip(_SIDES, (qualities.train, qualities.test), strict=True):
        if quality is not None:
            table = quality.to_table()
            kinds[side] = json.loads(table.schema.metadata[TABLE_KEY])
            columns |= {f"{side}_{name}": table[name] for name in table.column_names}
    notes = {"test": qualities.note} if qualities.note else {}
    return pa.table(columns), {"qualities": kinds, "notes": notes}


def read_qualities(path: str) -> Qualities:
    """Read the qualities of a file of :func:`make_qualities`.

    Raises
    ------
    StaleResultError
        If the file is not a whole Parquet file of altfs.
    """
    table, metadata = read_table(Path(path))
    train, test = (_quality(table, metadata["qualities"], side) for side in _SIDES)
    assert train is not None
    return Qualities(train, test, metadata["notes"].get("test", ""))


def _quality(table: pa.Table, kinds: Mapping[str, Any], side: str) -> Quality | None:
    if side not in kinds:
        return None
    prefix = f"{side}_"
    names = [name for name in table.column_names if name.startswith(prefix)]
    own = table.select(names).rename_columns([name.removeprefix(prefix) for name in names])
    return from_table(own.replace_schema_metadata({TABLE_KEY: json.dumps(kinds[side])}))


def qualities_of(arguments: Mapping[str, Any]) -> Qualities:
    """Return the qualities of a shard: read where they are stored, else learned."""
    names = ("digest", "fold", "folds", "seed", "selector", "quality", "files")
    return _qualities(json.dumps({n: arguments[n] for n in names}, sort_keys=True))


@lru_cache(maxsize=4)
def _qualities(key: str) -> Qualities:
    # All shards of a fold and selector share them, and with them the feature sets that a
    # wrapper has already evaluated.
    wanted = json.loads(key)
    stored = wanted["files"].get("quality")
    return learn(wanted) if stored is None else read_qualities(stored)
