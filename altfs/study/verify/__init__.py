"""``altfs verify``: an audit of a results folder.

Data, scores and a solver that did not make the shards judge every file. Nothing is
written into the results folder.
"""

from __future__ import annotations

import hashlib
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from altfs.errors import AltfsError
from altfs.solvers import Limits
from altfs.study.plan import Plan
from altfs.study.session import open_study
from altfs.study.verify.jobs import (
    ScorePlace,
    check_data,
    check_predictions,
    check_score,
    check_shards,
)
from altfs.study.verify.report import Report

__all__ = ["Report", "verify_study"]

T = TypeVar("T")
Call = tuple[Any, ...]
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

    Returns
    -------
    Report

    Raises
    ------
    AltfsError
        If the folder holds no study, or an argument is outside its range.
    """
    for name, value, least in (("sample", sample, 0), ("jobs", jobs, 1)):
        if value < least:
            raise AltfsError(f"{name}: {value} is not allowed, use a number from {least}.")
    plan = open_study(folder)
    limits = Limits(plan.config.limits.work if work is None else work)
    report = Report(planned=sum(1 for _ in plan.shard_keys()), folder=plan.results)
    with _Runner(jobs) as run:
        _check_inputs(plan, report, run, None if full else sample, seed)
        bad = _bad(report)
        keys = list(plan.shard_keys())
        present = [key for key in keys if Path(plan.shard_path(key)).is_file()]
        chosen = _sample(present, None if full else sample, seed, lambda k: (k.selector, k.search))
        groups = [tuple(group) for _, group in groupby(keys, key=lambda k: k[:3])]
        done = 0
        calls: list[Call] = [
            (check_shards, plan, group, bad, chosen & frozenset(group), full, limits)
            for group in groups
        ]
        for group, found in zip(groups, run(calls), strict=True):
            report.add(found)
            done += len(group)
            if progress is not None:
                progress(done, len(keys))
        calls = [
            (check_predictions, plan, entry.name, fold, model,
             frozenset(report.sets.get((entry.name, fold), ())), bad, full)
            for entry in plan.config.datasets
            for fold in range(plan.config.folds)
            for model in plan.config.models
        ]  # fmt: skip
        for found in run(calls):
            report.add(found)
    planned = {plan.shard_path(key) for key in keys}
    for path in sorted((Path(folder) / "shards").rglob("*")):
        # A killed run leaves hidden files, which nothing reads.
        if not path.is_dir() and not path.name.startswith(".") and str(path) not in planned:
            report.complain(str(path), ["is not in the plan, no table reads it"])
    return report


def _check_inputs(plan: Plan, report: Report, run: _Runner, sample: int | None, seed: int) -> None:
    """Check datasets, then parts of scores, then scores."""
    for found in run([(check_data, plan, entry.name) for entry in plan.config.datasets]):
        report.add(found)
    places = [(entry.name, fold, score) for entry in plan.config.datasets
              for fold in range(plan.config.folds) for score in plan.scores()]  # fmt: skip
    parts: list[ScorePlace] = [(*p, i) for p in places for i in plan.parts(p[0], p[2])]
    whole: list[ScorePlace] = [(*place, None) for place in places]
    from_data = [*parts, *(place for place in whole if not plan.parts(place[0], place[2]))]
    chosen = _sample(from_data, sample, seed, lambda place: place[2])
    for wanted in (parts, whole):
        bad = _bad(report)
        for found in run([(check_score, plan, place, bad, place in chosen) for place in wanted]):
            report.add(found)


def _bad(report: Report) -> frozenset[str]:
    """Return the files that nothing can be recomputed from."""
    return frozenset([*report.missing, *(path for path, _ in report.problems)])


def _sample(
    items: Iterable[T], size: int | None, seed: int, stratum: Callable[[T], object]
) -> frozenset[T]:
    """Draw items by a seed from all strata in turns; all items if size is None."""

    def lot(item: object) -> bytes:
        return hashlib.sha256(f"{seed} {item}".encode()).digest()

    strata: dict[object, list[T]] = {}
    for item in sorted(items, key=lot):
        strata.setdefault(stratum(item), []).append(item)
    ranked = [
        (turn, lot(name), item) for name, held in strata.items() for turn, item in enumerate(held)
    ]
    ranked.sort(key=lambda entry: entry[:2])
    return frozenset(item for _, _, item in ranked[:size])


class _Runner:
    """Caller of functions in order, in this process or in others."""

    def __init__(self, jobs: int) -> None:
        # Each is a fresh interpreter, as solvers do not work in forked processes.
        self._pool = (
            ProcessPoolExecutor(
                jobs,
                mp_context=get_context("spawn"),
                # Ctrl-C ends them silently.
                initializer=signal.signal,
                initargs=(signal.SIGINT, signal.SIG_DFL),
            )
            if jobs > 1
            else None
        )

    def __enter__(self) -> _Runner:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def __call__(self, calls: list[Call]) -> Iterator[Report]:
        if self._pool is None:
            for function, *arguments in calls:
                yield function(*arguments)
            return
        try:
            waiting = [self._pool.submit(function, *arguments) for function, *arguments in calls]
            for future in waiting:
                yield future.result()
        except BrokenProcessPool:
            raise AltfsError(
                "jobs: a process was killed, perhaps for lack of memory, use fewer jobs."
            ) from None
