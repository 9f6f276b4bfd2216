"""Qualities that a selector learns on a fold, as a stored table."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from altfs.quality import Quality, from_table
from altfs.quality.base import TABLE_KEY
from altfs.selectors.base import Qualities, Selector, selectors
from altfs.study.scoring import read_scores
from altfs.study.store import Result, read_table

if TYPE_CHECKING:
    from altfs.study.tasks import QualityTask, SearchTask

_SIDES = ("train", "test")


def learn(task: QualityTask) -> Qualities:
    """Learn the qualities of a selector from data and scores."""
    train, test = task.parts()
    for part, side in zip((train, test), _SIDES, strict=True):
        read_scores(task, part, side)
    return selector_of(task).learn(train, test)


def selector_of(task: QualityTask) -> Selector:
    """Return the selector of a task, for the classes of its dataset."""
    dataset = task.data
    classes = dataset.info["encodings"].get(dataset.target, ())
    selector = selectors.make(task.component.type, task.component.options)
    return selector.with_classes(classes)


def qualities_table(qualities: Qualities, task: QualityTask) -> Result:
    """Return the table of both qualities, and the metadata that describe it.

    The column feature has the names of the features. The columns of each quality's table
    (:mod:`altfs.quality.stored`) follow, with the prefix ``train_`` or ``test_``.
    """
    columns: dict[str, Any] = {"feature": task.data.feature_names}
    kinds: dict[str, Any] = {}
    for side, quality in zip(_SIDES, (qualities.train, qualities.test), strict=True):
        if quality is not None:
            table = quality.to_table()
            kinds[side] = json.loads(table.schema.metadata[TABLE_KEY])
            columns |= {f"{side}_{name}": table[name] for name in table.column_names}
    notes = {"test": qualities.note} if qualities.note else {}
    described = {"qualities": kinds, "notes": notes, "floors": dict(qualities.floors)}
    return pa.table(columns), described


def read_qualities(path: str) -> Qualities:
    """Read the qualities of a file of :func:`qualities_table`."""
    table, metadata = read_table(Path(path))
    qualities: dict[str, Quality] = {}
    for side, kind in metadata["qualities"].items():
        names = [name for name in table.column_names if name.startswith(f"{side}_")]
        columns = table.select(names).rename_columns([n.removeprefix(f"{side}_") for n in names])
        qualities[side] = from_table(columns.replace_schema_metadata({TABLE_KEY: json.dumps(kind)}))
    note = metadata["notes"].get("test", "")
    return Qualities(qualities["train"], qualities.get("test"), note, metadata["floors"])


def qualities_of(task: SearchTask) -> Qualities:
    """Return the qualities of a shard: read if they are stored, else learned."""
    return _qualities(task.learning, task.stored)


# All shards of a fold and selector share the qualities, and the feature sets that a wrapper has
# already evaluated.
@lru_cache(maxsize=4)
def _qualities(task: QualityTask, stored: bool) -> Qualities:
    return read_qualities(task.path) if stored else learn(task)
