"""A small study that is made once, and what the tests of its audit share."""

import os
import re
from pathlib import Path

import pyarrow as pa
from conftest import SMALL

from altfs.cli import main
from altfs.selectors.part import PAIR_KINDS
from altfs.study import tasks
from altfs.study.layout import ShardKey
from altfs.study.session import begin_study, check_study
from altfs.study.store import (
    PREDICTION_SCHEMA,
    SHARD_SCHEMA,
    content_digest,
    read_table,
    write_table,
)
from altfs.study.verify.jobs import _fit

CONFIG = {
    **SMALL,
    "selectors": ["mutual_information", "fcbf", {"name": "greedy_wrapper", "options": {}}],
    "taus": ["0.3", "1"],
}
SCHEMAS = {"shard": SHARD_SCHEMA, "predictions": PREDICTION_SCHEMA}
SEQUENTIAL = ShardKey("wine", 0, "mutual_information", "1", "sequential")
SIMULTANEOUS = ShardKey("wine", 1, "mutual_information", "0.3", "simultaneous")
WRAPPER = ShardKey("wine", 1, "greedy_wrapper", "0.3", "sequential")


def make_study(folder, config=CONFIG):
    """Run the tasks one after the other; returns the results folder."""
    here = Path.cwd()
    os.chdir(folder)
    try:
        plan = check_study(config)
        begin_study(plan)
        tasks.data(**plan.data_arguments("wine"))
        for fold in range(2):
            for score in plan.scores():
                if plan.score_arguments("wine", fold, score)["kind"] not in PAIR_KINDS:
                    tasks.score(**plan.score_arguments("wine", fold, score))
                    continue
                for part in range(plan.n_parts("wine")):
                    tasks.score_part(**plan.score_part_arguments("wine", fold, score, part))
                tasks.score_join(**plan.score_join_arguments("wine", fold, score))
            for key in plan.shard_keys("wine", fold):
                tasks.search(**plan.search_arguments(key))
            tasks.predict(**plan.predict_arguments("wine", fold, "decision_tree"))
    finally:
        os.chdir(here)
    return folder / plan.results


def edit(path, change, *, digest=True):
    """Change rows, and cover it up."""
    table, metadata = read_table(Path(path))
    rows = table.to_pylist()
    change(rows)
    schema = SCHEMAS.get(metadata["kind"], table.schema)
    table = pa.Table.from_pylist(rows, schema=schema)
    if digest:
        metadata["digest"] = content_digest(table)
    write_table(Path(path), table, metadata)


def edit_metadata(path, **changes):
    table, metadata = read_table(Path(path))
    write_table(Path(path), table.cast(SHARD_SCHEMA), {**metadata, **changes})


def verify(capsys, plan, *options):
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
    qualities = _fit(plan.search_arguments(key))
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

    edit(plan.shard_path(key), change)
