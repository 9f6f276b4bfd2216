import re
from dataclasses import replace
from functools import cache

import made_up
import numpy as np
import pandas as pd
import pytest
from made_up import make_tables

from altfs.evaluation.figures.quality_against_dissimilarity import trade_off
from altfs.evaluation.stats.runs import (
    cut_to_the_same_number,
    normalised,
    run_statistics,
)
from altfs.evaluation.tables.prediction import prediction
from altfs.evaluation.tables.quality import quality
from altfs.evaluation.tables.spread import spread
from altfs.evaluation.tables.status import status
from altfs.evaluation.tables.status_shares import status_shares

RESULTS = made_up.results()


@cache
def all_tables():
    return make_tables(RESULTS)


def test_shares_are_of_feature_sets():
    table = status(RESULTS).set_index("set_index")
    assert table.loc[2, "n_sets"] == 2
    assert table.loc[2, "n_planned"] == 2
    assert table.loc[2, "share_infeasible"] == 0.5
    assert table.loc[0, "share_optimal"] == 1
    assert (table.filter(like="share_").sum(axis=1) == 1).all()


def test_a_run_is_what_the_worst_of_its_sets_is():
    table = status_shares(RESULTS)
    overall = table[table["grouping"] == "overall"].set_index("counted")
    assert overall.loc["feature set", ["n", "n_optimal", "n_infeasible"]].tolist() == [6, 5, 1]
    assert overall.loc["search run", ["n", "n_optimal", "n_infeasible"]].tolist() == [2, 1, 1]


def test_means_say_over_how_much_they_were_taken():
    table = quality(RESULTS).set_index("set_index")
    assert table.loc[2, ["n_planned", "n_sets", "n_datasets"]].tolist() == [2, 1, 1]
    assert table.loc[1, ["n_planned", "n_sets", "n_datasets"]].tolist() == [2, 2, 2]
    assert table.loc[1, "train_objective_mean"] == pytest.approx(0.9)
    # Only one dataset has a floor.
    assert table["floor"].tolist() == [0.85] * 3
    assert table["above_floor"].tolist() == [1, 1, 0]
    predicted = prediction(RESULTS).set_index("set_index")
    assert predicted.loc[2, "n_sets"] == 1
    assert predicted.loc[2, "test_score_median"] == 0.25


def test_sequential_runs_are_cut_to_the_numbers_of_the_others():
    frame = made_up.sets()
    together = frame[frame["set_index"] < 2].assign(
        search="simultaneous", aggregation="sum", n_alternatives=1
    )
    results = made_up.results(pd.concat([frame, together], ignore_index=True))
    cut = cut_to_the_same_number(results.sets, results.settings)
    sizes = cut.groupby(["search", "n_alternatives"]).size()
    assert sizes.to_dict() == {
        ("sequential", 1): 4, ("sequential", 2): 6, ("simultaneous", 1): 4,
    }  # fmt: skip
    sets = results.sets
    runs = run_statistics(sets.assign(value=sets["train_objective"]), results.settings)
    # Of the runs of three sets, one lacks a set and does not count.
    assert runs.groupby(["search", "n_alternatives"]).size().loc["sequential"].to_dict() == {
        1: 2, 2: 1,
    }  # fmt: skip
    assert runs["mean"].min() == pytest.approx(0.9)
    assert runs["std"].max() == pytest.approx(0.1)


def test_spread_says_how_many_runs_there_could_be():
    frame = made_up.sets()
    # Of dataset a alone there are simultaneous runs; those of b are missing or infeasible.
    together = frame[frame["set_index"] < 2].assign(
        search="simultaneous", aggregation="sum", n_alternatives=1
    )
    results = made_up.results(pd.concat([frame, together[:2]], ignore_index=True))
    table = spread(results)
    rows = table[(table["measure"] == "train_objective") & (table["within_run"] == "mean")]
    found = rows.set_index(["search", "n_alternatives"])[["n_planned", "n", "n_datasets"]]
    assert found.T.to_dict("list") == {
        ("sequential", 1): [2, 2, 2], ("sequential", 2): [2, 1, 1], ("simultaneous", 1): [2, 1, 1],
    }  # fmt: skip


@pytest.mark.exhaustive
def test_a_trade_off_is_against_the_best_there_is():
    frame = made_up.sets()
    together = frame[frame["set_index"] < 2].assign(
        search="simultaneous", aggregation="sum", n_alternatives=1,
        train_objective=[0.8, 0.6, 0.5, 0.4],
    )  # fmt: skip
    both = pd.concat([frame, together], ignore_index=True)
    points = trade_off(made_up.results(both)).set_index(["search", "n_alternatives"])
    found = points.loc[("simultaneous", 1)]
    # Originals have 1.0.
    assert (found["n_datasets"], found["quality"]) == (2, pytest.approx((0.7 + 0.45) / 2))
    # Where that of b is not known, its 0.5 is not the best.
    some = both[(both["dataset"] == "a") | (both["search"] != "sequential")]
    points = trade_off(made_up.results(some.reset_index(drop=True)))
    found = points.set_index(["search", "n_alternatives"]).loc[("simultaneous", 1)]
    assert (found["n_datasets"], found["quality"]) == (1, pytest.approx(0.7))
    # A study that has no originals at all is measured by the best it found.
    points = trade_off(made_up.results(together.reset_index(drop=True)))
    assert points["quality"].tolist() == pytest.approx([(0.7 / 0.8 + 0.45 / 0.5) / 2])


def test_random_sets_are_no_part_of_a_front():
    points = trade_off(made_up.study(4))
    drawn = points["search"] == "random"
    assert drawn.any() and not points["front"][drawn].any()
    assert points["front"][~drawn].any()
    assert {*points["n_alternatives"][drawn]} <= {*points["n_alternatives"][~drawn]}


def test_a_fold_whose_random_sets_are_nearly_as_good_decides_no_trade_off():
    results = made_up.study(6)
    sets = results.sets.astype({"dataset": str, "search": str})
    fold = (sets["dataset"] == "d0") & (sets["fold"] == sets["fold"].min())
    nearly = sets["train_objective"].max() - 1e-6
    drawn = sets["train_objective"].mask(fold & (sets["search"] == "random"), nearly)
    best = drawn.mask(fold & (sets["set_index"] == 0) & (sets["search"] != "random"), nearly + 1e-6)
    table = trade_off(replace(results, sets=results.sets.assign(train_objective=best)), ["dataset"])
    of_dataset = table[table["dataset"] == "d0"]
    assert len(of_dataset)
    assert of_dataset["quality"].abs().max() < 5


@pytest.mark.exhaustive
def test_a_trade_off_of_objectives_without_a_zero_is_between_random_and_best():
    frame = made_up.sets()
    below = frame.assign(train_objective=frame["train_objective"] - 10)
    # Without random sets there is no scale.
    assert trade_off(made_up.results(below)).empty
    results = made_up.study(6)
    plain = trade_off(results)
    sets = results.sets
    shifted = sets.assign(train_objective=sets["train_objective"] - 10)
    columns = ["search", "dissimilarity", "quality"]
    both = [table[columns].reset_index(drop=True) for table in (plain, trade_off(
        replace(results, sets=shifted)))]  # fmt: skip
    pd.testing.assert_frame_equal(*both)
    # The best set has 1, and random ones lie around 0.
    assert plain["quality"].max() <= 1 + 1e-12
    drawn = plain.loc[plain["search"] == "random", "quality"]
    assert len(drawn) and drawn.abs().max() < 1


def test_qualities_are_normalised_within_a_run():
    frame = made_up.sets()
    values = normalised(frame.assign(value=[4.0, 1.0, 2.0, 3.0, 3.0, np.nan]))
    assert values["max"].tolist() == [1, 0.25, 0.5, 1, 1]
    assert values["min-max"].tolist() == [1, 0, pytest.approx(1 / 3), 1, 1]
    negative = normalised(frame.assign(value=[-4.0, -1.0, -2.0, 3.0, np.nan, np.nan]))
    assert negative["max"].isna().tolist() == [True, True, True, False]
    assert negative["min-max"].isna().tolist() == [False, False, False, True]


@pytest.mark.exhaustive
def test_every_figure_can_be_drawn():
    import vl_convert

    for name, chart in made_up.make_figures(RESULTS, all_tables()).items():
        svg = vl_convert.vegalite_to_svg(chart.to_json())
        assert svg.startswith("<svg"), name
        assert len(re.findall("<path|<text", svg)) > 2, name


@pytest.mark.exhaustive
def test_what_has_no_correlation_is_empty():
    import vl_convert

    # The models of these sets all score the same.
    chart = made_up.figure_of(RESULTS, "correlation_of_metrics")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", vl_convert.vegalite_to_svg(chart.to_json()))
    assert "1.00" in texts
    assert not {"null", "NaN", "nan"} & set(texts)
    assert "Empty: a metric that is the same for all sets." in chart.usermeta["notes"]


@pytest.mark.exhaustive
def test_a_figure_says_what_is_missing():
    gap = pd.DataFrame({"kind": ["shard", "shard"], "dataset": ["a", "b"], "n": [3, 4]})
    results = made_up.results()
    object.__setattr__(results, "missing", gap)
    for chart in made_up.make_figures(results, make_tables(results)).values():
        assert chart.title.text == "Incomplete: 7 shards of 2 datasets are missing."
        assert chart.usermeta["notes"][0] == chart.title.text


@pytest.mark.exhaustive
def test_a_study_without_any_set_has_tables_and_figures():
    import vl_convert

    nothing = made_up.sets().assign(
        status="infeasible", train_objective=np.nan, test_objective=np.nan
    )
    results = made_up.results(nothing, made_up.predictions().iloc[:0])
    tables = make_tables(results)
    assert (tables["status"]["share_infeasible"] == 1).all()
    assert (tables["quality"]["n_sets"] == 0).all()
    assert tables["prediction"].empty
    for chart in made_up.make_figures(results, tables).values():
        assert vl_convert.vegalite_to_svg(chart.to_json()).startswith("<svg")
    assert trade_off(results).empty
