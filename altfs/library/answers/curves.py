"""The quality at each tau, and at each mean overlap."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from altfs.library.answers.fitted import FittedRequest, Say
from altfs.library.feature_sets import in_order_of_quality
from altfs.problem.overlap import Overlap
from altfs.problem.results import NAN
from altfs.quality import Linear
from altfs.solvers.mean_overlap.multiplicities import MultiplicitySolver, table_of

_FROM_LEAST = ("infeasible", "unknown", "feasible", "optimal")


def curve_sets(fitted: FittedRequest, say: Say) -> pd.DataFrame:
    """Search at every attainable overlap with the same request.

    Returns
    -------
    DataFrame
        A row per tau and set, also for missing sets. The columns are tau (the largest one that
        allows the overlap; 0 allows equal sets), max_overlap (of two sets of the largest size),
        asked (True for the overlap of the request), set_index (by quality within a
        simultaneous search), feature_names, selected (indices), train_objective, of_best
        (share of the best quality at tau 0; NaN if that is not positive, or the score of a
        model), bound, status.
    """
    rows = []
    best = NAN
    for done, (overlap, tau) in enumerate(fitted.overlaps.items()):
        say(f"cost of tau: {done} of {len(fitted.overlaps)} overlaps searched")
        result = fitted.at(overlap).run(fitted.quality)
        if overlap == fitted.result.n_features:
            best = max((o for o in result.objectives if o == o), default=best)
        place = [float(tau), overlap, overlap == fitted.overlap]
        for i, features in enumerate(result[p] for p in in_order_of_quality(result)):
            shown = [fitted.label(features.indices), fitted.originals(features.indices)]
            objective = features.train_objective
            quality = [
                objective,
                fitted.share(objective, best),
                features.bound,
                str(features.status),
            ]
            rows.append([*place, i, *shown, *quality])
    columns = [
        "tau", "max_overlap", "asked", "set_index", "feature_names", "selected",
        "train_objective", "of_best", "bound", "status",
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def tau_curve(sets: pd.DataFrame) -> pd.DataFrame:
    """Summarise the table of :func:`curve_sets`.

    Returns
    -------
    DataFrame
        A row per tau. The columns are tau, max_overlap, asked, n_sets (found), mean_objective
        and min_objective of the found sets, both also as shares of the best quality, and
        status. The status is "infeasible" if a set is proven not to exist, else "unknown" if
        one was not found, else "feasible" if one is not proven, else "optimal".
    """
    table = sets.groupby(["tau", "max_overlap", "asked"], as_index=False).agg(
        n_sets=("train_objective", "count"),
        mean_objective=("train_objective", "mean"),
        mean_of_best=("of_best", "mean"),
        min_objective=("train_objective", "min"),
        min_of_best=("of_best", "min"),
        status=("status", lambda group: min(group, key=_FROM_LEAST.index)),
    )
    return table.sort_values("tau", ignore_index=True)


def mean_curve(fitted: FittedRequest) -> pd.DataFrame:
    """Return the best mean quality of all sets together at every mean overlap.

    Returns
    -------
    DataFrame
        A row for each mean overlap of all pairs at which the best family gets better, the
        smallest first. The columns are mean_overlap (the largest allowed one),
        mean_dissimilarity (the same as Dice dissimilarity of sets of one size) and
        mean_objective. It is empty for one set, for qualities that are not linear, and for
        constraints that need another solver.
    """
    problem = fitted.problem
    # The mean overlap counts, whatever dissimilarity is limited.
    problem = replace(problem, overlap=Overlap(max_overlap=problem.n_features))
    pairs = problem.n_sets * (problem.n_sets - 1) // 2 + problem.n_sets * len(problem.given)
    table = None
    if pairs and problem.average and MultiplicitySolver().supports(problem):
        table = table_of(problem, fitted.request.limits)
    rows: list[tuple[float, float, float]] = []
    if table is not None and isinstance(problem.quality, Linear):
        last = None
        for common, value in enumerate(table.best.tolist()):
            if not table.exists(common) or value == last:
                continue
            last, mean = value, common / pairs
            objective = value * problem.quality.unit / problem.n_sets
            rows.append((mean, 1 - mean / problem.n_features, objective))
    return pd.DataFrame(rows, columns=["mean_overlap", "mean_dissimilarity", "mean_objective"])
