"""Fronts of quality against information about a sensitive attribute."""

import numpy as np
import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures._charts import Chart, Tables
from altfs.evaluation.results import Results
from altfs.kinds.fronts.figures._families import family_chart, steps_of
from altfs.kinds.fronts.kind import has_information_fronts
from altfs.kinds.fronts.points import family_points

_STEPS = 50


@figures.add(place=157, applies=has_information_fronts)
def quality_information_front(results: Results, tables: Tables) -> Chart:
    """Draw the quality of the best family whose sets tell at most so much, on both parts."""
    return family_chart(
        steps(results),
        "information",
        "Quality against information about the sensitive attribute",
        "Information of a set (bits)",
        "of which no set tells more",
    )


def steps(results: Results) -> pd.DataFrame:
    """Return the relative quality of the best family for each limit of information and part."""
    points = family_points(results, "information")
    most = max((second for _, second in points["objectives"]), default=0.0)
    grid = [float(limit) for limit in np.linspace(0, most, _STEPS + 1)]
    return steps_of(points, "information", grid, lambda told, limit: told <= limit + 1e-9)
