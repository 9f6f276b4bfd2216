"""Jobs of an audit, each of which can run in a separate process."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from altfs.kinds.base import kinds
from altfs.searches.base import SolverSearch
from altfs.selectors import Qualities
from altfs.solvers import Limits
from altfs.solvers.floor import with_floor
from altfs.study.floors import with_floors
from altfs.study.folds import read_dataset
from altfs.study.layout import data_path
from altfs.study.plan import Plan
from altfs.study.predicting import prediction_table
from altfs.study.qualities import learn, qualities_table
from altfs.study.sharding import problem_of, search_of, shard_table
from altfs.study.store import others_of, sets_of
from altfs.study.task import Place, Task
from altfs.study.tasks import PredictTask, ScoreTask, SearchTask
from altfs.study.verify.claims import VERDICTS, check_claims
from altfs.study.verify.files import BadFileError, differences, open_file, same
from altfs.study.verify.promises import check_promises
from altfs.study.verify.report import Report
from altfs.study.verify.rows import check_rows, runs_of

# Number of feature sets of a predictions file that a full audit trains again.
_TRAINED_AGAIN = 20


@contextlib.contextmanager
def _guarded(report: Report, path: str) -> Iterator[None]:
    """Report every error, so that no file ends an audit."""
    try:
        yield
    except BadFileError as error:
        report.complain(path, [str(error)])
    except Exception as error:
        what = str(error).partition("\n")[0]
        report.complain(path, [f"cannot be checked ({type(error).__name__}: {what})"])


def _lacks(report: Report, kind: str, path: str) -> bool:
    if Path(path).is_file():
        report.checked[kind] += 1
        return False
    report.missing.append(path)
    return True


def check_data(plan: Plan, dataset: str) -> Report:
    """Check a dataset's file."""
    report, path = Report(), plan.data_path(dataset)
    if not _lacks(report, "datasets", path):
        with _guarded(report, path):
            open_file(plan.tasks[path])
            report.complain(path, list(_broken_folds(plan, dataset)))
    return report


def _broken_folds(plan: Plan, dataset: str) -> Iterator[str]:
    """Make the folds of a dataset again, and yield how they break the promise of their type."""
    data, folds = read_dataset(Path(plan.data_path(dataset))), plan.config.folds.of(dataset)
    if folds.column is None:
        return
    if data.fold_labels is None or data.fold_column != folds.column:
        yield f"does not have the column '{folds.column}' of its folds"
        return
    for i, (train, test) in enumerate(folds.split(data, plan.config.seed)):
        if said := folds.overlap(data.fold_labels, train, test):
            yield f"fold {i} {said}"


def check_score(task: ScoreTask, bad: frozenset[str], recompute: bool) -> Report:
    """Check a score's file, and recompute it from the data or from its parts."""
    report = Report()
    if _lacks(report, "scores", task.path):
        return report
    with _guarded(report, task.path):
        table, metadata = open_file(task)
        parts = list(task.needs())
        data = data_path(task.results, task.dataset)
        if bad.isdisjoint([data, *parts]) and (recompute or parts):
            again, described = task.make()
            report.recomputed += 1
            if not (same(table, again) and metadata["notes"] == described["notes"]):
                raise BadFileError(f"does not hold what its {'parts' if parts else 'data'} give")
    return report


def check_shards(
    plan: Plan, shards: tuple[SearchTask, ...], bad: frozenset[str], sampled: frozenset[Place],
    rerun: bool, limits: Limits,
) -> Report:  # fmt: skip
    """Check the qualities of a selector on a fold, and the shards that were made from them."""
    report, learning = Report(), shards[0].learning
    stored = shards[0].stored and not _lacks(report, "qualities", learning.path)
    present = [task for task in shards if not _lacks(report, "shards", task.path)]
    if not (present or stored):
        return report
    names = qualities = None
    inputs = learning.inputs(plan)
    for path in inputs:
        if not Path(path).is_file():
            report.complain(path, ["is missing, shards cannot be recomputed without it"])
    if inputs[0] not in bad:
        names = learning.data.feature_names
    held = None
    if stored:
        with _guarded(report, learning.path):
            held = open_file(learning)
    if bad.isdisjoint(inputs):
        with _guarded(report, inputs[-1]):
            qualities = learn(learning)
            # Shuffles take longer than all else in the file.
            if held is None or rerun or sampled:
                qualities = with_floors(qualities, learning)
            else:
                qualities = replace(qualities, floors=held[1].get("floors", {}))
    if held is not None and qualities is not None:
        with _guarded(report, learning.path):
            again, described = qualities_table(qualities, learning)
            report.recomputed += 1
            if not (same(held[0], again) and described.items() <= held[1].items()):
                raise BadFileError("does not hold what its data and scores give")
    for task in present:
        with _guarded(report, task.path):
            again_too = rerun, task.place in sampled
            _check_shard(report, plan, task, (names, qualities), again_too, limits)
    return report


def _check_shard(
    report: Report, plan: Plan, task: SearchTask,
    data: tuple[tuple[str, ...] | None, Qualities | None],
    again: tuple[bool, bool], limits: Limits,
) -> None:  # fmt: skip
    """Check a shard with the names of the features and the qualities, as far as known.

    `again` says whether it is searched again, and whether its claims are judged.
    """
    (names, qualities), (rerun, sampled) = data, again
    table, metadata = open_file(task)
    rows, others = sets_of(table).to_pylist(), others_of(table)
    runs, wrong = runs_of(plan, task.place, rows)
    texts = [wrong] if wrong else []
    search = search_of(task)
    for run in runs:
        if qualities is not None:
            aggregation = "sum" if run.aggregation == "none" else run.aggregation
            problem = problem_of(
                task, qualities.train, (run.sizes, run.n_alternatives, aggregation)
            )
            run.problem = with_floor(problem, Limits(**task.limits))
        run.names, run.qualities = names, qualities
        texts += [*check_rows(run), *check_promises(run)]
    if others is not None:
        judged_by = limits if sampled and not texts else None
        texts += kinds.get(search.kind)().audit_shard(runs, others, metadata, judged_by)
    note = {"test_objective": qualities.note} if qualities and qualities.note else {}
    if qualities is not None and metadata.get("notes") != note:
        texts.append("its metadata's notes are not what data and scores give")
    # Another solver judges answers of solvers; a search has to find all other sets again.
    named = "solver" in task.entry
    judgeable = isinstance(search, SolverSearch) and search.claims and not named
    repeat = rerun or (sampled and runs and not judgeable)
    if not texts and qualities is not None:
        judged = (check_claims(run, limits) for run in runs if sampled)
        for place, claim, verdict in chain.from_iterable(judged):
            report.proven += verdict in ("proven", "tie")
            report.ties += verdict == "tie"
            report.unchecked += verdict == "unchecked"
            if verdict not in VERDICTS:
                texts.append(f"{place}: status is {claim.status}, but {verdict}")
        if repeat and not texts:
            report.recomputed += 1
            texts += differences(table, shard_table(task, qualities))
    if not texts:
        sets = {tuple(row["selected"]) for row in rows if row["selected"]}
        report.sets.setdefault((task.dataset, task.fold), set()).update(sets)
    report.complain(task.path, texts)


def check_file(task: Task, bad: frozenset[str], recompute: bool) -> Report:
    """Check the file of a task of a kind of answer; if `recompute`, make it again."""
    report = Report()
    if _lacks(report, task.files, task.path):
        return report
    with _guarded(report, task.path):
        table, metadata = open_file(task)
        again = recompute and data_path(task.results, task.dataset) not in bad
        texts = list(task.audit(table, metadata, again))
        report.recomputed += again
        report.complain(task.path, texts)
    return report


def check_predictions(
    task: PredictTask, sets: frozenset[tuple[int, ...]], bad: frozenset[str], recompute: bool
) -> Report:
    """Check a predictions file; if `recompute`, train some of its models again."""
    report = Report()
    if _lacks(report, "predictions", task.path):
        return report
    with _guarded(report, task.path):
        table, _ = open_file(task)
        rows = table.to_pylist()
        here = {"dataset": task.dataset, "fold": task.fold, "model": task.model}
        metrics = task.metrics
        texts = [
            f"{column} is {row[column]!r}, not {value!r}"
            for i, row in enumerate(rows)
            for column, value in {**here, "metric": metrics[i % len(metrics)]}.items()
            if row[column] != value
        ]
        owners = [tuple(row["selected"]) for row in rows]
        trained = owners[:: len(metrics)]
        if trained != sorted(set(trained)) or owners != [s for s in trained for _ in metrics]:
            texts.append("its feature sets are not sorted or repeat themselves")
        if lacking := sorted(sets - set(trained)):
            texts.append(f"lacks the feature set {list(lacking[0])}")
        if not texts and recompute and data_path(task.results, task.dataset) not in bad:
            step = -(-len(trained) // _TRAINED_AGAIN) or 1
            again = prediction_table(task, trained[::step])
            taken = [i for i in range(len(rows)) if i // len(metrics) % step == 0]
            texts += differences(table.take(taken), again)
        report.complain(task.path, texts)
    return report
