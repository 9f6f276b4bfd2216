"""Decisions, cost, sizes and scores of streams of features and rows."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import SETTING, Results
from altfs.kinds.streams.kind import has_streams
from altfs.kinds.streams.scored_sets import scored, sized

_COUNTS = ["offered", "kept", "passed_on", "dropped"]


@tables.add(place=57, applies=has_streams)
def streams(results: Results) -> pd.DataFrame:
    """Summarise what the sets of streams kept and let go, and how they predict.

    Returns
    -------
    DataFrame
        A row per dataset, setting and model (empty without models); all numbers are means over
        the ``n_folds`` folds. ``test_score`` and ``original`` are over the ``n`` folds in which
        this set and the original one exist; ``all_data`` is the mean score, in these folds, of
        the original sets of all selectors that see all data.
    """
    every = results.once(sized)
    rows = every[every["streams"]]
    rows = rows.reindex(columns=[*rows.columns, *(c for c in _COUNTS if c not in rows)])
    keys = ["dataset", *SETTING]
    groups = rows.astype(dict.fromkeys(_COUNTS, float)).groupby(keys)
    table = groups[[*_COUNTS, "work", "seconds", "size"]].mean()
    table.insert(0, "n_folds", groups.size())
    table = table.rename(columns={"work": "tests"}).reset_index()
    table.insert(len(keys) + 1, "seen", table["dataset"].map(results.design.widths))
    scores = results.once(scored)
    run = ["dataset", "fold", "n_features", "model", "metric"]
    others = scores[~scores["streams"] & (scores["set_index"] == 0)]
    all_data = others.groupby(run)["test_score"].mean().rename("all_data")
    of_streams = scores[scores["streams"]].join(all_data, on=run)
    groups = of_streams.groupby([*keys, "model", "metric"])
    means = groups[["test_score", "original", "all_data"]].mean()
    means.insert(0, "n", groups.size())
    table = table.merge(means.reset_index(), on=keys, how="left")
    return table.astype({"n": "Int64"}).fillna({"model": "", "metric": ""})
