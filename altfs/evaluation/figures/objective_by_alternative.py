"""Training objective by number of alternative."""

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures._focus import defaults, longest_ranked, one_search
from altfs.evaluation.names import search_name, selector_name, size_name
from altfs.evaluation.results import Results
from altfs.evaluation.rules import whole_population
from altfs.evaluation.stats.roles import without_random


@figures.add(place=70, per_size=True)
def objective_by_alternative(results: Results, tables: Tables) -> Chart:
    """Draw training objectives by rank of the alternative: a panel per selector and size."""
    chosen = one_search(results.once(without_random).sets)
    line, run = ["selector", "run", "n_features"], defaults(chosen)["run"]

    def boxed(by: list[str]) -> pd.DataFrame:
        every = results.once(longest_ranked)
        rows = draw.quantiles(every, [*by, *line, "set_index"], "train_objective")
        floors = draw.quantiles(every, [*by, *line], "floor").rename(columns={"median": "floor"})
        rows = rows.merge(floors[[*by, *line, "floor"]], on=[*by, *line], how="left")
        # Vega warns of a panel without any value, so a line that is not drawn has some.
        rows = rows.assign(chance=rows["floor"].notna(), floor=rows["floor"].fillna(rows["median"]))
        return rows.assign(same=whole_population(rows, [*by, *line], "sets"))

    data = draw.choosable(boxed).sort_values("n_features", kind="stable")

    def label(rows: pd.DataFrame) -> list[str]:
        pairs = zip(rows["selector"], rows["n_features"], strict=True)
        return [f"{selector_name(name)}, {size_name(k, results.sizes)}" for name, k in pairs]

    labels = dict.fromkeys(label(chosen[["selector", "n_features"]].drop_duplicates()))
    empty = [text for text in labels if text not in set(label(data))]
    layers = draw.boxes(
        data, draw.rank_axis(), "run", "Training objective", "set_index:N", legend=False
    )
    if chance := bool(data["chance"].any()):
        level = alt.Chart().mark_line(strokeDash=[2, 3])
        floor = alt.Y("floor:Q", title="Training objective")
        layers.append(
            level.encode(
                x=draw.rank_axis(),
                y=floor,
                detail="dataset:N",
                color=alt.value("#555"),
                opacity=alt.condition("datum.chance", alt.value(1), alt.value(0)),
                tooltip=draw.tips("panel:N", "dataset:N", "floor:Q"),
            )
        )
    present = chosen[chosen["train_objective"].notna()]
    shown = data.assign(panel=label(data))
    return draw.captioned(
        draw.panels(layers, data, label, first={"run": run}),
        "Training objective by number of alternative",
        f"{search_name(chosen['search'].iloc[0])} search; the sets that exist, over folds and τ.",
        draw.marks_of(data),
        draw.CHANCE if chance else "",
        draw.counted(present),
        f"No set exists for {', '.join(empty)}." if empty else "",
        seen=draw.described(shown, "dataset", "set_index", "median", "{:.3g}", dataset="", run=run),
    )
