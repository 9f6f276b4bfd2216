"""Fronts of families in shards: what is stored, and that the audit names what is edited.

The audit lists all families, which are few in data of four features.
"""

import pytest
from audit import assert_named, collected_table, edit, shard_of, verify
from front_edits import add_work, last_point, lower, lower_test, renumber, unfound, without_front
from marks import exhaustive
from studies import SMALL

from altfs.kinds.fronts.schema import FRONT_SCHEMA
from altfs.problem.overlap import dissimilarity_of
from altfs.study.qualities import learn
from altfs.study.store import others_of, read_table, sets_of

CONFIG = {
    **SMALL, "results": "results/families", "datasets": ["sklearn:iris"], "n_features": 2,
    "selectors": ["mutual_information"], "taus": ["0.5"], "models": ["naive_bayes"],
    "searches": [
        {"name": "pareto", "n_alternatives": [1], "aggregation": ["sum", "min"]},
        {"name": "mean", "type": "pareto", "n_alternatives": 2, "aggregation": ["sum", "min"],
         "overlap": "average", "options": {"dissimilarity": "average"}},
    ],
}  # fmt: skip


def test_the_families_lie_beside_the_sets(plan):
    for key in plan.places():
        whole, metadata = read_table(plan.search_task(key).path)
        assert whole.schema.remove_metadata().equals(FRONT_SCHEMA)
        assert metadata["objectives"] == ["quality", "dissimilarity"]
        sets, points = sets_of(whole).to_pandas(), others_of(whole).to_pandas()
        assert set(whole["status"].to_pylist()) == {"optimal"}
        made = learn(plan.quality_task(*key[:3]))
        for (aggregation, _), rows in points.groupby(["aggregation", "point"]):
            combine = {"sum": sum, "min": min}[aggregation]
            chosen = [tuple(one) for one in rows["selected"]]
            pairs = [(a, b) for i, a in enumerate(chosen) for b in chosen[:i]]
            apart = [float(dissimilarity_of(a, b)) for a, b in pairs]
            expected = min(apart) if key.search == "pareto" else sum(apart) / len(apart)
            for column, quality in (("objectives", made.train), ("test_objectives", made.test)):
                value, dissimilarity = rows[column].iloc[0]
                assert value == combine([quality.evaluate(one) for one in chosen])
                assert dissimilarity == pytest.approx(expected)
        for aggregation, rows in sets.groupby("aggregation"):
            own = points[points["aggregation"] == aggregation]
            stored = [list(map(tuple, family["selected"])) for _, family in own.groupby("point")]
            assert list(map(tuple, rows["selected"])) in stored


def test_families_have_no_areas(plan):
    made = collected_table(plan, "fronts")
    assert len(made) == 4
    assert made["train_area"].isna().all()
    assert set(made["proven"]) == {1.0}
    counted = [
        others_of(read_table(plan.search_task(key).path)[0]).to_pandas()["point"].max() + 1
        for key in plan.places()
        if key.search == "mean"
    ]
    mean = made[made["search"].astype(str) == "mean"].iloc[0]
    assert mean["points"] == pytest.approx(sum(counted) / len(counted))


def test_fronts_that_are_right(plan, capsys):
    code, said = verify(capsys, plan, "--full")
    assert code == 0, said


def swap(rows):
    last_point(rows)["set_index"] = 3


def overlapping(rows):
    last_point(rows)["max_overlap"] = 2


def drop_most_dissimilar(rows):
    gone = last_point(rows)
    name = ("aggregation", "point")
    rows[:] = [row for row in rows if any(row[n] != gone[n] for n in name)]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lower, "objectives is .*, the data give"),
        *exhaustive(
            (lower_test, "test_objectives is None, the data give"),
            (overlapping, "max_overlap is 2, the data give 0"),
            (unfound, "status is unknown"),
            (add_work, "work is 3, points have none"),
            (without_front, "its sets are not the best family of the front"),
            (swap, "its sets are not numbered from 0"),
        ),
        (renumber, "the points of the front are not numbered from 0"),
        (drop_most_dissimilar, "of the families that share up to 0 features, there is"),
    ],
)
def test_what_is_edited_is_named(plan, capsys, change, text):
    edit(shard_of(plan, "pareto"), change)
    assert_named(capsys, plan, shard_of(plan, "pareto"), text)
