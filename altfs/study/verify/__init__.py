"""``altfs verify``: an audit of a results folder.

Every file is compared with data and scores, and claims with the answers of a solver that did not
make them. Nothing is written into the results folder.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path
from typing import TypeVar

from altfs._processes import Call, Runner, processes
from altfs.errors import AltfsError
from altfs.kinds.base import kinds
from altfs.solvers import Limits
from altfs.study.plan import Plan
from altfs.study.session import open_study
from altfs.study.tasks import PredictTask, ScorePartTask, ScoreTask, SearchTask
from altfs.study.verify.jobs import (
    check_data,
    check_file,
    check_predictions,
    check_score,
    check_shards,
)
from altfs.study.verify.report import Report

__all__ = ["Report", "verify_study"]

T = TypeVar("T")
Progress = Callable[[int, int], None]


def verify_study(
    folder: str | Path,
    *,
    sample: int = 20,
    full: bool = False,
    seed: int = 0,
    work: float | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Report:
    """Check every file of a study.

    Parameters
    ----------
    folder : str or Path
        The results folder.
    sample : int, default=20
        Number of shards whose claims an independent solver judges, and of score files
        that are recomputed from the data. Shards of searches without a solver are
        recomputed, too.
    full : bool, default=False
        Judge all claims, recompute every score and shard, and compare.
    seed : int, default=0
        Random state of the sample.
    work : float, optional
        Work limit of the independent solver; by default that of the study.
    jobs : int, default=1
        Number of processes; the report does not depend on it.
    progress : callable, optional
        Called with the number of shards done and of all shards.
    """
    if sample < 0:
        raise AltfsError("sample", f"{sample} is not allowed", "use a number from 0")
    with processes(jobs) as run:
        plan = open_study(folder)
        limits = Limits(plan.config.limits.work if work is None else work)
        tasks = [member for task in plan.tasks.values() for member in task.members(plan)]
        shards = [task for task in tasks if isinstance(task, SearchTask)]
        report = Report(planned=len(shards), folder=plan.results)
        size = None if full else sample
        _check_inputs(plan, report, run, size, seed)
        bad = _bad(report)
        present = [task.place for task in shards if Path(task.path).is_file()]
        chosen = _sample(present, size, seed, lambda place: (place.selector, place.search))
        groups = [tuple(group) for _, group in groupby(shards, key=lambda task: task.place[:3])]
        done = 0
        calls: list[Call] = [
            (check_shards, plan, group, bad, chosen & {t.place for t in group}, full, limits)
            for group in groups
        ]
        for group, findings in zip(groups, run(calls), strict=True):
            report.add(findings)
            done += len(group)
            if progress is not None:
                progress(done, len(shards))
        of_kinds = tuple(task_type for kind in kinds.all() for task_type in kind.task_types())
        others = [task for task in tasks if isinstance(task, of_kinds)]
        again = _sample([task.path for task in others], size, seed, str)
        report.add(*run([(check_file, task, bad, task.path in again) for task in others]))
        report.made_again = sorted(again)
        predictions: list[Call] = [
            (check_predictions, task,
             frozenset(report.sets.get((task.dataset, task.fold), ())), bad, full)
            for task in tasks if isinstance(task, PredictTask)
        ]  # fmt: skip
        report.add(*run(predictions))
    planned = {task.path for task in tasks}
    folders = {type(task).pattern.partition("/")[0] for task in (*shards, *others)}
    for path in sorted(p for kind in folders for p in (Path(folder) / kind).rglob("*")):
        # A killed run leaves hidden files, which nothing reads.
        if not path.is_dir() and not path.name.startswith(".") and str(path) not in planned:
            report.complain(str(path), ["is not in the plan, no table reads it"])
    return report


def _check_inputs(plan: Plan, report: Report, run: Runner, sample: int | None, seed: int) -> None:
    """Check datasets, then parts of scores, then scores."""
    report.add(*run([(check_data, plan, dataset) for dataset in plan.orders()["dataset"]]))
    tasks = [task for task in plan.tasks.values() if isinstance(task, ScoreTask)]
    parts = [task for task in tasks if isinstance(task, ScorePartTask)]
    whole = [task for task in tasks if not isinstance(task, ScorePartTask)]
    from_data = [*parts, *(task for task in whole if not task.n_parts)]
    names = {task.path: task.score for task in from_data}
    chosen = _sample(names, sample, seed, names.__getitem__)
    for group in (parts, whole):
        bad = _bad(report)
        report.add(*run([(check_score, task, bad, task.path in chosen) for task in group]))


def _bad(report: Report) -> frozenset[str]:
    """Return the files from which nothing can be recomputed."""
    return frozenset([*report.missing, *(path for path, _ in report.problems)])


def _sample(
    items: Iterable[T], size: int | None, seed: int, stratum: Callable[[T], object]
) -> frozenset[T]:
    """Draw items by a seed from all strata in turns; all items if size is None."""

    def lot(item: object) -> bytes:
        return hashlib.sha256(f"{seed} {item}".encode()).digest()

    turns: Counter[object] = Counter()
    ranked = []
    for item in sorted(items, key=lot):
        name = stratum(item)
        ranked.append((turns[name], lot(name), item))
        turns[name] += 1
    ranked.sort(key=lambda entry: entry[:2])
    return frozenset(item for _, _, item in ranked[:size])
