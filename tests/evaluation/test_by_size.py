"""Several metrics, the table of the best sizes, and its figure."""

import pandas as pd
import pytest
from audit import collected_results, results_of, run_tasks
from made_up import figure_of, make_tables
from studies import SMALL

from altfs.errors import ConfigError
from altfs.evaluation.report.columns import described
from altfs.study.session import check_study

METRICS = ["f1_macro", "mcc"]
CONFIG = {
    **SMALL,
    "datasets": ["sklearn:wine"],
    "selectors": ["f_statistic"],
    "n_features": [1, 2, 3],
    "taus": ["1", "0.5"],
    "searches": [{"name": "sequential", "n_alternatives": 1}],
    "metrics": METRICS,
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    with collected_results(tmp_path_factory.mktemp("by_size"), CONFIG) as results:
        yield results


def test_every_metric_is_a_row(results):
    assert set(results.first_scores["metric"]) == {"f1_macro"}
    assert set(results.scores["metric"]) == {"f1_macro", "mcc"}
    assert len(results.scores) == 2 * len(results.first_scores)
    every = results.scores
    wide = every.pivot(index=[c for c in every if c not in ("metric", "train_score", "test_score")],
                       columns="metric", values="test_score")  # fmt: skip
    assert wide.corr().iloc[0, 1] > 0.9
    assert not (wide["mcc"] == wide["f1_macro"]).all()


def test_the_best_size_is_the_smallest_of_the_best_mean(results):
    table = make_tables(results, ["by_size"])["by_size"]
    assert all(column.meaning for column in described("by_size", table))
    assert len(table) == len(METRICS)
    scores = results.scores
    for row in table.itertuples():
        own = scores[(scores["metric"] == row.metric) & (scores["set_index"] == 0)]
        own = own[own["tau"].astype(str) == "1"]
        means = own.groupby("n_features")["test_score"].mean()
        assert row.best_score == pytest.approx(means.max())
        assert row.best_size == means.idxmax()
        assert (row.n_sizes, row.n) == (3, 2)


def test_the_figure_marks_the_best_size(results):
    drawn = figure_of(results, "score_by_size").to_dict()
    (rows,) = drawn["datasets"].values()
    table = make_tables(results, ["by_size"])["by_size"]
    assert len(rows) == 3 * len(METRICS)
    best = {row["metric"]: row for row in rows if row["best"]}
    for row in table.itertuples():
        assert best[row.metric]["n_features"] == row.best_size
        assert best[row.metric]["score"] == pytest.approx(row.best_score, abs=1e-4)


def test_collected_results_keep_every_metric(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plan = check_study({**CONFIG, "n_features": [1], "taus": ["1"]})
    run_tasks(plan)
    wide = results_of(plan).table.num_rows
    whole = pd.read_parquet(plan.dataset_sets_path("wine"))
    scores = pd.read_parquet(plan.scores_path())
    for metric, end in (("f1_macro", "score"), ("mcc", "mcc")):
        rows = scores[scores["metric"] == metric].set_index("set")
        for part in ("train", "test"):
            expected = whole[f"decision_tree_{part}_{end}"].dropna()
            assert len(expected) and rows[f"{part}_score"].to_dict() == expected.to_dict()
    assert len(whole) == wide


@pytest.mark.parametrize(
    ("metrics", "why"),
    [
        (["f1"], r"metrics\[0\]: 'f1' is not a metric, .*allowed are: mcc, f1_macro"),
        ([], "metrics: give at least one of mcc"),
        (["mcc", "mcc"], "'mcc' is listed twice"),
    ],
)
def test_metrics_that_are_refused(metrics, why):
    with pytest.raises(ConfigError, match=why):
        check_study({**CONFIG, "metrics": metrics})
