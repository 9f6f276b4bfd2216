"""Jobs of an audit, each of which can run in a separate process."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pyarrow as pa

from altfs.searches.many_objective import ManyObjective
from altfs.searches.pareto import Pareto
from altfs.selectors import Qualities
from altfs.solvers import Limits
from altfs.solvers.floor import with_floor
from altfs.study.explaining import make_explanations
from altfs.study.folds import load_planned_dataset
from altfs.study.layout import ShardKey
from altfs.study.plan import Plan
from altfs.study.predicting import prediction_table
from altfs.study.qualities import learn, qualities_table
from altfs.study.scoring import make_score
from altfs.study.sharding import objectives_of, problem_of, search_of, shard_table
from altfs.study.store import TIME_COLUMNS, content_digest, front_of, sets_of, task_hash
from altfs.study.verify.claims import JUDGED, VERDICTS, check_claims
from altfs.study.verify.explanations import check_rows_explained, differ_alone
from altfs.study.verify.family_fronts import check_families, missing_family
from altfs.study.verify.files import BadFileError, check_dataset, open_file
from altfs.study.verify.fronts import check_front, missing_member, points_of
from altfs.study.verify.promises import check_promises
from altfs.study.verify.report import Report
from altfs.study.verify.rows import check_rows, runs_of

# Number of feature sets of a predictions file that a full audit trains again.
_TRAINED_AGAIN = 20

#: Dataset, fold, score, and its part or None.
ScorePlace = tuple[str, int, str, int | None]


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
            check_dataset(path, plan.facts[dataset].identity)
    return report


def check_score(plan: Plan, place: ScorePlace, bad: frozenset[str], recompute: bool) -> Report:
    """Check a score's file, and recompute it from the data or from its parts."""
    report, arguments = Report(), plan.score_arguments(*place)
    path = arguments["output"]
    if _lacks(report, "scores", path):
        return report
    with _guarded(report, path):
        table, metadata = open_file(path, "score", task_hash(arguments))
        parts = arguments["files"].get("parts", [])
        if bad.isdisjoint([plan.data_path(place[0]), *parts]) and (recompute or parts):
            again, described = make_score(arguments)
            report.recomputed += 1
            if not (_same(table, again) and metadata["notes"] == described["notes"]):
                raise BadFileError(f"does not hold what its {'parts' if parts else 'data'} give")
    return report


def check_shards(
    plan: Plan, keys: tuple[ShardKey, ...], bad: frozenset[str], sampled: frozenset[ShardKey],
    rerun: bool, limits: Limits,
) -> Report:  # fmt: skip
    """Check the qualities of a selector on a fold, and the shards that were made from them."""
    report, first = Report(), keys[0]
    path = plan.quality_path(*first[:3])
    stored = plan.stores_quality(first.selector) and not _lacks(report, "qualities", path)
    present = [key for key in keys if not _lacks(report, "shards", plan.shard_path(key))]
    if not (present or stored):
        return report
    names = qualities = None
    inputs = plan.selector_inputs(first.dataset, first.fold, first.selector)
    for path in inputs:
        if not Path(path).is_file():
            report.complain(path, ["is missing, shards cannot be recomputed without it"])
    arguments = plan.quality_arguments(*first[:3])
    if inputs[0] not in bad:
        names = load_planned_dataset(arguments).feature_names
    if bad.isdisjoint(inputs):
        with _guarded(report, inputs[-1]):
            qualities = learn(arguments)
    if stored:
        with _guarded(report, arguments["output"]):
            table, metadata = open_file(arguments["output"], "quality", task_hash(arguments))
            if qualities is not None:
                again, described = qualities_table(qualities, arguments)
                report.recomputed += 1
                if not (_same(table, again) and described.items() <= metadata.items()):
                    raise BadFileError("does not hold what its data and scores give")
    for key in present:
        with _guarded(report, plan.shard_path(key)):
            _check_shard(report, plan, key, (names, qualities), key in sampled, rerun, limits)
    return report


def _check_shard(
    report: Report, plan: Plan, key: ShardKey,
    known: tuple[tuple[str, ...] | None, Qualities | None],
    sampled: bool, rerun: bool, limits: Limits,
) -> None:  # fmt: skip
    """Check a shard with the names of the features and the qualities, as far as known."""
    names, qualities = known
    path, arguments = plan.shard_path(key), plan.search_arguments(key)
    table, metadata = open_file(path, "shard", task_hash(arguments))
    rows, points = sets_of(table).to_pylist(), front_of(table).to_pylist()
    runs, wrong = runs_of(plan, key, rows)
    texts = [wrong] if wrong else []
    search = search_of(arguments)
    if ("point" in table.column_names) != isinstance(search, ManyObjective | Pareto):
        texts.append("has a front" if points else "lacks its front")
    for run in runs:
        if qualities is not None:
            aggregation = "sum" if run.aggregation == "none" else run.aggregation
            asked = (run.sizes, run.n_alternatives, aggregation)
            problem = problem_of(arguments, names or (), qualities.train, asked)
            run.problem = with_floor(problem, Limits(**arguments["limits"]))
        run.names, run.qualities = names, qualities
        texts += [*check_rows(run), *check_promises(run)]
        if isinstance(run.made, ManyObjective):
            own = points_of(run, points)
            texts += check_front(run, own)
            if sampled and not texts and (lacking := missing_member(run, own)):
                texts.append(lacking)
        elif isinstance(run.made, Pareto):
            own = points_of(run, points)
            texts += check_families(run, own)
            if sampled and not texts and (lacking := missing_family(run, own, limits)):
                texts.append(lacking)
    if len(points) != sum(len(points_of(run, points)) for run in runs):
        texts.append("has points of a front that is not planned")
    note = {"test_objective": qualities.note} if qualities and qualities.note else {}
    if qualities is not None and metadata.get("notes") != note:
        texts.append("its metadata's notes are not what data and scores give")
    if points and qualities is not None:
        objectives = objectives_of(search, qualities.train)
        if objectives is not None and metadata.get("objectives") != objectives:
            texts.append("its metadata's objectives are not those of the front")
    # Another solver judges answers of solvers; a search has to find all other sets again.
    named = "solver" in arguments["search"]
    again = rerun or (sampled and runs and (named or runs[0].search not in JUDGED))
    if not texts and qualities is not None:
        judged = (check_claims(run, limits) for run in runs if sampled)
        for place, claim, verdict in chain.from_iterable(judged):
            report.proven += verdict in ("proven", "tie")
            report.ties += verdict == "tie"
            report.unchecked += verdict == "unchecked"
            if verdict not in VERDICTS:
                texts.append(f"{place}: status is {claim.status}, but {verdict}")
        if again and not texts:
            report.recomputed += 1
            texts += _differences(table, shard_table(arguments, qualities))
    if not texts:
        found = {tuple(row["selected"]) for row in rows if row["selected"]}
        report.sets.setdefault((key.dataset, key.fold), set()).update(found)
    report.complain(path, texts)


def check_explanations(
    plan: Plan, key: ShardKey, bad: frozenset[str], recompute: bool
) -> Report:  # fmt: skip
    """Check a file of explanations; if `recompute`, explain its rows again."""
    report, path = Report(), plan.explanation_path(key)
    if _lacks(report, "explanations", path):
        return report
    with _guarded(report, path):
        arguments = plan.explain_arguments(key)
        table, metadata = open_file(path, "explanations", task_hash(arguments))
        texts = list(check_rows_explained(arguments, table))
        if not texts and recompute and plan.data_path(key.dataset) not in bad:
            again, described = make_explanations(arguments)
            report.recomputed += 1
            texts += _differences(table, again)
            if metadata.get("notes") != described["notes"]:
                texts.append("its metadata's notes are not what the data give")
            if not texts:
                names = load_planned_dataset(arguments).feature_names
                texts += differ_alone(arguments, names, table)
        report.complain(path, texts)
    return report


def check_predictions(
    plan: Plan, dataset: str, fold: int, model: str, sets: frozenset[tuple[int, ...]],
    bad: frozenset[str], recompute: bool,
) -> Report:  # fmt: skip
    """Check a predictions file; if `recompute`, train some of its models again."""
    report, path = Report(), plan.prediction_path(dataset, fold, model)
    if _lacks(report, "predictions", path):
        return report
    with _guarded(report, path):
        arguments = plan.predict_arguments(dataset, fold, model)
        table, _ = open_file(path, "predictions", task_hash(arguments))
        rows = table.to_pylist()
        here = {"dataset": dataset, "fold": fold, "model": model}
        metrics = plan.metrics(dataset)
        texts = [
            f"{column} is {row[column]!r}, not {value!r}"
            for i, row in enumerate(rows)
            for column, value in {**here, "metric": metrics[i % len(metrics)]}.items()
            if row[column] != value
        ]
        owners = [tuple(row["selected"]) for row in rows]
        found = owners[:: len(metrics)]
        if found != sorted(set(found)) or owners != [s for s in found for _ in metrics]:
            texts.append("its feature sets are not sorted or repeat themselves")
        if lacking := sorted(sets - set(found)):
            texts.append(f"lacks the feature set {list(lacking[0])}")
        if not texts and recompute and plan.data_path(dataset) not in bad:
            step = -(-len(found) // _TRAINED_AGAIN) or 1
            again = prediction_table(arguments, found[::step])
            taken = [i for i in range(len(rows)) if i // len(metrics) % step == 0]
            texts += _differences(table.take(taken), again)
        report.complain(path, texts)
    return report


def _same(stored: pa.Table, again: pa.Table) -> bool:
    names = stored.column_names == again.column_names
    return names and content_digest(stored) == content_digest(again)


def _differences(stored: pa.Table, again: pa.Table) -> list[str]:
    """Return the differences of a stored and a recomputed table, except those of times."""
    if content_digest(stored) == content_digest(again):
        return []
    if stored.num_rows != again.num_rows:
        return [f"has {stored.num_rows} rows, recomputed it has {again.num_rows}"]
    return [
        f"row {i}: {name} is {mine!r}, recomputed it is {other!r}"
        for name in stored.column_names
        if name not in TIME_COLUMNS
        for i, (mine, other) in enumerate(
            zip(stored[name].to_pylist(), again[name].to_pylist(), strict=True)
        )
        if repr(mine) != repr(other)
    ]
