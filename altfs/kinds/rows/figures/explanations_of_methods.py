"""Agreement of the methods that explain the same rows."""

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.names import selector_name
from altfs.evaluation.results import Results
from altfs.kinds.rows.explained_runs import explained_rows
from altfs.kinds.rows.figures._explained import NOTHING_EXPLAINED, chosen_run
from altfs.kinds.rows.kind import has_explanations

_TITLE = "Agreement of methods on single rows"
_NOTHING = "One method alone explains rows."


@figures.add(place=146, needs=("explanation_agreement",), applies=has_explanations)
def explanations_of_methods(results: Results, tables: Tables) -> Chart:
    """Draw the similarity of first explanations of two methods, a panel per dataset."""
    table = tables["explanation_agreement"]
    if table.empty:
        words = _NOTHING if len(explained_rows(results)) else NOTHING_EXPLAINED
        return draw.absent(_TITLE, words)
    rows, words = chosen_run(table)
    rows = rows[rows["set_index"] == 0]
    names = {side: rows[side].astype(str).map(selector_name) for side in ("first", "second")}
    data = rows[["dataset", "dice", "nearest", "n"]].assign(**names).reset_index(drop=True)
    order = sorted({*data["first"], *data["second"]})
    layers = draw.heat_map(
        alt.X("second:N", title="Explanations of", sort=order, axis=alt.Axis(labelAngle=0)),
        alt.Y("first:N", title="First explanation of", sort=order),
        alt.Color("dice:Q", title="Dice similarity",
                  scale=alt.Scale(domain=[0, 1], scheme="blues")),
        ".2f", "datum.dice > 0.5", "panel:N", "first:N", "second:N", "nearest:Q", "n:Q",
    )  # fmt: skip
    line = data["first"] + " and " + data["second"]
    return draw.captioned(
        draw.panels(layers, data, draw.dataset_of),
        _TITLE,
        "Mean Dice similarity of the first explanations that two methods give to the same row: 1 "
        "if they name the same features, 0 if they share none.",
        words,
        f"n = {draw.number_of(data['dataset'], 'dataset')}.",
        seen=draw.described(data.assign(panel=draw.dataset_of(data), line=line), "line", "dataset",
                            "dice"),
    )  # fmt: skip
