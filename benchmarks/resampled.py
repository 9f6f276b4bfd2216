"""How stable sets are with and without `resampled`: Nogueira's measure over halves of the rows.

    python benchmarks/resampled.py [--selectors mutual_information mrmr] [--halves 20]

The selector alone, and the mean of what it learns on 20 halves of these rows, search for five
features on the same halves of all rows. It needs the cache of PMLB's data (ALTFS_PMLB_CACHE).
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pandas as pd

from altfs import AlternativeFeatures
from altfs.datasets import make_dataset, sources

DATASETS = ("wdbc", "sonar", "ionosphere", "spectf", "credit_a", "hepatitis")
SAMPLES = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--selectors", nargs="+", default=["mutual_information", "mrmr"])
    parser.add_argument("--halves", type=int, default=20)
    arguments = parser.parse_args()
    source, cache = sources.get("pmlb"), Path(os.environ["ALTFS_PMLB_CACHE"])
    rows = []
    for name in DATASETS:
        data = make_dataset(name, source(name, source.Options(dataset=name), cache).load())
        categorical = [j for j, is_category in enumerate(data.categorical) if is_category]
        for selector in arguments.selectors:
            options = {"of": selector, "number": SAMPLES}
            row = {"dataset": name, "selector": selector}
            for label, chosen in (
                ("alone", selector),
                ("resampled", {"type": "resampled", "options": options}),
            ):
                afs = AlternativeFeatures(
                    chosen, n_features=5, n_alternatives=0, categorical=categorical
                ).fit(data.X, data.y)
                answer = afs.stability(arguments.halves)
                row[label] = f"{answer.value:.2f} ({answer.low:.2f} to {answer.high:.2f})"
            rows.append(row)
            print(", ".join(f"{key} {value}" for key, value in row.items()), flush=True)
    print(pd.DataFrame(rows).to_string(index=False))


if __name__ == "__main__":
    main()
