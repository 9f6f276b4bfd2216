"""Each kind of file of a study, harmed in each way: what is recomputed, and what is kept.

About 30 s, most of them exhaustive.
"""

import json
import os
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from marks import exhaustive

from altfs.study.session import open_study
from altfs.study.state import Ledger, look_at_files, look_at_report

DAY = 86_400 * 10**9
RESULTS = ["search", *exhaustive("data", "score", "quality", "predict")]
MADE_FROM_THEM = [
    "report.html",
    *exhaustive("tables/quality.parquet", "tables/overview.csv", "figures/solver_time.svg"),
]


def truncated(path, other):
    path.write_bytes(path.read_bytes()[:-50])


def emptied(path, other):
    path.write_bytes(b"")


def edited(path, other):
    if path.suffix != ".parquet":
        path.write_bytes(path.read_bytes().replace(b"e", b"f", 1))
        return
    table = pq.read_table(path.open("rb"))
    pq.write_table(table.slice(0, table.num_rows - 1), path)


def swapped(path, other):
    shutil.copy(other, path)


def of_another_version(path, other):
    table = pq.read_table(path.open("rb"))
    metadata = json.loads(table.schema.metadata[b"altfs"]) | {"schema_version": 1}
    table = table.replace_schema_metadata({b"altfs": json.dumps(metadata).encode()})
    pq.write_table(table, path)


def deleted(path, other):
    path.unlink()


def broken_link(path, other):
    path.unlink()
    path.symlink_to("nowhere")


def link_to_itself(path, other):
    path.unlink()
    path.symlink_to(path)


def link_to_a_copy(path, other):
    copy = path.rename(path.with_name("elsewhere"))
    path.symlink_to(copy)


def pipe(path, other):
    path.unlink()
    os.mkfifo(path)


def from_the_future(path, other):
    now = path.stat().st_mtime_ns
    os.utime(path, ns=(now + 2 * DAY, now + 2 * DAY))


def from_the_past(path, other):
    os.utime(path, ns=(DAY, DAY))


HARMS = {
    truncated: "damaged", emptied: "damaged", edited: "damaged", swapped: "stale",
    of_another_version: "damaged", deleted: "missing", broken_link: "missing",
    link_to_itself: "missing", pipe: "damaged", link_to_a_copy: "done", from_the_future: "done",
    from_the_past: "done",
}  # fmt: skip


def first_path(plan, rule):
    return next(Path(task.path) for task in plan.tasks.values() if task.rule == rule)


def bytes_of(folder):
    paths = (path for path in Path(folder).rglob("*.parquet") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.mark.parametrize("kind", RESULTS)
@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)
def test_a_harmed_result_alone_is_made_again(finished, kind, harm):
    before = bytes_of(finished.results)
    path, other = (first_path(finished, rule) for rule in (kind, "quality"))
    harm(path, other if kind != "quality" else first_path(finished, "search"))
    state = look_at_files(finished, Ledger(finished.results))
    standing = HARMS[harm]
    harmed = [] if standing == "done" else [str(path)]
    assert state.to_recompute() == harmed
    assert state.damaged() == (harmed if standing == "damaged" else [])
    for task, file in state.states.items():
        if file != "done":
            task.run(finished)
    assert look_at_files(finished, Ledger(finished.results)).complete
    assert path.is_file()
    after = bytes_of(finished.results)
    changed = [name for name in before if after[name] != before[name]]
    assert changed in ([], [finished.inside(str(path))])


EVALUATION_HARMS = [truncated, emptied, edited, swapped, deleted, broken_link, pipe]


@pytest.mark.parametrize("file", MADE_FROM_THEM)
@pytest.mark.parametrize("harm", EVALUATION_HARMS, ids=lambda harm: harm.__name__)
def test_a_harmed_table_figure_or_page_is_named(reported_results, tmp_path, file, harm):
    plan = open_study(shutil.copytree(reported_results, tmp_path / "study"))
    path = Path(plan.results, file)
    harm(path, Path(plan.results, "tables/effort.csv"))
    state = look_at_files(plan, Ledger(plan.results))
    assert state.complete
    found = look_at_report(state)
    if file == "report.html" and not path.exists():
        assert (found.state, found.to_recompute()) == ("missing", [])
    else:
        assert (found.state, found.damaged) == ("damaged", [str(path)])
        assert set(found.to_recompute()) == {str(path), found.page}
