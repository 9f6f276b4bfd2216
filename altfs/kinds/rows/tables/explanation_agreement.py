"""Similarity of the explanations that two methods give to the same row."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.kinds.rows.explained_runs import RUN, ExplainedRun, explained_runs
from altfs.kinds.rows.kind import has_explanations

_SAME = [name for name in RUN if name != "selector"]
_KEYS = [*_SAME, "first", "second", "set_index"]
_VALUES = ["dice", "nearest"]


@tables.add(place=197, applies=has_explanations)
def explanation_agreement(results: Results) -> pd.DataFrame:
    """Compare the explanations of each pair of selectors.

    Returns
    -------
    DataFrame
        A row per dataset, run, ordered pair of selectors and rank: means over the ``n`` rows of
        all folds that have both explanations. ``dice`` is the Dice similarity of the explanation
        of the first selector to that of the second one of the same rank, and ``nearest`` to the
        most similar one of the second selector.
    """
    # Runs of the same rows and settings, whose selectors differ.
    groups: dict[tuple[str, ...], list[ExplainedRun]] = {}
    for run in results.once(explained_runs):
        place = (*(str(run.key[name]) for name in _SAME), str(run.fold))
        groups.setdefault(place, []).append(run)
    parts = [row for place in sorted(groups) for row in _pairs(groups[place])]
    if not parts:
        return pd.DataFrame(columns=[*_KEYS, "n", *_VALUES])
    table = pd.DataFrame(parts).groupby(_KEYS, sort=False)[["n", *_VALUES]].sum()
    return table.assign(**{name: table[name] / table["n"] for name in _VALUES}).reset_index()


def _pairs(runs: list[ExplainedRun]) -> Iterator[dict[str, Any]]:
    """Yield sums over the rows of a fold."""
    for first, second in permutations(runs, 2):
        for rank in range(first.n_sets):
            both = first.exists[:, rank] & second.exists[:, rank]
            if both.any():
                of_first = first.held[both, rank]
                dice = [_dice(of_first, second.held[both, i]) for i in range(second.n_sets)]
                yield {
                    **{name: first.key[name] for name in _SAME},
                    "first": first.key["selector"],
                    "second": second.key["selector"],
                    "set_index": rank,
                    "n": int(both.sum()),
                    "dice": float(dice[rank].sum()),
                    "nearest": float(np.max(dice, axis=0).sum()),
                }


def _dice(a: npt.NDArray[np.bool_], b: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Return the Dice similarity of sets, row by row.

    >>> _dice(np.array([[True, True]]), np.array([[True, False]])).round(2).tolist()
    [0.67]
    """
    return np.asarray(2 * (a & b).sum(axis=1) / (a.sum(axis=1) + b.sum(axis=1)))
