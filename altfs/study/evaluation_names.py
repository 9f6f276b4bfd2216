"""The names of the tables and figures that the last task of a study makes.

The plan has to know them before anything of the evaluation is imported.
"""

#: What the evaluation makes; the conformance tests hold it in step.
TABLES = (
    "datasets",
    "missing",
    "status",
    "status_shares",
    "infeasible",
    "quality",
    "prediction",
    "prediction_overview",
    "correlation",
    "spread",
    "by_alternative",
    "by_tau",
    "overfitting",
    "dimensions",
    "effort",
    "dissimilarity",
    "stability_overview",
    "stability",
    "selection_frequency",
    "substitutes",
    "controls",
    "friedman",
    "pairwise",
    "notes",
)
FIGURES = (
    "correlation_of_metrics",
    "spread_within_search",
    "mean_within_search",
    "max_normalised_by_alternative",
    "min_max_normalised_by_alternative",
    "median_by_tau",
    "objective_by_alternative",
    "score_by_selector",
    "infeasible_by_tau",
    "critical_difference",
    "quality_against_dissimilarity",
    "solver_time",
    "quality_between_controls",
    "stability_by_alternative",
)
