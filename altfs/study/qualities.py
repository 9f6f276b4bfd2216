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
    for part, side in zip((train, test), _SIDES, strict=True):
        read_scores(part, arguments["files"]["scores"], side)
    # The class of configurations would make it, too, but qualities do not depend on its code.
    component = selectors.get(arguments["selector"]["type"])
    options = component.Options.model_validate(arguments["selector"]["options"])
    dataset = load_planned_dataset(arguments)
    classes = dataset.info["encodings"].get(dataset.target, ())
    return component(options).with_classes(classes).learn(train, test)


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
    """Read the qualities of a file of :func:`make_qualities`."""
    table, metadata = read_table(Path(path))
    found: dict[str, Quality] = {}
    for side, kind in metadata["qualities"].items():
        names = [name for name in table.column_names if name.startswith(f"{side}_")]
        own = table.select(names).rename_columns([n.removeprefix(f"{side}_") for n in names])
        found[side] = from_table(own.replace_schema_metadata({TABLE_KEY: json.dumps(kind)}))
    return Qualities(found["train"], found.get("test"), metadata["notes"].get("test", ""))


def qualities_of(arguments: Mapping[str, Any]) -> Qualities:
    """Return the qualities of a shard: read if they are stored, else learned."""
    names = ("digest", "fold", "folds", "seed", "selector", "quality", "files")
    return _qualities(json.dumps({n: arguments[n] for n in names}, sort_keys=True))


# All shards of a fold and selector share the qualities, and the feature sets that a wrapper has
# already evaluated.
@lru_cache(maxsize=4)
def _qualities(key: str) -> Qualities:
    wanted = json.loads(key)
    stored = wanted["files"].get("quality")
    return learn(wanted) if stored is None else read_qualities(stored)
