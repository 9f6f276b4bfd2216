"""Time of search runs by width of the dataset."""

from typing import Any

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures._focus import search_names
from altfs.evaluation.names import selector_name
from altfs.evaluation.results import Results
from altfs.evaluation.stats.roles import searches_of_type
from altfs.evaluation.stats.runs import cut_to_the_same_number, run_efforts

_TITLE = "Solver time against number of features and of alternatives"


@figures.add(place=120)
def solver_time(results: Results, tables: Tables) -> Chart:
    """Draw the time of a run against the number of features, by number of alternatives."""
    sets = results.sets
    # The first sets of another search do not cost less than all of them.
    steps = sets["search"].isin(searches_of_type("sequential", results, sets))
    cut = pd.concat([cut_to_the_same_number(sets[steps], results.settings), sets[~steps]])
    by = ["selector", "search", "aggregation", "n_alternatives", "dataset"]
    medians = run_efforts(cut).groupby(by, observed=True)["seconds"].median().reset_index()
    medians["n"] = medians["dataset"].astype(str).map(results.design.widths).astype(float)
    # A coarse clock gives 0, which has no logarithm.
    medians["seconds"] = medians["seconds"].clip(lower=1e-6)
    text = dict.fromkeys(("selector", "search", "aggregation", "dataset"), str)
    medians = medians.dropna().astype(text)
    medians = medians.assign(run=search_names(medians))
    if medians["n"].nunique() < 2:
        return draw.absent(_TITLE, "All datasets have the same number of features.")
    numbers = sorted(medians["n_alternatives"].unique())
    fields = ("panel:N", "dataset:N", "n:Q", "n_alternatives:N", "seconds:Q")
    points = alt.Chart().mark_point(filled=True, size=28, opacity=1).encode(
        **draw.seconds_by_width(),
        color=draw.shades("n_alternatives", "Number of alternatives", numbers),
        tooltip=draw.tips(*fields),
    )  # fmt: skip

    def label(rows: pd.DataFrame) -> Any:
        return rows["selector"].map(selector_name) + ", " + rows["run"]

    return draw.captioned(
        draw.panels([points], medians, label, shared_y=True),
        _TITLE,
        "A point per dataset and number of alternatives: median over folds, k and τ, "
        "without start-up; sequential runs as far as that alternative.",
        f"n = {draw.number_of(medians['dataset'], 'dataset')}.",
        seen=draw.described(medians.sort_values("n").assign(panel=label(medians), unit="seconds"),
                       "unit", "n", "seconds", "{:.2g} s"),
    )  # fmt: skip
