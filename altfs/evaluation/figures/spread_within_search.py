"""Spread of quality within search runs."""

from altfs.catalogue import figures
from altfs.evaluation.figures._charts import Chart, Tables
from altfs.evaluation.figures.mean_within_search import within_search
from altfs.evaluation.results import Results


@figures.add(place=20)
def spread_within_search(results: Results, tables: Tables) -> Chart:
    """Draw the standard deviation of the training objective within a search run (b)."""
    return within_search(results, "std", "Standard deviation of the objective")
