"""Classification and regression datasets of one study, evaluated apart.

MCC and R² have no common scale, and a wrapper's objective is one of the two:
nothing may be averaged over datasets of both kinds.
"""

from dataclasses import replace

import pandas as pd
import pyarrow as pa

from altfs.evaluation.collect.results import StudyResults


def split(results: StudyResults) -> dict[str, StudyResults]:
    """Split the results by what datasets are for; one part if that is the same for all.

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
    """Return what each dataset is for; empty in a study of one kind."""
    kinds = {name: _kind(results, name) for name in _datasets(results)}
    return kinds if len(set(kinds.values())) > 1 else {}


def rows_of_kind(kind: str, table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table that are of one kind of dataset; all if it tells none apart."""
    if kind and "target_type" in table and "origin" not in table:
        return table[table["target_type"] == kind].drop(columns="target_type")
    return table


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
