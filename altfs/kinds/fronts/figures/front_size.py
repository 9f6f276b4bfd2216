"""Sizes of fronts by the dominance factor and the largest number of features."""

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.results import Results
from altfs.kinds.fronts.kind import has_curves
from altfs.kinds.fronts.points import panel_of

_TITLE = "Size of fronts"


@figures.add(place=161, needs=("fronts",), applies=has_curves)
def front_size(results: Results, tables: Tables) -> Chart:
    """Draw the number of sets in a front by the dominance factor, a line per size."""
    rows = tables["fronts"]
    rows = rows[rows["train_area"].notna()].astype({"selector": str, "dataset": str})
    if rows.empty:
        return draw.absent(_TITLE, "No front exists.")
    keys = ["dataset", "selector", "dominance_factor", "n_features"]
    data = rows.groupby(keys, sort=False)[["points", "seconds"]].mean().reset_index()
    factors = sorted(data["dominance_factor"].unique(), key=float)
    # Lines go from left to right.
    data["at"] = data["dominance_factor"].map(factors.index)
    data = data.sort_values("at", kind="stable")
    sizes = sorted(data["n_features"].unique())
    base = alt.Chart().encode(
        x=alt.X("dominance_factor:O", title="Dominance factor", sort=factors,
                axis=alt.Axis(labelAngle=0)),
        y=alt.Y("points:Q", title="Sets in the front", scale=alt.Scale(type="log"),
                axis=alt.Axis(format="~g", tickCount=5)),
        color=draw.shades("n_features", "n_features", sizes),
        tooltip=draw.tips("panel:N", "dominance_factor:N", "n_features:Q", "points:Q", "seconds:Q"),
    )  # fmt: skip
    point = base.mark_point(filled=True, size=36, opacity=1)
    layers = [base.mark_line(strokeWidth=1.5).encode(order="at:Q"), point]
    return draw.panelled(
        layers,
        data,
        panel_of,
        ("n_features", "dominance_factor", "points"),
        _TITLE,
        "Number of sets in the front of the training part: means over folds, on a logarithmic "
        "scale. A set dominates another one if it gains more than the factor times what it loses.",
        f"n = fronts of {draw.number_of(data['dataset'], 'dataset')}.",
        form="{:.0f}",
    )
