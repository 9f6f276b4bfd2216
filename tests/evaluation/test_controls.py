"""Floor and ceiling: what they are, and that nothing else is compared with them."""

import made_up
import numpy as np
import pandas as pd
import pytest
from made_up import make_tables

from altfs.evaluation.stats.comparisons import families
from altfs.evaluation.stats.controls import (
    compared_with_controls,
    controls_of,
    missing_controls,
    relative_quality,
)
from altfs.evaluation.stats.roles import without_random
from altfs.evaluation.stats.runs import cut_to_the_same_number
from altfs.evaluation.tables.controls import controls
from altfs.evaluation.tables.friedman import friedman, friedman_of
from altfs.evaluation.tables.notes import notes
from altfs.evaluation.tables.pairwise import pairwise
from altfs.evaluation.tables.prediction_overview import prediction_overview
from altfs.evaluation.tables.status_shares import status_shares

RANDOM = {"search_types": {"floor": "random"}}


def with_floor(first=0.2, second=0.4):
    """Two random sets in each dataset, of an objective of 0.3 on average."""
    frame = made_up.sets()
    drawn = frame[frame["set_index"] < 2].assign(search="floor", n_alternatives=1)
    drawn = drawn.assign(status="feasible", train_objective=[first, second] * 2)
    joined = pd.concat([frame, drawn], ignore_index=True)
    scored = made_up.predictions(joined)
    scored["test_score"] = np.where(scored["search"] == "floor", 0.05, 0.25)
    return made_up.results(joined, scored, **RANDOM)


def test_controls_have_a_floor_and_a_ceiling():
    results = with_floor()
    sets = results.sets
    limits = controls_of(results, sets.assign(value=sets["train_objective"]))
    assert limits["floor"].tolist() == pytest.approx([0.3, 0.3])
    assert limits["ceiling"].tolist() == [1, 1]
    own = compared_with_controls(
        results, sets.drop(columns="floor").assign(value=sets["train_objective"])
    )
    assert set(own["search"]) == {"sequential"}


def test_relative_quality_needs_a_span():
    value, floor, ceiling = np.array([[2.0, 1, 0.1 + 0.2, 2], [1, 1, 0.3, 1], [3, 0.5, 0.3, 1.01]])
    noise = np.array([0.5, 0, 0, 0.1])
    assert relative_quality(value, floor, ceiling, noise).tolist() == [
        0.5,
        *[pytest.approx(np.nan, nan_ok=True)] * 3,
    ]


@pytest.mark.exhaustive
def test_quality_is_placed_between_the_controls():
    results = with_floor()
    table = controls(results)
    assert set(table["floor"]) == {"floor"}
    rows = table[(table["measure"] == "train_objective") & table["tau"].isna()]
    rows = rows.set_index("set_index")
    assert rows["value_mean"].tolist() == pytest.approx([1, 0.9, 0.8])
    assert rows["relative_median"].tolist() == pytest.approx([1, 0.6 / 0.7, 0.5 / 0.7])
    assert rows["above_floor_median"].tolist() == pytest.approx([0.7, 0.6, 0.5])
    assert rows["below_ceiling_median"].tolist() == pytest.approx([0, 0.1, 0.2])
    assert rows[["n", "n_datasets"]].to_numpy().tolist() == [[2, 2], [2, 2], [1, 1]]
    scores = table[(table["measure"] == "test_mcc") & table["tau"].isna()]
    assert scores["floor_mean"].tolist() == pytest.approx([0.05] * 3)
    assert scores["relative_median"].tolist() == pytest.approx([1] * 3)
    # A floor that the ceiling does not exceed leaves nothing to be relative to.
    flat = with_floor(1.0, 1.0)
    table = controls(flat)
    rows = table[(table["measure"] == "train_objective") & table["tau"].isna()]
    assert rows["n_without_span"].tolist() == [2, 2, 1]
    assert rows["relative_median"].isna().all()


@pytest.mark.exhaustive
def test_a_study_without_controls_says_so():
    results = made_up.results()
    table = controls(results)
    assert table["relative_median"].isna().all()
    assert (table["floor"] == "").all()
    rows = table[(table["measure"] == "train_objective") & table["tau"].isna()]
    assert rows["of_ceiling_median"].tolist() == pytest.approx([1, 0.9, 0.8])
    assert missing_controls(results) == [
        "The study has no search of type random, so there is no floor."
    ]
    assert notes(results)["column"].tolist() == ["controls"]
    figure = made_up.figure_of(results, "quality_between_controls")
    assert any("no floor" in line for line in figure.usermeta["notes"])
    assert missing_controls(with_floor()) == []
    together = made_up.results(made_up.sets().assign(search="simultaneous", aggregation="sum"))
    assert "no ceiling" in missing_controls(together)[1]


def test_cases_without_a_floor_do_not_count_where_others_have_one():
    results = with_floor()
    sets = results.sets
    values = sets["train_objective"].where((sets["search"] != "floor") | (sets["dataset"] == "a"))
    own = compared_with_controls(results, sets.drop(columns="floor").assign(value=values))
    assert set(own["dataset"]) == {"a"}


@pytest.mark.exhaustive
def test_the_floor_is_in_comparisons_and_does_not_change_the_rest():
    results, alone = with_floor(), made_up.results()
    names = ("correlation", "by_alternative", "dimensions", "infeasible")
    tables, before = made_up.tables_of(results, *names), made_up.tables_of(alone, *names)
    for name in names:
        pd.testing.assert_frame_equal(tables[name], before[name])
    overview = prediction_overview(results).set_index("sets")
    assert overview["median"].to_dict() == {"all": 0.25, "original": 0.25, "random": 0.05}
    shares = status_shares(results)
    whole = shares[shares["grouping"].isin(["overall", "selector"])]
    assert whole["n_feasible"].tolist() == [0] * 4
    searches = friedman(results).query("compared == 'searches' and measure == 'train_objective'")
    means = searches.set_index("treatment")[["mean", "floor_mean", "ceiling_mean"]]
    assert means.loc["sequential"].tolist() == pytest.approx([0.95, 0.3, 1])
    assert means.loc["floor"].tolist() == pytest.approx([0.3, 0.3, 1])
    assert without_random(alone) is alone


@pytest.mark.exhaustive
def test_pairs_stand_beside_their_controls():
    pairs = pairwise(with_floor())
    row = pairs.query("compared == 'searches' and measure == 'train_objective'").iloc[0]
    assert (row["first"], row["second"]) == ("floor", "sequential")
    names = ["mean", "floor_mean", "ceiling_mean"]
    assert row[[f"first_{n}" for n in names]].tolist() == pytest.approx([0.3, 0.3, 1])
    assert row[[f"second_{n}" for n in names]].tolist() == pytest.approx([0.95, 0.3, 1])
    assert row["difference_median"] == pytest.approx(-0.65)
    # Random sets are 0.65 / 0.7 of the way from the best runs to the floor.
    assert row["relative_difference_median"] == pytest.approx(-0.65 / 0.7)
    assert row["n_without_span"] == 0
    flat = pairwise(with_floor(1.0, 1.0))
    row = flat.query("compared == 'searches' and measure == 'train_objective'").iloc[0]
    assert np.isnan(row["relative_difference_median"])
    assert row["n_without_span"] == row["n_datasets"] == 2


@pytest.mark.exhaustive
def test_controls_of_some_of_the_cases_are_not_those_of_all():
    results = with_floor()
    # Without the random sets of one dataset, and with other sets in their place.
    sets = results.sets
    drawn = (sets["search"] == "floor") & (sets["dataset"] == "a")
    others = sets[sets["search"] == "sequential"].assign(search="again")
    left = pd.concat([sets[~drawn], others], ignore_index=True)
    lacking = made_up.results(left, **RANDOM)
    found = [f for f in families(lacking) if f.labels["measure"] == "train_objective"]
    # No case of dataset a has random sets, and the longest run of b lacks a set.
    assert [(f.labels["n_alternatives"], f.left_out) for f in found] == [(1, ("a",)), (2, ("b",))]
    table = friedman_of(found)
    left_out = table[table["measure"] == "train_objective"].groupby("n_alternatives")
    assert left_out["left_out"].unique().map(list).to_dict() == {1: ["a"], 2: ["b"]}
    # Two searches are compared on all datasets that both have, whatever a third one lacks.
    pairs = pairwise(lacking).query("measure == 'train_objective' and n_alternatives == 1")
    with_floors = pairs[["first", "second"]].eq("floor").any(axis=1)
    assert set(pairs[with_floors]["left_out"]) == {"a"}
    assert set(pairs[~with_floors]["left_out"]) == {""} and len(pairs[~with_floors]) == 1
    assert pairs[~with_floors][["n_datasets", "n_cases_left_out"]].values.tolist() == [[2, 0]]
    # With a control of one dataset alone, there is no mean that belongs to the values'.
    kept = made_up.results(pd.concat([sets, others], ignore_index=True), **RANDOM)
    family = next(iter(families(kept)))
    assert family.left_out == ()
    half = family.controls["floor"].copy()
    half.iloc[0] = np.nan
    table = friedman_of([family._replace(controls={**family.controls, "floor": half})])
    assert table["floor_mean"].isna().all()
    assert table["ceiling_mean"].tolist() == [1, 1, 1]


@pytest.mark.exhaustive
def test_pairs_are_compared_where_no_dataset_has_all_treatments():
    results = with_floor()
    sets, scored = results.sets, results.first_scores
    # Selector t lacks dataset a, u lacks b; s has both.
    parts = [(sets, scored), *(
        (sets[sets["dataset"] == name].assign(selector=selector),
         scored[scored["dataset"] == name].assign(selector=selector))
        for selector, name in (("t", "b"), ("u", "a"))
    )]  # fmt: skip
    whole = (pd.concat(one, ignore_index=True) for one in zip(*parts, strict=True))
    three = made_up.results(*whole, **RANDOM)
    table = pairwise(three).query("compared == 'selectors' and sets == 'original sets'")
    pairs = table[["first", "second", "n_datasets", "left_out"]].values.tolist()
    assert pairs == [["s", "t", 1, "a"], ["s", "u", 1, "b"]]
    assert friedman_of(list(families(three))).query("compared == 'selectors'").empty


def test_each_search_is_cut_by_itself():
    results = with_floor()
    cut = cut_to_the_same_number(results.sets, results.settings)
    sizes = cut.groupby(["search", "n_alternatives"]).size().to_dict()
    assert sizes == {("floor", 1): 4, ("sequential", 1): 4, ("sequential", 2): 6}


def test_selectors_are_compared_with_their_controls():
    results = with_floor()
    sets, scored = results.sets, results.first_scores
    other = results.sets.assign(selector="t")
    joined = pd.concat([sets, other], ignore_index=True)
    both = made_up.results(
        joined, pd.concat([scored, scored.assign(selector="t")], ignore_index=True), **RANDOM
    )
    table = friedman_of(list(families(both)))
    rows = table.query("compared == 'selectors' and sets == 'alternatives'")
    assert rows["treatment"].tolist() == ["s", "t"]
    assert rows["floor_mean"].tolist() == pytest.approx([0.05, 0.05])
    assert rows["ceiling_mean"].tolist() == pytest.approx([0.25, 0.25])


@pytest.mark.exhaustive
def test_a_study_of_random_sets_alone_is_evaluated_too():
    results = made_up.results(made_up.sets().assign(search="floor"), **RANDOM)
    assert without_random(results) is results
    tables = make_tables(results)
    assert tables["controls"].empty
    assert set(made_up.make_figures(results, tables)) >= {"quality_between_controls"}
