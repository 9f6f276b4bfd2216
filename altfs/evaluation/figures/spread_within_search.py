"""Spread of quality within search runs."""

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.figures._charts import Chart, Tables
from altfs.evaluation.figures.mean_within_search import within_search
from altfs.study.catalogue import figures


@figures.add(place=20)
def spread_within_search(results: StudyResults, tables: Tables) -> Chart:
    """Draw the standard deviation of the training objective within a search run (b)."""
    return within_search(results, "std", "Standard deviation of the objective")
