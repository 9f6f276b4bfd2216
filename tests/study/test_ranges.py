"""A study in which sets have one of several sizes and tau is a Jaccard dissimilarity."""

from itertools import combinations
from pathlib import Path

import pytest
from audit import assert_named, edit, make_study, results_of, verify
from studies import SMALL

from altfs import search_sequentially, search_simultaneously
from altfs.evaluation.figures.quality_against_dissimilarity import complete_runs
from altfs.evaluation.tables import make_table
from altfs.problem.overlap import dissimilarity_of, parse_tau
from altfs.study.qualities import learn
from altfs.study.session import open_study
from altfs.study.store import read_table
from altfs.study.task import Place

CONFIG = {
    **SMALL,
    "selectors": ["mutual_information", "mrmr"],
    "n_features": ["2-3"],
    "dissimilarity": "jaccard",
    "taus": [0.8],
    "searches": [
        {"name": "sequential", "n_alternatives": 2},
        {"name": "simultaneous", "n_alternatives": [1, 2], "aggregation": ["sum", "min"]},
    ],
}


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    return open_study(make_study(tmp_path_factory.mktemp("ranges"), CONFIG))


def rows_of(plan, key):
    return read_table(plan.search_task(key).path)[0].to_pylist()


@pytest.mark.parametrize("selector", ["mutual_information", "mrmr"])
def test_the_shards_hold_what_the_library_finds(plan, selector):
    tau = "0.8"
    quality = learn(plan.quality_task("wine", 0, selector)).train
    asked = {"n_features": (2, 3), "tau": tau, "dissimilarity": "jaccard"}
    rows = rows_of(plan, Place("wine", 0, selector, tau, "sequential"))
    assert [tuple(r["selected"]) for r in rows] == search_sequentially(
        quality, n_alternatives=2, **asked
    ).sets
    assert {r["n_features"] for r in rows} == {3}
    assert {r["max_overlap"] for r in rows} == {None}
    rows = rows_of(plan, Place("wine", 0, selector, tau, "simultaneous"))
    for n_alternatives in (1, 2):
        for aggregation in ("sum", "min"):
            run = [
                tuple(r["selected"])
                for r in rows
                if (r["n_alternatives"], r["aggregation"]) == (n_alternatives, aggregation)
            ]
            found = search_simultaneously(
                quality, n_alternatives=n_alternatives, aggregation=aggregation, **asked
            )
            assert run == found.sets
            pairs = [(a, b) for a in run for b in run if a < b]
            assert all(dissimilarity_of(a, b, "jaccard") >= parse_tau(tau) for a, b in pairs)
            assert {len(s) for s in run} <= {2, 3}


@pytest.mark.exhaustive
def test_it_passes_the_complete_audit(capsys, plan):
    code, said = verify(capsys, plan, "--full")
    assert code == 0, said


@pytest.mark.exhaustive
def test_the_evaluation_takes_sets_of_several_sizes(plan):
    results = results_of(plan)
    quality = make_table("quality", results)
    assert len(quality) and (quality["n_planned"] == 2).all()
    drawn = complete_runs(results)
    assert len(drawn) == drawn["dissimilarity"].notna().sum() > 0
    for row in drawn.itertuples():
        key = Place(row.dataset, row.fold, row.selector, row.tau, row.search)
        run = [
            r["selected"]
            for r in rows_of(plan, key)
            if (r["n_alternatives"], r["aggregation"]) == (row.n_alternatives, row.aggregation)
            or (row.aggregation == "none" and r["set_index"] <= row.n_alternatives)
        ]
        pairs = list(combinations(run, 2))
        assert row.dissimilarity == pytest.approx(
            float(sum(dissimilarity_of(a, b, "jaccard") for a, b in pairs)) / len(pairs)
        )


EDITS = {
    "does not have 2 or 3 features": lambda r: r[0].update(
        selected=r[0]["selected"][:1], feature_names=r[0]["feature_names"][:1]
    ),
    "sets 0 and 1 have [23] features in common": lambda r: r[1].update(
        {n: r[0][n] for n in ("selected", "feature_names", "train_objective", "test_objective")}
    ),
    "max_overlap is 1": lambda r: r[0].update(max_overlap=1),
}


@pytest.mark.parametrize("text", EDITS)
def test_an_edited_set_is_named(capsys, plan, text):
    path = Path(plan.search_task(Place("wine", 0, "mutual_information", "0.8", "sequential")).path)
    before = path.read_bytes()
    edit(path, EDITS[text])
    try:
        assert_named(capsys, plan, path, text, "--sample", "0")
    finally:
        path.write_bytes(before)
