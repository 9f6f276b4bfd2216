"""The tasks one after the other, without Snakemake, judged by the library itself."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from audit import make_qualities, score_task
from sklearn.model_selection import StratifiedKFold
from studies import SMALL

from altfs import search_sequentially
from altfs.errors import StaleResultError
from altfs.selectors import Part, ScoreKey, selectors
from altfs.study.folds import fold_parts
from altfs.study.plan import Plan
from altfs.study.scoring import read_scores
from altfs.study.session import check_study
from altfs.study.store import SHARD_SCHEMA, content_digest, read_shard, read_table, write_table
from altfs.study.task import Place

pytestmark = pytest.mark.usefixtures("elsewhere")


@pytest.fixture
def plan(elsewhere):
    plan = check_study({**SMALL, "selectors": ["mutual_information", "fcbf"], "n_features": [3, 4]})
    make_qualities(plan, 0, 1)
    return plan


def pair_score(plan, fold, name):
    task = score_task(plan, "wine", fold, name)
    for one in (*task.columns(), task):
        one.run()
    return read_table(Path(task.path))


def test_a_shard_holds_what_the_library_finds(plan):
    key = Place("wine", 1, "mutual_information", "0.5", "sequential")
    plan.search_task(key).run()
    table, metadata = read_shard(plan.search_task(key).path, plan.search_task(key).hash)
    assert table.schema.equals(SHARD_SCHEMA)
    assert metadata["digest"] == content_digest(table)
    dataset = plan.search_task(key).data
    folds = StratifiedKFold(2, shuffle=True, random_state=25).split(dataset.X, dataset.y)
    train, _ = list(folds)[1]
    part = Part(dataset.X[train], dataset.y[train], "multiclass", 25)
    learned = selectors.get("mutual_information")().quality(part)
    expected = search_sequentially(learned, n_features=4, n_alternatives=3, tau="0.5")
    rows = table.to_pylist()
    # tau = 0.5 is attainable with four features, not with three.
    assert {row["n_features"] for row in rows} == {4}
    assert [tuple(row["selected"]) for row in rows] == expected.sets
    assert [row["train_objective"] for row in rows] == expected.objectives
    assert [row["bound"] for row in rows] == expected.bound
    names = [[dataset.feature_names[j] for j in s] for s in expected.sets]
    assert [row["feature_names"] for row in rows] == names


def test_infeasible_sets_are_rows_without_values(plan):
    key = Place("wine", 0, "mutual_information", "1", "sequential")
    plan.search_task(key).run()
    rows = read_table(plan.search_task(key).path)[0].to_pylist()
    assert len(rows) == 2 * 4
    missing = [row for row in rows if row["status"] == "infeasible"]
    assert missing
    for row in missing:
        assert row["selected"] == row["feature_names"] == []
        assert row["train_objective"] is row["test_objective"] is None
        assert row["bound"] is row["run_objective"] is row["run_bound"] is None


def test_a_simultaneous_run_is_bounded_as_a_whole(plan):
    key = Place("wine", 0, "fcbf", "1", "simultaneous")
    plan.search_task(key).run()
    rows = read_table(plan.search_task(key).path)[0].to_pylist()
    assert len(rows) == 2 * 2 * 2
    for row in rows:
        assert row["status"] == "optimal"
        assert row["bound"] is None
        assert row["run_bound"] == pytest.approx(row["run_objective"])


def test_a_whole_result_is_kept_and_a_damaged_one_is_made_anew(plan, capsys):
    key = Place("wine", 0, "fcbf", "1", "sequential")
    path = Path(plan.search_task(key).path)
    plan.search_task(key).run()
    before = path.read_bytes()
    capsys.readouterr()
    plan.search_task(key).run()
    assert "is whole and up to date" in capsys.readouterr().out
    assert path.read_bytes() == before
    rows, metadata = read_table(path)
    edited = rows.set_column(12, "train_objective", pa.array([1.0] * len(rows)))
    write_table(path, edited, metadata)
    plan.search_task(key).run()
    assert content_digest(read_table(path)[0]) == metadata["digest"]
    path.write_bytes(before[: len(before) // 2])
    plan.search_task(key).run()
    assert content_digest(read_table(path)[0]) == metadata["digest"]


def test_what_is_trained_is_not_trained_again(plan, capsys):
    for key in plan.places("wine", 0):
        plan.search_task(key).run()
    task = plan.predict_task("wine", 0, "decision_tree")
    task.run(plan)
    first = pq.read_table(task.path)
    sets = [tuple(s) for s in first["selected"].to_pylist()]
    assert len(sets) == len(set(sets)) > 10
    task.run(plan)
    assert "0 of them new" in capsys.readouterr().out
    second = pq.read_table(task.path)
    assert first.equals(second)


PAIRS = ["redundancy", "redundancy.test"]


@pytest.mark.parametrize("name", [*PAIRS, "conflicts"])
def test_scores_do_not_depend_on_how_they_are_split(monkeypatch, plan, name):
    mine = with_pairs(plan)
    before, _ = pair_score(mine, 0, name)
    monkeypatch.setattr("altfs.study.plan._FEATURES_PER_PART", 4)
    mine = with_pairs(plan)
    assert len(score_task(mine, "wine", 0, name).columns()) == 4
    after, _ = pair_score(mine, 0, name)
    assert after.column_names == before.column_names
    assert after.to_pydict() == before.to_pydict()


def with_pairs(plan):
    """Return the plan if FCBF needed the redundancy of both parts, too."""
    plan = Plan(plan.config, plan.facts)
    selector, more = plan.fitted_selectors["fcbf"], (ScoreKey("redundancy"),)
    selector.train_scores, selector.test_scores = (*selector.train_scores, *more), more
    return plan


def read_parts(plan):
    task = plan.quality_task("wine", 0, "fcbf")
    train, test = task.parts()
    read_scores(task, train, "train")
    read_scores(task, test, "test")
    return train, test


def test_both_parts_get_their_own_scores(plan):
    plan = with_pairs(plan)
    for name in PAIRS:
        pair_score(plan, 0, name)
    train, test = read_parts(plan)
    assert {str(key) for key in train.scores} == {"relevance", "conflicts", "redundancy"}
    assert {str(key) for key in test.scores} == {"relevance", "redundancy"}
    for part in (train, test):
        plain = Part(part.X, part.y, part.target_type, part.seed)
        for key, values in part.scores.items():
            assert values.dtype == plain.score(key).dtype
            assert np.array_equal(values, plain.score(key))


def test_a_test_part_with_too_few_rows_gets_a_note(plan, monkeypatch):
    def few(*place):
        train, test = fold_parts(*place)
        return train, Part(test.X[:3], test.y[:3], test.target_type, test.seed)

    plan = with_pairs(plan)
    pair_score(plan, 0, "redundancy")
    monkeypatch.setattr("altfs.study.folds.fold_parts", few)
    _, metadata = pair_score(plan, 0, "redundancy.test")
    assert "3 rows are too few" in metadata["notes"]["test"]
    assert ScoreKey("redundancy") not in read_parts(plan)[1].scores


def test_a_plan_makes_the_test_parts_pairs_for_those_who_ask(plan):
    assert [score.name for score in plan.scores_of("fcbf")] == ["conflicts", "relevance"]
    assert [score.name for score in with_pairs(plan).scores_of("fcbf")] == [
        "conflicts", "redundancy", "redundancy.test", "relevance",
    ]  # fmt: skip


def test_scores_of_another_task_are_refused(plan):
    quality = plan.quality_task("wine", 0, "fcbf")
    Path(quality.path).unlink()
    path = Path(score_task(plan, "wine", 0, "relevance").path)
    before = path.read_bytes()
    path.write_bytes(Path(score_task(plan, "wine", 1, "relevance").path).read_bytes())
    with pytest.raises(StaleResultError, match=r"relevance.parquet' was made with other settings"):
        quality.run()
    path.unlink()
    with pytest.raises(StaleResultError, match="is missing, damaged or foreign"):
        quality.run()
    path.write_bytes(before)
    quality.run()
    joined, other = (score_task(plan, "wine", fold, "conflicts") for fold in (0, 1))
    part = Path(joined.columns()[0].path)
    part.write_bytes(Path(other.columns()[0].path).read_bytes())
    Path(joined.path).unlink()
    with pytest.raises(StaleResultError, match=r"part=0.parquet' was made with other settings"):
        joined.run()


def test_other_words_for_the_same_categories_renew_the_dataset_alone():
    from altfs.study.folds import read_dataset
    from altfs.study.state import Ledger, look_at_files
    from altfs.study.verify.jobs import check_data

    mine = {"name": "mine", "type": "file", "options": {"path": "data.csv", "target": "y"}}
    config = {**SMALL, "datasets": [mine], "n_features": 1}

    def written(low, high):
        Path("data.csv").write_text("a,b,y\n" + f"{low},1,u\n{high},2,v\n" * 6)
        plan = check_study(config)
        Path(plan.results).mkdir(parents=True, exist_ok=True)
        Path(plan.study_file).write_text(plan.dump())
        return plan

    plan = written("cold", "warm")
    plan.tasks[plan.data_path("mine")].run(plan)
    hashes = [task for task in plan.tasks.values() if task.rule != "data"]
    path = plan.data_path("mine")
    assert path not in look_at_files(plan, Ledger(plan.results)).to_recompute()

    plan = written("5 degrees", "90 degrees")
    assert hashes == [task for task in plan.tasks.values() if task.rule != "data"]
    assert path in look_at_files(plan, Ledger(plan.results)).to_recompute()
    assert "does not hold the data" in str(check_data(plan, "mine").problems)
    plan.tasks[plan.data_path("mine")].run(plan)
    assert read_dataset(Path(path)).info["encodings"]["a"] == ["5 degrees", "90 degrees"]
    assert path not in look_at_files(plan, Ledger(plan.results)).to_recompute()
    assert not check_data(plan, "mine").problems
    # What a task was planned with is what it has to find.
    Path("data.csv").write_text("a,b,y\n" + "x,1,u\nz,2,v\n" * 6)
    with pytest.raises(StaleResultError, match="has changed since the run began"):
        plan.tasks[plan.data_path("mine")].run(plan)


@pytest.mark.exhaustive
def test_predictions_in_parts_are_those_of_one_task(plan, monkeypatch):
    """A set is trained once, whatever part it is in, also after the parts have changed."""
    whole = plan.predict_task("wine", 1, "decision_tree")
    for shard in plan.shards("wine", 1):
        shard.run()
    whole.run(plan)
    undivided, _ = read_table(Path(whole.path))
    Path(whole.path).unlink()
    monkeypatch.setattr("altfs.study.plan._SECONDS_PER_PART", 1e-3)
    divided = Plan(plan.config, plan.facts)
    joining = divided.predict_task("wine", 1, "decision_tree")
    assert joining.hash == whole.hash
    assert len(joining.pieces()) == joining.n_parts > 2
    assert [task.path for task in joining.pieces()] == joining.inputs(divided)[: joining.n_parts]
    with pytest.raises(StaleResultError, match="part=0"):
        joining.run(divided)
    for part in joining.pieces():
        part.run(divided)
    joining.run(divided)
    joined, _ = read_table(Path(joining.path))
    columns = ["selected", "metric", "train_score", "test_score"]
    assert joined.select(columns).equals(undivided.select(columns))
    counts = [read_table(Path(part.path))[0].num_rows for part in joining.pieces()]
    assert sum(counts) == joined.num_rows
    # What the joined file has is not trained again.
    seconds = joined["seconds"]
    for part in joining.pieces():
        Path(part.path).unlink()
        part.run(divided)
    joining.run(divided)
    assert read_table(Path(joining.path))[0]["seconds"].equals(seconds)
