"""The pieces of an audit; each can run in a process of its own."""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from altfs.prediction.metrics import metric_name
from altfs.selectors import Qualities, selectors
from altfs.selectors.part import PAIR_KINDS
from altfs.solvers import Limits
from altfs.study.folds import fold_parts, load_planned_dataset
from altfs.study.layout import ShardKey
from altfs.study.plan import Plan
from altfs.study.predicting import make_predictions
from altfs.study.scoring import join_score_parts, make_score, make_score_part, read_scores
from altfs.study.special_shards import constraints_of, make_shard
from altfs.study.store import content_digest, read_table, task_hash
from altfs.study.verify.claims import JUDGED, check_claims
from altfs.study.verify.files import BadFileError, check_dataset, open_file
from altfs.study.verify.promises import check_promises
from altfs.study.verify.report import Report
from altfs.study.verify.rows import check_rows, runs_of

# Feature sets of a predictions file that a full audit trains again.
_TRAINED_AGAIN = 20

Make = Callable[[dict[str, Any]], None]


class ScoreTask(NamedTuple):
    """A score of a fold, or one part of it."""

    dataset: str
    fold: int
    score: str
    part: int | None = None

    def arguments(self, plan: Plan) -> dict[str, Any]:
        """The arguments of the task that makes it."""
        if self.part is not None:
            return plan.score_part_arguments(self.dataset, self.fold, self.score, self.part)
        arguments = plan.score_arguments(self.dataset, self.fold, self.score)
        if arguments["kind"] in PAIR_KINDS:
            return plan.score_join_arguments(self.dataset, self.fold, self.score)
        return arguments


@contextlib.contextmanager
def _guarded(report: Report, path: str) -> Iterator[None]:
    """Let no file end an audit, whatever is in it."""
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
            check_dataset(path, plan.facts[dataset].identity)
    return report


def check_score(plan: Plan, task: ScoreTask, bad: frozenset[str], recompute: bool) -> Report:
    """Check a score's file; recompute it from the data, or from its parts."""
    report, arguments = Report(), task.arguments(plan)
    path = str(arguments["output"])
    if _lacks(report, "scores", path):
        return report
    with _guarded(report, path):
        stored = open_file(path, "score", task_hash(arguments))
        joined = "parts" in arguments["files"]
        inputs = [plan.data_path(task.dataset)]
        if joined:
            inputs += arguments["files"]["parts"]
        if bad.isdisjoint(inputs) and (recompute or joined):
            make: Make = make_score if task.part is None else make_score_part
            again = _made(join_score_parts if joined else make, arguments)
            report.recomputed += 1
            known = [
                (table.column_names, content_digest(table), metadata["notes"])
                for table, metadata in (stored, again)
            ]
            if known[0] != known[1]:
                raise BadFileError(f"does not hold what its {'parts' if joined else 'data'} give")
    return report


def check_shards(
    plan: Plan, keys: tuple[ShardKey, ...], bad: frozenset[str], sampled: frozenset[ShardKey],
    rerun: bool, limits: Limits,
) -> Report:  # fmt: skip
    """Check shards of one dataset, fold and selector."""
    report, first = Report(), keys[0]
    present = [key for key in keys if not _lacks(report, "shards", plan.shard_path(key))]
    if not present:
        return report
    names = qualities = None
    inputs = plan.selector_inputs(first.dataset, first.fold, first.selector)
    for path in inputs:
        if not Path(path).is_file():
            report.complain(path, ["is missing, shards cannot be recomputed without it"])
    if inputs[0] not in bad:
        digest = plan.facts[first.dataset].digest
        names = load_planned_dataset(inputs[0], digest).feature_names
    if bad.isdisjoint(inputs):
        with _guarded(report, inputs[-1]):
            qualities = _fit(plan.search_arguments(first))
    for key in present:
        with _guarded(report, plan.shard_path(key)):
            _check_shard(report, plan, key, names, qualities, key in sampled, rerun, limits)
    return report


def _check_shard(
    report: Report, plan: Plan, key: ShardKey, names: tuple[str, ...] | None,
    qualities: Qualities | None, sampled: bool, rerun: bool, limits: Limits,
) -> None:  # fmt: skip
    path, arguments = plan.shard_path(key), plan.search_arguments(key)
    table, metadata = open_file(path, "shard", task_hash(arguments))
    rows = table.to_pylist()
    runs, wrong = runs_of(plan, key, rows)
    texts = [wrong] if wrong else []
    for run in runs:
        if qualities is not None:
            run.constraints = constraints_of(arguments, qualities.train, run.n_features)
        texts += check_rows(key, run, names, qualities)
        texts += check_promises(run, qualities)
    if qualities is not None:
        note = {"test_objective": qualities.note} if qualities.note else {}
        if metadata.get("notes") != note:
            texts.append("its metadata's notes are not what data and scores give")
    if not texts and sampled and qualities is not None:
        for run in runs:
            verdicts = check_claims(run, qualities.train, limits)
            report.proven += verdicts.proven
            report.unchecked += verdicts.unchecked
            report.ties += verdicts.ties
            texts += verdicts.wrong
    # What solvers found another solver judges; what else a search found it has to find again.
    again_too = sampled and runs and runs[0].search not in JUDGED
    if not texts and (rerun or again_too) and qualities is not None:
        again, _ = _made(make_shard, arguments)
        report.recomputed += 1
        texts += _differences(table, again)
    if not texts:
        found = {tuple(row["selected"]) for row in rows if row["selected"]}
        report.sets.setdefault((key.dataset, key.fold), set()).update(found)
    report.complain(path, texts)


def _fit(arguments: Mapping[str, Any]) -> Qualities:
    """What the selector of a shard learns from data and scores."""
    fold = (arguments[name] for name in ("digest", "fold", "folds", "seed"))
    train, test = fold_parts(arguments["files"]["data"], *fold)
    for part, side in ((train, "train"), (test, "test")):
        read_scores(part, arguments["files"]["scores"], side)
    component = selectors.get(arguments["selector"]["type"])
    return component(component.Options.model_validate(arguments["selector"]["options"])).fit(
        train, test
    )


def check_predictions(
    plan: Plan, dataset: str, fold: int, model: str, sets: frozenset[tuple[int, ...]],
    bad: frozenset[str], recompute: bool,
) -> Report:  # fmt: skip
    """Check a predictions file; train some of its models again if asked to."""
    report, path = Report(), plan.prediction_path(dataset, fold, model)
    if _lacks(report, "predictions", path):
        return report
    with _guarded(report, path):
        arguments = plan.predict_arguments(dataset, fold, model)
        table, _ = open_file(path, "predictions", task_hash(arguments))
        rows = table.to_pylist()
        here = {
            "dataset": dataset,
            "fold": fold,
            "model": model,
            "metric": metric_name(plan.facts[dataset].target_type),
        }
        texts = [
            f"{column} is {row[column]!r}, not {value!r}"
            for row in rows
            for column, value in here.items()
            if row[column] != value
        ]
        found = [tuple(row["selected"]) for row in rows]
        if found != sorted(set(found)):
            texts.append("its feature sets are not sorted or repeat themselves")
        lacking = sorted(sets - set(found))
        if lacking:
            texts.append(f"lacks the feature set {list(lacking[0])}")
        if not texts and recompute and plan.data_path(dataset) not in bad:
            step = -(-len(rows) // _TRAINED_AGAIN) or 1
            again, _ = _made(lambda task: make_predictions(task, found[::step]), arguments)
            texts += _differences(table.take(list(range(0, len(rows), step))), again)
        report.complain(path, texts)
    return report


def _made(make: Make, arguments: dict[str, Any]) -> tuple[pa.Table, dict[str, Any]]:
    """Run a task anew, beside the study."""
    with tempfile.TemporaryDirectory(prefix="altfs-verify-") as folder:
        output = Path(folder) / "again.parquet"
        with contextlib.redirect_stdout(io.StringIO()):
            make({**arguments, "output": str(output)})
        return read_table(output)


def _differences(stored: pa.Table, again: pa.Table) -> list[str]:
    """Where a stored table and one made anew differ, times apart."""
    if content_digest(stored) == content_digest(again):
        return []
    if stored.num_rows != again.num_rows:
        return [f"has {stored.num_rows} rows, made anew it has {again.num_rows}"]
    return [
        f"row {i}: {name} is {mine!r}, made anew it is {other!r}"
        for name in stored.column_names
        if name != "seconds"
        for i, (mine, other) in enumerate(
            zip(stored[name].to_pylist(), again[name].to_pylist(), strict=True)
        )
        if repr(mine) != repr(other)
    ]
