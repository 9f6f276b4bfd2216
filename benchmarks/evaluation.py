"""Time and memory of the evaluation of a made-up study as large as the complete one.

``python benchmarks/evaluation.py CONFIG FOLDER`` writes the shards and predictions that
CONFIG asks for into FOLDER (as {results}), with made-up sets and scores, unless they exist.
Then it makes tables, figures and report. The datasets are real, the numbers are not.
"""

import argparse
import os
import resource
import sys
from pathlib import Path
from time import perf_counter

import numpy as np
import pyarrow as pa
import yaml

from altfs.commands.report import report
from altfs.problem.overlap import Overlap
from altfs.study.plan import Plan
from altfs.study.session import begin_study, check_study
from altfs.study.store import (
    PREDICTION_SCHEMA,
    SHARD_SCHEMA,
    library_versions,
    write_result,
)
from altfs.study.task import Place, Task


def quality(plan: Plan, dataset: str, fold: int, selector: str) -> np.ndarray:
    """Return a value for each feature, falling from the first on."""
    state = len(selector) * 1000 + fold
    n = plan.facts[dataset].n_total
    rng = np.random.default_rng([state, n, plan.facts[dataset].n_rows])
    values = np.sort(rng.exponential(size=n) ** 2)[::-1]
    return values / values.sum()


def families(plan: Plan, key: Place):
    """Rows of a shard: sets that share as many features as they may, while there are enough."""
    values = quality(plan, key.dataset, key.fold, key.selector)
    rng = np.random.default_rng([key.fold, len(key.selector), int(float(key.tau) * 10)])
    names = [f"feature_{i}" for i in range(len(values))]
    search = plan.search_entries[key.search]
    for k in plan.sizes_by_tau[key.tau]:
        overlap = Overlap(key.tau)(k, k)
        for a in search.n_alternatives:
            for aggregation in search.aggregation or ["none"]:
                most = (len(values) - overlap) // (k - overlap)
                run = []
                for i in range(a + 1):
                    own = range(overlap + i * (k - overlap), overlap + (i + 1) * (k - overlap))
                    run.append([*range(overlap), *own])
                together = aggregation != "none"
                if together and most <= a:
                    run = [[] for _ in run]
                for i, chosen in enumerate(run):
                    exists = bool(chosen) and i < most
                    chosen = chosen if exists else []
                    train = float(values[chosen].sum()) if exists else None
                    yield {
                        "dataset": key.dataset, "fold": key.fold, "selector": key.selector,
                        "tau": key.tau, "search": key.search, "n_features": k,
                        "n_alternatives": a, "aggregation": aggregation, "set_index": i,
                        "max_overlap": overlap, "selected": chosen,
                        "feature_names": [names[j] for j in chosen],
                        "train_objective": train,
                        "test_objective": train * float(rng.uniform(0.5, 1)) if exists else None,
                        "bound": train, "run_objective": None, "run_bound": None,
                        "status": "optimal" if exists else "infeasible",
                        "solver": "made_up", "work": 10 * (a + 1),
                        "seconds": float(rng.exponential(0.001 * (a + 1))),
                    }  # fmt: skip


def store(task: Task, table: pa.Table) -> None:
    """Write a file as the tasks do."""
    metadata = {"versions": library_versions(), "notes": {}}
    write_result(Path(task.path), task.kind, task.hash, (table, metadata))


def make_up(plan: Plan) -> None:
    """Write every dataset, shard and prediction of a study."""
    begin_study(plan)
    for dataset in plan.facts:
        plan.tasks[plan.data_path(dataset)].run(plan)
        for fold in range(plan.config.folds.number):
            sets = set()
            for task in plan.shards(dataset, fold):
                table = pa.Table.from_pylist(list(families(plan, task.place)), schema=SHARD_SCHEMA)
                sets |= {tuple(chosen) for chosen in table["selected"].to_pylist() if chosen}
                store(task, table)
            values = quality(plan, dataset, fold, "")
            for model in plan.model_entries:
                rng = np.random.default_rng(fold)
                rows = [
                    {
                        "dataset": dataset, "fold": fold, "model": model, "selected": list(chosen),
                        "metric": "mcc", "train_score": 1.0 - 0.1 * float(rng.random()),
                        "test_score": float(np.tanh(3 * values[list(chosen)].sum()))
                        - 0.2 * float(rng.random()), "seconds": 0.0,
                    }
                    for chosen in sorted(sets)
                ]  # fmt: skip
                table = pa.Table.from_pylist(rows, schema=PREDICTION_SCHEMA)
                store(plan.predict_task(dataset, fold, model), table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--datasets", type=int, help="only the first so many")
    parser.add_argument("--folds", type=int)
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    chosen = parser.parse_args()
    raw = yaml.safe_load(chosen.config.read_text("utf-8")) | {"results": str(chosen.folder)}
    raw["datasets"] = raw["datasets"][: chosen.datasets]
    raw["folds"] = chosen.folds or raw["folds"]
    plan = check_study(raw)
    if not Path(plan.results, ".made").exists():
        make_up(plan)
        Path(plan.results, ".made").touch()
    for run in ("first", "again"):
        start, cpu = perf_counter(), sum(os.times()[:4])
        page = report(chosen.folder, jobs=chosen.jobs).path
        seconds, cpu = perf_counter() - start, sum(os.times()[:4]) - cpu
        # Processes may have their peaks at different times.
        most = {who: resource.getrusage(who).ru_maxrss for who in
                (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)}  # fmt: skip
        peak = (most[resource.RUSAGE_SELF] + chosen.jobs * most[resource.RUSAGE_CHILDREN]) / 2**20
        megabytes = page.stat().st_size / 1e6
        print(f"{run}: {seconds:.1f} s, {cpu:.1f} s of CPU time, {peak:.2f} GiB at most, a page of "
              f"{megabytes:.2f} MB", file=sys.stderr)  # fmt: skip


if __name__ == "__main__":
    main()
