"""An audit of a small study that is whole, and of the same with every kind of damage."""

import os
import re
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from conftest import SMALL

from altfs.cli import main
from altfs.quality import BlackBox, Linear, Quality
from altfs.searches import searches
from altfs.solvers import Limits
from altfs.study import tasks
from altfs.study.plan import ShardKey
from altfs.study.session import begin_study, check_study
from altfs.study.store import (
    PREDICTION_SCHEMA,
    SHARD_SCHEMA,
    content_digest,
    read_table,
    write_table,
)
from altfs.study.verify import open_study, verify_study
from altfs.study.verify.claims import check_claims
from altfs.study.verify.jobs import _fit
from altfs.study.verify.rows import Run

CONFIG = {
    **SMALL,
    "selectors": ["mutual_information", "fcbf", {"name": "greedy_wrapper", "options": {}}],
    "taus": ["0.3", "1"],
}
SCHEMAS = {"shard": SHARD_SCHEMA, "predictions": PREDICTION_SCHEMA}
SEQUENTIAL = ShardKey("wine", 0, "mutual_information", "1", "sequential")
SIMULTANEOUS = ShardKey("wine", 1, "mutual_information", "0.3", "simultaneous")
WRAPPER = ShardKey("wine", 1, "greedy_wrapper", "0.3", "sequential")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    here = Path.cwd()
    folder = tmp_path_factory.mktemp("made")
    os.chdir(folder)
    try:
        plan = check_study(CONFIG)
        begin_study(plan)
        tasks.data(**plan.data_arguments("wine"))
        for fold in range(2):
            tasks.score(**plan.score_arguments("wine", fold, "relevance"))
            for part in range(plan.n_parts("wine")):
                tasks.score_part(**plan.score_part_arguments("wine", fold, "redundancy", part))
            tasks.score_join(**plan.score_join_arguments("wine", fold, "redundancy"))
            for key in plan.shard_keys("wine", fold):
                tasks.search(**plan.search_arguments(key))
            tasks.predict(**plan.predict_arguments("wine", fold, "decision_tree"))
    finally:
        os.chdir(here)
    return folder / plan.results


@pytest.fixture
def plan(made, tmp_path):
    """The plan of a copy, which lies elsewhere than where the study was run."""
    shutil.copytree(made, tmp_path / "shards" / "copy")
    return open_study(tmp_path / "shards" / "copy")


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


def test_a_study_as_it_was_made_passes_and_is_not_touched(capsys, plan):
    def state():
        return {
            str(p): (p.stat().st_mtime_ns, p.stat().st_size) for p in Path(plan.results).rglob("*")
        }

    before = state()
    code, said = verify(capsys, plan)
    assert code == 0, said
    totals = said.splitlines()[-1]
    assert totals.startswith("24 of 24 shards checked")
    assert "0 not checked, 0 problems, 0 files missing" in totals
    assert verify(capsys, plan) == (code, said)
    code, said = verify(capsys, plan, "--full")
    assert code == 0, said
    assert "computed anew and compared: 30 scores and shards" in said
    assert state() == before


def test_a_damaged_byte_is_found_wherever_it_is(plan, capsys):
    path = Path(plan.shard_path(SEQUENTIAL))
    raw = path.read_bytes()
    times = [row["seconds"] for row in read_table(path)[0].to_pylist()]
    for place in range(0, len(raw), 997):
        content = bytearray(raw)
        content[place] ^= 16
        path.write_bytes(content)
        try:
            again = [row["seconds"] for row in read_table(path)[0].to_pylist()]
        except (ValueError, TypeError):
            again = times
        if again == times:
            assert verify_study(plan.results, sample=0).problems[0].path == str(path), place
    path.write_bytes(raw[: len(raw) // 2])
    assert_named(capsys, plan, path, "truncated", "--sample", "0")
    path.write_bytes(b"")
    assert_named(capsys, plan, path, "truncated", "--sample", "0")


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
    "an index that is no feature": lambda r: r[0].update(selected=[0, 1, 13]),
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
    path = plan.shard_path(SEQUENTIAL)
    edit(path, EDITS[text])
    assert_named(capsys, plan, path, text, "--sample", "0")


FAMILY_EDITS = {
    "status is not the same in all rows": lambda r: r[0].update(status="feasible"),
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
    path = plan.shard_path(SIMULTANEOUS)
    edit(path, FAMILY_EDITS[text])
    assert_named(capsys, plan, path, text, "--sample", "0")


def test_edited_without_cover_and_stale_shards_are_found(capsys, plan):
    path = plan.shard_path(SEQUENTIAL)
    before = Path(path).read_bytes()
    edit(path, lambda r: r[0].update(train_objective=1.0), digest=False)
    assert_named(capsys, plan, path, "was changed after", "--sample", "0")
    for changes, text in (
        ({"task_hash": "0"}, "other settings, data or code"),
        ({"schema_version": 0}, "schema version 0"),
        ({"kind": "score"}, "no file of kind 'shard'"),
        ({"task": {}}, "do not describe its task"),
        ({"notes": {"test_objective": "lost"}}, "notes are not"),
    ):
        Path(path).write_bytes(before)
        edit_metadata(path, **changes)
        assert_named(capsys, plan, path, text, "--sample", "0")


def test_missing_and_foreign_files_are_named(capsys, plan):
    path = Path(plan.shard_path(SEQUENTIAL))
    path.unlink()
    assert_named(capsys, plan, path, "is missing", "--sample", "0")
    code, said = verify(capsys, plan, "--sample", "0", "--allow-missing")
    assert code == 0
    assert "23 of 24 shards checked" in said
    foreign = path.with_name("search=other.parquet")
    shutil.copy(plan.shard_path(SIMULTANEOUS), foreign)
    # A killed run leaves such files; nothing reads them.
    path.with_name(".search=x.parquet.1.partial").touch()
    code, said = verify(capsys, plan, "--sample", "0", "--allow-missing")
    assert code == 1
    assert [line for line in said.splitlines() if line.startswith("/")] == [
        f"{foreign}: is not in the plan, no table reads it",
        f"{path}: is missing",
    ]


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


def test_a_false_claim_is_found_by_the_independent_solver(capsys, plan):
    worsen(plan, SEQUENTIAL, 3)
    path = plan.shard_path(SEQUENTIAL)
    # No model was trained on the set; apart from that the study looks right.
    unseen = verify_study(plan.results, sample=0).problems
    assert [Path(p.path).name for p in unseen] == ["model=decision_tree.parquet"]
    assert_named(capsys, plan, path, "set_index 3.* is better", "--sample", "100")
    gone = {"selected": [], "feature_names": [], "train_objective": None, "test_objective": None}
    edit(path, lambda r: r[3].update(gone, bound=None, status="infeasible"))
    assert_named(capsys, plan, path, "infeasible, but there is", "--sample", "100")


def test_what_a_black_box_search_found_is_made_anew_by_a_full_audit(capsys, plan):
    path = plan.shard_path(WRAPPER)
    qualities = _fit(plan.search_arguments(WRAPPER))
    names = read_table(Path(plan.data_path("wine")))[0].column_names
    known = {tuple(r["selected"]) for r in read_table(Path(path))[0].to_pylist()}
    trained = read_table(Path(plan.prediction_path("wine", 1, "decision_tree")))[0]
    other = next(
        s for s in trained["selected"].to_pylist()
        if all(len(set(s) & set(k)) < 3 for k in known)
    )  # fmt: skip
    edit(
        path,
        lambda r: r[3].update(
            selected=other,
            feature_names=[names[j] for j in other],
            train_objective=qualities.train.evaluate(other),
            test_objective=qualities.test.evaluate(other),
        ),
    )
    assert verify(capsys, plan, "--sample", "100")[0] == 0
    assert_named(capsys, plan, path, "row 3: selected is .* made anew it is", "--full")


def test_edited_scores_are_found(capsys, plan):
    path = plan.score_path("wine", 0, "relevance")
    before = Path(path).read_bytes()
    edit(path, lambda r: r[0].update(train=0.5), digest=False)
    assert_named(capsys, plan, path, "was changed after", "--sample", "0")
    Path(path).write_bytes(before)
    edit(path, lambda r: r[0].update(train=0.5))
    assert_named(capsys, plan, path, "does not hold what its data give")
    Path(path).write_bytes(before)
    # Joining is cheap and always done again; the order of columns counts, too.
    path = plan.score_path("wine", 1, "redundancy")
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


def test_edited_predictions_are_found(capsys, plan):
    path = plan.prediction_path("wine", 0, "decision_tree")
    before = Path(path).read_bytes()
    edit(path, lambda r: r[0].update(test_score=0.125), digest=False)
    assert_named(capsys, plan, path, "was changed after", "--sample", "0")
    for text, change in (
        ("test_score is 0.125, made anew", lambda r: r[0].update(test_score=0.125)),
        ("lacks the feature set", lambda r: r.pop(0)),
        ("not sorted or repeat", lambda r: r.append(r[0])),
        ("metric is 'r2', not", lambda r: r[0].update(metric="r2")),
    ):
        Path(path).write_bytes(before)
        edit(path, change)
        assert_named(capsys, plan, path, text, "--full")


def test_processes_change_nothing_but_speed(plan):
    Path(plan.shard_path(SEQUENTIAL)).write_bytes(b"PAR1")
    Path(plan.shard_path(WRAPPER)).unlink()
    worsen(plan, SEQUENTIAL._replace(fold=1), 3)
    told = []
    reports = [
        verify_study(plan.results, jobs=n, sample=100, progress=lambda *said: told.append(said))
        for n in (1, 2)
    ]
    assert list(reports[0].lines()) == list(reports[1].lines())
    assert len(reports[0].problems) == 2
    table = [line.split() for line in reports[0].lines()]
    assert ["shards", "23", "1", "2"] in table
    assert ["scores", "6", "0", "0"] in table
    assert told[-1] == (24, 24)


def test_samples_repeat_themselves_and_spread(plan):
    from altfs.study.verify import _sample

    keys = list(plan.shard_keys())
    first = _sample(keys, 6, 0, lambda key: (key.selector, key.search))
    assert first == _sample(reversed(keys), 6, 0, lambda key: (key.selector, key.search))
    assert len({(key.selector, key.search) for key in first}) == 6
    assert first != _sample(keys, 6, 1, lambda key: (key.selector, key.search))
    assert _sample(keys, None, 0, str) == set(keys)


def test_what_is_no_study_is_refused_in_one_sentence(capsys, plan, tmp_path):
    def refuse(*arguments):
        try:
            code = main(["verify", *arguments])
        except SystemExit as end:
            code = end.code
        said = capsys.readouterr()
        assert code == 2
        assert said.out == ""
        assert said.err.startswith("altfs: ")
        assert said.err.count("\n") == 1

    refuse(str(tmp_path / "nowhere"))
    refuse(str(tmp_path))
    refuse()
    refuse(plan.results, "--sample", "many")
    refuse(plan.results, "--sample", "-1")
    refuse(plan.results, "--sample", "1", "--full")
    refuse(plan.results, "--jobs", "0")
    refuse(plan.results, "--work", "0")
    study = Path(plan.study_file)
    text = study.read_text()
    for other in (
        text[:100],
        "[]",
        "{}",
        text.replace('"schema_version": 1', '"schema_version": 0'),
        text.replace('"sequential"', '"sideways"'),
        text.replace('"n_total"', '"n"'),
        text.replace('"name": "wine"', '"name": "beer"'),
    ):
        study.write_text(other)
        refuse(plan.results)


class Pairs(Quality):
    """A quality of which the solvers know nothing."""

    n_total = 6

    def evaluate(self, indices):
        return float(sum((i * j) % 5 for i in indices for j in indices))


def run_of(plan, rows, search="sequential", aggregation="none"):
    filled = [
        {
            "n_features": 2,
            "n_alternatives": len(rows) - 1,
            "aggregation": aggregation,
            "set_index": i,
            "status": status,
            "selected": list(chosen),
            "bound": bound,
            "run_bound": bound,
        }
        for i, (status, chosen, bound) in enumerate(rows)
    ]
    return Run(plan, SEQUENTIAL._replace(search=search), filled)


@pytest.mark.parametrize(
    ("quality", "rows", "expected"),
    [
        (Linear([3, 2, 1, 0]), [("optimal", (0, 1), 5)], (1, 0, 0)),
        (Linear([3, 2, 2, 0]), [("optimal", (0, 2), 5)], (1, 0, 0)),
        (Linear([3, 2, 1, 0]), [("optimal", (0, 2), 4)], (0, 0, 1)),
        (Linear([3, 2, 1, 0]), [("feasible", (0, 2), 6)], (1, 0, 0)),
        (Linear([3, 2, 1, 0]), [("feasible", (0, 2), 4.5)], (0, 0, 1)),
        (Linear([3, 2, 1, 0]), [("unknown", (), 4.5)], (0, 0, 1)),
        (Linear([3, 2, 1]), [("optimal", (0, 1), 5), *[("infeasible", (), None)] * 2], (3, 0, 0)),
        (Linear([3, 2, 1, 0]), [("infeasible", (), None)] * 2, (0, 0, 2)),
        (Linear([3, 2], np.ones((2, 2))), [("optimal", (0, 1), 5)], (0, 0, 1)),
        (BlackBox(sum, 3), [("feasible", (0, 1), 9), ("infeasible", (), None)], (1, 0, 0)),
        (BlackBox(sum, 4), [("feasible", (0, 1), 9), ("infeasible", (), None)], (0, 0, 1)),
        (BlackBox(sum, 4), [("optimal", (0, 1), 1)], (0, 1, 0)),
        (Pairs(), [("optimal", (2, 4), 11)], (1, 0, 0)),
        (Pairs(), [("optimal", (3, 4), 9)], (0, 0, 1)),
        (Pairs(), [("feasible", (3, 4), 12)], (1, 0, 0)),
        (Pairs(), [("feasible", (3, 4), 10)], (0, 0, 1)),
        (Pairs(), [("infeasible", (), None)], (0, 0, 1)),
    ],
)
def test_claims_are_judged(plan, quality, rows, expected):
    run = run_of(plan, rows)
    found = check_claims(run, quality, Limits())
    assert (found.proven, found.unchecked, len(found.wrong)) == expected
    assert found.ties == (rows[0][1] == (0, 2) and rows[0][2] == 5)


def test_families_are_judged_and_what_cannot_be_is_said(plan):
    quality = Linear([4, 3, 2, 1])
    right = [("optimal", (0, 3), 5), ("optimal", (1, 2), 5)]
    wrong = [("optimal", (0, 1), 3), ("optimal", (2, 3), 3)]
    for rows, proven in ((right, 1), (wrong, 0)):
        run = run_of(plan, rows, "simultaneous", "min")
        found = check_claims(run, quality, Limits())
        assert (found.proven, len(found.wrong)) == (proven, 1 - proven)
    limited = check_claims(run_of(plan, right, "simultaneous"), quality, Limits(work=1e-12))
    assert (limited.proven, limited.unchecked, limited.wrong) == (0, 1, [])
    run.search = "another"
    assert check_claims(run, quality, Limits()).unchecked == 1
    assert {"sequential", "simultaneous"} <= set(searches.names())
    vast = Pairs()
    vast.n_total = 2000
    assert check_claims(run_of(plan, [("optimal", (0, 1), 1)]), vast, Limits()).unchecked == 1
