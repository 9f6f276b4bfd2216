"""Time of streams by the width of the dataset."""

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.names import selector_name
from altfs.evaluation.results import RUN_KEY, Results
from altfs.kinds.streams.kind import has_streams
from altfs.kinds.streams.scored_sets import sized


@figures.add(place=154, applies=has_streams)
def streams_seconds(results: Results, tables: Tables) -> Chart:
    """Draw the median time of a run against the number of features."""
    rows = results.once(sized)
    runs = rows[rows["streams"]].groupby(RUN_KEY)["seconds"].sum().reset_index()
    points = runs.groupby(["selector", "dataset"])["seconds"].median().reset_index()
    points["n"] = points["dataset"].map(results.design.widths)
    # A coarse clock gives 0, which has no logarithm.
    points["seconds"] = points["seconds"].clip(lower=1e-6)
    points["method"] = points.pop("selector").map(selector_name)
    points = points.rename(columns={"dataset": "data"}).dropna().sort_values(["method", "n"])
    tooltip = draw.tips("panel:N", "data:N", "n:Q", "seconds:Q")
    marks = alt.Chart().mark_point(filled=True, size=36, opacity=1)
    return draw.panelled(
        [marks.encode(tooltip=tooltip, **draw.seconds_by_width())],
        points,
        lambda shown: shown["method"],
        ("method", "n", "seconds"),
        "Time of streams against number of features",
        "A point per dataset: median over folds, sizes and τ, with all alternatives and without "
        "start-up.",
        f"n = {draw.number_of(points['data'], 'dataset')}.",
        form="{:.2g} s",
    )
