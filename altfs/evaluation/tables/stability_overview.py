"""Agreement of the sets of different folds, over datasets."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.evaluation.stats.summaries import summary, with_tau
from altfs.evaluation.tables.stability import STABLE, stability


@tables.add(place=170)
def stability_overview(results: Results) -> pd.DataFrame:
    """Summarise stability by setting, over datasets; of the sets of all tau, too."""
    rows = results.once(stability)
    rows = rows.assign(set_index=rows["set_index"].fillna(-1).astype(int))
    parts = []
    for measure in ("nogueira", "jaccard", "kuncheva"):
        by = [c for c in STABLE[1:] if c != "tau"]
        for keys in (by, STABLE[1:]):
            table = with_tau(summary(results, rows, keys, measure, measure=measure))
            table["set_index"] = table["set_index"].astype("Int64").mask(table["set_index"] < 0)
            parts.append(table)
    return pd.concat(parts, ignore_index=True)
