"""Tables of the feature sets themselves, worked out by hand."""

from dataclasses import replace

import made_up
import numpy as np
import pandas as pd
import pytest

from altfs.evaluation.tables.dissimilarity import dissimilarity, from_original
from altfs.evaluation.tables.kept import kept
from altfs.evaluation.tables.selection_frequency import selection_frequency
from altfs.evaluation.tables.stability import stability
from altfs.evaluation.tables.stability_overview import stability_overview
from altfs.evaluation.tables.substitutes import substitutes


def two_folds(**more):
    """The second fold of dataset a has another original set."""
    frame = pd.concat([made_up.sets(), made_up.sets().assign(fold=1)], ignore_index=True)
    frame = frame.sort_values(["dataset", "fold", "set_index"], ignore_index=True)
    a = [[0, 1], [0, 2], [2, 3], [0, 2], [0, 1], [2, 3]]
    b = [[0, 1], [0, 2], [], [0, 1], [0, 2], []]
    return made_up.results(frame, selected=a + b, **more)


def test_dissimilarity_is_summarised_within_runs():
    results = made_up.results()
    table = dissimilarity(results)
    # Run a: 1/2, 1 and 1/2; run b lacks its last set: 1/2.
    assert table["within_run"].tolist() == ["min", "mean", "max"]
    assert table["mean"].tolist() == pytest.approx([0.5, (2 / 3 + 0.5) / 2, 0.75])
    assert table["n"].tolist() == [2, 2, 2]
    assert table["n_planned"].tolist() == [2, 2, 2]


def test_dissimilarity_is_that_of_the_study():
    # Sets of two that share one feature share a third of three.
    table = dissimilarity(made_up.results(dissimilarity="jaccard"))
    assert table["mean"].tolist() == pytest.approx([2 / 3, (7 / 9 + 2 / 3) / 2, (1 + 2 / 3) / 2])


def test_stability_compares_sets_of_a_rank_over_folds():
    results = two_folds()
    table = stability(results)
    ranked = table[table["sets"] == "by rank"].set_index(["dataset", "set_index"])
    assert ranked.loc[("a", 0), "jaccard"] == pytest.approx(1 / 3)
    # One shared of two, of ten features: (1 - 4/10) / (2 - 4/10).
    assert ranked.loc[("a", 0), "kuncheva"] == pytest.approx(0.6 / 1.6)
    assert ranked.loc[("a", 0), "nogueira"] == pytest.approx(0.6 / 1.6)
    assert ranked.loc[("a", 2), ["nogueira", "n_folds", "n_total"]].tolist() == [1, 2, 10]
    # The last set of b exists in no fold.
    assert ("b", 2) not in ranked.index
    runs = table[table["sets"] == "whole run"].set_index(["dataset", "n_alternatives"])
    # All sets of a run together are the same in both folds; those of b lack one.
    assert runs.loc[("a", 2), ["jaccard", "nogueira"]].tolist() == pytest.approx([1, 1])
    assert runs.index.tolist() == [("a", 1), ("a", 2), ("b", 1)]
    assert runs["set_index"].isna().all()
    overview = stability_overview(results)
    row = overview.query("measure == 'jaccard' and sets == 'by rank' and set_index == 0")
    assert row["tau"].tolist() == [None, "0.5"]
    assert row["mean"].tolist() == pytest.approx([2 / 3, 2 / 3])
    assert row["n_datasets"].tolist() == [2, 2]


def test_how_often_features_are_selected():
    results = two_folds()
    table = selection_frequency(results)
    counts = table.set_index(["dataset", "sets", "feature"])
    assert counts.loc[("a", "original", "f0"), ["n_selected", "n_sets"]].tolist() == [2, 2]
    assert counts.loc[("a", "original", "f2"), "share"] == 0.5
    assert counts.loc[("a", "alternative", "f2"), ["n_selected", "n_sets"]].tolist() == [3, 4]
    assert ("a", "joint", "f0") not in counts.index
    together = made_up.sets().assign(search="simultaneous", aggregation="sum")
    joint = made_up.results(together)
    table = selection_frequency(joint)
    assert table["sets"].unique().tolist() == ["joint"]
    assert table.query("dataset == 'a' and feature == 'f2'")["share"].tolist() == [2 / 3]


def test_substitutes_share_the_weight_of_a_feature():
    results = made_up.results()
    table = substitutes(results)
    found = table[table["dataset"] == "a"].set_index(["feature", "substitute"])
    # {0, 2} lacks 1 and has 2; {2, 3} lacks 0 and 1 and has 2 and 3, half each.
    assert found["weight"].to_dict() == {
        ("f1", "f2"): 1.5, ("f1", "f3"): 0.5, ("f0", "f2"): 0.5, ("f0", "f3"): 0.5,
    }  # fmt: skip
    # The first substitute of each feature comes before second ones.
    assert [*found.index] == [("f1", "f2"), ("f0", "f2"), ("f1", "f3"), ("f0", "f3")]
    assert found["share"].tolist() == [0.75, 0.5, 0.25, 0.5]
    # The alternatives have 0.9 and 0.8 of the original's 1.
    assert found["kept"].to_dict() == pytest.approx({
        ("f1", "f2"): 0.85, ("f1", "f3"): 0.8, ("f0", "f2"): 0.8, ("f0", "f3"): 0.8,
    })  # fmt: skip
    assert found.loc[("f1", "f2"), ["n_together", "n_left_out", "n_alternatives"]].tolist() == [
        2, 2, 2,
    ]  # fmt: skip
    assert found.loc[("f0", "f2"), ["n_together", "n_left_out", "n_alternatives"]].tolist() == [
        1, 1, 2,
    ]  # fmt: skip
    assert (table["score_change"] == 0).all()
    assert (table["copy_in"] == 0).all()
    sums = table.groupby(["dataset", "feature"])["share"].sum()
    assert sums.to_numpy() == pytest.approx(np.ones(len(sums)))


def test_what_replaces_a_feature_has_its_change_of_scores_and_its_copies():
    frame = made_up.sets()
    scored = made_up.predictions(frame)
    # Of dataset a: {0, 1}, {0, 2}, {2, 3}. Another model has no score of the last one.
    scored["test_score"] = 0.5 - 0.1 * scored["set_index"]
    other = scored[scored["set_index"] < 2].assign(model="forest")
    other["test_score"] = 0.9 - 0.3 * other["set_index"]
    results = made_up.results(frame, pd.concat([scored, other], ignore_index=True))
    table = substitutes(replace(results, copies={"a": {"f2": "f1"}}))
    found = table[table["dataset"] == "a"].set_index(["feature", "substitute"])
    first, last = (-0.1 - 0.3) / 2, -0.2
    assert found["score_change"].to_dict() == pytest.approx({
        ("f1", "f2"): (first + last) / 2, ("f1", "f3"): last,
        ("f0", "f2"): last, ("f0", "f3"): last,
    })  # fmt: skip
    assert found["copy_in"].to_dict() == {
        ("f1", "f2"): 1, ("f1", "f3"): 1, ("f0", "f2"): 0, ("f0", "f3"): 0,
    }  # fmt: skip


def test_random_sets_are_neither_originals_nor_alternatives():
    frame = made_up.sets()
    drawn = frame[frame["set_index"] < 2].assign(search="floor", train_objective=0.2)
    results = made_up.results(
        pd.concat([frame, drawn], ignore_index=True), search_types={"floor": "random"}
    )
    table = selection_frequency(results)
    assert table.groupby("sets")["n_sets"].max().to_dict() == {
        "alternative": 2, "original": 1, "random": 2,
    }  # fmt: skip
    alone = substitutes(made_up.results())
    assert substitutes(results).equals(alone)


@pytest.mark.parametrize(("spread", "divided"), [(0.1, True), (3.0, False)])
def test_nothing_is_divided_by_an_original_inside_the_noise_of_random_sets(spread, divided):
    frame = made_up.sets()
    drawn = frame[frame["set_index"] < 2].assign(search="floor")
    drawn["train_objective"] = spread * drawn["set_index"]
    both = pd.concat([frame, drawn], ignore_index=True)
    table = kept(made_up.results(both, search_types={"floor": "random"}))
    shares = table.loc[table["measure"] == "train_objective", "share"]
    assert shares.notna().any() if divided else shares.isna().all()
    # The two qualities are there in any case.
    assert table["alternative"].notna().any()


def test_sets_that_are_found_together_are_compared_with_the_original_of_their_case():
    together = made_up.sets().query("dataset == 'a' and set_index < 2")
    together = together.assign(search="simultaneous", aggregation="sum", n_alternatives=1)
    frame = pd.concat([made_up.sets(), together], ignore_index=True)
    selected = [*made_up.SELECTED, *made_up.SELECTED[:2], [], [2, 3], [0, 3]]
    far = from_original(made_up.results(frame, selected=selected))
    # The original is {0, 1}. The first set of the run, {2, 3}, is as arbitrary as the second.
    assert far.iloc[-2:].tolist() == [1.0, 0.5]
