"""Floors of a study: those of brute force, in shards and in their audit."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from audit import SEQUENTIAL, assert_named, edit, run_tasks, verify
from scipy.stats import gumbel_r
from studies import SMALL

from altfs import AlternativeFeatures
from altfs.scores.base import ScoreKey
from altfs.searches.chance import LEVEL, Shuffles
from altfs.study.qualities import read_qualities
from altfs.study.session import check_study
from altfs.study.store import read_table, write_table

SIZES = [2, "1-3"]
CONFIG = {
    **SMALL,
    "results": "results/floors",
    "selectors": ["mutual_information", "fcbf", "mrmr", "model_gain", "greedy_wrapper"],
    "n_features": SIZES,
    "taus": ["1"],
    "searches": [{"name": "sequential", "n_alternatives": 1}],
}


def values_of(selector, part, chosen):
    """Return the quality of a set in bits: what it tells, less what its features share."""
    told = part.score(ScoreKey("relevance"))[chosen]
    if selector != "mrmr":
        return told.sum() / np.log(2)
    shared = part.score(ScoreKey("redundancy"))[np.ix_(chosen, chosen)]
    n = len(chosen)
    between = (shared.sum() - np.trace(shared)) / (n * (n - 1)) if n > 1 else 0.0
    return (told.mean() - between) / np.log(2)


@pytest.mark.parametrize("selector", ["mutual_information", "fcbf", "mrmr"])
def test_a_floor_is_that_of_all_sets_of_shuffled_targets(own_results, plan, selector):
    task = plan.quality_task("wine", 1, selector)
    train, _ = task.parts()
    relevance = train.score(ScoreKey("relevance"))
    size = relevance.clip(0).sum()
    if selector == "mrmr":
        redundancy = train.score(ScoreKey("redundancy")).copy()
        np.fill_diagonal(redundancy, 0)
        size = max(relevance.max(), redundancy.max())
    expected = {}
    for key, sizes in (("2", [2]), ("3", [1, 2, 3])):
        every = [list(s) for k in sizes for s in combinations(range(len(relevance)), k)]
        best = [max(values_of(selector, part, s) for s in every) for part in Shuffles(train, 20)]
        scale = np.std(best, ddof=1) * np.sqrt(6) / np.pi
        place = np.mean(best) - np.euler_gamma * scale
        expected[key] = gumbel_r.isf(LEVEL, place, scale) / (size / np.log(2))
    assert read_qualities(task.path).floors == pytest.approx(expected)


def test_shards_have_the_floor_of_their_size_where_the_quality_has_a_unit(plan):
    for place in plan.places():
        rows = read_table(Path(plan.search_task(place).path))[0].to_pylist()
        task = plan.quality_task(*place[:3])
        floors = read_qualities(task.path).floors if plan.stores_quality(place.selector) else {}
        assert bool(floors) == (place.selector in ("mutual_information", "fcbf", "mrmr"))
        assert [row["floor"] for row in rows] == [
            floors.get(str(row["n_features"])) for row in rows
        ]


def test_the_library_has_the_floor_of_the_study(plan):
    task = plan.quality_task("wine", 0, "fcbf")
    train, _ = task.parts()
    fitted = AlternativeFeatures("fcbf", n_features=2).fit(train.X, train.y)
    floor = read_qualities(task.path).floors["2"]
    assert fitted.feature_sets_[0].floor == pytest.approx(floor)


def test_an_edited_floor_is_found(capsys, plan):
    key = SEQUENTIAL._replace(fold=1)
    path = plan.search_task(key).path
    kept = Path(path).read_bytes()
    edit(path, lambda rows: rows[0].update(floor=0.5))
    assert_named(
        capsys, plan, path, r"floor is 0\.5, the file of the quality says", "--sample", "0"
    )
    Path(path).write_bytes(kept)
    path = plan.quality_task("wine", 0, "model_gain").path
    table, metadata = read_table(Path(path))
    write_table(Path(path), table, {**metadata, "floors": {"2": 0.5}})
    code, said = verify(capsys, plan, "--full")
    assert code == 1
    assert f"{path}: does not hold what its data and scores give" in said


def test_without_shuffles_there_is_no_floor_and_sizes_renew_no_quality(elsewhere):
    off = {**CONFIG, "selectors": ["mutual_information"], "n_shuffles": 0}
    plan = check_study(off)
    run_tasks(plan)
    path = next(iter(plan.shards())).path
    assert read_table(Path(path))[0]["floor"].null_count == 4
    more = check_study({**off, "n_features": [2, 4]})
    place = ("wine", 0, "mutual_information")
    assert plan.quality_task(*place).hash == more.quality_task(*place).hash
    on = check_study({**off, "n_shuffles": 20})
    assert plan.quality_task(*place).hash != on.quality_task(*place).hash
