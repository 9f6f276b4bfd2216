"""A sentence for each table and figure; docs/tables.md says more."""

from __future__ import annotations

CAPTIONS = {
    "datasets": "The datasets as used; constant and duplicated features are kept.",
    "missing": "What has not been computed yet; no table and no figure counts it.",
    "status": "How many feature sets are proven best, found, proven not to exist, or open.",
    "status_shares": "The same at a glance, per feature set and per search run.",
    "infeasible": "Share of feature sets proven not to exist, by number of alternative and τ.",
    "quality": "Objectives over datasets and folds; n of n_planned sets exist.",
    "prediction": "Scores of the prediction models over datasets and folds.",
    "prediction_overview": "Test scores of all feature sets, and of the original ones alone.",
    "correlation": "Spearman correlation of all pairs of metrics, by dataset and selector, too.",
    "spread": "Standard deviation and mean of quality within search runs; "
    "sequential runs are cut to the same number of alternatives.",
    "by_alternative": "Quality by number of alternative: raw, max- and min-max-normalised "
    "within each run.",
    "by_tau": "Quality by dissimilarity threshold: raw, max- and min-max-normalised.",
    "overfitting": "Training part minus test part.",
    "dimensions": "Spearman correlation of quality with the number of features n, and with k / n.",
    "effort": "Time and work of search runs.",
    "dissimilarity": "How different the sets of a run really are, whatever τ demanded.",
    "stability_overview": "How much the sets of different folds agree, over datasets.",
    "stability": "The same for each dataset: Nogueira, Jaccard and Kuncheva.",
    "selection_frequency": "How often each feature is selected, in original sets and others.",
    "substitutes": "Which features take a feature's place when an alternative leaves it out.",
    "controls": "Quality between random valid sets (the floor) and original sets (the ceiling).",
    "friedman": "Friedman's test and average ranks of selectors and of searches, over datasets.",
    "pairwise": "Wilcoxon's signed-rank test of all pairs, adjusted by Holm, with effect sizes.",
    "notes": "Values that could not be computed, and why.",
    "correlation_of_metrics": "Which measures of quality agree.",
    "spread_within_search": "How much the sets of a run differ in training objective.",
    "mean_within_search": "How good the sets of a run are on average.",
    "max_normalised_by_alternative": "What further alternatives cost, relative to the best set.",
    "min_max_normalised_by_alternative": "The same, between the worst and the best of a run.",
    "median_by_tau": "What further alternatives cost for each dissimilarity threshold.",
    "objective_by_alternative": "What further alternatives cost in training objective.",
    "score_by_selector": "How well models predict with the feature sets of each selector.",
    "infeasible_by_tau": "Where so many so different feature sets do not exist.",
    "critical_difference": "Which selectors can be told apart by prediction performance.",
    "quality_against_dissimilarity": "What being different costs, and which settings cost least.",
    "solver_time": "What the searches cost, by the size of the problem.",
    "quality_between_controls": "How far alternatives fall from the original set towards "
    "random ones.",
    "stability_by_alternative": "How much later alternatives depend on the fold.",
}
