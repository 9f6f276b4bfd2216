"""Classification and regression datasets of one study, evaluated apart.

MCC and R² have no common scale, and a wrapper's objective is one of the two. So nothing is
averaged over datasets of both kinds.
"""

from dataclasses import replace

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from altfs.evaluation.collect.results import StudyResults


def split(results: StudyResults) -> dict[str, StudyResults]:
    """Split the results into those of classification and of regression datasets.

    Returns
    -------
    dict of str to StudyResults
        ``classification`` and ``regression`` if a study has both; else one part, the study
        itself, named by an empty text.
    """

    def kind_of(dataset: str) -> str:
        regression = results.target_types.get(dataset) == "regression"
        return "regression" if regression else "classification"

    shown = {name: kind_of(name) for name in map(str, results.feature_sets["dataset"].unique())}
    kinds = sorted(set(shown.values()))
    if len(kinds) < 2:
        return {"": results}
    parts = {}
    for kind in kinds:
        planned = [name for name in results.target_types if kind_of(name) == kind]
        parts[kind] = _of(results, [name for name in shown if shown[name] == kind], planned)
    return parts


def by_dataset(results: StudyResults) -> dict[str, StudyResults]:
    """Split the results into those of each dataset that has any."""
    return {
        str(name): _of(results, [str(name)], [str(name)])
        for name in results.feature_sets["dataset"].unique()
    }


def rows_of_kind(kind: str, table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table of one kind of dataset; all rows if it tells none apart."""
    if kind and "target_type" in table and "origin" not in table:
        return table[table["target_type"] == kind].drop(columns="target_type")
    return table


def _of(results: StudyResults, datasets: list[str], planned: list[str]) -> StudyResults:
    kept = results.feature_sets["dataset"].isin(datasets).to_numpy()
    scored = results.predictions["dataset"].isin(datasets).to_numpy()
    missing, further = results.missing, results.further
    return replace(
        results,
        feature_sets=_used(results.feature_sets[kept]),
        predictions=_used(results.predictions[scored]),
        further=further[further["dataset"].isin(datasets)] if len(further) else further,
        datasets=results.datasets[results.datasets["dataset"].isin(planned)],
        n_runs=results.n_runs // len(results.planned_datasets()) * len(planned),
        missing=missing[missing["dataset"].isin(planned)] if len(missing) else missing,
        table=None if results.table is None else results.table.filter(pa.array(kept)),
        more={name: _rows_of(table, datasets) for name, table in results.more.items()},
        target_types={n: kind for n, kind in results.target_types.items() if n in planned},
    )


def _rows_of(table: pa.Table, datasets: list[str]) -> pa.Table:
    """Return the rows of some datasets."""
    return table.filter(pc.is_in(table["dataset"], pa.array(datasets, pa.string())))


def _used(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows without the categories that do not occur in them."""
    plain = rows.reset_index(drop=True)
    for column in plain.select_dtypes("category"):
        plain[column] = plain[column].cat.remove_unused_categories()
    return plain
