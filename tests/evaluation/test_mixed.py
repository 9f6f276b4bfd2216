"""A real study of classes and of numbers, with a floor: its tables by another route, in SQL."""

import json
from pathlib import Path

import pandas as pd
import pytest
from audit import make_study, results_of, sql, table
from studies import SMALL

from altfs.commands.report import report
from altfs.evaluation.results import by_target
from altfs.study.session import open_study

CONFIG = {
    **SMALL,
    "datasets": ["sklearn:wine", "sklearn:diabetes"],
    "selectors": [
        {"name": "mutual_information", "options": {"estimator": "sklearn"}},
        {"name": "greedy_wrapper", "options": {"max_iterations": 20}},
    ],
    "taus": ["0.3", "1"],
    "searches": [
        {"name": "sequential", "n_alternatives": 2},
        {"name": "simultaneous", "n_alternatives": 1, "aggregation": "sum"},
        {"name": "floor", "type": "random", "n_alternatives": 2},
    ],
}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return make_study(tmp_path_factory.mktemp("mixed"), CONFIG)


@pytest.fixture(scope="module")
def study(found):
    report(found)
    return found


def only(rows):
    assert len(rows) == 1
    return rows.iloc[0]


@pytest.mark.exhaustive
def test_nothing_is_averaged_over_classes_and_numbers(study):
    expected = sql(study, """
        select dataset, avg(train_objective) from {shards} where selector = 'greedy_wrapper'
        and search = 'sequential' and tau = '0.3' and set_index = 1 group by 1 order by 1
    """)  # fmt: skip
    rows = table(study, "quality").query(
        "selector == 'greedy_wrapper' and search == 'sequential' and tau == '0.3' "
        "and set_index == 1"
    )
    assert rows["target_type"].tolist() == ["classification", "regression"]
    assert rows["train_objective_mean"].tolist() == pytest.approx([expected[1][1], expected[0][1]])
    assert rows["n_datasets"].tolist() == [1, 1]
    assert rows["n_planned"].tolist() == [2, 2]
    # Every table says of which kind its rows are, or averages nothing; no row is of both.
    plan = open_study(study)
    for path in Path(plan.results, "tables").glob("*.csv"):
        columns = list(pd.read_csv(path).columns)
        if path.stem not in ("datasets", "missing", "notes"):
            assert columns[0] == "target_type", path.stem
    for name in ("spread", "by_alternative", "by_tau", "controls", "friedman", "pairwise"):
        found = table(study, name)
        assert not found.query("target_type == 'regression'")["measure"].str.contains("mcc").any()
        assert (
            not found.query("target_type == 'classification'")["measure"].str.contains("r2").any()
        )
        assert found["n_datasets"].max() == 1
    overview = table(study, "prediction_overview")
    assert overview.groupby("target_type")["metric"].unique().map(list).to_dict() == {
        "classification": ["mcc"], "regression": ["r2"],
    }  # fmt: skip


@pytest.mark.exhaustive
def test_figures_show_both_kinds_apart(study):
    for name in ("score_by_selector", "objective_by_alternative", "quality_between_controls"):
        drawn = (study / "figures" / f"{name}.svg").read_text("utf-8")
        assert ">Classification<" in drawn
        assert ">Regression<" in drawn
    # The kinds share what is chosen at first, so that each has rows of it.
    for path in (study / "figures").glob("*.json"):
        if path.name.endswith(".column.json"):
            continue
        parts = json.loads(path.read_text("utf-8")).get("vconcat", [])
        drawn = path.with_suffix(".svg").read_text("utf-8")
        if len(parts) == 2 and all("facet" in part for part in parts):
            assert ">Classification<" in drawn, path.stem
            assert ">Regression<" in drawn, path.stem


@pytest.mark.exhaustive
def test_parts_are_those_of_the_plan(found):
    plan = open_study(found)
    parts = by_target(results_of(plan))
    assert {kind: part.design.dataset_names for kind, part in parts.items()} == {
        "classification": ["wine"], "regression": ["diabetes"],
    }  # fmt: skip
    assert {k: set(p.sets["dataset"]) for k, p in parts.items()} == {
        "classification": {"wine"}, "regression": {"diabetes"},
    }  # fmt: skip


@pytest.mark.exhaustive
def test_dissimilarity_agrees_with_sql(study):
    expected = sql(study, """
        select avg(least), avg(middle) from (
            select min(d) least, avg(d) middle from (
                select a.fold, 1 - len(list_intersect(a.selected, b.selected)) / 3.0 d
                from {shards} a join {shards} b using (dataset, fold, selector, tau, search)
                where dataset = 'wine' and selector = 'mutual_information' and tau = '0.3'
                and search = 'sequential' and a.set_index < b.set_index
                and len(a.selected) > 0 and len(b.selected) > 0)
            group by fold)
    """)[0]  # fmt: skip
    rows = table(study, "dissimilarity").query(
        "target_type == 'classification' and selector == 'mutual_information' and tau == '0.3' "
        "and search == 'sequential'"
    )
    found = rows.set_index("within_run")["mean"]
    assert (found["min"], found["mean"]) == pytest.approx(expected)


@pytest.mark.exhaustive
def test_stability_agrees_with_sql(study):
    jaccard, kuncheva = sql(study, """
        select r / (6.0 - r), (r - 9 / 13) / (3 - 9 / 13) from (
            select len(list_intersect(a.selected, b.selected)) r from {shards} a join {shards} b
            using (dataset, selector, tau, search, set_index)
            where dataset = 'wine' and selector = 'greedy_wrapper' and tau = '1' and set_index = 1
            and search = 'sequential' and a.fold = 0 and b.fold = 1)
    """)[0]  # fmt: skip
    row = only(
        table(study, "stability").query(
            "dataset == 'wine' and selector == 'greedy_wrapper' and tau == '1' and set_index == 1 "
            "and search == 'sequential'"
        )
    )
    assert (row["jaccard"], row["kuncheva"]) == pytest.approx((jaccard, kuncheva))
    assert row["nogueira"] == pytest.approx(kuncheva)


@pytest.mark.exhaustive
def test_selected_features_agree_with_sql(study):
    expected = sql(study, """
        select f, count(*) from (select unnest(feature_names) f from {shards}
            where dataset = 'diabetes' and selector = 'mutual_information'
            and search = 'sequential' and set_index > 0)
        group by 1 order by 1
    """)  # fmt: skip
    rows = table(study, "selection_frequency").query(
        "dataset == 'diabetes' and selector == 'mutual_information' and sets == 'alternative'"
    )
    found = rows.sort_values("feature")[["feature", "n_selected"]]
    assert list(found.itertuples(index=False, name=None)) == expected


@pytest.mark.exhaustive
def test_substitutes_agree_with_sql(study):
    expected = sql(study, """
        with pairs as (
            select row_number() over () id, a.feature_names other, o.feature_names original
            from {shards} a join {shards} o using (dataset, fold, selector, tau, search)
            where dataset = 'wine' and selector = 'mutual_information' and search = 'sequential'
            and a.set_index > 0 and o.set_index = 0 and len(a.selected) > 0),
        gone as (select id, f feature from (select id, other, unnest(original) f from pairs)
                 where not list_contains(other, f)),
        new as (select id, f substitute, count(*) over (partition by id) n
                from (select id, original, unnest(other) f from pairs)
                where not list_contains(original, f))
        select feature, substitute, sum(1.0 / n) from gone join new using (id)
        group by 1, 2 order by 1, 2
    """)  # fmt: skip
    rows = table(study, "substitutes").query(
        "dataset == 'wine' and selector == 'mutual_information'"
    )
    rows = rows.sort_values(["feature", "substitute"])
    assert rows[["feature", "substitute"]].to_numpy().tolist() == [list(e[:2]) for e in expected]
    assert rows["weight"].tolist() == pytest.approx([e[2] for e in expected])


@pytest.mark.exhaustive
def test_controls_agree_with_sql(study):
    value, floor, ceiling = sql(study, """
        with rows as (
            select s.*, p.test_score from {shards} s join {scores} p using (dataset, fold, selected)
            where dataset = 'diabetes' and selector = 'mutual_information'),
        floors as (select fold, avg(test_score) low from rows where search = 'floor' group by 1),
        best as (select fold, any_value(test_score) ceiling from rows
                 where search = 'sequential' and set_index = 0 group by 1)
        select avg(test_score), avg(low), avg(ceiling)
        from rows join floors using (fold) join best using (fold)
        where search = 'sequential' and set_index = 1
    """)[0]  # fmt: skip
    row = only(
        table(study, "controls").query(
            "target_type == 'regression' and selector == 'mutual_information' "
            "and search == 'sequential' and set_index == 1 and tau.isna() and measure == 'test_r2'"
        )
    )
    assert (row["value_mean"], row["floor_mean"], row["ceiling_mean"]) == pytest.approx(
        (value, floor, ceiling)
    )
    assert row["relative_median"] == pytest.approx((value - floor) / (ceiling - floor))
    assert row["floor"] == "floor"
