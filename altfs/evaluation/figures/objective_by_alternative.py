"""Training objective by number of alternative."""

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.roles import without_random
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures._focus import defaults, longest_ranked, one_search
from altfs.evaluation.names import BOX, search_name, selector_name
from altfs.study.catalogue import figures


@figures.add("What further alternatives cost in training objective.", place=70)
def objective_by_alternative(results: StudyResults, tables: Tables) -> Chart:
    """Draw training objectives by rank of the alternative: a panel per selector and size."""
    chosen = one_search(results.once(without_random).feature_sets)
    data = draw.quantiles(chosen, ["selector", "n_features", "set_index"], "train_objective")
    names = [str(name) for name in chosen["selector"].unique()]
    drawn = set(data[["selector", "n_features"]].itertuples(index=False, name=None))
    settings = chosen[["selector", "n_features"]].drop_duplicates().astype({"selector": str})
    empty = [
        f"{selector_name(selector)} (k = {k})"
        for selector, k in settings.itertuples(index=False)
        if (selector, k) not in drawn
    ]
    charts = [
        draw.boxes(
            data[(data["selector"] == selector) & (data["n_features"] == k)],
            {"x": draw.rank_axis(), "color": alt.value("#0072B2")},
            "Training objective",
            14,
        ).properties(width=alt.Step(24), height=150, title=f"{selector_name(selector)}, k = {k}")
        for k in sorted(data["n_features"].unique())
        for selector in names
        if (selector, k) in drawn
    ]
    figure = draw.titled(
        draw.panels(charts, min(4, len(names))),
        "Training objective by number of alternative",
        f"{search_name(chosen['search'].iloc[0])} search; the sets that exist, over all datasets, "
        f"folds and τ. {BOX}",
        f"No set exists for {', '.join(empty)}." if empty else "",
    )
    by = ["selector", "run", "n_features", "set_index"]
    return draw.choices(
        figure,
        ["selector", "n_features"],
        lambda own: draw.quantiles(results.once(longest_ranked), [*own, *by], "train_objective"),
        run=defaults(chosen)["run"],
    )
