"""Qualities that a study stores: the values, what renews them, and their audit."""

from pathlib import Path

import numpy as np
import pytest
from audit import edit, make_qualities, run_tasks, score_task, verify
from ordinary import SELECTORS
from studies import SMALL

from altfs.errors import StaleResultError
from altfs.selectors import Part, selectors
from altfs.study import fingerprint
from altfs.study.costs import disk_bytes
from altfs.study.folds import fold_parts
from altfs.study.qualities import learn, read_qualities
from altfs.study.session import check_study
from altfs.study.store import read_table
from altfs.study.task import Place

EVERY = [name for name in SELECTORS if name not in ("shap", "lime")]


pytestmark = pytest.mark.usefixtures("elsewhere")


def plan_of(**changes):
    return check_study({**SMALL, **changes})


def expected_of(plan, kind):
    return {path: task.hash for path, task in plan.tasks.items() if task.rule == kind}


LEFT_OUT = ("shares", "measure")


def numbers(quality):
    # Shares of redundancy and units are for explanations only.
    known = [(name, value) for name, value in vars(quality).items() if name not in LEFT_OUT]
    return {k: v.tobytes() if isinstance(v, np.ndarray) else v for k, v in known}


@pytest.mark.exhaustive
def test_stored_qualities_are_those_that_selectors_learn():
    plan = plan_of(selectors=EVERY)
    make_qualities(plan, 0)
    train, test = score_task(plan, "wine", 0, "relevance").parts()
    for name in EVERY:
        path = plan.quality_task("wine", 0, name).path
        assert Path(path).exists() == selectors.get(name).stores == plan.stores_quality(name)
        if not selectors.get(name).stores:
            continue
        stored = read_qualities(path)
        fresh = [Part(p.X, p.y, p.target_type, p.seed) for p in (train, test)]
        learned = selectors.get(name)().learn(*fresh)
        assert numbers(stored.train) == numbers(learned.train)
        assert numbers(stored.test) == numbers(learned.test)
        assert stored.note == learned.note == ""
        table, _ = read_table(Path(path))
        assert table["feature"].to_pylist()[0] == "alcohol"


def test_a_test_part_that_allows_no_quality_gives_a_note(monkeypatch):
    def few(*arguments):
        train, test = fold_parts(*arguments)
        return train, Part(test.X[:3], test.y[:3], test.target_type, test.seed)

    # A folder of its own: a process keeps what it read from a path.
    plan = plan_of(selectors=["mutual_information"], results="results/few")
    monkeypatch.setattr("altfs.study.folds.fold_parts", few)
    make_qualities(plan, 0)
    stored = read_qualities(plan.quality_task("wine", 0, "mutual_information").path)
    assert stored.test is None
    assert "3 rows are too few" in stored.note
    plan.search_task(next(plan.places("wine", 0))).run()
    table, metadata = read_table(Path(plan.search_task(next(plan.places("wine", 0))).path))
    assert set(table["test_objective"].to_pylist()) == {None}
    assert metadata["notes"]["test_objective"] == stored.note


def test_no_shard_learns_a_stored_quality_again(monkeypatch):
    plan = plan_of(selectors=["model_gain"], taus=["1"])
    make_qualities(plan, 0)
    monkeypatch.setattr("altfs.study.qualities.learn", None)
    for key in plan.places("wine", 0):
        plan.search_task(key).run()
        assert Path(plan.search_task(key).path).exists()


def changed_by(module, **config):
    """The paths of qualities and of shards whose hash a change of a module's code changes."""
    parse = fingerprint._parse

    def parse_changed(name):
        text, imported = parse(name)
        return text + ("changed" if name == module else ""), imported

    kinds = ("quality", "search", "score")
    before = [expected_of(plan_of(**config), kind) for kind in kinds]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fingerprint, "_parse", parse_changed)
        fingerprint.code_hash.cache_clear()
        after = [expected_of(plan_of(**config), kind) for kind in kinds]
    # Hashes of the changed code are not for later tests.
    fingerprint.code_hash.cache_clear()
    return [{p for p in old if old[p] != new[p]} for old, new in zip(before, after, strict=True)]


def test_a_changed_selector_renews_its_qualities_and_its_shards():
    config = {"selectors": ["mutual_information", "model_gain", "greedy_wrapper"]}
    kept, shards, scores = changed_by("altfs.selectors.model_gain", **config)
    assert len(kept) == 2
    assert len(shards) == 2 * 3 * 2
    assert all("selector=model_gain" in path for path in kept | shards)
    assert not scores


def test_a_changed_black_box_renews_its_shards():
    config = {"selectors": ["model_gain", "greedy_wrapper"]}
    kept, shards, _ = changed_by("altfs.selectors.greedy_wrapper", **config)
    assert not kept
    assert len(shards) == 2 * 3 * 2
    assert all("selector=greedy_wrapper" in path for path in shards)


def test_a_changed_score_renews_what_is_learned_from_it():
    config = {"selectors": ["mutual_information", "fcbf", "model_gain"]}
    kept, shards, scores = changed_by("altfs.scores.conflicts", **config)
    assert {Path(path).stem for path in scores} == {"conflicts"}
    assert all("selector=fcbf" in path for path in kept | shards)
    assert (len(kept), len(shards)) == (2, 12)
    _, _, scores = changed_by("altfs.scores.relevance", **config)
    assert {Path(path).stem for path in scores} == {"relevance", "conflicts"}


def test_a_changed_search_renews_no_quality():
    kept, shards, _ = changed_by("altfs.searches.sequential")
    assert not kept
    assert {Path(path).stem for path in shards} == {"search=sequential"}
    options = {"searches": [{"name": "sequential", "n_alternatives": 1}], "taus": ["1"]}
    assert expected_of(plan_of(**options), "quality") == expected_of(plan_of(), "quality")


@pytest.mark.exhaustive
def test_the_audit_compares_qualities_with_data_and_scores(capsys):
    plan = plan_of(selectors=["mutual_information", "fcbf"], taus=["1"])
    run_tasks(plan)
    code, said = verify(capsys, plan, "--full")
    assert code == 0, said
    path = plan.quality_task("wine", 1, "fcbf").path
    kept = Path(path).read_bytes()

    def said_of(change):
        edit(path, change)
        code, said = verify(capsys, plan)
        Path(path).write_bytes(kept)
        assert code == 1
        # The shards are judged by data and scores, not by the file.
        assert f"{path}: does not hold what its data and scores give" in said
        assert "1 problems" in said

    said_of(lambda rows: rows[3].update(train_value=rows[3]["train_value"] * (1 + 2e-16)))
    said_of(lambda rows: rows[0].update(train_conflicts=[1, 2]))
    said_of(lambda rows: rows[0].update(test_value=0.5))
    said_of(lambda rows: rows[0].update(feature="other"))
    Path(path).unlink()
    code, said = verify(capsys, plan, "--full")
    assert code == 1
    assert f"{path}: is missing" in said
    assert "0 problems, 1 files missing" in said


def test_plans_know_what_qualities_cost():
    plan = plan_of(selectors=["mutual_information", "mrmr", "greedy_wrapper"])
    kept = [t for t in plan.tasks.values() if t.rule == "quality"]
    named = ("mutual_information", "mrmr")
    assert {t.work for t in kept} == {("quality", name, "floors") for name in named}
    sizes = {t.detail: disk_bytes(plan, [t]) for t in kept}
    assert 0 < sizes["mutual_information"] < sizes["mrmr"]


def test_kinds_of_work_name_options():
    nearest = {"type": "wrapper", "options": {"model": "nearest_neighbours"}}
    plan = plan_of(selectors=["wrapper", {"name": "sfs", **nearest}])
    work = {t.work for t in plan.tasks.values() if t.rule == "search"}
    plain = ("search", "wrapper", "sequential")
    assert {plain, (*plain, '{"model": "nearest_neighbours"}')} < work


def test_qualities_of_another_task_are_refused():
    plan = plan_of(selectors=["model_gain"])
    make_qualities(plan, 0, 1)
    other, mine = (Path(plan.quality_task("wine", fold, "model_gain").path) for fold in (0, 1))
    mine.write_bytes(other.read_bytes())
    with pytest.raises(StaleResultError, match=r"model_gain.parquet' was made with other settings"):
        plan.search_task(Place("wine", 1, "model_gain", "1", "sequential")).run()
    assert learn(plan.quality_task("wine", 1, "model_gain")).train.n_total == 13
