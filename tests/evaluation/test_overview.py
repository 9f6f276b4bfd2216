"""The first screen: its numbers and sentences, by another route, on studies of every kind."""

import re
from functools import cache

import duckdb
import made_up
import numpy as np
import pandas as pd
import pytest
from audit import make_study, sql, table
from made_up import make_tables
from scipy import stats
from studies import SMALL

from altfs.commands.report import report
from altfs.evaluation.names import selector_name
from altfs.evaluation.report import headline
from altfs.evaluation.report.glossary import TERMS
from altfs.evaluation.report.members import features_of_datasets
from altfs.evaluation.report.overview import views
from altfs.evaluation.report.phrases import listed, signed, two
from altfs.evaluation.report.reasons import reasons
from altfs.evaluation.tables.gaps import gaps
from altfs.evaluation.tables.overview import overview

NAMES = ("overview", "gaps", "stability", "selection_frequency", "substitutes")


def mixed():
    """One dataset of classes, one of numbers."""
    return made_up.results(types={"a": "binary", "b": "regression"})


def incomplete():
    """Three datasets; of one, the alternatives of a selector have no answer yet."""
    results = made_up.study(3)
    sets = results.sets
    gone = (sets["dataset"] == "d1") & (sets["selector"] == "s") & (sets["set_index"] > 0)
    return results.where(~gone)


def streams():
    """Three datasets; a selector of each kind of answer: ranked sets, a stream, and a front."""
    results = made_up.study(3)
    sets, scored = results.sets, results.first_scores
    kinds = {"s": "sequential", "t": "streaming", "u": "many_objective"}
    # The front is of one dataset, and has no random sets.
    third = (sets["selector"] == "t") & (sets["search"] == "sequential") & (sets["dataset"] == "d0")
    sets = pd.concat([sets, sets[third].assign(selector="u")], ignore_index=True)
    sets["train_objective"] = sets["train_objective"].mask(sets["selector"] == "u", 0.7)
    sets["search"] = sets["search"].where(sets["search"] == "random", sets["selector"].map(kinds))
    known = scored[scored["selector"] == "t"].query("dataset == 'd0' and search == 'sequential'")
    known = known.assign(selector="u", test_score=known["test_score"] / 2)
    scored = pd.concat([scored, known], ignore_index=True).drop(columns="set")
    scored["search"] = scored["search"].where(
        scored["search"] == "random", scored["selector"].map(kinds)
    )
    return made_up.results(sets, scored, widths=results.design.widths)


UNTESTED = "too few datasets for a test"
STUDIES = {
    "streams with fronts": streams,
    "mixed": mixed,
    "one": lambda: made_up.study(1),
    "thirty": lambda: made_up.study(30),
    "incomplete": incomplete,
}


@cache
def made(name):
    results = STUDIES[name]()
    return results, make_tables(results, NAMES)


def shown(name):
    results, tables = made(name)
    return [*views(tables, [one.name for one in results.design.selectors], {})]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", STUDIES)
def test_numbers_of_the_table_by_sql(name):
    results, _ = made(name)
    of_kind = {one.name: one.target_type for one in results.design.datasets}
    sets = results.sets.astype({"dataset": str, "selector": str, "search": str})
    sets = sets.assign(kind=sets["dataset"].map(of_kind))
    scored = results.first_scores.astype({"dataset": str, "selector": str, "search": str})
    connection = duckdb.connect()
    connection.register("sets", sets)
    connection.register("scored", scored)
    found = connection.sql("""
        with s as (select sets.kind, scored.* from sets join scored using
                   (dataset, fold, selector, search, set_index)),
        o as (select dataset, fold, selector, any_value(test_score) v from s
              where search != 'random' and set_index = 0 group by all),
        a as (select dataset, fold, selector, any_value(test_score) v from s
              where search != 'random' and set_index = 1 group by all),
        d as (select o.dataset, o.selector, avg(o.v) original, avg(a.v) alternative,
              avg(a.v - o.v) change, count(a.v) n
              from o left join a using (dataset, fold, selector) group by all)
        select selector, avg(original), avg(alternative), avg(change), sum(n)
        from d join (select distinct dataset, kind from sets) using (dataset)
        group by kind, selector order by kind, selector
    """).fetchall()
    table = overview(results) if name != "mixed" else made(name)[1]["overview"]
    rows = table.query("dataset == '' and measure == 'test_mcc'")
    columns = ["selector", "original", "alternative", "change", "n"]
    rows = rows.sort_values([*({"target_type"} & {*rows}), "selector"])
    assert len(rows) == len(found)
    for row, expected in zip(rows[columns].to_numpy().tolist(), found, strict=True):
        assert row[0] == expected[0]
        assert row[1:] == pytest.approx([float(value) for value in expected[1:]])


@pytest.mark.exhaustive
def test_streams_and_fronts_by_sql_on_the_shards(tmp_path):
    config = {
        **SMALL, "datasets": ["sklearn:breast_cancer"], "n_features": 2, "taus": ["0.5", "1"],
        "selectors": ["saola", "naive_bayes_curve", "mutual_information"],
        "searches": [
            {"name": "arriving", "type": "streaming", "n_alternatives": 2, "selectors": ["saola"]},
            {"name": "front", "type": "many_objective", "n_alternatives": 1,
             "selectors": ["naive_bayes_curve"]},
            {"name": "ranked", "type": "sequential", "n_alternatives": 1,
             "selectors": ["mutual_information"]},
            {"name": "random", "n_alternatives": 1, "selectors": ["mutual_information"]},
        ],
        "models": ["naive_bayes"],
    }  # fmt: skip
    study = make_study(tmp_path, config)
    found = sql(study, """
        with s as (select shards.*, test_score, rank() over (
                     partition by selector order by n_alternatives desc) r
                   from {shards} shards left join {scores} scores on shards.fold = scores.fold and
                     list_sort(shards.selected) = list_sort(scores.selected) and metric = 'mcc'
                   where search <> 'random'),
        f as (select selector, tau, fold, avg(test_score) filter (set_index = 0) o,
              avg(test_score) filter (set_index = 1) a from s where r = 1 group by all)
        select selector, tau, avg(o), avg(a), avg(a - o) from f group by all order by all
    """)  # fmt: skip
    report(study)
    stored = table(study, "overview").query("dataset == 'breast_cancer' and measure == 'test_mcc'")
    columns = ["selector", "tau", "original", "alternative", "change"]
    rows = stored.sort_values(columns[:2])[columns].to_numpy().tolist()
    assert len(rows) == len(found) == 6
    for row, expected in zip(rows, found, strict=True):
        assert row[:2] == list(expected[:2])
        assert row[2:] == pytest.approx(expected[2:])
    said = (study / "report.html").read_text("utf-8")
    assert all(f">{selector_name(name)}</dfn>" in said for name in config["selectors"])


@pytest.mark.exhaustive
def test_ends_are_an_interval_of_six_datasets_or_more_and_else_the_range():
    for n_datasets in (5, 8):
        results = made_up.study(n_datasets)
        table = overview(results).query("measure == 'test_mcc' and selector == 's'")
        each = table[table["dataset"] != ""]["change"]
        [row] = table[table["dataset"] == ""].to_dict("records")
        ends = (each.min(), each.max())
        if n_datasets == 8:
            ends = stats.t.interval(0.95, 7, each.mean(), stats.sem(each))
        assert (row["change_low"], row["change_high"]) == pytest.approx(ends)


def test_relative_objectives_are_0_for_random_sets_and_1_for_original_ones():
    results = made_up.study(2, folds=1)
    rows = overview(results).query("measure == 'train_objective' and dataset == 'd0'")
    sets = results.sets[results.sets["dataset"] == "d0"]
    for row in rows.to_dict("records"):
        own = sets[sets["selector"] == row["selector"]]
        drawn = own.loc[own["search"] == "random", "train_objective"].mean()
        ranked = own[own["search"] == "sequential"].set_index("set_index")["train_objective"]
        expected = (ranked[1] - drawn) / (ranked[0] - drawn)
        assert (row["original"], row["random"]) == (1, 0)
        assert row["alternative"] == pytest.approx(expected)
    assert rows["behind"].isna().all()


def text(one):
    return " ".join(one.lines)


def datasets_of(tables, target):
    """The datasets of a kind of target; of all kinds without one."""
    rows = tables["overview"]
    own = rows[rows["target_type"] == target] if target else rows
    return {*own["dataset"]} - {""}


def cost(change):
    """What the advice says of a mean change."""
    return f", {two(-change)} lower" if signed(change).startswith("−") else ""


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", STUDIES)
def test_sentences_say_what_the_table_has(name):
    _, tables = made(name)
    tested = [view for view in shown(name) if view.score != "objective"]
    assert tested
    for view in tested:
        table = tables["overview"].query("measure == 'test_mcc' and dataset == @view.dataset")
        if view.target:
            table = table[table["target_type"] == view.target]
        best = table.loc[table["original"].idxmax()]
        lead, change, threshold = view.answers
        told_apart = (table["behind_high"] < 0).sum() == len(table) - 1
        chance = f", random sets {two(best['random'])}"
        chance *= bool(best["original"] - best["random"] < 0.005)
        assert lead.key == f"{best['selector']}: MCC {two(best['original'])}{chance}"
        many = view.dataset == "" and table["n_datasets"].max() >= 6
        untested = "one dataset, no test" if view.dataset else UNTESTED
        tested_best = "shown by intervals" if many else untested
        verdict = tested_best if told_apart else "no clear best"
        if not view.dataset and table["n_datasets"].max() > 1:
            rows = tables["overview"].query("measure == 'test_mcc' and dataset != ''")
            rows = rows[rows["dataset"].isin(datasets_of(tables, view.target))]
            scores = rows.pivot_table(index="dataset", columns="selector", values="original")
            others = scores.drop(columns=best["selector"]).max(axis=1)
            wins = (scores[best["selector"]] - others >= 0.005).sum()
            verdict = f"alone best on {wins} of {len(scores)}, {verdict}"
        assert lead.verdict == verdict * (len(table) > 1)
        if pd.notna(best["random"]):
            above = best["original"] - best["random"]
            where = "above" if above >= 0 else "below"
            weak = ", not in every fold"
            if view.dataset:
                weak = f", in {best['n_ahead']} of {best['n_original']} folds"
            less = weak * bool(above >= 0 and best["lead_low"] <= 0)
            if not view.dataset:
                each = tables["overview"].query("measure == 'test_mcc' and dataset != ''")
                each = each[each["dataset"].isin(datasets_of(tables, view.target))]
                gain = each[each["selector"] == best["selector"]].drop_duplicates("dataset")
                some = (gain["lead_low"] <= 0).any()
                gain = (gain["original"] - gain["random"]).dropna()
                weak *= bool(some and (gain > 0).all())
                half = stats.t.ppf(0.975, len(gain) - 1) * gain.std() / len(gain) ** 0.5
                less = f" ({signed(gain.min())} to {signed(gain.max())} by datasets){weak}"
                if many:
                    less = f" [{signed(gain.mean() - half)}, {signed(gain.mean() + half)}]"
            said = f"{best['selector']} is {two(abs(above))} {where} random sets{less}."
            same = f"{best['selector']} scores as random sets do."
            assert lead.lines[0] == (same if two(abs(above)) == "0.00" else said)
        # The made-up studies have one threshold. Many datasets show a loss by an interval.
        n_datasets, others = table["n_datasets"].max() if view.dataset == "" else 1, []
        place = "0.5 (at least 1 of 2 differ)"
        gains = table.query("selector == @best['selector']") if view.dataset else (
            tables["overview"].query(
                "measure == 'test_mcc' and dataset != '' and selector == @best['selector']"
            )
        )  # fmt: skip
        # A guess without features scores 0.
        floor = gains["random_of_same"].clip(lower=0)
        keeps = False
        if threshold.key == "No clear lead":
            few = (
                "score no more than",
                "score hardly more than",
                "scores more than random sets only",
            )
            said = ["The lead of "] if many else few
            assert any(words in text(threshold) for words in said)
            # Its own interval: the mean gain is small against the spread of the datasets.
            gain = gains["original"] - gains["random"].fillna(0).clip(lower=0)
            half = stats.t.ppf(0.975, len(gain) - 1) * gain.std() / len(gain) ** 0.5
            # One dataset needs a lead in four of five folds.
            few = view.dataset and (gains["n_ahead"] < 0.8 * gains["n_original"]).all()
            few = few and gains["random"].notna().all()
            assert few or (gain.mean() - half if len(gain) >= 6 else gain.min()) <= 0
        elif n_datasets < 6:
            # Half of the lead over random sets has to remain in every dataset that has one.
            ahead = (gains["n_ahead"] >= 0.8 * gains["n_original"]) | gains["random"].isna()
            assert not view.dataset or ahead.all()
            led = gains["original"] - gains["random"].fillna(0).clip(lower=0) > 0
            others = gains[~led]["dataset"].tolist()
            assert threshold.lines[-1].startswith(f"{listed(others)} do") or not others
            gains = gains[led | ~led.any()]
            lows = gains["change"]
            leads = gains["of_same"] - floor[gains.index].where(gains["random_of_same"].notna())
            # A loss that is read as none does not count.
            half = np.where(leads.isna(), 0.05, leads.clip(lower=0.05) / 2)
            spare = lows + half
            keeps = (spare >= 0).all()
            # All alternatives have to keep half, too.
            alone = "" if (gains["change_worst"] + half >= 0).all() else " for one alternative"
            assert threshold.key == (
                f"Up to 0.5{alone}: at least 1 of 2 features differ{cost(lows.mean())}"
                if keeps
                else "No τ is safe"
            )
            worst = gains.loc[spare.idxmin()]
            if spare.min() < 0:
                assert text(threshold).startswith(f"Even at τ = {place}")
                assert f"lose {two(-lows[spare.idxmin()])}" in text(threshold)
                assert f" on {worst['dataset']}" in threshold.lines[0]
            assert not threshold.verdict
        else:
            lead = best["original"] - best["random"]
            lead = (best["of_same"] - floor).mean()
            half = (gains["of_same"] - floor) / 2
            low_of = {}
            for kind in ("change", "change_worst"):
                # Leads vary as changes do.
                spare = gains[kind] + half
                width = stats.t.ppf(0.975, len(spare) - 1) * spare.std() / len(spare) ** 0.5
                low_of[kind] = spare.mean() - width
            keeps = fine = low_of["change"] >= 0 and best["n_exist"] == best["n_possible"]
            alone = "" if low_of["change_worst"] >= 0 else " for one alternative"
            assert threshold.key == (
                f"Up to 0.5{alone}: at least 1 of 2 features differ{cost(best['change'])}"
                if fine
                else "No τ is safe"
            )
            assert fine or text(threshold).startswith(f"Even at τ = {place}")
            assert f"of the {two(lead)} above random sets" in text(threshold)
            share = f"may keep only {int(50 * (1 + low_of['change'] / half.mean()))} % of the"
            assert fine or best["n_exist"] < best["n_possible"] or share in text(threshold)
        side = "lower" if best["change"] < 0 else "higher"
        less = f"{two(abs(best['change']))} {side}"
        less = "the same" if less.startswith("0.00") else less
        # Where half of the lead is kept, a fifth of it is little, but not more than 0.03.
        least = f"at most {less} on average" if "lower" in less else "no lower"
        fifth = (best["of_same"] - floor.mean()) / 5
        little = 0.03 if pd.isna(fifth) else min(max(fifth, 0.015), 0.03)
        word = "Yes" if best["change"] >= -little else "Partly"
        none = f"Not {'in every fold' if view.dataset else 'everywhere'}, on average"
        none = "Unclear" if many else none
        none = "No" if best["change_high"] < 0 else none
        key = f"{word}, up to τ = 0.5: at least 1 of 2 differ, {least}"
        key = key if keeps else f"{none}: {less}"
        if threshold.key == "No clear lead":
            key = f"{'No' if chance else 'No clear'} lead to keep: {less}"
        span = f"[{signed(best['change_low'])}, {signed(best['change_high'])}]"
        tested = f"95 % interval {span} at τ = 0.5"
        assert change.verdict == (tested if n_datasets >= 6 else untested)
        assert change.key.replace("\xa0", " ") == key
        for point in threshold.points:
            # The share of the lead that the first and the worst alternatives keep.
            for share, kind in ((point.first, "change"), (point.worst, "change_worst")):
                kept = 100 + 50 * gains[kind].mean() / np.mean(half)
                assert share.mean == pytest.approx(kept)
                assert share.low - 1e-9 <= kept <= share.high + 1e-9
            assert (point.band != "less") == keeps
        # Only many datasets have a winner.
        assert view.dataset or n_datasets > 1
        assert (lead.verdict == "shown by intervals") == (n_datasets >= 6 and told_apart)
        sentences = [line for one in view.answers for line in one.lines]
        assert all(len(re.findall(r"\. |\.$", said)) == 1 for said in sentences)
        for row in view.rows[: len(table)]:
            [stored] = table[table["selector"] == row.name].to_dict("records")
            assert row.original == two(stored["original"])
            for cell in row.cells:
                changed = pd.notna(stored["change"])
                assert cell.change == (signed(stored["change"]) if changed else "–")
                # Shaded as much as of the largest lead over random sets is lost.
                whole = table[table["n_original"] == table["n_original"].max()]
                lead = (whole["original"] - whole["random"]).max()
                lost = -stored["change"] / lead if changed and lead > 0.05 else 0.0
                assert cell.lost == pytest.approx(100 * min(max(lost, 0), 1), abs=0.5)


def test_the_worst_alternative_has_the_lowest_mean_change():
    results = made_up.study(2)
    scores = results.first_scores.query("search == 'sequential'").astype({"dataset": str})
    wide = scores.pivot_table(
        index=["selector", "dataset", "fold"], columns="set_index", values="test_score",
        observed=True,
    )  # fmt: skip
    changes = wide.sub(wide[0], axis=0).drop(columns=0)
    for by in (["selector"], ["selector", "dataset"]):
        means = changes.groupby(["selector", "dataset"], observed=True).mean()
        means = means.groupby(level=by, observed=True).mean()
        table = overview(results).query("measure == 'test_mcc'")
        table = table[table["dataset"].ne("") == (len(by) == 2)].set_index(by)
        for key, row in means.iterrows():
            assert table.loc[key, "change_worst"] == pytest.approx(row.min())
            assert table.loc[key, "worst"] == row.idxmin()


def test_one_dataset_has_the_ends_of_its_folds_in_both_of_its_rows():
    table = overview(made_up.study(1)).query("measure == 'test_mcc'").drop(columns="dataset")
    both = [table[:2].reset_index(drop=True), table[2:].reset_index(drop=True)]
    pd.testing.assert_frame_equal(*both)
    assert (both[0]["change_low"] < both[0]["change_high"]).any()


def test_rows_of_a_setting_begin_with_the_best_selector():
    table = overview(made_up.study(3))
    keys = ["measure", "model", "dataset", "n_features", "tau"]
    for _, rows in table.groupby(keys):
        assert rows["original"].is_monotonic_decreasing


@pytest.mark.exhaustive
def test_a_selector_without_sets_somewhere_changes_no_other_row():
    results = made_up.study(4)
    sets = results.sets
    gone = (sets["selector"] == "t") & (sets["dataset"] == "d0")
    lost = sets.assign(
        train_objective=sets["train_objective"].mask(gone),
        status=sets["status"].mask(gone, "infeasible"),
    )
    scored = results.scores[~results.scores["set"].isin(sets.index[gone])]
    some = made_up.results(lost, scored.drop(columns="set"), widths={f"d{i}": 10 for i in range(4)})
    columns = ["original", "alternative", "change", "n", "n_datasets", "n_original"]
    both = [overview(one).query("dataset == '' and measure == 'test_mcc'") for one in
            (results, some)]  # fmt: skip
    whole, part = (table.set_index("selector")[columns] for table in both)
    assert whole.loc["s"].to_list() == pytest.approx(part.loc["s"].to_list())
    assert (whole.loc["t", "n_datasets"], part.loc["t", "n_datasets"]) == (4, 3)
    # It is not the best, whatever its mean, and compared where both have sets.
    table = overview(some).query("dataset == '' and measure == 'test_mcc'").set_index("selector")
    scores = some.first_scores.query("search == 'sequential' and set_index == 0")
    wide = scores.astype({"selector": str, "dataset": str}).pivot_table(
        index=["dataset", "fold"], columns="selector", values="test_score"
    )
    less = (wide["t"] - wide["s"]).groupby(level="dataset").mean().dropna()
    assert table.loc["s", "behind"] == 0
    assert table.loc["t", "behind"] == pytest.approx(less.mean())
    drawn = some.first_scores.query("search == 'random' and set_index == 0 and selector == 't'")
    random = drawn.astype({"dataset": str}).groupby(["dataset", "fold"])["test_score"].mean()
    [view] = [v for v in views(make_tables(some, NAMES), ["s", "t"], {})
              if v.dataset == "" and v.score != "objective"]  # fmt: skip
    [lead, *_] = view.answers
    assert lead.key.startswith("s: MCC") and "t" not in lead.key
    [behind] = [row.behind for row in view.rows if row.name == "t"]
    assert behind == signed(less.mean())
    assert {row.name: row.note for row in view.rows} == {
        "s": "", "random sets": "",
        "t": f"6\xa0of\xa08 folds, where s has {two(wide['s'][wide['t'].notna()].mean())}, "
             f"random sets {two(random[wide.index[wide['t'].notna()]].mean())}",
    }  # fmt: skip


@pytest.mark.parametrize(("conditional", "column"), [(["s"], "n_conditions"), ([], "n_no_room")])
def test_what_counting_forbids_is_apart_from_other_reasons(conditional, column):
    frame = pd.concat([made_up.sets().assign(max_overlap=0, tau="1")] * 1, ignore_index=True)
    gone = frame["set_index"] == 2
    frame["train_objective"] = frame["train_objective"].mask(gone)
    frame["status"] = frame["status"].mask(gone, "infeasible")
    results = made_up.results(frame, widths={"a": 5, "b": 20}, conditional=conditional)
    table = gaps(results).set_index("dataset")
    # Of 5 features there are two disjoint sets of two at most, of 20 there are ten.
    assert table.loc["a", ["n_counting", column, "most_sets"]].tolist() == [1, 0, 2]
    assert table.loc["b", ["n_counting", column]].tolist() == [0, 1]
    assert table.loc["b", ["n_conditions", "n_no_room"]].sum() == 1
    assert table.loc["a", ["reason", "n_all"]].tolist() == ["few features", 2]
    summary, first, second = reasons(gaps(results))
    assert (summary.key, first.key, summary.name) == ("2 alternatives", "1 alternative", "")
    assert text(summary).startswith("1: a has too few features at τ = 1. 1 of s: ")
    assert (
        text(first) == "a has 5 features, enough for at most 2 sets at τ = 1 (with the original)."
    )
    assert text(second).startswith("s lacks 1 in b at τ = 1: ")
    shown = next(views(make_tables(results, NAMES), ["s"], {}))
    asked_for = int((frame["set_index"] > 0).sum())
    assert shown.reasons[0].key == f"2 of {asked_for} alternatives"
    assert {first.name, second.name} < set(TERMS)
    # A link shows the rows of the reason.
    assert (first.name, second.name) == (table.loc["a", "reason"], table.loc["b", "reason"])


def test_families_that_lack_a_set_are_told_apart_from_alternatives():
    ranked = made_up.sets().assign(max_overlap=0, tau="1")
    ranked = ranked[ranked["set_index"] == 0].assign(n_alternatives=0)
    each = [
        made_up.sets().assign(
            max_overlap=0, tau="1", search="together", aggregation=how,
            status=np.where(made_up.sets()["dataset"] == "a", "infeasible", status),
        )
        for how, status in (("sum", "optimal"), ("min", "unknown"))
    ]  # fmt: skip
    frame = pd.concat([ranked, *each], ignore_index=True)
    frame["train_objective"] = frame["train_objective"].where(frame["status"] == "optimal")
    results = made_up.results(
        frame, widths={"a": 9, "b": 20}, search_types={"together": "simultaneous"}
    )
    table = gaps(results).set_index("dataset")
    # Nine features have four disjoint pairs; three such sets are ruled out by the proof alone.
    columns = ["search", "counted", "n_planned", "n_counting", "n_unknown", "most_sets"]
    assert table.loc["a", columns].tolist() == ["together", "family", 2, 2, 0, 2]
    assert table.loc["b", columns[:-1]].tolist() == ["together", "family", 2, 0, 1]
    [reason] = reasons(gaps(results))
    assert reason.name == "together"
    why = "3 families lack a set (few features: 2, limits: 1), in a and b at τ = 1."
    assert (text(reason), reason.key) == (why, "3 families")


def test_a_model_that_is_worse_than_the_mean_is_called_that():
    results = made_up.results(types={"a": "regression", "b": "regression"})
    scored = results.scores.assign(metric="r2", test_score=np.where(
        results.scores["dataset"] == "a", -0.3, 0.4))  # fmt: skip
    results = made_up.results(
        results.sets, scored.drop(columns="set"), types={"a": "regression", "b": "regression"}
    )
    of = {view.dataset: view.rows[0].note for view in views(make_tables(results, NAMES), ["s"], {})
          if view.score != "objective"}  # fmt: skip
    assert of == {"": "", "a": "worse than the mean", "b": ""}


def test_the_target_of_most_datasets_comes_first():
    rows = made("one")[1]["overview"].query("dataset == 'd0'")
    both = pd.concat([
        rows.assign(dataset=name, target_type=kind)
        for name, kind in {"a": "classification", "b": "regression", "c": "regression"}.items()
    ])  # fmt: skip
    assert next(views({"overview": both}, ["s", "t"], {})).target == "regression"


def test_features_of_datasets_are_those_of_most_folds():
    _, tables = made("one")
    [listed] = features_of_datasets(tables, {})
    assert listed.size == "k = 2"
    [(name, words)] = listed.rows
    assert name == "d0" and words.startswith("f0 (2/2), f1 (2/2); f1 ⇄ f2")


def test_a_study_without_ranked_sets_has_no_first_table():
    assert [*views({}, [], {})] == []
    assert reasons(gaps(made("one")[0])) == []
    assert features_of_datasets({}, {}) == []


def test_a_dataset_without_any_score_is_not_compared():
    results = made_up.study(3)
    gone = results.scores["dataset"].astype(str) == "d1"
    some = made_up.results(
        results.sets,
        results.scores[~gone].drop(columns="set"),
        widths={f"d{i}": 10 for i in range(3)},
    )
    table = overview(some).query("measure == 'test_mcc'")
    assert table.query("dataset == 'd1'")["behind"].isna().all()
    assert table.query("dataset == ''")["n_datasets"].tolist() == [2, 2]


@pytest.mark.exhaustive
def test_a_dataset_with_too_few_features_has_no_say_in_the_threshold():
    frame = made_up.sets().assign(max_overlap=0, tau="1")
    # Two features have no two disjoint pairs; b has them, and loses little.
    gone = (frame["dataset"] == "a") & (frame["set_index"] > 0)
    frame["train_objective"] = frame["train_objective"].mask(gone)
    frame["status"] = frame["status"].mask(gone, "infeasible")
    results = made_up.results(frame, widths={"a": 2, "b": 20})
    table = overview(results).set_index(["model", "dataset"])
    for dataset, possible, exist in (("", 1, 1), ("a", 0, 0), ("b", 1, 1)):
        row = table.loc[("decision_tree", dataset)]
        assert (row["n_planned"], row["n_possible"], row["n_exist"]) == (
            2 if dataset == "" else 1, possible, exist,
        )  # fmt: skip
    [view] = [v for v in views(make_tables(results, NAMES), ["s"], {})
              if v.dataset == "" and v.score != "objective"]  # fmt: skip
    assert view.answers[-2].verdict == UNTESTED


@pytest.mark.parametrize(
    ("lows", "exist", "key"),
    [
        ([-0.1, -0.12, -0.15], [7, 7, 7], "Up to 1: at least 4 of 4 features differ, 0.05 lower"),
        # A larger threshold is not advised where a smaller one is not.
        ([-0.1, -0.2, -0.15], [7, 7, 7], "Up to 0.25: at least 1 of 4 features differ, 0.05 lower"),
        ([-0.1, -0.1, -0.2], [7, 7, 7], "Up to 0.5: at least 2 of 4 features differ, 0.05 lower"),
        ([-0.2, -0.2, -0.2], [7, 7, 7], "No τ is safe"),
        ([-0.2, -0.1, -0.1], [7, 7, 7], "No τ is safe"),
        ([-0.1, -0.1, -0.1], [7, 7, 6], "Up to 0.5: at least 2 of 4 features differ, 0.05 lower"),
    ],
)
def test_the_largest_threshold_that_keeps_half_of_the_lead_is_advised(lows, exist, key):
    rows = pd.DataFrame({
        "tau": ["0.25", "0.5", "1"], "change": -0.05, "change_low": lows, "n_exist": exist,
        "n_all_exist": exist,
        "n_features": 4, "max_overlap": [3, 2, 0], "last": 1, "worst": 1, "change_worst": -0.05,
    })  # fmt: skip
    # One dataset of eight has too few features.
    rows = rows.assign(n_possible=7, n_planned=8, n_datasets=7, change_high=0.0, dataset="")
    # The lead is that over random sets of the datasets that have the alternative.
    rows = rows.assign(original=0.9, random=0.7, of_same=0.75, random_of_same=0.45)
    # All datasets change by the low end.
    each = pd.concat([rows.assign(change=rows["change_low"])] * 8)
    answer, _ = headline._which_tau(rows, "s", True, each)
    assert answer.key == key
    assert "of the 0.30 above random sets on the 7 datasets that have alternatives" in text(answer)
    none = key.startswith("No τ")
    assert (
        "Even at τ = 0.25 (at least 1 of 4 differ) first alternatives of s may keep only 33 % of"
        in text(answer)
    ) == none
    # Without random sets, little may be lost: an interval that holds 0 is not enough.
    wide = rows.assign(random_of_same=np.nan, change_low=[-0.05, -0.3, -0.06], change_high=0.1)
    each = pd.concat([wide.assign(change=wide["change_low"])] * 8)
    other, _ = headline._which_tau(wide, "s", True, each)
    assert (
        other.key == "Up to 0.25: at least 1 of 4 features differ, 0.05 lower"
        and "lose at most 0.05" in text(other)
    )


def test_sentences_rest_on_thresholds_that_have_no_column_too():
    rows = made("one")[1]["overview"]
    taus = [f"0.{i}" for i in range(1, 8)]
    # The fourth one has no column.
    every = pd.concat([
        rows.assign(
            tau=tau, change=change, change_low=change, change_high=change, random_of_same=0.0
        )
        for tau, change in zip(taus, [0, 1e-6, 2e-6, 3e-6, 4e-6, -0.5, 0], strict=True)
    ])  # fmt: skip
    view = next(views({"overview": every}, ["s", "t"], {}))
    assert "τ = 0.4" not in [tau for _, tau in view.heads] and len(view.heads) == 6
    some = "search sequential; 6 of 7 τ, all in table Overview"
    assert view.search == f"{some}; below: least to most of the folds"
    _, change, threshold = view.answers
    # The largest loss is told, and thresholds if as many features differ.
    said = "Yes, up to τ = 0.5: at least 1 of 2 differ, no lower; beyond that, up to 0.50 lower"
    assert change.key.replace("\xa0", " ") == said
    assert threshold.lines[1:] == ["Further alternatives may keep less than half."]
    assert threshold.n_apart == 5
    shares = [round(one.first.mean) for one in threshold.points]
    assert shares == [*[100] * 5, 22, 100]
    assert threshold.bands == [("as well", 5), ("less", 2)]
    assert threshold.key == "Up to 0.5 for one alternative: at least 1 of 2 features differ"
    assert change.verdict == "one dataset, no test"
    # Random sets have 0, so half of the lead is half of the score.
    original = rows["of_same"].iloc[0]
    assert threshold.scores == [two(original), two(original / 2), "0.00"]


@pytest.mark.parametrize(
    ("changes", "lead", "key"),
    [
        # A loss of a fifth of the lead is little; half of it may be lost.
        (
            [-0.02, -0.01, -0.2],
            0.4,
            "Yes, up to τ = 0.2: at least 1 of 2 differ, at most 0.02 lower on average; "
            "at τ = 0.3, 0.20 lower (unclear)",
        ),
        (
            [0.01, 0, -0.2],
            0.6,
            "Yes, up to τ = 0.2: at least 1 of 2 differ, no lower; "
            "at τ = 0.3, 0.20 lower (unclear)",
        ),
        (
            [-0.01, -0.05, -0.15],
            0.4,
            "Yes, up to τ = 0.1: at least 1 of 2 differ, at most 0.01 lower on average; "
            "beyond that, up to 0.15 lower (unclear)",
        ),
        (
            [-0.01, -0.1, -0.3],
            0.4,
            "Yes, up to τ = 0.1: at least 1 of 2 differ, at most 0.01 lower on average; "
            "beyond that, up to 0.30 lower (unclear)",
        ),
        (
            [-0.1, -0.3, -0.2],
            0.4,
            "Partly, up to τ = 0.1: at least 1 of 2 differ, at most 0.10 lower on average; "
            "beyond that, up to 0.30 lower (unclear)",
        ),
        ([-0.1, -0.3, -0.2], 0.1, "Unclear: 0.10 to 0.30 lower"),
        # Little is lost.
        (
            [-0.01, -0.02, -0.03],
            0.4,
            "Yes, up to τ = 0.3: at least 1 of 2 differ, at most 0.03 lower on average",
        ),
        (
            [0, -0.2, -0.2001],
            0.4,
            "Yes, up to τ = 0.1: at least 1 of 2 differ, no lower; "
            "beyond that, up to 0.20 lower (unclear)",
        ),
    ],
)
def test_alternatives_are_told_apart_before_the_first_large_loss(changes, lead, key):
    rows = made("thirty")[1]["overview"].query("measure == 'test_mcc'")
    rows = rows.assign(random=rows["original"] - lead, random_of_same=rows["of_same"] - lead)
    every = pd.concat([
        rows.assign(tau=tau, change=change, change_low=-0.4, change_high=0.1)
        for tau, change in zip(["0.1", "0.2", "0.3"], changes, strict=True)
    ])  # fmt: skip
    _, change, *_ = next(views({"overview": every}, ["s", "t"], {})).answers
    assert change.key.replace("\xa0", " ") == key
    # The interval is that of the largest loss up to there.
    assert change.verdict.startswith("95 % interval [−0.40, +0.10] at τ = ")
    assert change.verdict[-3:] in key or key.startswith("Unclear")


def test_a_loss_that_is_shown_at_some_thresholds_names_them():
    rows = made("thirty")[1]["overview"].query("measure == 'test_mcc'")
    rows = rows.assign(random=rows["original"] - 0.1, random_of_same=rows["of_same"] - 0.1)
    every = pd.concat([
        rows.assign(tau=tau, change=-0.1, change_low=low, change_high=high)
        for tau, low, high in [("0.1", -0.2, -0.05), ("0.2", -0.3, 0.1), ("0.3", -0.4, 0.1)]
    ])  # fmt: skip
    _, change, *_ = next(views({"overview": every}, ["s", "t"], {})).answers
    assert change.key == "Lower, shown at τ = 0.1: 0.10 lower"


def test_a_study_without_random_sets_is_judged_by_the_loss_and_says_so():
    rows = made("one")[1]["overview"].query("measure == 'test_mcc'")
    rows = rows.assign(random=float("nan"), random_of_same=float("nan"), original=0.6)
    view = next(views({"overview": rows}, ["s", "t"], {}))
    assert view.kept == "At most 0.05 is lost"
    assert "No lead is known, as the study has no random sets." in view.answers[0].lines
    assert view.answers[-1].label == "Which τ loses at most 0.05?"
    words = " ".join([view.caption, *(line for one in view.answers for line in one.lines)])
    assert "nan" not in words
    assert "half" not in words


def test_a_dataset_that_is_predicted_without_errors_is_named():
    rows = made("one")[1]["overview"]
    [lead, *_] = next(views({"overview": rows.assign(original=1.0)}, ["s", "t"], {})).answers
    assert lead.lines[1] == "Scores are 1.00 on d0: a feature may give the target away."


def test_other_sizes_are_told_beside_the_table():
    rows = made("one")[1]["overview"].query("measure == 'test_mcc'")
    best, other = rows.sort_values("original")["selector"].unique()[[-1, 0]]
    smaller = rows.assign(n_features=1, original=rows["selector"].map({best: 0.1, other: 0.2}))
    view = next(views({"overview": pd.concat([rows, smaller])}, ["s", "t"], {}))
    [elsewhere] = view.others
    assert elsewhere.choice == "k = 1"
    assert elsewhere.keys[0].startswith(f"{other}: MCC 0.20") and len(elsewhere.keys) == 4
    # Also a size of which no set exists.
    tables = {"overview": rows, "gaps": gaps(made_up.results()).assign(n_features=9)}
    tables["gaps"] = tables["gaps"].assign(n_counting=2, counted="alternative", most_sets=1)
    [elsewhere] = next(views(tables, ["s", "t"], {})).others
    assert elsewhere.choice == "k = 9" and elsewhere.keys[:3] == ["–", "–", "–"]
    assert elsewhere.keys[3].endswith("alternatives (few features of b, no room)")


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", STUDIES)
def test_words_and_table_tell_selectors_apart_by_one_rule(name):
    for view in shown(name):
        others = [row for row in view.rows if row.behind not in ("", "best")]
        if "Brackets" in view.caption and view.answers:
            unclear = view.answers[0].verdict.endswith("no clear best")
            assert unclear == (not all(row.clear for row in others))


@pytest.mark.parametrize(
    ("lasts", "key", "line"),
    [
        ([-0.1, -0.1, -0.1], "Up to 1: at least 2 of 2 features differ, 0.10 lower", []),
        (
            [-0.1, -0.2, -0.1],
            "Up to 0.2 for all 3, 1 for the first alone: at least 2 of 2 features differ, "
            "0.10 lower",
            [],
        ),
        (
            [-0.2, -0.1, np.nan],
            "Up to 1 for one alternative: at least 2 of 2 features differ, 0.10 lower",
            ["Further alternatives may keep less than half."],
        ),
    ],
)
def test_a_threshold_is_advised_for_all_alternatives(lasts, key, line):
    rows = pd.concat([
        pd.DataFrame({
            "tau": tau, "dataset": "d", "n_features": 2, "max_overlap": 0, "of_same": 0.8,
            "random_of_same": 0.5, "change": -0.1, "change_worst": low, "worst": 3,
            "last": 3, "n_datasets": 1, "n_planned": 2, "n_all_exist": 6,
        }, index=[0])
        for tau, low in zip(("0.2", "0.6", "1"), lasts, strict=True)
    ], ignore_index=True)  # fmt: skip
    answer, _ = headline._which_tau(rows, "s", False, rows)
    assert answer.key == key
    assert [said.startswith(one) for said, one in zip(answer.lines[1:], line, strict=True)] == (
        [True] * len(line)
    )
    # One of them does not exist.
    fewer, _ = headline._which_tau(rows.assign(n_all_exist=5), "s", False, rows)
    assert fewer.lines[0] == answer.lines[0].replace(
        "all 3 alternatives of s", "all alternatives of s that exist"
    )
    assert "the worst of up to 3 alternatives" in fewer.points_of


def test_of_few_datasets_those_without_a_lead_are_left_out_of_the_advice():
    rows = pd.DataFrame({
        "dataset": ["a", "b", "c"], "selector": "s", "measure": "test_mcc", "tau": "1",
        "original": [0.8, 0.7, 0.2], "random": [0.4, 0.3, 0.3], "change": [-0.1, 0.1, -0.4],
        "change_worst": -0.1, "worst": 1, "last": 1, "n_original": 5, "n_exist": 5, "n_planned": 5,
        "n_all_exist": 5,
        "n_possible": 5, "n_features": 2, "max_overlap": 0, "behind": 0.0, "lead_low": 0.1,
        "n_ahead": 5,
    }).assign(of_same=lambda t: t["original"], random_of_same=lambda t: t["random"])  # fmt: skip
    rows = rows.assign(change_low=rows["change"], change_high=rows["change"], behind_high=0.0)
    means = rows.mean(numeric_only=True).to_frame().T
    whole = rows.head(1).assign(
        **{**means.iloc[0], "dataset": "", "n_datasets": 3, "n_features": 2}
    )
    answer = headline.answers(whole, rows)[-1]
    assert answer.key == "Up to 1: at least 2 of 2 features differ"
    # The lowest share is of a, which loses a quarter of its lead; c has no lead.
    [point] = answer.points
    assert point.first.low == pytest.approx(75)
    assert [name for name, _ in point.first.dots] == ["a: −0.10", "b: +0.10"]
    assert answer.lines[1] == "c does not count, as its original sets have no clear lead."
    # The dataset that loses more than the others is named.
    assert answer.lines[2:] == ["On a the first one is 0.10 lower at τ = 1."]


def test_an_unclear_lead_is_over_the_floor_that_all_datasets_have():
    gains = pd.Series([0.9, 0.1, 0.01, 0.02, 0.01, 0.02])
    rows = pd.DataFrame({"dataset": [*"abcdef"], "selector": "s", "random": 0.1, "n_ahead": 5})
    # No dataset is without a lead, but their mean is not shown to have one.
    line, without = headline._without_lead(rows.assign(original=0.1 + gains), "test_mcc")
    assert line.startswith("The lead of s over random sets is +0.18 [") and without == []


def test_of_equal_scores_that_of_the_most_alternatives_is_compared():
    rows = made("one")[1]["overview"].query("measure == 'test_mcc' and dataset == 'd0'")
    for first, second in (("s", "t"), ("t", "s")):
        there = rows["n_exist"] - (rows["selector"] == second)
        original = rows["selector"].map({first: 0.8, second: 0.8001})
        same = rows.assign(n_exist=there, original=original, behind=original - 0.8001)
        [lead, change, _] = headline.answers(same, same)
        assert {first, second} == {*lead.key.split(":")[0].split(" and ")}
        assert lead.selector == first
        assert change.selector == first or change.lines[0].startswith(f"{first} has no clear lead")


def test_alternatives_are_those_of_a_selector_with_a_clear_lead():
    rows = made("one")[1]["overview"].query("measure == 'test_mcc' and dataset == 'd0'")
    own = rows["selector"] == "s"
    # The scores of s are a little larger than those of t, but not in every fold.
    rows = rows.assign(
        original=np.where(own, 0.82, 0.8), behind=np.where(own, 0.0, -0.02), behind_low=-0.1,
        behind_high=0.1, random=0.5, lead_low=np.where(own, -0.1, 0.1),
    )  # fmt: skip
    lead, change, threshold = headline.answers(rows, rows)
    assert lead.selector == "s" and change.selector == "t"
    assert change.label == "Do first alternatives of t predict as well?"
    assert change.lines[0] == "s has no clear lead over random sets."
    assert threshold.key != "No clear lead" and "alternatives of t" in text(threshold)
    # A selector that is told apart from the best one does not take its place.
    worse = rows.assign(behind_high=np.where(own, 0.0, -0.01))
    assert headline.answers(worse, worse)[1].selector == "s"
    assert headline.answers(rows, rows, with_others=False)[2].key == "No clear lead"


def test_a_dataset_without_a_useful_model_gets_no_advice():
    rows = made("one")[1]["overview"].query("measure == 'test_mcc' and dataset == 'd0'")
    rows = rows.assign(original=rows["original"] - 9, measure="test_r2")
    [lead, _, threshold] = headline.answers(rows, rows)
    assert " is worse than the mean of the target" in text(lead)
    said = ["On d0 its original sets score no more than random sets."]
    assert threshold[1:4] == ("No clear lead", said, "")
    # Without random sets the mean is the floor; with them, alternatives below them are no advice.
    [_, _, threshold] = headline.answers(rows.assign(random=np.nan, random_of_same=np.nan), rows)
    assert threshold.lines == said
    same = rows.assign(original=0.5, of_same=0.5, random=0.3, random_of_same=0.3)
    for low, key in (
        (-0.1, "Up to 0.5: at least 1 of 2 features differ, 0.10 lower"),
        (-0.101, "No τ is safe"),
    ):
        changed = same.assign(change=low, change_low=low, change_high=low, last=1)
        [_, _, threshold] = headline.answers(changed, changed)
        assert threshold.key == key
    assert "lose 0.10 of the 0.20 above random sets on d0" in text(threshold)
    # Half of a lead that two decimals hardly show is no advice.
    small = same.assign(random=0.46, random_of_same=0.46, change=-0.01)
    [_, _, threshold] = headline.answers(small, small)
    assert threshold.key == "No clear lead" and "hardly more than random sets" in text(threshold)
