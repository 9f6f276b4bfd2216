"""Comparisons of explanations: how good the second is, how alike two are, what stands in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pandas as pd

from altfs._numbers import BoolArray

#: An alternative is as good if it has this share of the first explanation's attribution.
AS_GOOD = 0.9


def as_good(rows: pd.DataFrame) -> BoolArray:
    """Return which explanations, by row and rank, are as good as the first one of their row.

    They have `AS_GOOD` of its share, and give the predicted class alone if it does. The columns
    are those of :meth:`altfs.kinds.rows.explanations.Explanations.to_frame`.

    >>> columns = {"set_index": [0, 1, 2], "share": [0.5, 0.45, 0.3], "same_prediction": None}
    >>> as_good(pd.DataFrame(columns)).tolist()
    [[True, True, False]]
    """
    share = rows["share"].to_numpy(np.float64).reshape(-1, rows["set_index"].nunique())
    same = rows["same_prediction"].astype("boolean")
    good = share >= AS_GOOD * share[:, :1]
    if same.notna().any():
        of_sets = same.fillna(False).to_numpy(dtype=bool).reshape(share.shape)
        good &= of_sets | ~of_sets[:, :1]
    return np.asarray(good)


def agreement_of_rows(held: BoolArray) -> float:
    """Return the mean Dice similarity of two sets, each a row of flags; NaN without two of them.

    >>> agreement_of_rows(np.array([[True, True, False], [False, True, True]]))
    0.5
    """
    n = len(held)
    if n < 2:
        return float("nan")
    of_rows = held.sum(axis=1)
    sizes = np.unique(of_rows)
    # A feature is in the sets of two rows as often as the product of its counts says.
    counts = np.stack([held[of_rows == size].sum(axis=0) for size in sizes])
    total = float((2 * (counts @ counts.T) / (sizes[:, None] + sizes)).sum())
    # Each row is like itself.
    return (total - n) / (n * (n - 1))


def stand_ins(old: Mapping[int, float], new: Mapping[int, float]) -> list[tuple[int, int]]:
    """Return pairs of a feature that stands in and the one in whose place, by their values.

    The mappings have the value of each feature of a set and of its alternative. Of equal values
    the first column comes first.

    >>> stand_ins({0: 5.0, 1: 4.0, 2: 3.0}, {1: 4.0, 3: 1.0, 4: 2.0})
    [(4, 0), (3, 2)]
    """
    gone = sorted(old.keys() - new.keys(), key=lambda j: (-old[j], j))
    came = sorted(new.keys() - old.keys(), key=lambda j: (-new[j], j))
    return list(zip(came, gone, strict=False))


def stand_in_counts(rows: pd.DataFrame) -> list[tuple[str, str, int]]:
    """Count what stands in for what in second explanations that are as good as the first ones.

    Each entry has the feature that stands in, the one in whose place, and the number of rows. The
    most frequent pairs come first. The rows are those of :func:`as_good`.
    """
    good = as_good(rows)[:, 1]
    columns = ["selected", "feature_names", "values"]
    first, second = (
        rows.loc[rows["set_index"] == rank, columns][good].to_numpy() for rank in (0, 1)
    )
    counts: Counter[tuple[int, int]] = Counter()
    names: dict[int, str] = {}
    for sets in zip(first, second, strict=True):
        for chosen, labels, _ in sets:
            names.update(zip(chosen, labels, strict=True))
        old, new = (dict(zip(chosen, values, strict=True)) for chosen, _, values in sets)
        counts.update(stand_ins(old, new))
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(names[new], names[old], number) for (new, old), number in most]


def class_means(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return means and numbers of explanations that exist, by predicted class and some columns."""
    means = ["same_without", "sufficient", "probability_change"]
    there = rows[rows["sufficient"].notna()].astype(dict.fromkeys(means, float))
    groups = there.groupby([*keys, "predicted"], observed=True)
    table = groups[means].mean()
    table.insert(0, "n", groups.size())
    return table.reset_index()
