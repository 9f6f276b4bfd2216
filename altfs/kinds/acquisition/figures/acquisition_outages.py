"""Prices of the outage of a measurement, and of the switch to another one."""

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.results import Results
from altfs.kinds.acquisition.kind import has_acquisition

_TITLE = "The price of an outage"
# Features of a panel, the most frequent ones.
_MOST = 8


@figures.add(place=164, needs=("acquisition_features",), applies=has_acquisition)
def acquisition_outages(results: Results, tables: Tables) -> Chart:
    """Draw the mean outage and switch of the features that are measured most, by method."""
    table = tables["acquisition_features"]
    if table.empty:
        return draw.absent(_TITLE, "No row is measured.")
    last = table.groupby(["dataset", "method"])["limit"].transform("last")
    data = table[table["limit"] == last].groupby(["dataset", "method"], sort=False).head(_MOST)
    base = alt.Chart().encode(
        y=alt.Y("feature:N", title=None, sort=alt.EncodingSortField("n", order="descending")),
        tooltip=draw.tips("panel:N", "feature:N", "share:Q", "outage:Q", "switch:Q"),
    )
    bars = base.mark_bar(color="#767676").encode(
        x=alt.X("outage:Q", title="Rise of what the method minimises")
    )
    ticks = base.mark_tick(color="#D55E00", thickness=3).encode(x="switch:Q")
    return draw.panelled(
        [bars, ticks], data, lambda rows: rows["dataset"] + ", " + rows["method"],
        ("panel", "feature", "outage"), _TITLE,
        "Bar: by how much the value of a row rises if the measurement is never available; tick: if "
        "another one is taken first. Means over the rows of which it is measured, with the last "
        "limit. Units differ between methods.",
        f"n = {int(data['n'].max())} rows or fewer.", form="{:.3g}", free_x=True,
    )  # fmt: skip
