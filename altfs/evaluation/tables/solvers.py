"""Searches and solvers beside the best known run of the same case."""

import pandas as pd

from altfs.catalogue import names_solvers, tables
from altfs.evaluation.results import Results
from altfs.evaluation.stats.solving import CASE_OF_RUN, efforts, solved_runs

_SETTING = ["selector", "n_features", "n_alternatives"]
# Means of floats differ in their last digits.
_CLOSE = 1e-9


@tables.add(place=152, applies=names_solvers)
def solvers(results: Results) -> pd.DataFrame:
    """Compare the searches of each selector with the best known run of the same case.

    A row per selector, size, number of alternatives, search, measure and model. Means are over the
    cases of a dataset first, then over datasets. docs/particular_tables.md has the columns.
    """
    solved = results.once(solved_runs)
    guide = solved["train_objective", ""]
    best = guide.loc[guide.groupby(CASE_OF_RUN)["value"].idxmax(), [*CASE_OF_RUN, "treatment"]]
    top = guide.groupby(CASE_OF_RUN)["value"].transform("max")
    reached = guide.assign(best=(top - guide["value"] <= _CLOSE * top.abs()).astype(float))
    costs = reached.drop(columns="value").merge(
        results.once(efforts), on=[*CASE_OF_RUN, "treatment"]
    )
    parts = []
    for (measure, model), runs in solved.items():
        reference = best.merge(runs, on=[*CASE_OF_RUN, "treatment"]).rename(
            columns={"value": "known"}
        )
        reference = reference.drop(columns="treatment")
        rows = runs.merge(reference, on=CASE_OF_RUN)
        rows = rows.assign(behind=rows["known"] - rows["value"])
        rows = rows.merge(costs, on=[*CASE_OF_RUN, "treatment"], how="left")
        by = [*_SETTING, "treatment"]
        columns = ["value", "behind", "best", "evaluations", "seconds"]
        of_dataset = rows.groupby([*by, "dataset"])[columns].mean()
        table = of_dataset.groupby(by).mean().reset_index()
        counts = rows.groupby(by).agg(n_datasets=("dataset", "nunique"), n_cases=("fold", "size"))
        table = table.merge(counts.reset_index(), on=by)
        left_out = table["selector"].map(runs.attrs["left_out"]).fillna(0)
        table["n_cases_left_out"] = left_out.astype(int)
        table.insert(len(by), "measure", measure)
        table.insert(len(by) + 1, "model", model)
        parts.append(table.rename(columns={"treatment": "search"}))
    return pd.concat(parts, ignore_index=True)
