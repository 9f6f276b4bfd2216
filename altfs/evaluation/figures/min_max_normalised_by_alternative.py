"""Min-max-normalised quality by number of alternative."""

from altfs.catalogue import figures
from altfs.evaluation.figures._charts import Chart, Tables
from altfs.evaluation.figures.max_normalised_by_alternative import normalised_by_alternative
from altfs.evaluation.results import Results


@figures.add(place=50, per_size=True)
def min_max_normalised_by_alternative(results: Results, tables: Tables) -> Chart:
    """Draw objectives between the worst and the best of their run, by rank (e)."""
    return normalised_by_alternative(results, "min-max", "Min-max-normalised objective")
