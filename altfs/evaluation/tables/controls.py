"""Quality between random valid sets (the floor) and original sets (the ceiling)."""

import numpy as np
import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.evaluation.stats.controls import NOISE, compared_with_controls, relative_quality
from altfs.evaluation.stats.roles import random_searches
from altfs.evaluation.stats.summaries import Summaries, labelled, measures, with_tau

_KEYS = ["selector", "search", "aggregation", "n_features", "n_alternatives", "tau", "set_index"]
_STATISTICS = ("q25", "median", "q75", "median_low", "median_high")


@tables.add(place=210)
def controls(results: Results) -> pd.DataFrame:
    """Summarise quality between the two controls, by setting, over datasets.

    Values, floors and ceilings are averaged over the sets of a dataset first, because the
    difference of two controls of few sets can be near 0 by chance. Sets of simultaneous runs
    have no rank, so ``set_index`` is empty.
    """
    floor = ", ".join(random_searches(results))
    parts = []
    for measure, model, rows in measures(results):
        compared = compared_with_controls(results, rows)
        compared = compared.assign(
            set_index=compared["set_index"].where(compared["aggregation"] == "none", -1)
        )
        for keys in ([k for k in _KEYS if k != "tau"], _KEYS):
            table = _between(compared, keys, results.once(Summaries))
            table = with_tau(labelled(table, measure=measure, model=model, floor=floor))
            table["set_index"] = table["set_index"].astype("Int64").mask(table["set_index"] < 0)
            parts.append(table)
    return pd.concat(parts, ignore_index=True)


def _between(compared: pd.DataFrame, keys: list[str], summaries: Summaries) -> pd.DataFrame:
    groups = compared.groupby([*keys, "dataset"], observed=True)
    cells = groups[["value", "floor", "ceiling", NOISE]].mean().assign(n=groups.size())
    cells = cells.reset_index()
    value, floor, ceiling = (cells[c] for c in ("value", "floor", "ceiling"))
    relative = relative_quality(value, floor, ceiling, cells[NOISE])
    cells = cells.assign(
        relative=relative,
        above_floor=value - floor,
        below_ceiling=ceiling - value,
        of_ceiling=value / ceiling.where(ceiling > 0),
        # Datasets whose best sets are not better than random ones by more than these vary.
        n_without_span=floor.notna() & ceiling.notna() & np.isnan(relative),
    )
    by = cells.groupby(keys, observed=True)
    means = by[["value", "floor", "ceiling"]].mean().add_suffix("_mean")
    numbers = [by["n"].sum(), by.size().rename("n_datasets")]
    table = pd.concat([*numbers, means, by["n_without_span"].sum()], axis="columns")
    for name in ("relative", "above_floor", "below_ceiling", "of_ceiling"):
        names = [f"{name}_{statistic}" for statistic in _STATISTICS]
        table = table.join(summaries.of(cells, keys, name, f"{name}_").reindex(columns=names))
    return table
