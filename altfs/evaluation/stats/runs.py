"""Statistics within a search run: spread, ranks of alternatives, normalised quality."""

import pandas as pd

from altfs.evaluation.results import RUN_KEY

EFFORTS = ("seconds", "work", "startup_seconds")  # What a run costs; its rows add up to it.
NORMALISATIONS = ("raw", "max", "min-max")


def cut_to_the_same_number(rows: pd.DataFrame, settings: pd.DataFrame) -> pd.DataFrame:
    """Cut the runs of searches with ranks to fewer alternatives.

    A sequential run of 10 alternatives starts with the runs of 1, 2, ... alternatives. So its
    parts are comparable with simultaneous runs, which define the numbers of alternatives by
    `settings`. The result has `rows`, one per feature set, of all other searches, and for each
    number of alternatives the first sets of a longer run of the same search, the shortest of these.
    """
    single = settings["aggregation"] == "none"
    numbers = sorted(set(settings.loc[~single, "n_alternatives"])) or sorted(
        range(1, int(settings["n_alternatives"].max()) + 1)
    )
    ranked = rows[rows["aggregation"] == "none"]
    parts = [rows[rows["aggregation"] != "none"]]
    for search, listed in settings[single].groupby("search", observed=True)["n_alternatives"]:
        of_search = ranked[ranked["search"] == search]
        available = sorted(set(listed))
        for number in sorted({*numbers, *available}):
            enough = [a for a in available if a >= number]
            if enough:
                first = of_search[
                    (of_search["n_alternatives"] == enough[0]) & (of_search["set_index"] <= number)
                ]
                parts.append(first.assign(n_alternatives=number))
    return pd.concat(parts, ignore_index=True)


def run_statistics(rows: pd.DataFrame, settings: pd.DataFrame) -> pd.DataFrame:
    """Compute mean and standard deviation of ``value`` within each run without missing values.

    Sequential runs are cut to the numbers of alternatives of the other searches.
    The standard deviation is that of a sample (n - 1).
    """
    cut = cut_to_the_same_number(rows[rows["value"].notna()], settings)
    within = cut.groupby(RUN_KEY, observed=True)["value"]
    table = within.agg(["size", "mean", "std"]).reset_index()
    whole = table["size"] == table["n_alternatives"] + 1
    return table[whole].drop(columns="size").reset_index(drop=True)


def normalised(rows: pd.DataFrame) -> pd.DataFrame:
    """Normalise qualities, in the column ``value``, by the best and by the range of their run.

    The new columns are ``raw``; ``max``: value / largest value of the run, missing if that is not
    positive; ``min-max``: 0 for the smallest, 1 for the largest value of the run, all 1 if these
    are equal, missing if the run has a single set. Rows without a value are left out.
    """
    scored = rows[rows["value"].notna()]
    within = scored.groupby(RUN_KEY, observed=True, sort=False)["value"]
    best, worst, size = (within.transform(name) for name in ("max", "min", "size"))
    value, span = scored["value"], best - worst
    scaled = ((value - worst) / span.where(span > 0)).where(span > 0, 1.0)
    return scored.assign(
        **{"raw": value, "max": value / best.where(best > 0), "min-max": scaled.where(size > 1)}
    )


def run_efforts(sets: pd.DataFrame) -> pd.DataFrame:
    """Return seconds, work and start-up of each search run: the sums of its rows."""
    added = sets.groupby(RUN_KEY, observed=True)[list(EFFORTS)].sum()
    return added.reset_index().astype(dict.fromkeys(EFFORTS, float))
