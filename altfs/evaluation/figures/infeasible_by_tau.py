"""Shares of feature sets proven not to exist, by threshold."""

import pandas as pd

from altfs.evaluation.collect.results import StudyResults, text_columns_as_text
from altfs.evaluation.collect.roles import without_random
from altfs.evaluation.figures._charts import (
    Chart,
    Tables,
    alt,
    choices,
    heat_map,
    panels_of,
    titled,
)
from altfs.evaluation.figures._focus import defaults, longest_ranked, one_search
from altfs.evaluation.names import RANK, TAU, search_name
from altfs.study.catalogue import figures


@figures.add("Where feature sets of this number and dissimilarity do not exist.", place=90)
def infeasible_by_tau(results: StudyResults, tables: Tables) -> Chart:
    """Draw the share of sets proven not to exist, by tau and rank: a panel per size."""
    chosen = one_search(results.once(without_random).feature_sets)
    share = _shares(chosen, [])
    taus = sorted(share["tau"].unique(), key=float)
    x = alt.X("set_index:O", title=RANK, axis=alt.Axis(labelAngle=0, grid=False))
    y = alt.Y("tau:O", title=TAU, sort=taus[::-1], axis=alt.Axis(grid=False))
    blues = alt.Scale(domain=[0, 1], scheme="blues")
    color = alt.Color("infeasible:Q", title="Share infeasible", scale=blues)

    def panel(rows: pd.DataFrame, k: int) -> Chart:
        base = alt.Chart(rows).encode(x=x, y=y)
        cells = heat_map(base, color, ".0%", "datum.infeasible > 0.5")
        return cells.properties(title=f"k = {k}")

    figure = titled(
        panels_of(share, ["n_features"], panel, 2),
        "Feature sets proven not to exist",
        f"{search_name(chosen['search'].iloc[0])} search; share over all datasets, folds and "
        "feature-selection methods.",
    )
    every = results.once(longest_ranked)

    def apart(own: list[str]) -> pd.DataFrame:
        of_each = _shares(every, [*own, "run", "selector"])
        return pd.concat([_shares(every, [*own, "run"]).assign(selector=""), of_each])

    return choices(figure, ["n_features"], apart, selector="", run=defaults(chosen)["run"])


def _shares(sets: pd.DataFrame, own: list[str]) -> pd.DataFrame:
    """Return the share of sets proven not to exist, by further columns, size, tau and rank."""
    failed = sets.assign(infeasible=(sets["status"] == "infeasible").astype(float))
    groups = failed.groupby([*own, "n_features", "tau", "set_index"], observed=True)
    return text_columns_as_text(groups["infeasible"].mean().reset_index())
