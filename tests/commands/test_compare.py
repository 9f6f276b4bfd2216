"""`altfs compare` on studies that differ in one thing each."""

import json
import shutil

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from made_up import predictions, results, sets

from altfs.commands.main import main
from altfs.evaluation.differences import are_same, paired_sets, summary


def compared(frame=None, scored=None, **changes):
    """Compare the made-up study with one of other sets."""
    return paired_sets(results(), results(frame, scored, **changes))


def counts(pairs):
    [row] = summary(pairs).to_dict("records")
    names = ("set", "status", "objective", "score")
    return [row[f"{name}_differs"] for name in names]


def test_a_study_is_the_same_as_itself_and_times_do_not_count():
    pairs = compared(sets().assign(seconds=7.0))
    assert are_same(pairs) and len(pairs) == len(sets())
    [row] = summary(pairs).to_dict("records")
    assert (row["n_pairs"], row["n_only_a"], row["n_only_b"]) == (6, 0, 0)
    assert (row["seconds_a"], row["seconds_b"]) == (pytest.approx(0.6), 42.0)
    assert row["score_change"] == row["objective_change"] == 0.0


def test_each_kind_of_difference_is_counted_apart():
    frame = sets()
    frame.loc[0, "status"] = "feasible"
    assert counts(compared(frame)) == [0, 1, 0, 0]
    frame = sets()
    frame.loc[1, "train_objective"] += 1e-12
    assert counts(compared(frame)) == [0, 0, 1, 0]
    scored = predictions()
    scored.loc[[0, 1], "test_score"] = 0.5
    pairs = compared(None, scored)
    assert counts(pairs) == [0, 0, 0, 2]
    # Two of five sets that exist changed by a quarter.
    assert summary(pairs)["score_change"].item() == pytest.approx(0.1)
    selected = [[0, 1], [0, 3], [2, 3], [0, 1], [0, 2], []]
    assert counts(compared(selected=selected)) == [1, 0, 0, 0]


def test_a_set_that_exists_in_one_study_alone_differs():
    frame = sets()
    frame.loc[5, ["train_objective", "status"]] = [0.5, "optimal"]
    assert counts(compared(frame)) == [1, 1, 1, 1]


def test_sets_that_only_one_study_looked_for_are_no_pairs():
    frame = pd.concat(
        [sets().query("dataset == 'a'"), sets().query("dataset == 'a'").assign(fold=1)]
    )
    pairs = compared(frame)
    [row] = summary(pairs).to_dict("records")
    assert (row["n_pairs"], row["n_only_a"], row["n_only_b"]) == (3, 3, 3)
    assert not are_same(pairs) and counts(pairs) == [0, 0, 0, 0]


@pytest.fixture
def other(reported_results, tmp_path):
    """A copy of a study in which one status differs."""
    shutil.copytree(reported_results, tmp_path / "other")
    path = tmp_path / "other" / "tables" / "feature_sets.parquet"
    table = pq.read_table(path, partitioning=None)
    statuses = ["unknown", *table["status"].to_pylist()[1:]]
    column = table.column_names.index("status")
    pq.write_table(table.set_column(column, "status", pa.array(statuses)), path)
    return tmp_path / "other"


@pytest.mark.exhaustive
def test_the_answer_is_the_exit_code(reported_results, other, capsys):
    same = [str(reported_results), str(reported_results)]
    assert main(["compare", *same]) == 0
    text = capsys.readouterr().out
    assert "There is no difference" in text and "Greedy Wrapper sequential" in text
    assert main(["compare", str(reported_results), str(other), "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert not said["same"] and sum(row["status_differs"] for row in said["rows"]) == 1
    assert sum(row["set_differs"] for row in said["rows"]) == 0


@pytest.mark.parametrize(("ending", "begin"), [("svg", b"<svg"), ("pdf", b"%PDF"), ("json", b"{")])
def test_the_picture_has_a_point_for_each_dataset(reported_results, other, tmp_path, ending, begin):
    path = tmp_path / f"changes.{ending}"
    assert main(["compare", str(reported_results), str(other), "--figure", str(path)]) == 1
    assert path.read_bytes().startswith(begin)


def test_wrong_arguments_are_one_sentence(reported_results, tmp_path, capsys):
    assert main(["compare", str(reported_results), str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"altfs: b: '{tmp_path}' has no tables of a study, run the study, or 'altfs report "
        f"{tmp_path}'.\n"
    )
    study = str(reported_results)
    assert main(["compare", study, study, "--figure", "x.png"]) == 2
    assert "x.png" in (said := capsys.readouterr().err) and said.count("\n") == 1
