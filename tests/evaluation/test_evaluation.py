import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from altfs.errors import StaleResultError
from altfs.evaluation.figures import make_figures
from altfs.evaluation.load import SET_KEY, StudyResults, load_results
from altfs.evaluation.report import make_report
from altfs.evaluation.tables import make_tables, prediction_table, quality_table, status_table
from altfs.study import store


def sets():
    rows = []
    for dataset in ("a", "b"):
        for i in range(3):
            missing = dataset == "b" and i == 2
            rows.append(
                {
                    "dataset": dataset,
                    "fold": 0,
                    "selector": "s",
                    "tau": "0.5",
                    "search": "sequential",
                    "n_features": 2,
                    "n_alternatives": 2,
                    "aggregation": "none",
                    "set_index": i,
                    "max_overlap": 1,
                    "selected": [] if missing else [i, i + 1],
                    "feature_names": [] if missing else ["x", "y"],
                    "train_objective": np.nan if missing else 1.0 - i / 10,
                    "test_objective": np.nan if missing else 0.5,
                    "bound": np.nan if missing else 1.0,
                    "run_objective": np.nan,
                    "run_bound": np.nan,
                    "status": "infeasible" if missing else "optimal",
                    "work": 1,
                    "seconds": 0.1,
                }
            )
    return pd.DataFrame(rows)


def predictions():
    found = sets()
    found = found[found["status"] == "optimal"][SET_KEY]
    return found.assign(model="decision_tree", metric="mcc", train_score=1.0, test_score=0.25)


RESULTS = StudyResults(
    sets(),
    predictions(),
    pd.DataFrame({"dataset": ["a", "<b>"]}),
    pd.DataFrame(columns=["column", "reason", "shards", "rows"]),
)


def test_shares_are_of_feature_sets():
    table = status_table(sets()).set_index("set_index")
    assert table.loc[2, "n_sets"] == 2
    assert table.loc[2, "share_infeasible"] == 0.5
    assert table.loc[0, "share_optimal"] == 1
    assert (table.filter(like="share_").sum(axis=1) == 1).all()


def test_means_say_over_how_much_they_were_taken():
    table = quality_table(sets()).set_index("set_index")
    assert table.loc[2, ["n_planned", "n_sets", "n_datasets"]].tolist() == [2, 1, 1]
    assert table.loc[1, ["n_planned", "n_sets", "n_datasets"]].tolist() == [2, 2, 2]
    assert table.loc[1, "train_objective_mean"] == pytest.approx(0.9)
    predicted = prediction_table(predictions()).set_index("set_index")
    assert predicted.loc[2, "n_sets"] == 1
    assert predicted.loc[2, "test_score_median"] == 0.25


def test_taus_are_sorted_as_numbers():
    found = pd.concat([sets().assign(tau=tau) for tau in ("1", "0.25", "0.5")])
    assert list(status_table(found)["tau"].unique()) == ["0.25", "0.5", "1"]


def test_every_figure_can_be_drawn():
    import vl_convert

    for name, chart in make_figures(RESULTS).items():
        svg = vl_convert.vegalite_to_svg(chart.to_json())
        assert svg.startswith("<svg"), name
        assert len(re.findall("<path|<text", svg)) > 10, name


def test_a_study_without_any_set_has_tables_and_figures():
    import vl_convert

    nothing = sets().assign(
        status="infeasible", train_objective=np.nan, test_objective=np.nan, selected=[[]] * 6
    )
    results = StudyResults(nothing, predictions().iloc[:0], RESULTS.datasets, RESULTS.notes)
    tables = make_tables(results)
    assert (tables["status"]["share_infeasible"] == 1).all()
    assert (tables["quality"]["n_sets"] == 0).all()
    assert tables["prediction"].empty
    for chart in make_figures(results).values():
        assert vl_convert.vegalite_to_svg(chart.to_json()).startswith("<svg")


def test_the_report_needs_no_network_and_escapes_what_it_shows():
    tables = make_tables(RESULTS)
    page = make_report(
        title="a <study>",
        summary={"Datasets": "<b>"},
        tables=tables,
        figures={"f": '<svg xmlns="x"><clipPath id="c"/><g clip-path="url(#c)"/></svg>'},
        captions={name: name for name in (*tables, "f")},
    )
    assert "a &lt;study&gt;" in page
    assert "<b>" not in page
    assert not re.search(r'(src|href)="(https?:)?//', page)
    assert 'id="f-c"' in page
    assert "url(#f-c)" in page
    assert "{{" not in page


def write_study(folder):
    shards = {}
    for dataset, rows in sets().groupby("dataset"):
        table = pa.Table.from_pylist(
            rows.replace({np.nan: None}).to_dict("records"), schema=store.SHARD_SCHEMA
        )
        path = folder / f"{dataset}.parquet"
        metadata = {
            "kind": "shard",
            "schema_version": store.SCHEMA_VERSION,
            "task_hash": "h",
            "digest": store.content_digest(table),
            "notes": {"test_objective": "too small"},
        }
        store.write_table(path, table, metadata)
        shards[str(path)] = "h"
    rows = [
        {
            "dataset": d,
            "fold": 0,
            "model": "m",
            "selected": [i, i + 1],
            "metric": "mcc",
            "train_score": 1.0,
            "test_score": i / 10,
            "seconds": 0.0,
        }
        for d in "ab"
        for i in range(3)
    ]
    path = folder / "predictions.parquet"
    table = pa.Table.from_pylist(rows, schema=store.PREDICTION_SCHEMA)
    store.write_table(path, table, {"kind": "predictions"})
    return shards, [str(path)]


def test_every_feature_set_meets_its_prediction(tmp_path):
    shards, paths = write_study(tmp_path)
    results = load_results(shards, paths, [])
    assert len(results.feature_sets) == 6
    assert len(results.predictions) == 5
    assert (results.predictions["test_score"] == results.predictions["set_index"] / 10).all()
    assert results.notes.to_dict("records") == [
        {"column": "test_objective", "reason": "too small", "shards": 2, "rows": 6}
    ]


def test_missing_edited_and_foreign_files_are_named(tmp_path):
    shards, paths = write_study(tmp_path)
    path = tmp_path / "a.parquet"
    with pytest.raises(StaleResultError, match=r"a\.parquet' was made with other"):
        load_results({**shards, str(path): "other"}, paths, [])
    table, metadata = store.read_table(path)
    edited = table.set_column(12, "train_objective", pa.array([9.0] * len(table)))
    store.write_table(path, edited, metadata)
    with pytest.raises(StaleResultError, match=r"a\.parquet' was changed after"):
        load_results(shards, paths, [])
    path.unlink()
    with pytest.raises(StaleResultError, match=r"a\.parquet' is missing"):
        load_results(shards, paths, [])


def test_a_set_without_prediction_is_an_error(tmp_path):
    shards, paths = write_study(tmp_path)
    table, metadata = store.read_table(tmp_path / "predictions.parquet")
    store.write_table(tmp_path / "predictions.parquet", table.slice(1), metadata)
    with pytest.raises(StaleResultError, match="lack a feature set"):
        load_results(shards, paths, [])
