"""All searches of the complete study for linear qualities, scores apart: CPU seconds.

30 datasets, 10 folds, 15 (k, tau) pairs, sequential with 10 alternatives and simultaneous
(sum) with 1 to 5. Scores are computed first and kept in results/benchmarks. The folder
ALTFS_PMLB_CACHE holds PMLB's files.

    python benchmarks/study_searches.py scores      # minutes
    python benchmarks/study_searches.py searches
"""

from __future__ import annotations

import csv
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold

from altfs import search_sequentially, search_simultaneously
from altfs.datasets import make_dataset, sources
from altfs.quality import Linear
from altfs.selectors import Part, ScoreKey
from altfs.selectors.base import normalised

RESULTS = Path(__file__).parent.parent / "results" / "benchmarks"
PMLB = Path(os.environ["ALTFS_PMLB_CACHE"])
KEYS = [ScoreKey("relevance"), ScoreKey("importances"), ScoreKey("conflicts")]


def datasets() -> list[str]:
    """Return the 30 datasets of the study."""
    import yaml

    study = Path(__file__).parent.parent / "workflow" / "studies" / "bach2023.yaml"
    entries = yaml.safe_load(study.read_text())["datasets"]
    return [str(e if isinstance(e, str) else e["name"]).removeprefix("pmlb:") for e in entries]


def fold_scores() -> Iterator[tuple[str, int, dict[str, np.ndarray]]]:
    """Scores of every dataset and fold; computed where they are not there yet."""
    for name in datasets():
        component = sources.get("pmlb")
        parts = None
        for fold in range(10):
            path = RESULTS / "scores" / f"{name}_{fold}.npz"
            if not path.exists():
                if parts is None:
                    source = component(name, component.Options(dataset=name), PMLB)
                    data = make_dataset(name, source.load())
                    cut = StratifiedKFold(10, shuffle=True, random_state=25)
                    parts = [train for train, _ in cut.split(data.X, data.y)]
                start = time.process_time()
                part = Part(data.X[parts[fold]], data.y[parts[fold]], "binary", 25)
                values = {str(key): part.score(key) for key in KEYS}
                path.parent.mkdir(parents=True, exist_ok=True)
                np.savez(path, seconds=time.process_time() - start, **values)
            with np.load(path) as stored:
                yield name, fold, dict(stored)


def searches() -> None:
    total: Counter[str] = Counter()
    status: Counter[tuple[str, str]] = Counter()
    rows = []
    everything = list(fold_scores())
    for name, fold, stored in everything:
        made = {
            "mutual_information": lambda s: Linear(normalised(s["relevance"])),
            "model_gain": lambda s: Linear(s["importances"]),
            "fcbf": lambda s: Linear(normalised(s["relevance"]), s["conflicts"]),
        }
        for selector, make in made.items():
            start = time.process_time()
            quality = make(stored)
            for k in (5, 10):
                for overlap in range(k):
                    shared = {"n_features": k, "max_overlap": overlap}
                    results = [search_sequentially(quality, n_alternatives=10, **shared)]
                    for a in range(1, 6):
                        results.append(search_simultaneously(quality, n_alternatives=a, **shared))
                    for result in results:
                        status.update((selector, str(s)) for s in result.status)
            seconds = time.process_time() - start
            total[selector] += seconds
            rows.append({"dataset": name, "fold": fold, "selector": selector, "seconds": seconds})
    with (RESULTS / "study_searches.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    for selector, seconds in total.items():
        counts = {s: n for (name, s), n in sorted(status.items()) if name == selector}
        print(f"{selector}: {seconds:.1f} s, feature sets {counts}")
    print(f"scores: {sum(float(s['seconds']) for _, _, s in everything):.0f} s")
    print(f"whole process: {time.process_time():.1f} s")


if __name__ == "__main__":
    if sys.argv[1] == "scores":
        for name, fold, stored in fold_scores():
            print(name, fold, f"{float(stored['seconds']):.1f} s", flush=True)
    else:
        searches()
