"""An audit finds every kind of edit, also where the digest was made to match."""

from pathlib import Path

import pytest
from audit import SEQUENTIAL, SIMULTANEOUS, assert_named, edit, edit_metadata, score_task

from altfs.study.store import read_table, write_table

EDITS = {
    "train_objective is 9.0, data and scores give": lambda r: r[1].update(
        train_objective=9.0, bound=9.0
    ),
    "test_objective is 0.25, data": lambda r: r[0].update(test_objective=0.25),
    "sets 0 and 1 have 3 features in common, 0 are": lambda r: r[1].update(
        {n: r[0][n] for n in ("selected", "feature_names", "train_objective", "bound")}
    ),
    "is not sorted": lambda r: r[0].update(selected=r[0]["selected"][::-1]),
    "does not have 3 features": lambda r: r[0].update(selected=r[0]["selected"][:2]),
    "an index that is not a feature": lambda r: r[0].update(selected=[0, 1, 13]),
    "feature_names are not": lambda r: r[0].update(feature_names=["a", "b", "c"]),
    "lies below the objective": lambda r: r[0].update(bound=r[0]["bound"] / 2),
    "the status is optimal": lambda r: r[0].update(bound=r[0]["bound"] * 2),
    "bound is missing": lambda r: r[0].update(bound=None),
    "after an infeasible one": lambda r: r[1].update(
        status="infeasible", selected=[], feature_names=[], train_objective=None,
        test_objective=None, bound=None,
    ),
    "there is a set": lambda r: r[3].update(status="infeasible"),
    "there is no set": lambda r: r[0].update(selected=[]),
    "status 'best' is unknown": lambda r: r[0].update(status="best"),
    "max_overlap is 1, tau 1 gives 0": lambda r: r[2].update(max_overlap=1),
    "fold is 1, the file's place says 0": lambda r: r[0].update(fold=1),
    "run_bound is 1.0": lambda r: r[0].update(run_bound=1.0),
    "lacks the row: .* set_index 3": lambda r: r.pop(),
    "has a row twice": lambda r: r.append(r[-1]),
    "not planned: n_features 4": lambda r: r.append({**r[-1], "n_features": 4}),
    "in another order": lambda r: r.reverse(),
    "seconds is -1.0": lambda r: r[0].update(seconds=-1.0),
}  # fmt: skip


@pytest.mark.parametrize("text", EDITS)
def test_an_edited_shard_with_a_matching_digest_is_found(capsys, plan, text):
    path = plan.search_task(SEQUENTIAL).path
    edit(path, EDITS[text])
    assert_named(capsys, plan, path, text, "--sample", "0")


FAMILY_EDITS = {
    "status is not the same in all rows": lambda r: r[0].update(status="feasible"),
    "work is not 0 after the first row": lambda r: r[1].update(work=r[0]["work"] + 1),
    "run_objective is 1.0, the sets give": lambda r: [
        row.update(run_objective=1.0, run_bound=1.0) for row in r[:2]
    ],
    "lexicographic": lambda r: [
        row.update(selected=s, feature_names=n, train_objective=o, test_objective=t)
        for row, (s, n, o, t) in zip(
            r[:2],
            [
                (q["selected"], q["feature_names"], q["train_objective"], q["test_objective"])
                for q in r[1::-1]
            ],
            strict=True,
        )
    ],
    "only run_bound can be": lambda r: r[0].update(bound=1.0),
}


@pytest.mark.parametrize("text", FAMILY_EDITS)
def test_an_edited_family_is_found(capsys, plan, text):
    path = plan.search_task(SIMULTANEOUS).path
    edit(path, FAMILY_EDITS[text])
    assert_named(capsys, plan, path, text, "--sample", "0")


@pytest.mark.exhaustive
def test_edited_without_cover_and_stale_shards_are_found(capsys, plan):
    path = plan.search_task(SEQUENTIAL).path
    before = Path(path).read_bytes()
    edit(path, lambda r: r[0].update(train_objective=1.0), digest=False)
    assert_named(capsys, plan, path, "was changed after", "--sample", "0")
    for changes, text in (
        ({"task_hash": "0"}, "other settings, data or code"),
        ({"schema_version": 0}, "schema version 0"),
        ({"kind": "score"}, "not a file of kind 'shard'"),
        ({"task": {}}, "do not describe its task"),
        ({"notes": {"test_objective": "lost"}}, "notes are not"),
    ):
        Path(path).write_bytes(before)
        edit_metadata(path, **changes)
        assert_named(capsys, plan, path, text, "--sample", "0")


def test_edited_scores_are_found(capsys, plan):
    path = score_task(plan, "wine", 0, "relevance").path
    before = Path(path).read_bytes()
    edit(path, lambda r: r[0].update(train=0.5), digest=False)
    assert_named(capsys, plan, path, "was changed after", "--sample", "0")
    Path(path).write_bytes(before)
    edit(path, lambda r: r[0].update(train=0.5))
    assert_named(capsys, plan, path, "does not hold what its data give")
    Path(path).write_bytes(before)
    # Joining is cheap and always done again; the order of columns counts, too.
    path = score_task(plan, "wine", 1, "conflicts").path
    table, metadata = read_table(Path(path))
    write_table(Path(path), table.select(table.column_names[::-1]), metadata)
    assert_named(capsys, plan, path, "does not hold what its parts give", "--sample", "0")


def test_an_edited_or_missing_dataset_is_found(capsys, plan):
    path = Path(plan.data_path("wine"))
    edit(path, lambda r: r[0].update(alcohol=1.0), digest=False)
    assert_named(capsys, plan, path, "does not hold the data that")
    path.write_bytes(path.read_bytes()[:-10])
    assert_named(capsys, plan, path, "truncated")
    path.unlink()
    assert_named(capsys, plan, path, "cannot be recomputed without it", "--allow-missing")


@pytest.mark.exhaustive
def test_edited_predictions_are_found(capsys, plan):
    path = plan.predict_task("wine", 0, "decision_tree").path
    before = Path(path).read_bytes()
    edit(path, lambda r: r[0].update(test_score=0.125), digest=False)
    assert_named(capsys, plan, path, "was changed after", "--sample", "0")
    for text, change in (
        ("test_score is 0.125, recomputed", lambda r: r[0].update(test_score=0.125)),
        ("lacks the feature set", lambda r: r.pop(0)),
        ("not sorted or repeat", lambda r: r.append(r[0])),
        ("metric is 'r2', not", lambda r: r[0].update(metric="r2")),
    ):
        Path(path).write_bytes(before)
        edit(path, change)
        assert_named(capsys, plan, path, text, "--full")
