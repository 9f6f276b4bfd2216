"""The accuracy of naive Bayes on coded columns, each row left out in turn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from altfs.scores.independence import Codes


def left_out_accuracy(columns: Sequence[Codes], y: Codes) -> float:
    """Return the share of rows whose class naive Bayes predicts from all other rows.

    Counts of levels and classes are increased by 1. Of equally likely classes the first one is
    predicted.

    >>> from altfs.scores.independence import codes
    >>> x = codes(np.array([0, 0, 0, 1, 1, 1]))
    >>> left_out_accuracy([x], x), left_out_accuracy([], x)
    (1.0, 0.0)
    """
    rows = np.arange(len(y.values))
    own = np.zeros((len(rows), y.levels))
    own[rows, y.values] = 1.0
    others = own.sum(axis=0) - own
    logs = np.log(others + 1)
    for x in columns:
        counts = np.zeros((x.levels, y.levels))
        np.add.at(counts, (x.values, y.values), 1.0)
        logs += np.log((counts[x.values] - own + 1) / (others + x.levels))
    return float((logs.argmax(axis=1) == y.values).mean())
