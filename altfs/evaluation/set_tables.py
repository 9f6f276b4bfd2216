"""Tables of the feature sets themselves: how different they are, and how stable."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.evaluation.frames import RUN_KEY, StudyResults
from altfs.evaluation.members import Members, side_by_side
from altfs.evaluation.stability import agreement
from altfs.evaluation.summaries import Summaries, labelled, stacked
from altfs.evaluation.within_runs import cut_to_the_same_number

_RUNS = ["selector", "search", "aggregation", "n_features", "n_alternatives", "tau"]
_STABLE = ["dataset", "sets", *_RUNS, "set_index"]


def run_dissimilarities(found: Members) -> pd.DataFrame:
    """Dice dissimilarities of all pairs of sets of each run of a dataset.

    Returns
    -------
    DataFrame
        A row per run of which two sets or more exist: its key, ``n_sets``, and the
        ``min``, ``mean`` and ``max`` over its pairs.
    """
    rows = found.rows.assign(row=np.arange(len(found.rows)))
    parts = []
    for _, own in rows.groupby("n_alternatives"):
        table, layers = side_by_side(own, RUN_KEY, "set_index", found.chosen)
        size = layers.sum(axis=2)
        first, second = np.triu_indices(layers.shape[1], 1)
        together = size[:, first] + size[:, second]
        exist = (size[:, first] > 0) & (size[:, second] > 0)
        shared = (layers @ layers.transpose(0, 2, 1))[:, first, second]
        with np.errstate(invalid="ignore", divide="ignore"):
            # In double precision, so that tau and what was reached can be compared.
            values = 1 - 2 * shared.astype(float) / together
        several = exist.any(axis=1)
        table = table.assign(n_sets=(size > 0).sum(axis=1))[several]
        values, exist = values[several], exist[several]
        parts.append(
            table.assign(
                min=np.where(exist, values, np.inf).min(axis=1, initial=np.inf),
                mean=np.where(exist, values, 0).sum(axis=1) / exist.sum(axis=1),
                max=np.where(exist, values, -np.inf).max(axis=1, initial=-np.inf),
            )
        )
    joined: pd.DataFrame = pd.concat(parts, ignore_index=True)
    return joined


def dissimilarity_table(
    results: StudyResults, found: list[Members], summaries: Summaries
) -> pd.DataFrame:
    """Dissimilarity reached within search runs, whatever tau demanded."""
    parts = [run_dissimilarities(of_dataset) for of_dataset in found]
    runs = _joined(parts, [*RUN_KEY, "n_sets"], ["min", "mean", "max"])
    runs = _as_ordered(runs, results.feature_sets)
    shown = []
    for statistic in ("min", "mean", "max"):
        table = labelled(summaries.of(runs, _RUNS, statistic), within_run=statistic)
        table.insert(list(table.columns).index("n"), "n_planned", _planned_runs(results, table))
        shown.append(table)
    return stacked(shown)


def _planned_runs(results: StudyResults, table: pd.DataFrame) -> npt.NDArray[np.int64]:
    # A run has one set more than alternatives.
    sets_of_run = table["n_alternatives"].to_numpy(np.int64) + 1
    planned: npt.NDArray[np.int64] = results.planned(table, _RUNS) // sets_of_run
    return planned


def stability_of(found: Members, settings: pd.DataFrame) -> pd.DataFrame:
    """How much the sets of a dataset agree over folds, by setting.

    Parameters
    ----------
    found : Members
    settings : DataFrame
        Of the study.

    Returns
    -------
    DataFrame
        A row per dataset, setting, and kind of ``sets``: *by rank*: the sets of one
        number of alternative, of searches whose sets have ranks; *whole run*: the
        union of the sets of a run, if all of them exist; sequential runs cut to the
        numbers of alternatives of the other searches.
    """
    rows = found.rows.assign(row=np.arange(len(found.rows)))
    ranked = rows[rows["aggregation"] == "none"]
    keys = ["dataset", *_RUNS]
    table, layers = side_by_side(ranked, [*keys, "set_index"], "fold", found.chosen)
    parts = [_measured(table, layers, found.n_total, "by rank")]
    cut = cut_to_the_same_number(rows, settings)
    exists = found.chosen[cut["row"].to_numpy()].any(axis=1)
    run = np.asarray(cut.groupby(RUN_KEY, observed=True).ngroup())
    whole = np.bincount(run, weights=exists) == np.bincount(run)
    kept = cut[whole[run]]
    run = pd.factorize(run[whole[run]])[0]
    union = np.zeros((run.max(initial=-1) + 1, found.chosen.shape[1]), dtype=np.float32)
    np.maximum.at(union, run, found.chosen[kept["row"].to_numpy()])
    runs = kept.assign(row=run).drop_duplicates("row")
    table, layers = side_by_side(runs, keys, "fold", union)
    parts.append(_measured(table, layers, found.n_total, "whole run"))
    return pd.concat(parts, ignore_index=True)


def _measured(
    table: pd.DataFrame, layers: npt.ArrayLike, n_total: float, sets: str
) -> pd.DataFrame:
    measured = agreement(layers, n_total)
    several = measured.n > 1
    values = pd.DataFrame(measured._asdict()).rename(columns={"n": "n_folds"})
    joined = pd.concat([table.reset_index(drop=True), values], axis=1)[several]
    if "set_index" not in joined:
        joined["set_index"] = pd.NA
    joined["sets"] = sets
    joined["n_total"] = n_total
    joined = joined.astype({"set_index": "Int64"})
    ordered: pd.DataFrame = joined[[*_STABLE, "n_total", *values.columns]]
    return ordered


def stability_table(results: StudyResults, found: list[Members]) -> pd.DataFrame:
    """Stability over folds of each dataset and setting."""
    parts = [stability_of(of_dataset, results.settings) for of_dataset in found]
    values = ["nogueira", "nogueira_low", "nogueira_high", "jaccard", "kuncheva"]
    table = _joined(parts, [*_STABLE, "n_total", "n_folds"], values)
    ordered = _as_ordered(table, results.feature_sets)
    return ordered.sort_values(_STABLE, ignore_index=True)


def stability_overview(stability: pd.DataFrame, summaries: Summaries) -> pd.DataFrame:
    """Stability by setting, over datasets; of the sets of all tau, too."""
    parts = []
    for measure in ("nogueira", "jaccard", "kuncheva"):
        by = [c for c in _STABLE[1:] if c != "tau"]
        for keys in (by, _STABLE[1:]):
            rows = stability.assign(set_index=stability["set_index"].fillna(-1).astype(int))
            table = labelled(summaries.of(rows, keys, measure), measure=measure)
            if "tau" not in table:
                table.insert(list(table.columns).index("set_index"), "tau", None)
            whole = table["set_index"] < 0
            table["set_index"] = table["set_index"].astype("Int64").mask(whole)
            parts.append(table.astype({"tau": object}))
    return stacked(parts)


def _joined(parts: list[pd.DataFrame], keys: list[str], values: list[str]) -> pd.DataFrame:
    """Parts under one another, with the columns they would have if there were none."""
    kinds = dict.fromkeys(values, float)
    none = pd.DataFrame(columns=[*keys, *values]).astype(kinds)
    return pd.concat(parts, ignore_index=True) if parts else none


def _as_ordered(table: pd.DataFrame, sets: pd.DataFrame) -> pd.DataFrame:
    """Text as the ordered categories that it has in the study, also where parts differed."""
    shared = [c for c in table.columns if c in sets.columns and c not in ("max_overlap",)]
    kinds = {c: sets[c].dtype for c in shared if isinstance(sets[c].dtype, pd.CategoricalDtype)}
    return table.astype(kinds)
