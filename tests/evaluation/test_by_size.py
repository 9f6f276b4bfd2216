"""Several metrics, the table of the best sizes, and its figure."""

import pytest
from audit import collected_results
from conftest import SMALL
from made_up import figure_of

from altfs.evaluation.report.columns import described
from altfs.evaluation.tables import make_tables

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
    assert set(results.predictions["metric"]) == {"f1_macro"}
    assert set(results.further["metric"]) == {"mcc"}
    assert len(results.further) == len(results.predictions)
    every = results.by_every_metric()
    wide = every.pivot(index=[c for c in every if c not in ("metric", "train_score", "test_score")],
                       columns="metric", values="test_score")  # fmt: skip
    assert wide.corr().iloc[0, 1] > 0.9
    assert not (wide["mcc"] == wide["f1_macro"]).all()


def test_the_best_size_is_the_smallest_of_the_best_mean(results):
    table = make_tables(results, ["by_size"])["by_size"]
    assert all(column.meaning for column in described("by_size", table))
    assert len(table) == len(METRICS)
    scores = results.by_every_metric()
    for row in table.itertuples():
        own = scores[(scores["metric"] == row.metric) & (scores["set_index"] == 0)]
        own = own[own["tau"].astype(str) == "1"]
        means = own.groupby("n_features")["test_score"].mean()
        assert row.best_score == pytest.approx(means.max())
        assert row.best_size == means.idxmax()
        assert (row.n_sizes, row.n) == (3, 2)


def test_the_figure_marks_it(results):
    drawn = figure_of(results, "score_by_size").to_dict()
    (rows,) = drawn["datasets"].values()
    table = make_tables(results, ["by_size"])["by_size"]
    assert len(rows) == 3 * len(METRICS)
    best = {row["metric"]: row for row in rows if row["best"]}
    for row in table.itertuples():
        assert best[row.metric]["n_features"] == row.best_size
        assert best[row.metric]["score"] == pytest.approx(row.best_score, abs=1e-4)
