"""The table and the figure of data whose relevant features are known."""

import pytest
from audit import collected_results
from made_up import make_tables
from studies import SMALL

from altfs.catalogue import figures, tables
from altfs.evaluation.figures import make_figure
from altfs.evaluation.report.columns import described
from altfs.study.config import parse_config

MIXED = {"name": "made", "type": "synthetic", "options": {"design": "mixed", "rows": 120}}
RELEVANT = ["petal length (cm)", "petal width (cm)"]
IRIS = {"name": "i", "type": "sklearn", "options": {"dataset": "iris", "relevant": RELEVANT}}
INJECTED = {"name": "w", "type": "sklearn", "options": {"dataset": "wine", "inject": {"noise": 9}}}
CONFIG = {
    **SMALL,
    "datasets": [MIXED, IRIS, INJECTED, "sklearn:wine"],
    "selectors": ["mutual_information"],
    "n_features": [1, 3],
    "taus": ["1"],
    "searches": [{"name": "sequential", "n_alternatives": 1}],
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    with collected_results(tmp_path_factory.mktemp("truth"), CONFIG) as results:
        yield results


@pytest.mark.exhaustive
def test_gain_and_recall_are_counted_over_folds(results):
    table = make_tables(results, ["truth"])["truth"]
    assert all(column.meaning for column in described("truth", table))
    sets = results.table.to_pandas()
    assert set(table["dataset"]) == {"made", "i", "w"}
    assert set(table["set_index"]) == {0, 1}
    for row in table.itertuples():
        own = sets[
            (sets["dataset"] == row.dataset) & (sets["n_features"] == row.n_features)
            & (sets["set_index"] == row.set_index) & (sets["selected"].map(len) > 0)
        ]  # fmt: skip
        found = [
            sum(f in RELEVANT if row.dataset == "i" else not f.startswith("noise") for f in names)
            for names in own["feature_names"]
        ]
        assert row.n == len(found) == 2
        assert row.n_relevant == {"i": 2, "made": 10, "w": 13}[row.dataset]
        assert row.hits == sum(found) / row.n
        assert row.recall == pytest.approx(row.hits / row.n_relevant)
        assert row.gain == pytest.approx(row.hits / min(row.n_features, row.n_relevant))


def test_the_figure_has_the_first_sets(results):
    made = make_tables(results, ["truth"])
    drawn = make_figure("truth_by_size", results, made).to_dict()
    (rows,) = drawn["datasets"].values()
    first = made["truth"][made["truth"]["set_index"] == 0]
    assert sorted(row["gain"] for row in rows) == pytest.approx(sorted(first["gain"]), abs=1e-4)


def test_injected_columns_are_wrong(results):
    table = make_tables(results, ["truth"])["truth"]
    rows = table[table["dataset"] == "w"]
    # A filter is not fooled by noise, and 13 of 22 columns are genuine.
    assert (rows["n_relevant"] == 13).all() and rows["wrong"].max() < 0.2


def test_other_studies_have_neither():
    plain = parse_config({**CONFIG, "datasets": ["sklearn:wine"]})
    assert "truth" not in tables.order(plain)
    assert "truth_by_size" not in figures.order(plain)
    assert "truth" in tables.order(parse_config(CONFIG))
    assert "truth" in tables.order(parse_config({**CONFIG, "datasets": [INJECTED]}))
