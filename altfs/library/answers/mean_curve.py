"""The best quality of a family at every mean overlap: the last row of one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from altfs.library.answers.asked import Asked
from altfs.quality import Linear
from altfs.solvers.mean_overlap.multiplicities import MultiplicitySolver, table_of

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ["mean_overlap", "mean_dissimilarity", "mean_objective"]


def mean_curve(asked: Asked) -> pd.DataFrame:
    """Return the best mean quality of all sets together at every mean overlap.

    Returns
    -------
    DataFrame
        A row for each mean overlap of all pairs at which the best family gets better, the
        smallest first. The columns are mean_overlap (the largest allowed one),
        mean_dissimilarity (the same as Dice dissimilarity of sets of one size) and
        mean_objective. It is empty for one set, for qualities that are not linear, and for
        constraints that need another solver.
    """
    import pandas as pd

    problem = asked.problem
    pairs = problem.n_sets * (problem.n_sets - 1) // 2 + problem.n_sets * len(problem.given)
    table = None
    if pairs and problem.average and MultiplicitySolver().supports(problem):
        table = table_of(problem, asked.request.limits)
    if table is None or not isinstance(problem.quality, Linear):
        return pd.DataFrame(columns=COLUMNS)
    rows, last = [], None
    for common, value in enumerate(table.best.tolist()):
        if not table.exists(common) or value == last:
            continue
        last, mean = value, common / pairs
        objective = value * problem.quality.unit / problem.n_sets
        rows.append((mean, 1 - mean / problem.n_features, objective))
    return pd.DataFrame(rows, columns=COLUMNS)
