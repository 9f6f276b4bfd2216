"""Classification and regression datasets of one study, evaluated apart.

MCC and R² have no common scale, and a wrapper's objective is one of the two:
nothing may be averaged over datasets of both kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import pyarrow as pa

from altfs.evaluation.frames import StudyResults

#: Tables that average nothing, and are of the whole study.
WHOLE = ("datasets", "missing", "notes")


def split(results: StudyResults) -> dict[str, StudyResults]:
    """The results by what datasets are for; one part if that is the same for all.

    Returns
    -------
    dict of str to StudyResults
        ``classification`` and ``regression`` where a study has both; else one
        part, the study itself.
    """
    kinds = kinds_of_datasets(results)
    if not kinds:
        return {"": results}
    return {
        kind: _of(results, [name for name, own in kinds.items() if own == kind])
        for kind in sorted(set(kinds.values()))
    }


def kinds_of_datasets(results: StudyResults) -> dict[str, str]:
    """What each dataset is for; empty in a study of one kind."""
    kinds = {name: _kind(results, name) for name in _datasets(results)}
    return kinds if len(set(kinds.values())) > 1 else {}


def rows_of_kind(kind: str, table: pd.DataFrame) -> pd.DataFrame:
    """The rows of a table that are of one kind of dataset; all of one that tells none apart."""
    if kind and "target_type" in table and "origin" not in table:
        return table[table["target_type"] == kind].drop(columns="target_type")
    return table


def apart(
    results: StudyResults, make: Callable[[StudyResults], dict[str, pd.DataFrame]]
) -> dict[str, pd.DataFrame]:
    """Tables of each kind of dataset under one another, told apart by ``target_type``.

    In a study of one kind tables have no such column.
    """
    parts = split(results)
    made = {kind: make(part) for kind, part in parts.items()}
    if len(made) == 1:
        return next(iter(made.values()))
    names = next(iter(made.values()))
    whole = make_whole(results)
    joined = {}
    for name in names:
        if name in WHOLE:
            joined[name] = whole[name]
            continue
        stacked = [t[name].assign(target_type=kind) for kind, t in made.items() if len(t[name])]
        table = pd.concat(stacked or [next(iter(made.values()))[name]], ignore_index=True)
        rest = [c for c in table.columns if c != "target_type"]
        joined[name] = table[["target_type", *rest]] if stacked else table
    return joined


def make_whole(results: StudyResults) -> dict[str, pd.DataFrame]:
    """The tables that are of the whole study."""
    from altfs.evaluation.controls import notes_table

    return {
        "datasets": results.datasets,
        "missing": results.missing,
        "notes": notes_table(results),
    }


def _datasets(results: StudyResults) -> list[str]:
    return [str(name) for name in results.feature_sets["dataset"].unique()]


def _kind(results: StudyResults, dataset: str) -> str:
    regression = results.target_types.get(dataset) == "regression"
    return "regression" if regression else "classification"


def _of(results: StudyResults, datasets: list[str]) -> StudyResults:
    kept = results.feature_sets["dataset"].isin(datasets).to_numpy()
    scored = results.predictions
    n_all = len(results.target_types) or len(_datasets(results))
    missing = results.missing
    planned = [d for d in results.target_types if _kind(results, d) == _kind(results, datasets[0])]
    return replace(
        results,
        feature_sets=_used(results.feature_sets[kept]),
        predictions=_used(scored[scored["dataset"].isin(datasets).to_numpy()]),
        datasets=results.datasets[results.datasets["dataset"].isin(planned)],
        n_runs=results.n_runs // n_all * len(planned),
        missing=missing[missing["dataset"].isin(planned)] if len(missing) else missing,
        table=None if results.table is None else results.table.filter(pa.array(kept)),
        target_types={d: results.target_types[d] for d in planned},
    )


def _used(rows: pd.DataFrame) -> pd.DataFrame:
    plain = rows.reset_index(drop=True)
    coded = [c for c in plain.columns if isinstance(plain[c].dtype, pd.CategoricalDtype)]
    for column in coded:
        plain[column] = plain[column].cat.remove_unused_categories()
    return plain
