"""Fit of the costs of components to recorded times.

    snakemake --cores 2 --configfile STUDY.yaml --dask-job-times TIMES
    python benchmarks/costs.py STUDY.yaml TIMES

Prints the costs and, for each, the errors of the middle 80 % of the predictions.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from itertools import product
from pathlib import Path

import numpy as np
import yaml
from altfs.study.inventory import tasks
from scipy.optimize import nnls
from simulation import recorded

from altfs.cost import Cost
from altfs.study.costs import costed, size_of, task_units
from altfs.study.session import check_study

# Powers of rows, features and values that are tried. Base and scale follow by least squares.
_POWERS = np.arange(0.0, 2.01, 0.25)
# A power of values is used only if the error is less than this share of the error without one.
_MUCH_LESS = 0.5


def fit(sizes: np.ndarray, seconds: np.ndarray) -> tuple[Cost, np.ndarray]:
    """Return the cost of least relative error with the right sum, and predicted / measured."""
    plain, by_values = (
        min((_with_powers(sizes, seconds, *powers) for powers in tried), key=_error)
        for tried in (product(_POWERS, _POWERS, [0.0]), product(_POWERS, _POWERS, _POWERS[1:]))
    )
    return by_values if _error(by_values) < _MUCH_LESS * _error(plain) else plain


def _with_powers(sizes: np.ndarray, seconds: np.ndarray, *powers: float) -> tuple[Cost, np.ndarray]:
    basis = np.column_stack([np.ones(len(sizes)), np.prod(sizes**powers, axis=1)])
    solution, _ = nnls(basis / seconds[:, None], np.ones(len(sizes)))
    # Costs of least relative error have too small a sum. A plan needs the right one.
    base, rest = solution[0], np.sum(seconds) - solution[0] * len(sizes)
    scale = max(rest, 0.0) / basis[:, 1].sum() if solution[1] else 0.0
    fitted = basis @ [base, scale]
    return Cost(float(base), float(scale), *powers), np.maximum(fitted, 1e-6) / seconds


def _error(fitted: tuple[Cost, np.ndarray]) -> float:
    return float(np.sum(np.log(fitted[1]) ** 2))


def main() -> None:
    study, times = Path(sys.argv[1]), Path(sys.argv[2])
    plan = check_study(yaml.safe_load(study.read_text()))
    known = recorded(times)
    groups: dict[str, list[tuple[tuple[float, ...], float]]] = defaultdict(list)
    for task in tasks(plan):
        if task.path in known:
            seconds = max(known[task.path], 1e-3) / task_units(plan, task)
            groups[costed(plan, task)[0]].append((size_of(plan.facts[task.dataset]), seconds))
    for key, measured in sorted(groups.items()):
        # The mean of a dataset's tasks: the fit is over datasets, not over folds.
        by_size: dict[tuple[float, ...], list[float]] = defaultdict(list)
        for size, seconds in measured:
            by_size[size].append(seconds)
        means = np.array([np.mean(s) for s in by_size.values()])
        cost, ratio = fit(np.array(list(by_size), dtype=float), means)
        low, high = np.quantile(ratio, [0.1, 0.9])
        base, scale, *powers = cost
        print(
            f"{key} = Cost({base:.2g}, {scale:.2g}, {', '.join(f'{p:g}' for p in powers)})"
            f"  # {len(measured)} tasks, {sum(m[1] for m in measured):.0f} s, "
            f"predicted / measured {low:.1f} to {high:.1f}"
        )


if __name__ == "__main__":
    main()
