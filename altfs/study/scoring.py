"""Scores that selectors share, computed once per dataset and fold."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from altfs.scores.base import Part, ScoreKey
from altfs.study.store import Result, read_table

if TYPE_CHECKING:
    from altfs.study.tasks import QualityTask, ScorePartTask, ScoreTask


def make_score(task: ScoreTask) -> Result:
    """Compute a score of single features on both parts of a fold, or join the columns of pairs."""
    if task.n_parts:
        return _joined([part.path for part in task.columns()], task.of.key)
    names = task.data.feature_names
    notes: dict[str, str] = {}
    table: dict[str, Any] = {"feature": names}
    for side, part in zip(("train", "test"), task.parts(), strict=True):
        table[side] = _computed(part, task.of.key, range(len(names)), side, notes)
    return pa.table(table), {"notes": notes}


def make_columns(task: ScorePartTask) -> Result:
    """Compute some columns of a score of pairs."""
    names, side = task.data.feature_names, task.of.side
    part = task.parts()[("train", "test").index(side)]
    columns = range(task.part, len(names), task.n_parts)
    notes: dict[str, str] = {}
    values = _computed(part, task.of.key, columns, side, notes)
    return pa.table({names[j]: values[:, c] for c, j in enumerate(columns)}), {"notes": notes}


def _computed(
    part: Part, key: ScoreKey, columns: range, side: str, notes: dict[str, str]
) -> npt.NDArray[np.float64]:
    try:
        return part.compute(key, columns)
    except ValueError as error:
        # A class with a single test row is too few for the estimator.
        if side == "train":
            raise
        notes[side] = str(error)
        n_total = part.X.shape[1]
        return np.full((n_total, len(columns)) if key.of_pairs else n_total, np.nan)


def _joined(paths: list[str], key: ScoreKey) -> Result:
    """Join the columns of a score of feature pairs, which its parts hold in turns."""
    parts = [read_table(Path(path)) for path in paths]
    notes = {side: note for _, metadata in parts for side, note in metadata["notes"].items()}
    turns = zip_longest(*(table.columns for table, _ in parts))
    names = zip_longest(*(table.column_names for table, _ in parts))
    order = [name for turn in names for name in turn if name is not None]
    values = np.column_stack([c.to_numpy() for turn in turns for c in turn if c is not None])
    if not notes:
        values = key.score.whole(values)
    return pa.table({name: values[:, j] for j, name in enumerate(order)}), {"notes": notes}


def read_scores(task: QualityTask, part: Part, side: str) -> None:
    """Add the stored scores of a fold to one of its parts; `side` is "train" or "test"."""
    for score, path in task.score_paths().items():
        of_pairs = score.key.of_pairs
        if of_pairs and score.side != side:
            continue
        table, metadata = read_table(Path(path))
        if side in metadata["notes"]:
            continue
        columns = [c.to_numpy() for c in table.columns] if of_pairs else []
        part.scores[score.key] = np.column_stack(columns) if of_pairs else table[side].to_numpy()
