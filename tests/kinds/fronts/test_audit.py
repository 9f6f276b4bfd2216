"""Fronts in shards: what is stored, and that the audit names what is edited."""

from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
from audit import assert_named, collected_table, edit, results_of, shard_of, verify
from front_edits import add_work, last_point, lower, lower_test, renumber, unfound, without_front
from marks import exhaustive
from studies import SMALL

from altfs.catalogue import tables
from altfs.kinds.fronts.schema import FRONT_SCHEMA
from altfs.study.config import parse_config
from altfs.study.qualities import learn
from altfs.study.store import SHARD_SCHEMA, others_of, read_shard, read_table, sets_of

SEARCHES = [
    {"name": "many_objective", "n_alternatives": [1, 2]},
    {"name": "evolved", "type": "many_objective", "n_alternatives": [1],
     "options": {"generations": 3, "population": 8, "dominance_factor": float("inf")}},
    {"name": "random", "n_alternatives": 1},
]  # fmt: skip
# 450 sets may be looked at: there are 465, and 435 with the constraint.
CONFIG = {
    **SMALL, "results": "results/fronts", "datasets": ["sklearn:breast_cancer"], "n_features": 2,
    "selectors": ["naive_bayes_curve"], "taus": ["0.5"], "searches": SEARCHES,
    "limits": {"work": 0.09}, "models": ["naive_bayes"],
    "constraints": [{"searches": ["many_objective"], "exclude": ["mean radius"]}],
}  # fmt: skip


def test_the_front_lies_beside_the_sets(plan):
    for key in plan.places():
        whole, metadata = read_table(plan.search_task(key).path)
        sets, points = sets_of(whole), others_of(whole)
        assert sets.schema.remove_metadata().equals(SHARD_SCHEMA)
        task = plan.search_task(key)
        assert read_shard(Path(task.path), task.hash)[0].equals(sets)
        if key.search == "random":
            assert whole.schema.remove_metadata().equals(SHARD_SCHEMA) and points is None
            assert "objectives" not in metadata
            continue
        points = points.to_pylist()
        assert whole.schema.remove_metadata().equals(FRONT_SCHEMA)
        assert whole["point"].null_count == len(sets)
        assert set(sets["max_overlap"].to_pylist()) == {None}
        proven = key.search == "many_objective"
        assert set(whole["status"].to_pylist()) == {"optimal" if proven else "feasible"}
        quality = learn(plan.quality_task(*key[:3]))
        curves = [quality.train.curve(row["selected"]).tolist() for row in points]
        assert [row["objectives"] for row in points] == curves
        assert points[0]["test_objectives"] == quality.test.curve(points[0]["selected"]).tolist()
        assert len(metadata["objectives"]) == len(curves[0])
        assert metadata["objectives"][-1].startswith("specificity at sensitivity ")
        best = max(curves, key=sum)
        assert (
            points[0]["objectives"]
            == best
            == quality.train.curve(sets["selected"][0].as_py()).tolist()
        )


def test_the_table_of_fronts_is_that_of_plain_loops(plan):
    made = collected_table(plan, "fronts")
    assert len(made) == 3
    chosen = made[(made["search"] == "many_objective") & (made["n_alternatives"] == 2)].iloc[0]
    rows = []
    for key in [key for key in plan.places() if key.search == "many_objective"]:
        points = others_of(read_table(plan.search_task(key).path)[0]).to_pylist()
        points = [row for row in points if row["n_alternatives"] == 2]
        train, test = ([row[c] for row in points] for c in ("objectives", "test_objectives"))
        best = []
        for k in range(1, len(test[0]) + 1):
            place = next(
                i for i in range(len(train[0])) if (i + 1) * len(test[0]) >= k * len(train[0])
            )
            best.append(test[max(range(len(train)), key=lambda i: train[i][place])][k - 1])
        rows.append({
            "points": len(points), "proven": 1.0, "train_area": np.mean(np.max(train, 0)),
            "test_area": np.mean(np.max(test, 0)), "test_chosen": np.mean(best),
            "train_best": points[0]["train_objective"], "test_best": points[0]["test_objective"],
            "work": 435,
        })  # fmt: skip
    for name, value in pd.DataFrame(rows).mean().items():
        assert chosen[name] == pytest.approx(value), name
    assert set(made["n_folds"]) == {2}


def test_other_studies_have_no_fronts():
    config = parse_config({**CONFIG, "searches": [SEARCHES[2]], "constraints": []})
    assert "fronts" not in tables.order(config)
    assert "fronts" in tables.order(parse_config(CONFIG))


def test_a_front_is_not_evaluated_as_sets(plan):
    sets = results_of(plan).table
    assert len(sets) == sum(len(sets_of(read_table(task.path)[0])) for task in plan.shards())
    assert "point" not in sets.column_names


def test_duckdb_reads_shards_with_and_without_a_front(plan):
    shards = f"read_parquet('{plan.results}/shards/**/*.parquet', union_by_name=true)"
    query = f"select search, count(*) from {shards} where point is null group by all order by all"
    # Two folds; runs of one and of two alternatives.
    counted = [("evolved", 2 * 2), ("many_objective", 2 * 5), ("random", 2 * 2)]
    assert duckdb.sql(query).fetchall() == counted


def test_a_front_that_is_right(plan, capsys):
    code, said = verify(capsys, plan, "--full")
    assert code == 0, said


def twice(rows):
    point = last_point(rows)
    rows.append({**point, "point": point["point"] + 1})


def drop(rows):
    used = [row["selected"] for row in rows if row["point"] is None]
    points = [row for row in rows if row["point"] is not None and row["n_alternatives"] == 2]
    gone = next(row for row in points[::-1] if row["selected"] not in used)
    rows.remove(gone)
    for row in points:
        row["point"] -= row["point"] > gone["point"]


def elsewhere(rows):
    last_point(rows)["n_alternatives"] = 7


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lower, "objectives is .*, the data give"),
        *exhaustive(
            (lower_test, "test_objectives is None, the data give"),
            (unfound, "status is unknown"),
            (add_work, "work is 3, points have none"),
            (twice, "the front has a set twice"),
            (without_front, "is not in the front"),
        ),
        (renumber, "the points of the front are not numbered from 0"),
        (drop, r"the front lacks \[\d+, \d+\], which no member dominates"),
        (elsewhere, "has points of a front that is not planned"),
    ],
)
def test_what_is_edited_is_named(plan, capsys, change, text):
    edit(shard_of(plan, "many_objective"), change)
    assert_named(capsys, plan, shard_of(plan, "many_objective"), text)


def test_a_dominated_member_is_named(plan, capsys):
    # A set that a member dominates takes the place of one that is not chosen.
    key = next(key for key in plan.places() if key.search == "evolved")
    qualities = learn(plan.quality_task(*key[:3]))
    names = read_table(plan.data_path("breast_cancer"))[0].column_names
    train, test = qualities.train, qualities.test

    def change(rows):
        point = last_point(rows)
        worst = min(range(30), key=lambda j: train.evaluate((j,)))
        point.update(
            selected=[worst],
            feature_names=[names[worst]],
            train_objective=train.evaluate((worst,)),
            test_objective=test.evaluate((worst,)),
            objectives=train.curve((worst,)).tolist(),
            test_objectives=test.curve((worst,)).tolist(),
        )

    edit(shard_of(plan, "evolved"), change)
    assert_named(capsys, plan, shard_of(plan, "evolved"), "is dominated by point 0")
