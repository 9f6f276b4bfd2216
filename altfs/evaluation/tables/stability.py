"""Stability over folds of each dataset: Nogueira, Jaccard and Kuncheva."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import RUN_KEY, Results
from altfs.evaluation.stats.agreement import agreement
from altfs.evaluation.stats.members import SetMatrix, joined, members, side_by_side
from altfs.evaluation.stats.runs import cut_to_the_same_number

RUNS = ["selector", "search", "aggregation", "n_features", "n_alternatives", "tau"]
STABLE = ["dataset", "sets", *RUNS, "set_index"]


@tables.add(place=180)
def stability(results: Results) -> pd.DataFrame:
    """Measure stability over folds of each dataset and setting."""
    parts = [stability_of(matrix, results.settings) for matrix in results.once(members)]
    values = ["nogueira", "nogueira_low", "nogueira_high", "jaccard", "kuncheva"]
    table = joined(results, parts, [*STABLE, "n_total", "n_folds"], values)
    return table.sort_values(STABLE, ignore_index=True)


def stability_of(matrix: SetMatrix, settings: pd.DataFrame) -> pd.DataFrame:
    """Measure how much the sets of a dataset agree over folds, by setting.

    Returns
    -------
    DataFrame
        A row per dataset, setting, and kind of ``sets``. *by rank*: the sets of one number of
        alternative, of searches whose sets have ranks. *whole run*: the union of the sets of a
        run, if all of them exist. Sequential runs are cut to the numbers of alternatives of
        the other searches.
    """
    rows = matrix.rows
    ranked = rows[rows["aggregation"] == "none"]
    keys = ["dataset", *RUNS]
    table, layers = side_by_side(ranked, [*keys, "set_index"], "fold", matrix.chosen)
    parts = [_measured(table, layers, matrix.n_total, "by rank")]
    cut = cut_to_the_same_number(rows, settings)
    exists = matrix.chosen[cut["row"].to_numpy()].any(axis=1)
    run = np.asarray(cut.groupby(RUN_KEY, observed=True).ngroup())
    whole = np.bincount(run, weights=exists) == np.bincount(run)
    kept = cut[whole[run]]
    run = pd.factorize(run[whole[run]])[0]
    order = np.argsort(run, kind="stable")
    starts = np.flatnonzero(np.diff(run[order], prepend=-1))
    union = np.maximum.reduceat(matrix.chosen[kept["row"].to_numpy()[order]], starts)
    runs = kept.assign(row=run).drop_duplicates("row")
    table, layers = side_by_side(runs, keys, "fold", union)
    parts.append(_measured(table, layers, matrix.n_total, "whole run"))
    return pd.concat(parts, ignore_index=True)


def _measured(
    table: pd.DataFrame, layers: npt.ArrayLike, n_total: float, sets: str
) -> pd.DataFrame:
    measured = agreement(layers, n_total)
    several = measured.n > 1
    values = pd.DataFrame(measured._asdict()).rename(columns={"n": "n_folds"})
    joined = pd.concat([table, values], axis=1)[several].assign(sets=sets, n_total=n_total)
    joined = joined.reindex(columns=[*STABLE, "n_total", *values.columns])
    return joined.astype({"set_index": "Int64"})
