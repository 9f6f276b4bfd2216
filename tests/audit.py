"""A small study that is made once, and what the tests of its audit share."""

import os
import re
import shutil
from contextlib import chdir, contextmanager
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pandas as pd
import pyarrow as pa
from studies import SMALL

from altfs.catalogue import figures, tables
from altfs.commands.main import main
from altfs.evaluation.report.columns import described
from altfs.evaluation.results import read_results
from altfs.evaluation.tables import make_table
from altfs.study.collect import collect_all
from altfs.study.config import parse_config
from altfs.study.qualities import learn
from altfs.study.session import begin_study, check_study, open_study
from altfs.study.store import (
    SHARD_SCHEMA,
    content_digest,
    read_table,
    write_table,
)
from altfs.study.task import Place
from altfs.study.verify.rows import StoredRun

CONFIG = {
    **SMALL,
    "selectors": ["mutual_information", "fcbf", {"name": "greedy_wrapper", "options": {}}],
    "taus": ["0.3", "1"],
}
# The tables and figures of studies that name no solver.
TABLES = tables.order(parse_config(CONFIG))
FIGURES = figures.order(parse_config(CONFIG))
SEQUENTIAL = Place("wine", 0, "mutual_information", "1", "sequential")
SIMULTANEOUS = Place("wine", 1, "mutual_information", "0.3", "simultaneous")
WRAPPER = Place("wine", 1, "greedy_wrapper", "0.3", "sequential")


def copy_of(study, folder):
    """Return the plan of a copy of a study."""
    shutil.copytree(study, folder / "copy")
    return open_study(folder / "copy")


def shard_of(plan, search):
    """Return the first shard of a search."""
    return plan.search_task(next(key for key in plan.places() if key.search == search)).path


def collected_table(plan, name):
    """Return a table of the shards. A task that reads what was collected makes the same one."""
    made = make_table(name, results_of(plan))
    assert all(column.meaning for column in described(name, made))
    return made


def results_of(plan, **options):
    """Collect the files of a study, and return its results."""
    collect_all(plan, **{"allow_missing": False, **options})
    return read_results(plan.results)


def table(study, name):
    """Return a table of the evaluation."""
    return pd.read_parquet(study / "tables" / f"{name}.parquet")


def sql(study, query):
    """Return the rows of a query on the shards and predictions of a study."""
    shards, scores = (
        f"read_parquet('{study}/{kind}/**/*.parquet', hive_partitioning=false)"
        for kind in ("shards", "predictions")
    )
    return duckdb.sql(query.format(shards=shards, scores=scores)).fetchall()


def score_task(plan, dataset, fold, name, part=None):
    """Return the task of a score, or of some of its columns, by the name of its file."""
    folder = f"{plan.results}/scores/dataset={dataset}/fold={fold}/{name}"
    return plan.tasks[f"{folder}.parquet" if part is None else f"{folder}/part={part}.parquet"]


def hashes(plan):
    """Return the hash of each shard, by its place."""
    return {key: plan.search_task(key).hash for key in plan.places()}


def make_qualities(plan, *folds):
    """Begin a study, and run the tasks of some folds up to the qualities, one after the other."""
    begin_study(plan)
    for task in plan.tasks.values():
        if task.rule == "data" or (task.kind in ("score", "quality") and task.fold in folds):
            task.run(plan)


def run_tasks(plan):
    """Run all tasks of a study but the evaluation, one after the other."""
    begin_study(plan)
    for task in plan.tasks.values():
        task.run(plan)


def make_study(folder, config=CONFIG):
    """Run the tasks one after the other; returns the results folder."""
    here = Path.cwd()
    os.chdir(folder)
    try:
        plan = check_study(config)
        run_tasks(plan)
    finally:
        os.chdir(here)
    return folder / plan.results


@contextmanager
def collected_results(folder, config):
    """Run the tasks of a study in a folder, and yield its results while that is the current one."""
    with chdir(folder):
        plan = check_study(config)
        run_tasks(plan)
        yield results_of(plan)


def edit(path, change, *, digest=True):
    """Change rows, and cover it up."""
    table, metadata = read_table(Path(path))
    rows = table.to_pylist()
    change(rows)
    lists = {f.name: pa.list_(f.type.value_type) for f in table.schema if pa.types.is_list(f.type)}
    # Parquet has another name for the values of lists than the schemas of altfs.
    if metadata["kind"] == "quality":
        lists = {}
    schema = pa.schema([pa.field(f.name, lists.get(f.name, f.type)) for f in table.schema])
    table = pa.Table.from_pylist(rows, schema=schema)
    if digest:
        metadata["digest"] = content_digest(table)
    write_table(Path(path), table, metadata)


def edit_metadata(path, **changes):
    table, metadata = read_table(Path(path))
    write_table(Path(path), table.cast(SHARD_SCHEMA), {**metadata, **changes})


def verify(capsys, plan, *options):
    # The study may have been made during this test.
    capsys.readouterr()
    code = main(["verify", plan.results, *options])
    return code, capsys.readouterr().out


def assert_named(capsys, plan, path, text, *options):
    code, said = verify(capsys, plan, *options)
    assert code == 1
    named = [line for line in said.splitlines() if line.startswith(f"{path}: ")]
    assert any(re.search(text, line) for line in named), said
    others = {line.partition(": ")[0] for line in said.splitlines() if line.startswith("/")}
    assert others == {str(path)}, said


def worsen(plan, key, i):
    """Put the worst valid set in the place of the last one, with all that follows from it."""
    qualities = learn(plan.quality_task(*key[:3]))
    names = read_table(Path(plan.data_path("wine")))[0].column_names

    def change(rows):
        taken = {j for row in rows for j in row["selected"] if row is not rows[i]}
        left = sorted(set(range(13)) - taken, key=lambda j: qualities.train.values[j])[:3]
        chosen = sorted(left)
        value = qualities.train.evaluate(chosen)
        rows[i].update(
            selected=chosen,
            feature_names=[names[j] for j in chosen],
            train_objective=value,
            test_objective=qualities.test.evaluate(chosen),
            bound=value,
            status="optimal",
        )

    edit(plan.search_task(key).path, change)


def stored_run(plan, place, sets, **columns):
    """Return a run of sets of two features, each with its status, its features and its bound."""
    rows = [
        {
            "n_features": 2, "n_alternatives": len(sets) - 1, "aggregation": "none",
            "set_index": i, "status": status, "selected": list(chosen), "solver": "",
            "bound": bound, "run_bound": bound, "train_objective": None, **columns,
        }
        for i, (status, chosen, bound) in enumerate(sets)
    ]  # fmt: skip
    return StoredRun(plan, place, rows)


def claims_of(run, quality, limits):
    """Judge the claims of a run of a problem without constraints, and count the verdicts."""
    from altfs.problem import Problem
    from altfs.study.verify.claims import VERDICTS, check_claims

    aggregation = "min" if run.aggregation == "min" else "sum"
    run.problem = Problem(quality, run.n_features, run.overlap, len(run.rows), aggregation)
    verdicts = [verdict for _, _, verdict in check_claims(run, limits)]
    ties = verdicts.count("tie")
    return SimpleNamespace(
        proven=verdicts.count("proven") + ties,
        unchecked=verdicts.count("unchecked"),
        ties=ties,
        wrong=[verdict for verdict in verdicts if verdict not in VERDICTS],
    )
