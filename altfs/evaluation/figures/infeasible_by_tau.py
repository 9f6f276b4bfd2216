"""Shares of feature sets proven not to exist, by threshold."""

from functools import partial
from typing import Any

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import ON_A_PAGE, Chart, Tables, alt
from altfs.evaluation.figures._focus import defaults, longest_ranked, one_search
from altfs.evaluation.names import RANK, TAU, search_name, selector_name, size_name, sizes_in_words
from altfs.evaluation.report.phrases import few_of, listed
from altfs.evaluation.results import Results, text_columns_as_text
from altfs.evaluation.stats.roles import without_random

_TITLE = "Feature sets proven not to exist"
_MOST_GROUPS = 4  # More groups of methods share a panel.


@figures.add(place=3, per_size=True)
def infeasible_by_tau(results: Results, tables: Tables) -> Chart:
    """Draw the share of sets proven not to exist, by tau and rank.

    There is a panel per size, dataset, and group of methods that lack the same, if these are few.
    """
    chosen = one_search(results.once(without_random).sets)
    every, run = results.once(longest_ranked), defaults(chosen)["run"]

    def shares(own: list[str]) -> pd.DataFrame:
        of_each = _shares(every, [*own, "run", "selector"])
        # Panels of single datasets are on one page.
        n_datasets = every["dataset"].nunique() if own else 1
        alike = _alike(
            of_each[of_each["run"] == run], own, min(_MOST_GROUPS, ON_A_PAGE // n_datasets)
        )
        methods = every["selector"].map(lambda name: alike.get(name, ""))
        whole = _shares(every.assign(methods=methods), [*own, "run", "methods"])
        return pd.concat([whole.assign(selector=""), of_each.assign(methods="")])

    data = draw.choosable(shares)
    if not data["infeasible"].any():
        return draw.absent(_TITLE, "No feature set is proven not to exist.")
    together = data["selector"] == ""
    joint = data.assign(joint=data["infeasible"].where(together))
    panels = joint.groupby(["n_features", "dataset", "methods"])
    whole, flat = panels["infeasible"].transform("max") == 0, panels["joint"].transform("nunique")
    whole |= together & (flat == 1) & bool((flat > 1).any())
    # Of several datasets, panels of one are for a choice.
    left = data[whole & (data["dataset"].eq("") | bool(data["dataset"].ne("").all()))]
    shares_left = left["infeasible"].map(" ({:.0f} %)".format).astype(str)
    left_out, data = dict.fromkeys(_sizes_and_datasets(left, results) + shares_left), data[~whole]
    taus = [*draw.thresholds(data["tau"]).values()]
    x = alt.X("set_index:O", title=RANK, axis=alt.Axis(labelAngle=0, grid=False))
    y = alt.Y("tau:O", title=TAU, sort=taus[::-1], axis=alt.Axis(grid=False))
    # No set is missing where it is white.
    blues = alt.Scale(domain=[0, 100], range=["#ffffff", "#08306b"], interpolate="rgb")
    color = alt.Color("infeasible:Q", title="Proven not to exist, in %", scale=blues)
    layers = draw.heat_map(x, y, color, ".0f", "datum.infeasible > 45", "panel:N", "selector:N",
                           "tau:N", "set_index:N", "sets:Q")  # fmt: skip
    label = partial(_sizes_and_datasets, results=results)
    later = chosen[chosen["set_index"] > 0]
    n_missing = (later["status"] == "infeasible").sum()
    sizes = sizes_in_words(sorted(set(chosen["n_features"])), results.sizes)
    shown = data.assign(panel=label(data), line="τ = " + data["tau"])
    return draw.captioned(
        draw.panels(layers, data, label, first={"run": run}),
        _TITLE,
        f"{search_name(chosen['search'].iloc[0])} search; share over folds and methods.",
        f"{draw.counted(chosen)[:-1]}; {len(later):,} are alternatives.",
        f"Left out, as all shares are the same: {few_of([*left_out])}." * bool(left_out),
        seen=draw.described(shown, "line", "set_index", "infeasible", "{:.0f} %", dataset="",
                            selector="", run=run),
        finding=f"{n_missing:,} of {len(later):,} alternatives do not exist ({sizes}).",
    )  # fmt: skip


def _sizes_and_datasets(rows: pd.DataFrame, results: Results) -> Any:
    sizes = [size_name(k, results.sizes) for k in rows["n_features"]]
    labels: Any = draw.apart(pd.Series(sizes, rows.index, str), rows["dataset"])
    labels += rows["methods"].map(lambda names: f", {names}" if names else "")
    # The caption names a size that is the only one.
    one = len(set(results.sets["n_features"])) == 1
    return labels.str.removeprefix(f"{sizes[0]}, ") if one and sizes else labels


def _alike(shares: pd.DataFrame, own: list[str], most: int) -> dict[str, str]:
    """Return the names of all methods that lack as many sets as a method, if some lack others."""
    wide = shares.pivot(
        index=[*own, "n_features", "tau", "set_index"], columns="selector", values="infeasible"
    )
    groups: dict[tuple[float, ...], list[str]] = {}
    for name, values in wide.items():
        groups.setdefault(tuple(values.fillna(-1)), []).append(str(name))
    named = {name: listed([*map(selector_name, same)]) for same in groups.values() for name in same}
    return named if 1 < len(groups) <= most else {}


def _shares(sets: pd.DataFrame, own: list[str]) -> pd.DataFrame:
    """Return the percentage of sets proven not to exist, by further columns, size, tau and rank."""
    failed = sets.assign(infeasible=100.0 * (sets["status"] == "infeasible"))
    groups = failed.groupby([*own, "n_features", "tau", "set_index"], observed=True)
    shares = groups["infeasible"].agg(infeasible="mean", sets="size")
    return text_columns_as_text(shares.reset_index())
