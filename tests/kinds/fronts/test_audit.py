"""Fronts in shards: what is stored, and that the audit names what is edited.

The audit lists all sets, and all families, which are few in data of four features.
"""

from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
from audit import assert_named, collected_table, edit, make_study, results_of, shard_of, verify
from marks import exhaustive
from studies import SMALL

from altfs.catalogue import tables
from altfs.kinds.fronts.schema import FRONT_SCHEMA
from altfs.study.config import parse_config
from altfs.study.qualities import learn
from altfs.study.session import open_study
from altfs.study.store import SHARD_SCHEMA, others_of, read_shard, read_table, sets_of

CURVES = {"datasets": ["breast_cancer"], "selectors": ["naive_bayes_curve"]}
FAMILIES = {
    "datasets": ["iris"],
    "selectors": ["mutual_information"],
    "aggregation": ["sum", "min"],
}
SEARCHES = [
    {"name": "many_objective", "n_alternatives": [1, 2], **CURVES},
    {"name": "evolved", "type": "many_objective", "n_alternatives": [1], **CURVES,
     "options": {"generations": 3, "population": 8, "dominance_factor": float("inf")}},
    {"name": "random", "n_alternatives": 1, **CURVES},
    {"name": "pareto", "n_alternatives": [1], **FAMILIES},
    {"name": "mean", "type": "pareto", "n_alternatives": 2, "overlap": "average",
     "options": {"dissimilarity": "average"}, **FAMILIES},
]  # fmt: skip
# 450 sets may be looked at: there are 465, and 435 with the constraint.
CONFIG = {
    **SMALL, "results": "results/fronts", "datasets": ["sklearn:breast_cancer", "sklearn:iris"],
    "selectors": ["naive_bayes_curve", "mutual_information"], "n_features": 2, "taus": ["0.5"],
    "searches": SEARCHES, "limits": {"work": 0.09}, "models": ["naive_bayes"],
    "dissimilarity": "jaccard",
    "constraints": [{"searches": ["many_objective"], "datasets": ["breast_cancer"],
                     "exclude": ["mean radius"]}],
}  # fmt: skip


def shards(plan, *searches):
    """The keys and files of shards of some searches: the table, its sets and its points."""
    for key in plan.places():
        if key.search in searches:
            whole, metadata = read_table(plan.search_task(key).path)
            yield key, whole, metadata, sets_of(whole), others_of(whole)


@pytest.mark.exhaustive
def test_the_front_lies_beside_the_sets(plan):
    for key, whole, metadata, sets, points in shards(plan, "many_objective", "evolved"):
        assert sets.schema.remove_metadata().equals(SHARD_SCHEMA)
        task = plan.search_task(key)
        assert read_shard(Path(task.path), task.hash)[0].equals(sets)
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
        first = quality.train.curve(sets["selected"][0].as_py()).tolist()
        assert points[0]["objectives"] == max(curves, key=sum) == first
    for _, whole, metadata, _, points in shards(plan, "random"):
        assert whole.schema.remove_metadata().equals(SHARD_SCHEMA) and points is None
        assert "objectives" not in metadata


def test_the_families_lie_beside_the_sets(plan):
    for key, whole, metadata, sets, points in shards(plan, "pareto", "mean"):
        assert whole.schema.remove_metadata().equals(FRONT_SCHEMA)
        assert metadata["objectives"] == ["quality", "dissimilarity"]
        assert set(whole["status"].to_pylist()) == {"optimal"}
        sets, points = sets.to_pandas(), points.to_pandas()
        qualities = learn(plan.quality_task(*key[:3]))
        for (aggregation, _), rows in points.groupby(["aggregation", "point"]):
            combine = {"sum": sum, "min": min}[aggregation]
            chosen = [tuple(one) for one in rows["selected"]]
            pairs = [(a, b) for i, a in enumerate(chosen) for b in chosen[:i]]
            common = [len({*a} & {*b}) for a, b in pairs]
            apart = [1 - c / (4 - c) for c in common]
            expected = min(apart) if key.search == "pareto" else sum(apart) / len(apart)
            for column, quality in (
                ("objectives", qualities.train), ("test_objectives", qualities.test)
            ):  # fmt: skip
                value, dissimilarity = rows[column].iloc[0]
                assert value == combine([quality.evaluate(one) for one in chosen])
                assert dissimilarity == pytest.approx(expected)
        for aggregation, rows in sets.groupby("aggregation"):
            fronts = points[points["aggregation"] == aggregation].groupby("point")
            stored = [list(map(tuple, family["selected"])) for _, family in fronts]
            assert list(map(tuple, rows["selected"])) in stored


def test_the_table_of_fronts_is_that_of_plain_loops(plan):
    table = collected_table(plan, "fronts").astype({"search": str})
    assert len(table) == 3 + 4 and set(table["n_folds"]) == {2}
    front = table[(table["search"] == "many_objective") & (table["n_alternatives"] == 2)].iloc[0]
    rows = []
    for *_, points in shards(plan, "many_objective"):
        points = [row for row in points.to_pylist() if row["n_alternatives"] == 2]
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
        assert front[name] == pytest.approx(value), name
    # Families have no areas.
    families = table[table["search"].isin(["pareto", "mean"])]
    assert families["train_area"].isna().all() and set(families["proven"]) == {1.0}
    counts = [points.to_pandas()["point"].max() + 1 for *_, points in shards(plan, "mean")]
    mean = families[families["search"] == "mean"].iloc[0]
    assert mean["points"] == pytest.approx(sum(counts) / len(counts))


def test_other_studies_have_no_fronts():
    config = parse_config({
        **CONFIG, "datasets": CONFIG["datasets"][:1], "selectors": CONFIG["selectors"][:1],
        "searches": [SEARCHES[2]], "constraints": [],
    })  # fmt: skip
    assert "fronts" not in tables.order(config)
    assert "fronts" in tables.order(parse_config(CONFIG))


def test_a_front_is_not_evaluated_as_sets(plan):
    sets = results_of(plan).table
    assert len(sets) == sum(len(sets_of(read_table(task.path)[0])) for task in plan.shards())
    assert "point" not in sets.column_names


def test_duckdb_reads_shards_with_and_without_a_front(plan):
    files = f"read_parquet('{plan.results}/shards/**/*.parquet', union_by_name=true)"
    query = f"select search, count(*) from {files} where point is null group by all order by all"
    # Two folds; runs of one and of two alternatives, or of two aggregations.
    counts = [("evolved", 2 * 2), ("many_objective", 2 * 5), ("mean", 2 * 6), ("pareto", 2 * 4),
              ("random", 2 * 2)]  # fmt: skip
    assert duckdb.sql(query).fetchall() == counts


@pytest.mark.exhaustive
def test_fronts_that_are_right(plan, capsys):
    code, said = verify(capsys, plan, "--full")
    assert code == 0, said


def last_point(rows):
    return [row for row in rows if row["point"] is not None][-1]


def changed(**values):
    """An edit of columns of the last point."""
    return lambda rows: last_point(rows).update(values)


def lower(rows):
    last_point(rows)["objectives"][0] -= 0.25


def renumber(rows):
    last_point(rows)["point"] += 5


def without_front(rows):
    rows[:] = [row for row in rows if row["point"] is None]


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


def drop_most_dissimilar(rows):
    gone = last_point(rows)
    name = ("aggregation", "point")
    rows[:] = [row for row in rows if any(row[n] != gone[n] for n in name)]


EDITS = [
    (lower, "objectives is .*, the data give"),
    *exhaustive(
        (changed(test_objectives=None), "test_objectives is None, the data give"),
        (changed(status="unknown"), "status is unknown"),
        (changed(work=3), "work is 3, it should be None for a point"),
    ),
    (renumber, "the points of the front are not numbered from 0"),
]


@pytest.mark.exhaustive
@pytest.mark.parametrize("search", ["many_objective", "pareto"])
@pytest.mark.parametrize(("change", "text"), EDITS)
def test_what_is_edited_is_named(plan, capsys, change, text, search):
    edit(shard_of(plan, search), change)
    assert_named(capsys, plan, shard_of(plan, search), text)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("search", "change", "text"),
    [
        *exhaustive(
            ("many_objective", twice, "the front has a set twice"),
            ("many_objective", without_front, "is not in the front"),
            ("pareto", without_front, "its sets are not the best family of the front"),
            ("pareto", changed(max_overlap=2), "max_overlap is 2, the data give 0"),
            ("pareto", changed(set_index=3), "its sets are not numbered from 0"),
        ),
        ("many_objective", drop, r"the front lacks \[\d+, \d+\], which no member dominates"),
        ("many_objective", changed(n_alternatives=7), "has points of a front that is not planned"),
        ("pareto", drop_most_dissimilar, "families that share up to 0 features, there is"),
    ],
)
def test_what_is_missing_or_elsewhere_is_named(plan, capsys, search, change, text):
    test_what_is_edited_is_named(plan, capsys, change, text, search)


@pytest.mark.exhaustive
def test_fronts_by_size_and_of_envelopes_are_judged(tmp_path, capsys):
    factor = {"dominance_factor": float("inf")}
    searches = [
        {"name": "by_size", "type": "many_objective", "n_alternatives": 2,
         "options": {**factor, "by_size": True}},
        {"name": "of_envelope", "type": "many_objective", "n_alternatives": 2,
         "options": {**factor, "envelope": True}},
    ]  # fmt: skip
    config = {**CONFIG, "results": "results/objectives", "datasets": CONFIG["datasets"][:1],
              "selectors": ["naive_bayes_curve", "nearest_neighbours_curve"], "searches": searches,
              "constraints": [], "limits": {"work": 1}}  # fmt: skip
    plan = open_study(make_study(tmp_path, config))
    code, said = verify(capsys, plan, "--full")
    assert code == 0, said
    numbers = {
        key.search: len(points)
        for key, *_, points in shards(plan, "by_size", "of_envelope")
        if key.selector == "naive_bayes_curve"
    }
    assert numbers["by_size"] > numbers["of_envelope"] > 1
    for search in numbers:
        edit(shard_of(plan, search), drop)
    code, said = verify(capsys, plan, "--full")
    assert code == 1 and said.count("the front lacks [") == 2


@pytest.mark.exhaustive
def test_a_dominated_member_is_named(plan, capsys):
    # A set that a member dominates takes the place of one that is not chosen.
    key = next(key for key in plan.places() if key.search == "evolved")
    qualities = learn(plan.quality_task(*key[:3]))
    train, test = qualities.train, qualities.test
    names = read_table(plan.data_path("breast_cancer"))[0].column_names
    worst = min(range(30), key=lambda j: train.evaluate((j,)))
    change = changed(
        selected=[worst],
        feature_names=[names[worst]],
        train_objective=train.evaluate((worst,)),
        test_objective=test.evaluate((worst,)),
        objectives=train.curve((worst,)).tolist(),
        test_objectives=test.curve((worst,)).tolist(),
    )
    edit(shard_of(plan, "evolved"), change)
    assert_named(capsys, plan, shard_of(plan, "evolved"), "is dominated by point 0")
