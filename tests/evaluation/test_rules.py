"""The rules for what may be said, on made-up studies of every kind."""

import re
from dataclasses import replace
from functools import cache

import made_up
import numpy as np
import pandas as pd
import pytest
from marks import exhaustive

from altfs.evaluation.figures import make_figure
from altfs.evaluation.report.first_screen import kept_table
from altfs.evaluation.report.words import answers
from altfs.evaluation.rules import ratio, whole_population
from altfs.evaluation.tables import make_tables
from altfs.evaluation.tables.controls import controls
from altfs.evaluation.tables.correlation import correlation
from altfs.evaluation.tables.effort import effort

# What only values of six datasets or more may have.
INFERRED = ("p", "p_holm", "average_rank", "critical_difference", "kendall_w", "friedman_chi2",
            "rank_biserial")  # fmt: skip


@cache
def tables_of(n_datasets):
    return make_tables(made_up.study(n_datasets))


@pytest.mark.parametrize("n_datasets", [5, *exhaustive(1)])
def test_few_datasets_have_no_interval_test_rank_or_winner(n_datasets):
    tables = tables_of(n_datasets)
    for name, table in tables.items():
        for column in table:
            ends = column.endswith(("median_low", "median_high"))
            if ends or column in INFERRED:
                assert table[column].isna().all(), (name, column)
    said = " ".join(answer.text for answer in answers(tables))
    for word in ("interval", "bootstrap", "Wilcoxon", "p =", "p <", "rank", "best average"):
        assert word not in said
    drawn = make_figure("critical_difference", made_up.study(n_datasets), tables).usermeta
    assert "rank" not in drawn["title"]


@pytest.mark.exhaustive
def test_many_datasets_have_them():
    tables, found = tables_of(8), 0
    for name, table in tables.items():
        for column in (c for c in table if c.endswith("median")):
            low, middle, high = (table[f"{column}{end}"] for end in ("_low", "", "_high"))
            n = table["n_datasets"]
            if column.startswith("relative"):
                n = n - table["n_without_span"]
            known = middle.notna() & (n >= 6)
            assert ((low <= middle) & (middle <= high))[known].all(), (name, column)
            found += int(known.sum())
    assert found > 50
    assert tables["pairwise"]["p_holm"].notna().all()
    assert tables["friedman"]["average_rank"].notna().all()
    said = [answer.text for answer in answers(tables)]
    assert any("over 8 datasets)" in text for text in said)
    assert any("Wilcoxon" in text for text in said)


def test_no_ratio_has_a_denominator_inside_the_noise():
    assert np.isnan(ratio([2.0], [0.0099], [0.05])).all()
    results = made_up.study(2)
    sets = results.sets
    # Original sets that are hardly better than random ones.
    near = sets["train_objective"].where(sets["search"] == "random", 0.26)
    results = replace(results, sets=sets.assign(train_objective=near))
    rows = controls(results).query("measure == 'train_objective'")
    assert rows["above_floor_median"].notna().all()
    assert rows["relative_median"].isna().all()
    assert (rows["n_without_span"] == 2).all()


def test_correlations_are_formed_within_datasets():
    # Within each dataset there is none; the levels of the datasets alone differ.
    frame = pd.concat([made_up.sets().assign(fold=i) for i in range(4)], ignore_index=True)
    frame = frame[frame["set_index"] < 2].reset_index(drop=True)
    level = (frame["dataset"] == "b").astype(float)
    frame["train_objective"] = 5 * level + frame["set_index"]
    frame["test_objective"] = 5 * level + frame["fold"]
    table = correlation(made_up.results(frame))
    rows = table.query("metric_1 == 'train_objective' and metric_2 == 'test_objective'")
    assert len(rows) == 6
    assert rows["rho"].to_numpy() == pytest.approx(0)


@pytest.mark.exhaustive
def test_what_is_left_out_is_counted_and_explained():
    results = made_up.study(2)
    sets = results.sets
    gone = (sets["dataset"] == "d0") & (sets["fold"] == 1) & (sets["selector"] == "s")
    gone &= (sets["search"] == "sequential") & (sets["set_index"] > 0)
    lost = sets.assign(
        train_objective=sets["train_objective"].mask(gone),
        test_objective=sets["test_objective"].mask(gone),
        status=sets["status"].mask(gone, "infeasible"),
    )
    scored = results.first_scores.merge(sets.loc[gone, made_up.SET_KEY], how="left", indicator=True)
    scored = scored[scored.pop("_merge") == "left_only"].reset_index(drop=True)
    some = replace(results, sets=lost, scores=scored)
    tables = make_tables(some)
    cost, worth = (
        next(a.basis for a in answers(tables) if a.topic == topic)
        for topic in ("What alternatives cost", "What alternatives are worth to models")
    )
    assert "; 7 of 8 runs; 1 does not exist." in cost
    assert "; 7 of 8 runs; 1 does not exist." in worth
    # Both sides are of the runs that have an alternative.
    row = tables["kept"].query(
        "dataset == 'd0' and selector == 's' and set_index == 1 and measure == 'train_objective'"
    ).iloc[0]  # fmt: skip
    own = lost[(lost["dataset"] == "d0") & (lost["fold"] == 0) & (lost["selector"] == "s")]
    own = own[own["search"] == "sequential"].set_index("set_index")["train_objective"]
    assert (row["n"], row["original"], row["alternative"]) == (1, own[0], own[1])
    # What has not been computed is not said not to exist.
    said = answers(make_tables(results.where(~gone)))
    assert "; 7 of 8 runs; 1 has no answer yet." in next(
        a.basis for a in said if a.topic == "What alternatives cost"
    )


def test_sentences_name_their_threshold_and_size():
    for answer in answers(tables_of(5)):
        if answer.topic == "What alternatives cost":
            assert answer.text.startswith("With at least 1 of 2 features different, the ")
            assert "; k = 2; τ = 0.5; " in answer.basis
        if answer.topic == "How stable the sets are":
            assert "k = 2" in answer.text


@pytest.mark.parametrize("n_datasets", [5, *exhaustive(1, 8)])
def test_sentences_of_the_first_screen_are_short_and_plain(n_datasets):
    first = [answer for answer in answers(tables_of(n_datasets)) if answer.first]
    assert {answer.topic for answer in first} == {
        "What exists", "What alternatives cost", "What alternatives are worth to models"
    }  # fmt: skip
    assert 3 <= len(first) <= 5
    for answer in first:
        assert answer.basis or answer.topic == "What exists"
        assert not set("τρ=<>") & set(answer.text)
        for sentence in answer.text.removesuffix(".").split(". "):
            assert len(re.findall(r"[\w.']*\w[\w.']*", sentence)) <= 25, sentence


def test_random_sets_are_not_counted_as_a_search():
    tables = tables_of(5)
    seconds = effort(made_up.study(5)).query("measure == 'seconds'").set_index("search")["sum"]
    [cost] = [a for a in answers(tables) if a.topic == "What it cost"]
    assert cost.numbers["seconds"] == pytest.approx(seconds["sequential"].sum())
    assert cost.numbers["random"] == pytest.approx(seconds["random"].sum())


@pytest.mark.exhaustive
def test_lines_end_where_their_population_changes():
    results = made_up.results()
    # The third set of dataset b does not exist.
    chart = made_up.figure_of(results, "quality_between_controls").to_dict()
    rows = [row for data in chart["datasets"].values() for row in data if "same" in row]
    # Few datasets have a line each.
    assert all(row["same"] for row in rows)
    joined = [{**row, "dataset": ""} for row in rows]
    counts = pd.DataFrame(joined).groupby(["measured", "set_index"]).size().reset_index(name="n")
    same = whole_population(counts, ["measured"])
    assert set(zip(counts["set_index"], same, strict=True)) == {(0, True), (1, True), (2, False)}


@pytest.mark.exhaustive
def test_nothing_found_is_said_of_nothing():
    results = made_up.results(
        made_up.sets().assign(status="infeasible", train_objective=np.nan, test_objective=np.nan),
        made_up.predictions().iloc[:0],
    )
    said = answers(make_tables(results))
    assert "100 % are proven not to exist" in said[0].text
    assert not [a for a in said if a.topic == "What alternatives are worth to models"]


def test_the_first_table_shows_few_datasets_one_by_one():
    [few] = kept_table(tables_of(5), {})
    assert list(few.rows) == [f"{s}, d{i}" for i in range(5) for s in ("s", "t")]
    assert "each dataset by itself, mean over folds, k = 2, sequential search" in few.caption
    row = tables_of(5)["kept"].query(
        "dataset == 'd0' and selector == 's' and set_index == 1 and measure == 'train_objective'"
    ).iloc[0]  # fmt: skip
    [cell] = few.rows["s, d0"]
    assert (cell.text, cell.found) == (f"{100 * row['share']:.3g} %", "2 of 2")
    [many] = kept_table(make_tables(made_up.study(8), ["kept"]), {})
    assert list(many.rows) == ["s", "t"]
    assert many.rows["s"][0].found == "16 of 16"
    assert kept_table({}, {}) == []


def test_the_first_table_says_where_nothing_exists():
    frame = made_up.sets().assign(status="infeasible", train_objective=np.nan)
    results = made_up.results(frame, made_up.predictions().iloc[:0])
    [table] = kept_table(make_tables(results, ["kept"]), {})
    assert [cell.text for cells in table.rows.values() for cell in cells] == ["none", "none"]
