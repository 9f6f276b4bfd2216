"""Compiled counts: how far two columns of codes depend on each other in each stratum."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled

Integers = npt.NDArray[Any]


@compiled()
def likelihood_ratio(
    x: Integers, y: Integers, strata: Integers, n_x: int, n_y: int, n_strata: int
) -> float:
    """Return ``2 sum n ln(n / e)`` over all cells, e the number expected in a stratum.

    It is ``2 N`` times the conditional mutual information in nats.
    """
    counts = np.zeros((n_strata, n_x, n_y), dtype=np.int64)
    for i in range(len(x)):
        counts[strata[i], x[i], y[i]] += 1
    total = 0.0
    of_y = np.empty(n_y)
    for s in range(n_strata):
        of_y[:] = 0.0
        rows = 0.0
        for a in range(n_x):
            for b in range(n_y):
                of_y[b] += counts[s, a, b]
                rows += counts[s, a, b]
        for a in range(n_x):
            of_x = 0.0
            for b in range(n_y):
                of_x += counts[s, a, b]
            for b in range(n_y):
                n = counts[s, a, b]
                if n > 0:
                    total += n * np.log(n * rows / (of_x * of_y[b]))
    return max(2.0 * total, 0.0)
