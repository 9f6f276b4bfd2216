"""Wilcoxon's signed-rank test of all pairs of searches, over all selectors, adjusted by Holm."""

from collections.abc import Iterator

import pandas as pd

from altfs.catalogue import names_solvers, tables
from altfs.evaluation.results import Results
from altfs.evaluation.stats.comparisons import LABELS, Family
from altfs.evaluation.stats.solving import CASE_OF_RUN, solved_runs
from altfs.evaluation.stats.summaries import Summaries
from altfs.evaluation.tables.pairwise import pairwise_of


@tables.add(place=235, applies=names_solvers)
def solvers_pairwise(results: Results) -> pd.DataFrame:
    """Test all pairs of searches that every selector has; datasets are the observations.

    Qualities of different selectors have no common scale. So a value is the share of the other
    searches that a search beats in a case (a tie counts half), as a mean over the cases of a
    dataset.
    """
    return pairwise_of(list(_families(results)), results.once(Summaries))


def _families(results: Results) -> Iterator[Family]:
    for (measure, model), runs in results.once(solved_runs).items():
        for (k, a), part in runs.groupby(["n_features", "n_alternatives"]):
            everywhere = part.groupby("treatment")["selector"].nunique()
            shared = everywhere[everywhere == part["selector"].nunique()].index
            part = part[part["treatment"].isin(shared)]
            if len(shared) < 2:
                continue
            beaten = part.groupby(CASE_OF_RUN)["value"].rank() - 1
            part = part.assign(beaten=beaten / (len(shared) - 1))
            values = part.pivot_table(index="dataset", columns="treatment", values="beaten")
            n_cases = len(part.drop_duplicates(CASE_OF_RUN))
            labels = {
                **dict.fromkeys(LABELS),
                "compared": "solvers",
                "measure": measure,
                "model": model,
                "selector": "",
                "n_features": k,
                "n_alternatives": a,
                "sets": "runs",
                "n_cases": n_cases,
                "n_cases_left_out": sum(runs.attrs["left_out"].values()),
            }
            yield Family(labels, values)
