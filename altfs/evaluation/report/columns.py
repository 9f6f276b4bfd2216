"""The columns of tables: a heading that can be read, and what the values are."""

from functools import cache
from typing import NamedTuple

import pandas as pd

from altfs.kinds.base import kinds


class Column(NamedTuple):
    """A column as the page shows it."""

    #: The name in the file.
    name: str
    #: A few words with the unit.
    heading: str
    #: A sentence.
    meaning: str


#: The heading and the meaning of each column, whatever table has it.
_COLUMNS = {
    # The case that a row is about.
    "dataset": ("Dataset", "Name of the dataset; over all of them: all, and empty in the file."),
    "target_type": ("Target", "Classes or numbers."),
    "selector": ("Selector", "The method whose quality is maximised; empty: over all of them."),
    "search": ("Search", "The search by its name in the configuration; empty: over all of them."),
    "aggregation": ("Aggregation", "How the qualities of a simultaneous run become one objective."),
    "n_features": ("k", "Number of features of a set; of a range of sizes the largest."),
    "n_alternatives": ("Alternatives", "Number of alternatives of a run."),
    "tau": ("τ", "Smallest allowed dissimilarity of two sets; empty: over all of them."),
    "set_index": ("Rank", "0 is the original set, 1 the first alternative; empty: over all."),
    "measure": ("Measure", "The value that is summarised."),
    "model": ("Model", "The prediction model; empty for objectives."),
    "metric": ("Metric", "The score of the model's predictions."),
    "sets": ("Sets", "The kind of feature sets that count."),
    "normalisation": ("Normalised", "raw: the value; max, min-max: by the values of its run."),
    "within_run": ("Within a run", "The statistic over the sets, or pairs of sets, of a run."),
    "compared": ("Compared", "The treatments: selectors or searches."),
    "grouping": ("Grouping", "The columns by which rows are counted."),
    "counted": ("Counted", "Feature sets or search runs."),
    "floor": ("Floor", "The random searches whose mean is the floor."),
    "treatment": ("Treatment", "The selector or search that is compared."),
    "against": ("Against", "The number with which the measure is correlated."),
    "kind": ("Kind", "Shards, predictions, data or predictions of single sets."),
    # Numbers of what counts.
    "n": ("n", "Number of values that exist."),
    "n_planned": ("Planned", "The same number in the complete study."),
    "n_datasets": ("Datasets", "Number of datasets of these values."),
    "n_folds": ("Folds", "Number of folds that were compared."),
    "n_sets": ("n", "Number of feature sets that exist."),
    "n_answered": ("Answered", "Number of folds with an answer."),
    "n_cases": ("Cases", "Number of cases in which every treatment has a value."),
    "n_cases_left_out": ("Left out", "Number of cases in which only some of them have one."),
    "n_correlations": ("Correlations", "Number of correlations of which rho is the median."),
    "n_treatments": ("Treatments", "Number of treatments that are compared."),
    "n_without_span": ("No span", "Datasets whose ceiling is not clearly above the floor."),
    "n_total": ("Features", "Number of features to choose from."),
    "n_relevant": ("Relevant", "Number of relevant features of the dataset."),
    "n_selected": ("Selected", "Number of feature sets that have the feature."),
    "left_out": ("Datasets left out", "Datasets without a case that all treatments have."),
    "folds": ("Folds", "The folds whose results are missing; -1: those of the dataset itself."),
    # Data.
    "origin": ("Origin", "The source, and the name or file in it."),
    "rows": ("Rows", "Number of rows."),
    "features": ("Features", "Number of features."),
    "target": ("Target column", "Name of the target."),
    "constant_features": ("Constant", "Number of features with one value only."),
    "duplicated_features": ("Duplicated", "Number of features that equal an earlier one."),
    "encoded_columns": ("Encoded", "Number of columns of text that became numbers."),
    "sha256": ("SHA-256", "Checksum of the source."),
    # Values.
    "max_overlap": ("Common at most", "Largest allowed number of common features."),
    "alternative": ("Alternative", "Mean of the alternatives."),
    "original": ("Original", "Mean of the original sets of the same folds."),
    "all_data": ("All data", "Mean of original sets of selectors that see all data."),
    "random": ("Random", "Mean of random sets of the same folds."),
    "n_original": ("Originals", "Number of folds that have an original set."),
    "random_of_same": ("Random of these", "Mean of random sets of these folds."),
    "of_same": ("Original of these", "Mean of the original sets of the folds with an alternative."),
    "change": ("Change", "Mean difference of the alternative from the original of the same fold."),
    "n_exist": ("Exist", "Number of runs whose first alternative exists."),
    "n_possible": ("Possible", "Number of runs with enough features for a first alternative."),
    "most_sets": ("Sets at most", "Largest number of sets that counting allows."),
    "n_counting": ("By counting", "Missing alternatives that no ranking of so few features has."),
    "n_without": ("No original", "Missing alternatives of folds that have no original set."),
    "last": ("Last", "The number of the last alternative that was asked for."),
    "n_last": ("Folds with the last", "The folds that have the last alternative."),
    "change_last": ("Change, last", "The change with the last alternative, where it exists."),
    "n_conditions": ("By conditions", "Missing alternatives that the conditions forbid."),
    "n_no_room": ("No room", "Missing alternatives for which the run's other sets leave no room."),
    "n_unknown": ("Unknown", "Alternatives that were not found within the limits of the search."),
    "dissimilarity": ("Dissimilarity", "Mean dissimilarity from the original sets, 0 to 1."),
    "random_dissimilarity": ("Dissimilarity of random sets", "The same of random sets."),
    "metric_1": ("Metric 1", "The first of two metrics."),
    "metric_2": ("Metric 2", "The second of two metrics."),
    "rho": ("ρ", "Spearman's rank correlation, -1 to 1."),
    "p": ("p", "p value of the test."),
    "p_holm": ("p (Holm)", "p value, adjusted for the pairs of the comparison."),
    "average_rank": ("Average rank", "Mean rank over datasets; 1 is best."),
    "friedman_chi2": ("χ²", "Friedman's statistic."),
    "kendall_w": ("Kendall's W", "Agreement of the datasets, 0 to 1."),
    "critical_difference": ("Critical difference", "Nemenyi's, of average ranks, at 5 %."),
    "first": ("First", "The first treatment of the pair."),
    "second": ("Second", "The second treatment of the pair."),
    "first_better": ("First better", "Number of datasets on which the first is better."),
    "second_better": ("Second better", "Number of datasets on which the second is better."),
    "rank_biserial": ("Rank-biserial", "1: first better on all datasets, -1: second."),
    "nogueira": ("Nogueira", "Stability: 1 if all sets are the same, 0 as random ones."),
    "jaccard": ("Jaccard", "Mean over pairs of sets: shared features / features of either."),
    "kuncheva": ("Kuncheva", "Mean consistency index of pairs of sets of one size."),
    "feature": ("Feature", "Name of the feature."),
    "substitute": ("Substitute", "A feature that replaces it."),
    "share": ("Share", "The number divided by that of all."),
    "kept": ("Quality kept", "Mean of alternative / original, of the training objective."),
    "weight": ("Weight", "Sum of the counts; a feature that is left out counts 1 in all."),
    "n_together": ("Together", "Alternatives that lack the feature and have the substitute."),
    "n_left_out": ("Left out by", "Alternatives that leave the feature out."),
    "hits": ("Hits", "Number of relevant features in the set."),
    "gain": ("Gain", "Hits / the smaller of the set's size and the relevant features."),
    "truth_rank": ("Rank of the truth", "Mean rank of a row's relevant features by their values."),
    "wrong": ("Wrong", "Share of the set that is not relevant."),
    "best_score": ("Best score", "Largest test score over sizes: of means over folds."),
    "best_size": ("At k", "Smallest number of features that reaches the best score."),
    "n_sizes": ("Sizes", "Number of sizes that have a score."),
    "recall": ("Recall", "Hits / number of relevant features."),
    "value": ("Value", "Mean of the measure over the sets of a run."),
    "behind": ("Behind the best", "Value of the best known run minus the own value."),
    "best": ("Best", "Share of the cases in which the run is the best."),
    "evaluations": ("Evaluations", "Number of feature sets that were evaluated."),
    "seconds": ("Seconds", "Wall time of a run."),
    "work": ("Work", "Number of sets or nodes that were looked at."),
    "size": ("Size", "Number of features of the set."),
    "test_score": ("Test score", "Mean score on the test part."),
    "q95": ("95 %", "Quantile: 95 % of the values are at most this."),
    "max": ("Largest", "Largest value."),
    "sum": ("Sum", "Sum of the values."),
    "column": ("Column", "The column whose value could not be computed."),
    "reason": ("Reason", "Why it could not be computed."),
    "shards": ("Shards", "Number of shards that say so."),
}
#: Columns that are something else in one table.
_IN_TABLE = {
    ("effort", "measure"): ("Measure", "Seconds (wall time), work, or seconds of start-up."),
    ("effort", "n"): ("Runs", "Number of search runs."),
    ("effort", "learning_seconds"): ("Learning, s", "CPU time of the selector before any search."),
    ("spread", "n"): ("Runs", "Number of search runs."),
    ("overview", "measure"): ("Measure", "A score, or the objective: random sets 0, original 1."),
    ("overview", "original"): ("Original", "Mean over datasets, of folds that have one."),
    ("overview", "lead"): ("Lead", "The original's score less that of random sets."),
    ("overview", "behind"): ("From best", "Mean difference of originals from the best selector's."),
    ("pairwise", "difference_median"): ("Median difference", "Of first - second, unadjusted."),
    ("gaps", "reason"): ("Why", "The reasons that occur; limits: not found, and may exist."),
    ("gaps", "counted"): ("Counted", "Alternatives, or families: runs of several sets at once."),
    ("gaps", "n_all"): ("Planned, all τ", "Number of planned alternatives of all τ."),
    ("gaps", "n_planned"): ("Planned, this τ", "Number of alternatives in the complete study."),
    ("kept", "n_infeasible"): ("Not there", "Folds in which it is proven not to exist."),
    ("kept", "n"): ("Folds", "Folds that have the alternative and the original."),
    ("kept", "share"): ("Kept", "Alternative / original, of the training objective."),
    ("kept", "floor"): ("Floor", "What the best set of a shuffled target exceeds once in 100."),
    ("quality", "floor"): ("Floor", "As in the table kept: of shuffled targets."),
    ("kept", "above_floor"): ("Above floor", "Share of those with a floor that are above it."),
    ("quality", "above_floor"): ("Above floor", "As in the table kept: the share above the floor."),
    ("substitutes", "share"): ("Share", "Weight / the alternatives that leave the feature out."),
    ("substitutes", "score_change"): ("Score", "Mean test score less that of the originals."),
    ("substitutes", "copy_in"): ("Copy in", "Share that has a column of the same values."),
    ("substitutes", "n_alternatives"): ("Alternatives", "Alternatives to sets with the feature."),
    ("truth", "n"): ("n", "Number of folds, or of explained rows."),
    ("truth", "sets"): ("Sets", "Sets for all rows, or explanations of single rows."),
    ("truth", "n_relevant"): ("Relevant", "Number of relevant features; of rows their mean."),
    ("notes", "rows"): ("Rows", "Number of rows without the value."),
    ("friedman", "mean"): ("Mean", "Mean of the treatment over datasets."),
}
_STATISTICS = {
    "mean": ("mean", "Mean"),
    "std": ("std", "Standard deviation of the sample"),
    "q25": ("25 %", "Lower quartile"),
    "median": ("median", "Median"),
    "q75": ("75 %", "Upper quartile"),
}
_SUBJECTS = {
    "train_objective": ("Training objective", "the objective on the training part"),
    "test_objective": ("Test objective", "the objective on the test part"),
    "train_score": ("Training score", "the score on the training part"),
    "test_score": ("Test score", "the score on the test part"),
    "value": ("Value", "the measure"),
    "floor": ("Floor", "random sets of the same cases"),
    "ceiling": ("Ceiling", "original sets of the same cases"),
    "relative": ("Relative", "0 for the floor and 1 for the ceiling"),
    "above_floor": ("Above floor", "the value minus the floor"),
    "below_ceiling": ("Below ceiling", "the ceiling minus the value"),
    "of_ceiling": ("Of ceiling", "the value divided by the ceiling"),
    "first": ("First", "the first treatment"),
    "second": ("Second", "the second treatment"),
    "first_floor": ("First's floor", "random sets of the first treatment's cases"),
    "second_floor": ("Second's floor", "random sets of the second treatment's cases"),
    "first_ceiling": ("First's ceiling", "original sets of the first treatment's cases"),
    "second_ceiling": ("Second's ceiling", "original sets of the second treatment's cases"),
    "difference": ("Difference", "first minus second"),
    "relative_difference": ("Relative difference", "the difference divided by ceiling - floor"),
}
_ENDS = {
    "low": "Lower end of the 95 % interval; the smallest of fewer datasets than six, or of folds.",
    "high": "Upper end of the 95 % interval; the largest of fewer datasets than six, or of folds.",
}
_STATUSES = {
    "optimal": "proven best",
    "feasible": "found but not proven best",
    "infeasible": "proven not to exist",
    "unknown": "neither found nor proven not to exist",
}


def describe(name: str, table: str = "") -> Column:
    """Return the heading and the meaning of a column.

    Parameters
    ----------
    name : str
        The column in the file.
    table : str, default=""
        The table, whose columns may be something else than those of others.

    Raises
    ------
    KeyError
        If the column is not known.

    Examples
    --------
    >>> describe("n", "effort").meaning
    'Number of search runs.'
    >>> describe("test_score_median").heading
    'Test score, median'
    """
    value, _, end = name.rpartition("_")
    if end in _ENDS:
        return Column(name, f"{describe(value, table).heading}, {end}", _ENDS[end])
    of_kinds = _of_kinds()
    known = _IN_TABLE.get((table, name)) or of_kinds.get(f"{table}.{name}") or _COLUMNS.get(name)
    known = known or of_kinds.get(name) or _composed(name)
    return Column(name, *known)


@cache
def _of_kinds() -> dict[str, tuple[str, str]]:
    return {name: words for kind in kinds.all() for name, words in kind.headings().items()}


def described(name: str, table: pd.DataFrame) -> list[Column]:
    """Return the columns of a table; one that is not known has its own name as its heading."""
    columns = []
    for column in map(str, table.columns):
        try:
            columns.append(describe(column, name))
        except KeyError:
            columns.append(Column(column, column, ""))
    return columns


def _composed(name: str) -> tuple[str, str]:
    kind, _, status = name.partition("_")
    if status in _STATUSES and kind in ("n", "share"):
        what = "Number" if kind == "n" else "Share"
        heading = status.capitalize() if kind == "n" else f"{status.capitalize()}, share"
        return heading, f"{what} of those {_STATUSES[status]}."
    if name in _STATISTICS:
        heading, meaning = _STATISTICS[name]
        return heading.capitalize(), f"{meaning}."
    for statistic, (heading, meaning) in _STATISTICS.items():
        subject = _SUBJECTS.get(name.removesuffix(f"_{statistic}"))
        if subject is not None and name.endswith(f"_{statistic}"):
            return f"{subject[0]}, {heading}", f"{meaning} of {subject[1]}."
    raise KeyError(name)
