"""Scores of original sets and first alternatives of each selector, beside random sets."""

from typing import Any

import pandas as pd
from scipy.special import stdtrit

from altfs.catalogue import tables
from altfs.evaluation.results import SET_KEY, Results
from altfs.evaluation.rules import ALPHA, enough
from altfs.evaluation.stats.controls import NOISE, controls_of, relative_quality
from altfs.evaluation.stats.roles import CASE
from altfs.evaluation.stats.summaries import measures
from altfs.evaluation.tables import Tables, rows_of
from altfs.evaluation.tables.gaps import most_by_counting
from altfs.evaluation.tables.kept import alternatives, of_first_search

_GROUP = ["dataset", "selector", "n_features"]
_KEYS = [*_GROUP, "tau"]
_VALUES = [
    "original", "random", "lead_low", "n_ahead", "behind", "behind_low", "behind_high",
    "alternative", "of_same", "random_of_same", "change", "change_low", "change_high", "n",
    "n_exist", "n_all_exist", "n_possible", "n_planned", "n_original", "n_datasets",
    "max_overlap", "search", "last", "worst", "change_worst",
]  # fmt: skip

OBJECTIVE = "train_objective"


@tables.add(place=1)
def overview(results: Results) -> pd.DataFrame:
    """Compare original sets with first alternatives of the same folds, and selectors with the best.

    A row per measure, model, dataset (empty: the mean over datasets), size, tau and selector, of
    its first search. Training objectives are relative: 0 is a random set, 1 the original one.
    docs/tables.md has the columns and the intervals.
    """
    every = of_first_search(results.once(alternatives).sort_values("search", kind="stable"))
    every = every.assign(n_exist=every["status"].isin(["optimal", "feasible"]))
    first = every[every["set_index"] == 1]
    ranks = every.groupby("selector", observed=True)["set_index"]
    if first.empty:
        return pd.DataFrame(columns=["measure", "model", *_KEYS, *_VALUES])
    exist = first.assign(n_possible=most_by_counting(results, first)[1] > 1)
    counts = exist.groupby(_KEYS, observed=True).agg(
        max_overlap=("max_overlap", "first"), n_planned=("status", "size"),
        n_exist=("n_exist", "sum"), n_possible=("n_possible", "sum"),
    )  # fmt: skip
    counts["n_all_exist"] = every.groupby(_KEYS, observed=True)["n_exist"].sum()
    parts = []
    for measure, model, values in measures(results):
        if measure == "test_objective":
            continue
        limits = controls_of(results, values)
        if measure == OBJECTIVE:
            values, limits = _relative(values, limits)
        pairs = _pairs(every, values, limits)
        changes = pairs.assign(change=pairs["value"] - pairs["ceiling"])
        of_datasets = _of_datasets(limits, pairs[pairs["set_index"] == 1], counts)
        of_datasets = _with_the_worst(of_datasets, changes, _KEYS)
        table = _with_the_worst(_over_datasets(of_datasets), changes, _KEYS[1:])
        table = pd.concat([table, of_datasets], ignore_index=True)
        table = _behind_the_best(table, limits, measure)
        parts.append(table.assign(measure=measure, model=model))
    # Scores come before the objective.
    table = pd.concat([*parts[1:], parts[0]], ignore_index=True)
    # The model that predicts best comes first, and the best selector of a setting.
    groups = table.assign(mean=table["original"].where(table["dataset"] == "")).groupby(
        ["measure", "model"], sort=False
    )
    order = [table["measure"] == OBJECTIVE, -groups["mean"].transform("mean"), groups.ngroup(),
             table["dataset"], -table["n_features"], table["tau"].astype(float),
             -table["original"]]  # fmt: skip
    table = table.iloc[pd.concat(order, axis=1, keys=range(7)).sort_values([*range(7)]).index]
    table = table.reset_index(drop=True)
    of_selector = dict(zip(first["selector"].astype(str), first["search"].astype(str), strict=True))
    several = len(results.design.searches) > 1
    names = table["selector"].astype(str).map(of_selector)
    table["search"] = names.fillna("") if several else ""
    largest = ranks.max().rename(index=str).to_dict()
    table["last"] = table["selector"].astype(str).map(largest).astype("Int64")
    table["worst"] = table["worst"].astype("Int64")
    return table[["measure", "model", *_KEYS, *_VALUES]]


def best_measure(rows: pd.DataFrame) -> tuple[str, str]:
    """Return the score and the model of which original sets have the largest mean.

    `rows` are some of the table; those of the largest size count. Without scores it is the
    training objective.
    """
    scored = rows.dropna(subset="original") if len(rows) else rows
    tests = scored[scored["measure"] != OBJECTIVE] if len(scored) else scored
    if not len(tests):
        return OBJECTIVE, ""
    tests = tests[tests["n_features"] == tests["n_features"].max()]
    means = tests.groupby(["measure", "model"], sort=False)["original"].mean()
    measure, model = max(means.items(), key=lambda item: item[1])[0]
    return str(measure), str(model)


def best_selector(scored: pd.DataFrame) -> str:
    """Return the selector whose original sets predict best, by rows of the table `overview`.

    Only selectors with the most original sets count. It is empty if no selector has a score.
    """
    measure, model = best_measure(scored)
    tests = rows_of({"": scored}, "", measure=measure, model=model)
    tests = tests[tests["n_features"] == tests["n_features"].max()] if len(tests) else tests
    if not len(tests) or tests["original"].isna().all():
        return ""
    complete = tests[tests["n_original"] == tests["n_original"].max()]
    return str(complete.groupby("selector", sort=False)["original"].mean().idxmax())


def best_of_datasets(tables: Tables) -> dict[str, str]:
    """Return for each dataset the selector that predicts best on those of its kind of target."""
    rows = tables.get("overview", pd.DataFrame())
    if not len(rows):
        return {}
    targets = rows["target_type"] if "target_type" in rows else pd.Series("", rows.index)
    whole = rows["dataset"] == ""
    best = {target: best_selector(rows[whole & (targets == target)]) for target in set(targets)}
    pairs = zip(rows["dataset"][~whole], targets[~whole], strict=True)
    return {dataset: best[target] for dataset, target in dict.fromkeys(pairs)}


def _relative(values: pd.DataFrame, limits: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Scale objectives to 0 at the mean of random sets and 1 at the original one."""
    joined = values.join(limits, on=CASE)
    floor, ceiling, noise = (joined[c] for c in ("floor", "ceiling", NOISE))
    scaled = values.assign(value=relative_quality(values["value"], floor, ceiling, noise))
    known = relative_quality(limits["ceiling"], limits["floor"], limits["ceiling"], limits[NOISE])
    return scaled, limits.assign(ceiling=known, floor=known - known)


def _pairs(rows: pd.DataFrame, values: pd.DataFrame, limits: pd.DataFrame) -> pd.DataFrame:
    """Return the values of sets beside those of their original sets, where both exist."""
    pairs = rows[SET_KEY].merge(values[[*SET_KEY, "value"]], on=SET_KEY)
    return pairs.join(limits, on=CASE).dropna(subset=["value", "ceiling"])


def _of_datasets(limits: pd.DataFrame, pairs: pd.DataFrame, counts: pd.DataFrame) -> pd.DataFrame:
    """Return a row per dataset, selector, size and tau."""
    folds = pairs.assign(change=pairs["value"] - pairs["ceiling"]).groupby(_KEYS, observed=True)
    means = folds.agg(
        n=("value", "size"), alternative=("value", "mean"), of_same=("ceiling", "mean"),
        random_of_same=("floor", "mean"), change=("change", "mean"),
        change_low=("change", "min"), change_high=("change", "max"),
    )  # fmt: skip
    leads = limits.assign(lead=limits["ceiling"] - limits["floor"])
    whole = leads.groupby(_GROUP, observed=True).agg(
        original=("ceiling", "mean"), n_original=("ceiling", "count"), random=("floor", "mean"),
        lead_low=("lead", "min"), n_ahead=("lead", lambda leads: (leads > 0).sum()),
    ).reset_index()  # fmt: skip
    # An original set counts where its alternatives have no answer yet.
    taus = counts.index.to_frame(index=False)[["n_features", "tau"]].drop_duplicates()
    of_originals = whole.merge(taus, on="n_features").set_index(_KEYS)
    table = of_originals.join(counts, how="outer").join(means).reset_index()
    numbers = dict.fromkeys(("n", *(c for c in _VALUES if c.startswith("n_") and c in table)), 0)
    table = table.fillna(numbers).astype(dict.fromkeys(numbers, int))
    return table.assign(n_datasets=(table["n"] > 0).astype(int))


def _with_the_worst(table: pd.DataFrame, folds: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Add the alternative with the lowest mean change over datasets, of means over folds."""
    each = folds.groupby([*_KEYS, "set_index"], observed=True)["change"].mean()
    lowest = each.groupby([*keys, "set_index"], observed=True).mean().groupby(keys, observed=True)
    new = pd.DataFrame(
        {"worst": lowest.idxmin().map(lambda key: key[-1]), "change_worst": lowest.min()}
    )
    return table.drop(columns=[*new], errors="ignore").join(new, on=keys)


def _over_datasets(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the means over datasets of each selector, size and tau; one dataset is its own."""
    if len(rows["dataset"].drop_duplicates()) == 1:
        return rows.assign(dataset="")
    by = _KEYS[1:]
    drawn = ["random", "random_of_same"]
    means = ["original", *drawn, "alternative", "of_same", "change"]
    groups = rows.groupby(by, observed=True)
    table = groups[means].mean()
    table["lead_low"] = ends(
        (rows["original"] - rows["random"]).groupby([rows[c] for c in by], observed=True)
    )[:, 0]
    # Random sets of some of the datasets are not those of all of them.
    whole = groups[["original", "of_same"]].count().to_numpy() == groups[drawn].count()
    table[drawn] = table[drawn].where(whole)
    table[["change_low", "change_high"]] = ends(groups["change"])
    counts = ["n", *(c for c in _VALUES if c.startswith("n_"))]
    table[counts] = groups[counts].sum()
    overlap = groups["max_overlap"]
    table["max_overlap"] = overlap.first().where(overlap.min() == overlap.max())
    return table.reset_index().assign(dataset="")


def ends(groups: Any, level: float = ALPHA) -> Any:
    """Return the ends of what is said of a mean: an interval, or the smallest and largest value.

    `groups` are values of datasets. Six or more have an interval (Student's t), which misses the
    mean with a chance of `level`. The result has a row per group.
    """
    n, mean = groups.count(), groups.mean()
    half = stdtrit(n.clip(lower=2) - 1, 1 - level / 2) * groups.std() / n**0.5
    many = enough(n)
    low = (mean - half).where(many, groups.min())
    return pd.concat([low, (mean + half).where(many, groups.max())], axis=1).to_numpy()


def _behind_the_best(table: pd.DataFrame, limits: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Add the differences of original sets from those of the best selector."""
    new = ["behind", "behind_low", "behind_high"]
    if measure == OBJECTIVE or limits["ceiling"].isna().all():
        # Each selector has its own unit.
        return table.assign(**dict.fromkeys(new, float("nan")))
    by_fold = limits["ceiling"].dropna().reset_index()
    parts = []
    for k, rows in table.groupby("n_features", observed=True):
        own = by_fold[by_fold["n_features"] == k]
        wide = own.pivot(index=["dataset", "fold"], columns="selector", values="ceiling")
        wide.columns = wide.columns.astype(str)
        for dataset, some in rows.groupby("dataset", observed=True):
            values = wide[wide.index.get_level_values("dataset") == dataset] if dataset else wide
            if values.empty:
                parts.append(some.assign(**dict.fromkeys(new, float("nan"))))
                continue
            # The best of those with the most original sets: others are of easier folds.
            complete = values.loc[:, values.count() == values.count().max()]
            best = complete.groupby(level="dataset", observed=True).mean().mean().idxmax()
            less = values.sub(values[best], axis=0)
            several = dataset == "" and rows["dataset"].nunique() > 2
            if several:
                less = less.groupby(level="dataset", observed=True).mean()
            each = less.melt(value_name="less").groupby("selector", sort=False)["less"]
            few = pd.concat([less.min(), less.max()], axis=1).to_numpy()
            others = max(len(less.columns) - 1, 1)
            spans = pd.DataFrame(ends(each, ALPHA / others) if several else few, less.columns)
            names = some["selector"].astype(str)
            parts.append(some.assign(
                behind=names.map(less.mean()), behind_low=names.map(spans[0]),
                behind_high=names.map(spans[1]),
            ))  # fmt: skip
    return pd.concat(parts).sort_index()
