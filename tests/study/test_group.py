"""Groups: one job that makes all shards of a selector on a fold."""

import json
import os
import shutil
from pathlib import Path

import pytest
from audit import hashes, make_qualities, run_tasks
from studies import SMALL

from altfs.errors import AltfsError
from altfs.study.collect import collect_all, foreign_files
from altfs.study.costs import measured
from altfs.study.forecast import as_data as forecast
from altfs.study.forecast import next_paths
from altfs.study.origin import failures, missing_tasks, origin_of
from altfs.study.session import check_study, open_study
from altfs.study.state import Ledger, look_at_files
from altfs.study.status import as_data
from altfs.study.store import content_digest, read_table
from altfs.study.tasks import SearchesTask
from altfs.study.verify import verify_study

pytestmark = pytest.mark.usefixtures("elsewhere")

GROUPED = {**SMALL, "shards_per_job": "all"}


@pytest.fixture
def plan(elsewhere):
    plan = check_study(GROUPED)
    run_tasks(plan)
    return plan


def group_of(plan, fold=0, selector="mutual_information"):
    return plan.searches_task("wine", fold, selector)


def states(plan):
    """The states of all groups, read anew."""
    looked = look_at_files(plan, Ledger(plan.results)).states
    return {task.path: state for task, state in looked.items() if isinstance(task, SearchesTask)}


@pytest.mark.exhaustive
def test_its_shards_are_those_of_a_job_for_each(plan):
    alone = check_study({**SMALL, "results": "results/alone"})
    run_tasks(alone)
    assert hashes(plan) == hashes(alone)
    # The report does not depend on it either.
    assert plan.hash == alone.hash
    for key in plan.places():
        mine, other = (read_table(Path(p.search_task(key).path))[0] for p in (plan, alone))
        assert content_digest(mine) == content_digest(other)
    # A study may go on in the other way.
    again = check_study(SMALL)
    assert look_at_files(again, Ledger(plan.results)).complete
    assert set(states(plan).values()) == {"done"}


def test_each_shard_is_noticed(plan):
    group = group_of(plan)
    shard = Path(next(iter(group.members(plan))).path)
    others = dict.fromkeys(states(plan), "done") | {group.path: "missing"}
    content = shard.read_bytes()
    shard.unlink()
    assert states(plan) == others
    shard.write_bytes(content[:-9])
    assert states(plan)[group.path] == "damaged"
    # Copied results have other times; then their shards are read.
    shard.write_bytes(content)
    os.utime(shard, (1, 1))
    assert set(states(plan).values()) == {"done"}
    Path(group.path).write_text("{")
    assert states(plan)[group.path] == "damaged"
    Path(group.path).unlink()
    assert states(plan)[group.path] == "missing"
    group.run(plan)
    assert set(states(plan).values()) == {"done"}


def test_it_makes_only_what_is_not_whole(plan, capsys):
    group = group_of(plan)
    paths = [Path(member.path) for member in group.members(plan)]
    before = [path.stat().st_mtime_ns for path in paths]
    paths[1].unlink()
    capsys.readouterr()
    group.run(plan)
    assert [path.stat().st_mtime_ns == time for path, time in zip(paths, before, strict=True)] == [
        i != 1 for i in range(len(paths))
    ]
    assert capsys.readouterr().out.count("is whole and up to date") == len(paths) - 1


def test_it_is_done_after_the_results_were_moved(plan, tmp_path):
    moved = shutil.copytree(plan.results, tmp_path / "moved")
    assert set(states(open_study(moved)).values()) == {"done"}


@pytest.mark.parametrize(
    "changes",
    [{"seed": 1}, {"limits": {"work": 1}}, {"n_features": 2}, {"dissimilarity": "jaccard"}],
)
def test_other_settings_make_it_stale(plan, changes):
    other = check_study({**GROUPED, **changes})
    assert set(states(other).values()) == {"stale"}


def test_another_search_leaves_other_shards_as_they_are(plan, capsys):
    more = [*SMALL["searches"], {"name": "random", "n_alternatives": 1}]
    other = check_study({**GROUPED, "searches": more})
    assert set(states(other).values()) == {"stale"}
    counts = as_data(look_at_files(other, Ledger(other.results)))["shards"][0]
    n_taus = len(other.sizes_by_tau)
    assert (counts["done"], counts["stale"]) == (4 * n_taus, 2 * n_taus)
    capsys.readouterr()
    for task in other.tasks.values():
        if isinstance(task, SearchesTask):
            task.run(other)
    assert capsys.readouterr().out.count("is whole and up to date") == 4 * 2 * n_taus
    assert set(states(other).values()) == {"done"}


def test_other_shards_are_made_if_one_fails(elsewhere, capsys):
    plan = check_study(GROUPED)
    make_qualities(plan, 0)
    group = group_of(plan)
    paths = [Path(member.path) for member in group.members(plan)]
    # A folder in the place of the file cannot be replaced.
    (paths[0] / "in the way").mkdir(parents=True)
    with pytest.raises(AltfsError, match=f"1 of {len(paths)} shards failed, the first: "):
        group.run(plan)
    assert "Traceback" in capsys.readouterr().err
    assert all(path.is_file() for path in paths[1:]) and not Path(group.path).exists()


@pytest.mark.exhaustive
def test_status_plan_verify_and_report_know_its_shards(plan):
    n = len(list(plan.places()))
    state = look_at_files(plan, Ledger(plan.results))
    data = as_data(state)
    assert {cell["done"] for cell in data["shards"]} == {n // 2}
    assert data["tasks"]["searches"]["done"] == 4 and data["tasks"]["search"]["done"] == 0
    assert forecast(state)["shards"] == n
    assert {point.kind[0] for point in measured(plan)} >= {"search", "quality"}
    findings = verify_study(plan.results)
    assert (findings.planned, findings.checked["shards"], findings.problems) == (n, n, [])
    assert foreign_files(plan) == []
    # A shard that is gone has no note of its group, and its fold is trained again.
    group = group_of(plan)
    shard = next(iter(group.members(plan)))
    Path(shard.path).unlink()
    Path(group.path).unlink()
    log = Path(group.log)
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("Traceback (most recent call last):\nValueError: the reason\n")
    state = look_at_files(plan, Ledger(plan.results))
    cell = as_data(state)["shards"][0]
    assert (cell["done"], cell["missing"]) == (n // 2 - 1, 1)
    predictions = plan.predict_task("wine", 0, "decision_tree").path
    assert next_paths(state) == {group.path, predictions}
    assert failures(plan, missing_tasks(plan)) == [
        f"{plan.inside(group.path)}: ValueError: the reason"
    ]
    collect_all(plan)
    origin = origin_of(plan)
    assert (origin.n_planned, origin.n_there) == (n, n - 1)
    assert plan.inside(shard.path) in origin.missing


def test_its_task_is_the_same_after_json(plan):
    group = group_of(plan)
    again = SearchesTask.model_validate_json(group.model_dump_json())
    assert (again, again.path, again.hash) == (group, group.path, group.hash)
    assert json.loads(Path(group.path).read_text())["task_hash"] == group.hash
