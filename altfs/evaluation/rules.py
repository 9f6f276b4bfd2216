"""The rules for what may be said; all sentences, tables and figures use them.

1. Fewer than six datasets are shown one by one, without an interval, a test, a rank or a winner.
2. A ratio is not formed if its denominator is inside the noise of what it is made of.
3. A comparison uses the same runs on both sides. It says how many were left out, and why.
4. A correlation is formed within a dataset and a selector. Then the correlations are summarised.
5. A line ends where its population changes. Later values are single points of another look.
6. Values that are pooled (over datasets, folds, selectors or thresholds) are named where they are.

docs/tables.md states them for readers.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

#: Level of the tests and of the critical difference.
ALPHA = 0.05
#: With fewer datasets, Wilcoxon's test cannot reach that level, as 2 / 2^5 is larger. Nor do the
#: smallest and the largest value enclose the median in 95 % of cases.
FEWEST_DATASETS = 6


def enough(n_datasets: Any) -> Any:
    """Tell whether values of so many datasets may have an interval, a test or a rank (rule 1).

    Parameters
    ----------
    n_datasets : int, or Series of int

    Examples
    --------
    >>> enough(5), enough(6)
    (False, True)
    """
    return n_datasets >= FEWEST_DATASETS


def ratio(part: Any, whole: Any, noise: Any) -> npt.NDArray[np.float64]:
    """Divide where the denominator is larger than its noise (rule 2).

    `noise` is the standard deviation of a single value of the denominator's smaller end, from 0; no
    ratio is formed where it is NaN. Ratios that are not formed are NaN.

    >>> ratio([2.0, 2.0, 2.0], [4.0, 0.1, 4.0], [0.5, 0.5, float("nan")]).tolist()
    [0.5, nan, nan]
    """
    below, least = np.asarray(whole, dtype=float), np.asarray(noise, dtype=float)
    return np.asarray(part, dtype=float) / np.where((below > 0) & (below > least), below, np.nan)


def whole_population(
    rows: pd.DataFrame, by: Sequence[str], count: str = "n", along: str = "set_index"
) -> Any:
    """Mark the rows of a line that count as many values as the first one (rule 5).

    The columns `by` identify a line, and `along` the position on it. The result has a value for
    each row: False from the first one on whose `count` is another.

    >>> rows = pd.DataFrame({"line": "a", "set_index": [2, 0, 1, 3], "n": [3, 4, 4, 4]})
    >>> whole_population(rows, ["line"]).tolist()
    [False, True, True, False]
    """
    ordered = rows.sort_values(along, kind="stable")
    groups = ordered.groupby(list(by), observed=True, sort=False)[count]
    other = (ordered[count] != groups.transform("first")).astype(int)
    changed = other.groupby([ordered[c] for c in by], observed=True, sort=False).cummax()
    return np.asarray(changed.reindex(rows.index) == 0)
