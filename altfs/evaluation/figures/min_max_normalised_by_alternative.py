"""Min-max-normalised quality by number of alternative."""

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.figures._charts import Chart, Tables
from altfs.evaluation.figures.max_normalised_by_alternative import normalised_by_alternative
from altfs.study.catalogue import figures


@figures.add(place=50, per_size=True)
def min_max_normalised_by_alternative(results: StudyResults, tables: Tables) -> Chart:
    """Draw objectives between the worst and the best of their run, by rank (e)."""
    return normalised_by_alternative(results, "min-max", "Min-max-normalised objective")
