"""Scores that selectors share, computed once per dataset and fold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from altfs.scores.base import Part, ScoreKey, scores
from altfs.study.folds import fold_parts, load_planned_dataset
from altfs.study.store import Result, read_table


def make_score(arguments: Mapping[str, Any]) -> Result:
    """Compute a score of a fold, or a part of it, or join its parts."""
    key, side = parse_score(arguments["score"])
    if "parts" in arguments["files"]:
        return _joined(arguments["files"]["parts"], key)
    sides = dict(zip(("train", "test"), fold_parts(arguments), strict=True))
    names = load_planned_dataset(arguments).feature_names
    notes: dict[str, str] = {}
    table: dict[str, Any] = {}
    if key.of_pairs:
        columns = range(arguments["part"], len(names), arguments["parts"])
        values = _computed(sides[side], key, columns, side, notes)
        table = {names[j]: values[:, c] for c, j in enumerate(columns)}
    else:
        table["feature"] = names
        for side, part in sides.items():
            table[side] = _computed(part, key, range(len(names)), side, notes)
    return pa.table(table), {"notes": notes}


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


def _joined(paths: Sequence[str], key: ScoreKey) -> Result:
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


def read_scores(part: Part, files: Mapping[str, str], side: str) -> None:
    """Add the scores in files to a part; `side` is "train" or "test"."""
    for name, path in files.items():
        key, only = parse_score(name)
        if key.of_pairs and only != side:
            continue
        table, metadata = read_table(Path(path))
        if side in metadata["notes"]:
            continue
        if key.of_pairs:
            part.known[key] = np.column_stack([c.to_numpy() for c in table.columns])
        else:
            part.known[key] = table[side].to_numpy()


def score_name(key: ScoreKey, side: str = "train") -> str:
    """Return the name of a score's file.

    Scores of single features have one file for both parts. Scores of pairs have one for each
    part, as few selectors need that of the test part.

    Examples
    --------
    >>> score_name(ScoreKey("conflicts", "regression"))
    'conflicts-regression'
    >>> score_name(ScoreKey("redundancy"), "test"), score_name(ScoreKey("relevance"), "test")
    ('redundancy.test', 'relevance')
    """
    return f"{key}.test" if key.of_pairs and side == "test" else str(key)


def parse_score(name: str) -> tuple[ScoreKey, str]:
    """Return the score with a name of :func:`score_name`, and the part of the fold.

    Examples
    --------
    >>> parse_score("redundancy.test")
    (ScoreKey(kind='redundancy', variant='auto'), 'test')
    """
    base, _, side = name.partition(".")
    kind, _, variant = base.partition("-")
    return ScoreKey(kind, variant or "auto"), side or "train"


def score_pattern(*, of_pairs: bool) -> str:
    r"""Return a pattern of the names of all scores with a column per feature, or of all others.

    Examples
    --------
    >>> score_pattern(of_pairs=False)
    'importances|relevance|relevance\\-regression|relevance\\-classification|relevance\\-uncertainty'
    >>> bool(re.fullmatch(score_pattern(of_pairs=True), "pair_contrasts-50_0p1_all.test"))
    True
    """
    patterns = []
    for score in scores:
        if score.of_pairs == of_pairs:
            names = [re.escape(score_name(ScoreKey(score.name, v))) for v in score.variants]
            names += [re.escape(score.name) + "-[a-z0-9_]+"] * score.any_variant
            patterns += [f"{name}(?:\\.test)?" if of_pairs else name for name in names]
    return "|".join(patterns)
