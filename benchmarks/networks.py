"""Judge networks that explain rows as their papers do, on rows that made no network.

    python benchmarks/networks.py [--networks l2x invase] [--designs syn4 syn5] [--seeds 0 1]

Each training has 10,000 rows, and 10,000 others are judged. A line for each training, then a table
of means over seeds, in per cent:

- true positive rate: the mean over rows of the share of the row's true features that are chosen
- false discovery rate: the mean over rows of the share of the chosen features that are not true
- exact: the share of the rows whose chosen features are the true ones and no other
- median rank: the mean over rows of the median rank of the row's true features

`invase` and `group_fs` choose the features with a value above one half. The others choose as many
features as are true on average: 4 in `syn4` and `syn5`.
"""

from __future__ import annotations

import argparse
from time import process_time

import numpy as np
import numpy.typing as npt
import pandas as pd
import yaml

from altfs.datasets.row_designs import draw_rows, truth_of_rows
from altfs.selectors import Part, selectors

ROWS = 10_000
NETWORKS = ("invase", "l2x", "mixture", "diwift")
DESIGNS = ("syn1", "syn2", "syn3", "syn4", "syn5", "syn6")
# The seed of other rows is that of the training rows and this.
OTHERS = 1000


def chosen(name: str, values: npt.NDArray[np.float64], size: int) -> npt.NDArray[np.bool_]:
    """Return the features that a network chooses for each row."""
    if name in ("invase", "group_fs"):
        return values > 0.5
    return ranks(values) <= size


def ranks(values: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return the rank of each feature in its row; the largest value has rank 1."""
    order = np.argsort(-values, axis=1, kind="stable")
    return np.argsort(order, axis=1, kind="stable") + 1


def judged(
    values: npt.NDArray[np.float64], sets: npt.NDArray[np.bool_], truth: npt.NDArray[np.bool_]
) -> dict[str, float]:
    """Return the measures of the papers, means over rows."""
    true_ranks = np.where(truth, ranks(values).astype(float), np.nan)
    return {
        "tpr": 100 * float(((sets & truth).sum(axis=1) / truth.sum(axis=1)).mean()),
        "fdr": 100 * float(((sets & ~truth).sum(axis=1) / sets.sum(axis=1).clip(1)).mean()),
        "exact": 100 * float((sets == truth).all(axis=1).mean()),
        "rank": float(np.nanmedian(true_ranks, axis=1).mean()),
    }


def measured(name: str, design: str, seed: int, **options: object) -> dict[str, float]:
    """Train a network, and judge it on other rows."""
    X, y = draw_rows(design, ROWS, None, seed)
    others, _ = draw_rows(design, ROWS, None, OTHERS + seed)
    truth = truth_of_rows(design, others)
    size = round(truth.sum(axis=1).mean())
    if name == "l2x":
        options = {"drawn": size, **options}
    network = selectors.get(name)
    values = network(network.Options(**options)).row_values(Part(X, y, "binary", seed), others)
    return judged(values, chosen(name, values, size), truth)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--networks", nargs="+", default=NETWORKS)
    parser.add_argument("--designs", nargs="+", default=DESIGNS)
    parser.add_argument("--seeds", nargs="+", type=int, default=(0, 1, 2))
    parser.add_argument("--options", nargs="*", default=[], metavar="KEY: VALUE")
    arguments = parser.parse_args()
    options = yaml.safe_load("\n".join(arguments.options)) or {}
    rows = []
    for name in arguments.networks:
        for design in arguments.designs:
            for seed in arguments.seeds:
                start = process_time()
                row = measured(name, design, seed, **options)
                seconds = process_time() - start
                rows.append({"network": name, "design": design, "seed": seed, **row})
                print(
                    f"{name} {design} seed {seed}: tpr {row['tpr']:.1f} fdr {row['fdr']:.1f} "
                    f"exact {row['exact']:.1f} rank {row['rank']:.2f}, {seconds:.0f} s",
                    flush=True,
                )
    table = pd.DataFrame(rows).groupby(["network", "design"], sort=False)
    print(table[["tpr", "fdr", "exact", "rank"]].agg(["mean", "min", "max"]).round(2).to_string())


if __name__ == "__main__":
    main()
