"""Fronts of quality against dissimilarity."""

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures._charts import Chart, Tables
from altfs.evaluation.results import Results
from altfs.kinds.fronts.figures._families import family_chart, steps_of
from altfs.kinds.fronts.kind import has_dissimilarity_fronts
from altfs.kinds.fronts.points import family_points

_STEPS = 50


@figures.add(place=162, applies=has_dissimilarity_fronts)
def quality_dissimilarity_front(results: Results, tables: Tables) -> Chart:
    """Draw the quality of the best family with at least some dissimilarity, on both parts."""
    return family_chart(
        steps(results),
        "dissimilarity",
        "Quality against dissimilarity, without a threshold",
        "Dissimilarity of the family",
        "that is at least so dissimilar",
    )


def steps(results: Results) -> pd.DataFrame:
    """Return the relative quality of the best family for each least dissimilarity and part."""
    grid = [step / _STEPS for step in range(_STEPS + 1)]
    points = family_points(results, "dissimilarity")
    # The best of those that are dissimilar enough has the largest quality.
    return steps_of(points, "dissimilarity", grid, lambda apart, least: apart >= least - 1e-9)
