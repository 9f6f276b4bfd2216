"""Fit of the costs of components to recorded times.

    snakemake --cores 2 --configfile STUDY.yaml --dask-job-times TIMES
    python benchmarks/costs.py STUDY.yaml TIMES

Prints the costs and, for each, the errors of the middle 80 % of the predictions.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import yaml
from scipy.optimize import nnls
from simulation import recorded

from altfs.study.costs import costed, task_units
from altfs.study.inventory import tasks
from altfs.study.session import check_study

# Powers of rows and features that are tried. Base and scale follow by least squares.
_POWERS = np.arange(0.0, 2.01, 0.25)


def fit(rows: np.ndarray, features: np.ndarray, seconds: np.ndarray) -> tuple[list[float], float]:
    """Return base, scale and powers with the least squared relative error."""
    best: tuple[float, list[float]] = (np.inf, [])
    for rows_power in _POWERS:
        for features_power in _POWERS:
            basis = np.column_stack(
                [np.ones(len(rows)), rows**rows_power * features**features_power]
            )
            solution, _ = nnls(basis / seconds[:, None], np.ones(len(rows)))
            logs = np.log(np.maximum(basis @ solution, 1e-6) / seconds)
            error = float(logs @ logs)
            if error < best[0]:
                best = (error, [float(x) for x in (*solution, rows_power, features_power)])
    return best[1], best[0]


def main() -> None:
    study, times = Path(sys.argv[1]), Path(sys.argv[2])
    plan = check_study(yaml.safe_load(study.read_text()))
    known = recorded(times)
    groups: dict[str, list[tuple[int, int, float]]] = defaultdict(list)
    for task in tasks(plan):
        if task.path in known:
            facts = plan.facts[task.dataset]
            seconds = max(known[task.path], 1e-3) / task_units(plan, task)
            groups[costed(plan, task)[0]].append((facts.n_rows, facts.n_total, seconds))
    for key, measured in sorted(groups.items()):
        # The median of a dataset's tasks: the fit is over datasets, not over folds.
        by_size: dict[tuple[int, int], list[float]] = defaultdict(list)
        for rows, features, seconds in measured:
            by_size[rows, features].append(seconds)
        sizes = np.array(list(by_size), dtype=float)
        medians = np.array([np.mean(s) for s in by_size.values()])
        (base, scale, a, b), _ = fit(sizes[:, 0], sizes[:, 1], medians)
        ratio = (base + scale * sizes[:, 0] ** a * sizes[:, 1] ** b) / medians
        low, high = np.quantile(ratio, [0.1, 0.9])
        print(
            f"{key} = Cost({base:.2g}, {scale:.2g}, {a:g}, {b:g})"
            f"  # {len(measured)} tasks, {sum(m[2] for m in measured):.0f} s, "
            f"predicted / measured {low:.1f} to {high:.1f}"
        )


if __name__ == "__main__":
    main()
