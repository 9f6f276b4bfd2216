"""Figures and sentences of fronts, recomputed by plain loops from made-up fronts.

They take about a second of CPU.
"""

from dataclasses import replace
from math import ceil

import made_up
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from altfs.evaluation.report.page import Drawing, figure_part
from altfs.evaluation.results import by_target
from altfs.kinds.fronts.figures import front_explorer as explorer
from altfs.kinds.fronts.figures.front_envelopes import envelopes, front_envelopes
from altfs.kinds.fronts.figures.front_explorer import explored
from altfs.kinds.fronts.figures.front_size import front_size
from altfs.kinds.fronts.figures.quality_dissimilarity_front import (
    quality_dissimilarity_front,
    steps,
)
from altfs.kinds.fronts.schema import POINTS_SCHEMA

SHARED = {"selector": "naive_bayes_curve", "n_alternatives": 1, "tau": "0.5", "status": "optimal"}


def curve(rng, n):
    return np.sort(rng.random(n))[::-1].tolist()


def curve_rows(dataset="d", search="factor_5", fold=0, n_sets=6, n_features=3, tau="0.5"):
    rng = np.random.default_rng(fold)
    own = {"dataset": dataset, "search": search, "fold": fold, "n_features": n_features,
           "aggregation": "none"}  # fmt: skip
    made = sorted((curve(rng, 20) for _ in range(n_sets)), key=sum, reverse=True)
    return [
        {**SHARED, **own, "tau": tau, "point": i, "feature_names": [f"x{i}", "y"],
         "train_objective": float(np.mean(train)), "objectives": train,
         "test_objectives": curve(rng, 7)}
        for i, train in enumerate(made)
    ]  # fmt: skip


FAMILIES = [
    {**SHARED, "dataset": "d", "search": "pareto", "fold": 0, "n_features": 2, "point": point,
     "aggregation": "sum", "set_index": i, "objectives": [quality, apart],
     "test_objectives": [quality / 2 + apart, apart], "feature_names": ["x"]}
    for point, (quality, apart) in enumerate([(4.0, 0.0), (3.0, 0.5), (1.0, 1.0)])
    for i in range(2)
]  # fmt: skip


def results(rows):
    points = pa.Table.from_pylist(rows, schema=POINTS_SCHEMA)
    return made_up.results(made_up.sets().iloc[:0], more={"front_points": points})


def height(values, sensitivity):
    return values[max(ceil(sensitivity * len(values) - 1e-9) - 1, 0)]


def test_envelopes_are_those_of_plain_loops():
    rows = [*curve_rows(fold=0), *curve_rows(fold=1), *curve_rows(fold=0, tau="1"),
            *curve_rows(fold=0, n_features=2)]  # fmt: skip
    found = envelopes(results([*rows, *FAMILIES]))
    for at in (0.02, 0.5, 0.74, 1.0):
        own = found[np.isclose(found["sensitivity"], at)].set_index("part")["height"]
        expected = {"training part": [], "test part": [], "test part, chosen in training": []}
        for fold in (0, 1):
            front = curve_rows(fold=fold)
            train = [height(row["objectives"], at) for row in front]
            test = [height(row["test_objectives"], at) for row in front]
            for part, value in zip(
                expected, (max(train), max(test), test[train.index(max(train))]), strict=True
            ):
                expected[part].append(value)
        for part, values in expected.items():
            assert own[part] == pytest.approx(np.mean(values)), (part, at)


def test_the_steps_of_a_front_of_families():
    found = steps(results([*curve_rows(), *FAMILIES]))
    train = found[found["part"] == "training"].set_index("dissimilarity")["quality"]
    assert train[0.0] == 1.0
    assert train[0.02] == train[0.5] == 0.75
    assert train[0.52] == train[1.0] == 0.25
    test = found[found["part"] == "test"].set_index("dissimilarity")["quality"]
    assert test[0.5] == pytest.approx(2.0 / 2.0)


def test_the_explorer_has_every_set_and_says_what_it_left_out(monkeypatch):
    rows = [*curve_rows(n_sets=9), *curve_rows(search="other", n_sets=4), *curve_rows(fold=1)]
    made = results([*rows, *FAMILIES])
    data, left_out = explored(made)
    assert (len(data), left_out) == (13, "")
    assert data["front"].nunique() == 2
    first = data.iloc[0]
    assert first["features"] == "x0, y"
    assert first["curve"] == pytest.approx(rows[0]["objectives"], abs=5e-4)
    monkeypatch.setattr(explorer, "_MOST", 5)
    data, left_out = explored(made)
    assert len(data) == 9
    assert left_out.startswith("9 of 13 sets are here")
    assert "tables/front_points.parquet" in left_out
    chart = explorer.front_explorer(made, {})
    assert left_out in chart.usermeta["notes"]
    caption = figure_part("explorer", Drawing("<svg >", chart.to_json()))["caption"]
    assert f'{left_out.partition("tables")[0]}<a href="tables/front_points.parquet"' in caption


@pytest.mark.parametrize("rows", [[], None])
def test_a_study_without_fronts_yet(rows):
    made = results(rows or [])
    made = made if rows is not None else replace(made, more={})
    assert envelopes(made).empty
    assert steps(made).empty
    assert explored(made)[0].empty
    for figure in (explorer.front_explorer, front_envelopes, quality_dissimilarity_front):
        assert figure(made, {}).usermeta["notes"] == ["No front exists."]


def test_the_size_of_fronts_by_their_factor():
    table = pd.DataFrame([
        {"dataset": "d", "selector": "naive_bayes_curve", "search": f"factor_{factor}",
         "dominance_factor": factor, "n_features": 4, "points": points, "train_area": 0.9,
         "test_chosen": 0.72, "seconds": 1.0}
        for factor, points in (("10", 70.0), ("5", 27.0), ("inf", 976.0))
    ])  # fmt: skip
    chart = front_size(results([]), {"fronts": table})
    assert "5: 27" not in chart.usermeta["seen"]
    assert "27 at 5 to 976 at inf" in chart.usermeta["seen"]


def test_fronts_are_split_by_the_kind_of_their_dataset():
    made = results([*curve_rows("a"), *curve_rows("b")])
    types = {"a": "binary", "b": "regression"}
    parts = by_target(made_up.results(more=made.more, types=types))
    assert set(parts["classification"].more["front_points"]["dataset"].to_pylist()) == {"a"}
