"""Streaming selectors in a study: pairs with the streaming search, and an audit."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from audit import results_of, run_tasks, verify
from studies import SMALL

from altfs.errors import ConfigError
from altfs.evaluation.figures import make_figure
from altfs.evaluation.report.columns import described
from altfs.evaluation.tables import make_table
from altfs.study.session import check_study
from altfs.study.store import read_table

STREAMING = {"name": "streaming", "n_alternatives": 2}
SEQUENTIAL = {"name": "sequential", "n_alternatives": 2}
MIXED = {
    **SMALL,
    "selectors": [
        "saola",
        {"name": "saola_shuffled", "type": "saola", "options": {"arrival": "shuffled"}},
        "ofs",
        "mutual_information",
    ],
    "n_features": [3, "unlimited"],
    "taus": [0.4, 1],
    "searches": [STREAMING, SEQUENTIAL],
}


@pytest.mark.exhaustive
def test_a_mixed_study_runs_and_passes_its_audit(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    plan = check_study(MIXED)
    keys = list(plan.places())
    pairs = {(key.selector, key.search) for key in keys}
    streaming = ("saola", "saola_shuffled", "ofs")
    assert pairs == {*product(streaming, ["streaming"]), ("mutual_information", "sequential")}
    assert len(keys) == 16
    run_tasks(plan)
    shared: list[int] = []
    for key in keys:
        table = read_table(Path(plan.search_task(key).path))[0].to_pandas()
        streams = key.selector in streaming
        unlimited = streams and key.selector != "ofs"
        assert set(table["n_features"]) == ({3, 0} if unlimited else {3})
        assert table["kept"].notna().all() if unlimited else table["kept"].isna().all()
        if streams:
            for _, run in table.groupby("n_features"):
                assert not run[["work", "seconds"]].to_numpy()[1:].any()
                if unlimited:
                    way = run[["trace_seen", "trace_sizes"]].map(lambda values: values[-1])
                    assert (way["trace_sizes"] >= 0).all()
                    assert run["trace_objectives"].iloc[0][-1] == run["train_objective"].iloc[0]
            assert set(table["status"]) <= {"feasible", "unknown"}
            assert table["bound"].isna().all()
            assert (table["selected"].map(len) <= 3)[table["n_features"] == 3].all()
            assert key.tau != "1" or (table["max_overlap"] == 0).all()
            shared.append(table["max_overlap"].max())
            assert table["test_objective"].notna().any()
    assert max(shared) > 0
    results = results_of(plan)
    summary = make_table("streams", results)
    assert set(summary["selector"]) == set(streaming)
    assert all(column.meaning for column in described("streams", summary))
    first = summary[(summary["set_index"] == 0) & (summary["model"] == "decision_tree")]
    assert (first["test_score"] == first["original"]).all()
    # The score of the one selector that sees all data, in the folds in which the stream has a set.
    columns = dict.fromkeys(("dataset", "selector", "model", "tau"), str)
    scores = results.first_scores.astype(columns)
    originals = scores[(scores["model"] == "decision_tree") & (scores["set_index"] == 0)]
    plain = originals[originals["selector"] == "mutual_information"].groupby(["dataset", "fold"])
    by_fold = plain["test_score"].mean()
    assert first[first["n_features"] == 0]["all_data"].isna().all()
    for row in first[first["n_features"] == 3].itertuples():
        mine = originals[(originals["selector"] == row.selector) & (originals["tau"] == row.tau)]
        mine = mine[(mine["dataset"] == row.dataset) & (mine["n_features"] == 3)]
        mine = mine.dropna(subset=["test_score"])
        expected = np.mean([by_fold[row.dataset, fold] for fold in mine["fold"]])
        assert row.all_data == pytest.approx(expected) and row.n == len(mine)
    saola = first[first["selector"] == "saola"]
    assert (saola["size"] > 0).all() and (saola["offered"] <= saola["seen"]).all()
    shown = [name for name in plan.figures if name.startswith("streams_")]
    assert len(shown) == 6
    for name in shown:
        drawn = make_figure(name, results, {}).to_dict()
        assert "No feature set exists." not in str(drawn), name
    alone = {**SMALL, "searches": [SEQUENTIAL]}
    assert not set(check_study(alone).figures) & set(shown)
    code, said = verify(capsys, plan, "--full")
    assert code == 0, said


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"searches": [SEQUENTIAL]}, r"selectors\[0\]: 'saola' has no partner"),
        ({"searches": [STREAMING]}, r"selectors\[3\]: 'mutual_information' has no partner"),
        (
            {"selectors": ["mutual_information"], "n_features": 3},
            r"searches\[0\]: 'streaming' has no partner",
        ),
        ({"taus": "attainable"}, "'attainable' needs sets of known sizes"),
        ({"n_features": ["2-3"]}, "use 3, the largest size"),
        ({"constraints": [{"include": ["alcohol"]}]}, "cannot handle constraints"),
        (
            {"selectors": [{"name": "saola", "options": {"measure": "fisher_z"}}],
             "searches": [STREAMING]},
            "for numbers and two classes",
        ),
    ],
)  # fmt: skip
def test_what_has_no_partner_is_refused(changes, said):
    with pytest.raises(ConfigError, match=said):
        check_study({**MIXED, **changes})
