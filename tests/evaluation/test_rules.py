"""The rules for what may be said, on made-up studies of every kind."""

from dataclasses import replace
from functools import cache

import made_up
import numpy as np
import pandas as pd
import pytest
from made_up import make_tables
from marks import exhaustive

from altfs.evaluation.figures import make_figure
from altfs.evaluation.report.overview import views
from altfs.evaluation.rules import ratio, whole_population
from altfs.evaluation.tables.controls import controls
from altfs.evaluation.tables.correlation import correlation

# What only values of six datasets or more may have.
INFERRED = ("p", "p_holm", "average_rank", "critical_difference", "kendall_w", "friedman_chi2",
            "rank_biserial")  # fmt: skip


@cache
def tables_of(n_datasets):
    return make_tables(made_up.study(n_datasets))


@pytest.mark.exhaustive
@pytest.mark.parametrize("n_datasets", [5, *exhaustive(1)])
def test_few_datasets_have_no_interval_test_rank_or_winner(n_datasets):
    tables = tables_of(n_datasets)
    for name, table in tables.items():
        for column in table:
            ends = column.endswith(("median_low", "median_high"))
            if ends or column in INFERRED:
                assert table[column].isna().all(), (name, column)
    said = " ".join(str(view.answers) for view in views(tables, ["s", "t"], {}))
    for word in ("interval", "bootstrap", "Wilcoxon", "p =", "p <", "rank", "shown by"):
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


@pytest.mark.exhaustive
def test_a_figure_counts_the_datasets_that_can_be_compared():
    results = made_up.study(8)
    sets = results.sets
    near = sets["dataset"].isin(["d0", "d1", "d2"]) & (sets["search"] != "random")
    some = sets.assign(train_objective=sets["train_objective"].mask(near, 0.26))
    notes = made_up.figure_of(results, "quality_between_controls").usermeta["notes"]
    assert "n = 8 datasets." in notes
    # Of three datasets there is no median.
    assert "Too few datasets count (table controls): test MCC." in notes
    figure = made_up.figure_of(replace(results, sets=some), "quality_between_controls")
    assert figure.usermeta["absent"]
    assert figure.usermeta["notes"] == ["Too few original sets are better than random ones."]


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
    for view in views(tables, ["s", "t"], {}):
        lacking = {row.name: cell.lacking for row in view.rows for cell in row.cells}
        exist = {"": "3 of 4 exist", "d0": "1 of 2 exist", "d1": ""}[view.dataset]
        assert lacking == {"s": exist, "t": ""}
    # Both sides are of the runs that have an alternative.
    row = tables["kept"].query(
        "dataset == 'd0' and selector == 's' and set_index == 1 and measure == 'train_objective'"
    ).iloc[0]  # fmt: skip
    own = lost[(lost["dataset"] == "d0") & (lost["fold"] == 0) & (lost["selector"] == "s")]
    own = own[own["search"] == "sequential"].set_index("set_index")["train_objective"]
    assert (row["n"], row["original"], row["alternative"]) == (1, own[0], own[1])
    assert (row["floor"], row["above_floor"]) == (0.85, 1)
    assert tables["kept"].query("measure != 'train_objective'")["floor"].isna().all()
    # What has not been computed is not said not to exist.
    unknown = make_tables(results.where(~gone))
    assert unknown["gaps"].empty
    for view in views(unknown, ["s", "t"], {}):
        assert not any(cell.lacking for row in view.rows for cell in row.cells)


@pytest.mark.exhaustive
def test_lines_end_where_their_population_changes():
    # The third set of dataset b does not exist.
    sets = made_up.sets()
    drawn = sets.assign(search="random", status="feasible", train_objective=[0.2, 0.21, 0.19] * 2)
    results = made_up.results(pd.concat([sets, drawn], ignore_index=True))
    chart = made_up.figure_of(results, "quality_between_controls").to_dict()
    rows = [row for data in chart["datasets"].values() for row in data if "same" in row]
    # Few datasets have a line each.
    assert all(row["same"] for row in rows)
    joined = [{**row, "dataset": ""} for row in rows]
    counts = pd.DataFrame(joined).groupby(["measured", "set_index"]).size().reset_index(name="n")
    same = whole_population(counts, ["measured"])
    assert set(zip(counts["set_index"], same, strict=True)) == {(0, True), (1, True), (2, False)}
