"""`altfs explain data.csv --target y`: explanations of rows, printed and written."""

import json

import joblib
import pandas as pd
import pyarrow.parquet as pq
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from altfs import AlternativeExplanations
from altfs.commands.main import main

REQUEST = ("--rows", "4", "-k", "3", "-a", "2", "--tau", "0.6")


@pytest.fixture
def model_file(wine_file):
    table = pd.read_csv(wine_file)
    model = RandomForestClassifier(5, random_state=0)
    path = wine_file.parent / "model.joblib"
    joblib.dump(model.fit(table.drop(columns="kind"), table["kind"]), path)
    return path


def run_explain(path, *options):
    return main(["explain", str(path), "--target", "kind", *options])


def test_it_says_and_writes_what_the_library_finds(wine_file, model_file, tmp_path, capsys):
    table = pd.read_csv(wine_file).drop(columns="kind")
    explainer = AlternativeExplanations(
        estimator=joblib.load(model_file), n_features=3, n_alternatives=2, tau="0.6"
    )
    expected = explainer.fit(table).explain(table[:4])
    options = (*REQUEST, "--model", str(model_file))
    assert run_explain(wine_file, *options) == 0
    output = capsys.readouterr()
    assert output.err == "" and expected.summary() in output.out
    for row in range(4):
        for reason in expected.sets(row):
            assert f"{', '.join(reason.names)} ({reason.share:.0%}" in output.out
    assert "row 0, predicted a:" in output.out
    assert run_explain(wine_file, *options, "--json", "--output", str(tmp_path / "why.json")) == 0
    content = json.loads(capsys.readouterr().out)
    assert json.loads((tmp_path / "why.json").read_text()) == content
    rows = content["explanations"]
    frame = expected.to_frame()
    assert [tuple(row["selected"]) for row in rows] == frame["selected"].tolist()
    assert [row["same_prediction"] for row in rows] == frame["same_prediction"].tolist()
    assert run_explain(wine_file, *options, "--output", str(tmp_path / "why.parquet")) == 0
    assert pq.read_table(tmp_path / "why.parquet").to_pylist() == rows
    assert run_explain(wine_file, *options, "--output", str(tmp_path / "why.html")) == 0
    page = (tmp_path / "why.html").read_text()
    assert page.count("<tr") == 13 and expected.summary().split("\n")[1] in page


def test_a_forest_learns_if_there_is_no_model_and_columns_can_be_left_out(wine_file, capsys):
    assert run_explain(wine_file, "--rows", "2", "-k", "2", "--exclude", "proline") == 0
    output = capsys.readouterr().out
    assert "proline" not in output and output.count("alternative 1:") == 2


def test_numbers_have_no_classes_and_missing_explanations_are_an_exit_code(tmp_path, capsys):
    table = pd.DataFrame({"a": range(30), "b": [j * j % 7 for j in range(30)]})
    table.assign(kind=table["a"] * 1.5 + table["b"]).to_csv(tmp_path / "t.csv", index=False)
    model = RandomForestRegressor(3, random_state=0).fit(table, table["a"] + table["b"] * 10)
    joblib.dump(model, tmp_path / "m")
    options = ("--rows", "2", "-k", "2", "--tau", "1", "--model", str(tmp_path / "m"), "--json")
    assert run_explain(tmp_path / "t.csv", *options) == 1
    rows = json.loads(capsys.readouterr().out)["explanations"]
    assert [row["status"] for row in rows] == ["optimal", "infeasible"] * 2
    assert rows[0]["same_prediction"] is None and rows[1]["share"] is None


def test_a_given_model_needs_no_target_and_its_columns_may_have_any_order(
    wine_file, model_file, capsys
):
    assert run_explain(wine_file, *REQUEST, "--model", str(model_file), "--json") == 0
    expected = json.loads(capsys.readouterr().out)
    table = pd.read_csv(wine_file).assign(note="x")
    table.loc[0, "kind"] = None
    other = wine_file.with_name("other.txt")
    table[table.columns[::-1]].to_csv(other, index=False, sep=";")
    assert main(["explain", str(other), *REQUEST, "--model", str(model_file), "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert output["explanations"] == expected["explanations"] and output["target"] is None
    assert output["summary"][-1] == "The model does not use columns 'note', 'kind'."
    table.drop(columns=["alcohol", "ash"]).to_csv(other, index=False)
    assert main(["explain", str(other), "--model", str(model_file)]) == 2
    sentence = "columns 'alcohol', 'ash' are not among the columns of these rows"
    assert sentence in capsys.readouterr().err


def test_text_gaps_and_options_of_find_are_taken(tmp_path, capsys):
    table = pd.DataFrame(
        {"city": ["Bonn", "Kiel", "Ulm", None] * 15, "zip": [1, 2, 3] * 20, "n": range(60)}
    )
    table.loc[4, "n"] = None
    kind = (table["city"] == "Ulm") | (table["n"] > 40)
    table.assign(kind=kind).to_csv(tmp_path / "t.csv", index=False, sep=";")
    path, options = str(tmp_path / "t.csv"), ("-t", "kind", "-k", "2", "--rows", "5")
    assert main(["explain", path, *options]) == 2
    assert "columns 'city', 'n' have missing values" in capsys.readouterr().err
    more = ("--missing", "impute", "--categorical", "zip", "--cost", "city=2", "--cost", "n=1",
            "--budget", "2", "--search", "simultaneous", "--aggregation", "min",
            "--dissimilarity", "jaccard", "--max-overlap", "1")  # fmt: skip
    main(["explain", path, *options, *more, "--json"])
    content = json.loads(capsys.readouterr().out)
    assert content["max_overlap"] == 1
    sets = [row["feature_names"] for row in content["explanations"] if row["feature_names"]]
    assert sets and all({*names} != {"city", "n"} for names in sets)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--rows", "0"), "--rows: 0 is not allowed, use a whole number from 1."),
        (("--model", "no.joblib"), "--model: 'no.joblib' is not a file, name one that joblib"),
        (("--output", "why.txt"), "--output: 'why.txt' ends in '.txt', allowed are: .json, .parq"),
        (("-k", "99"), "--n-features: 99 is not allowed, use a number from 1 to 13"),
        (("--exclude", "nope"), "--exclude: there is no feature 'nope'"),
        (("--selector", "mrmr"), "--selector: 'mrmr' has no values for single rows"),
    ],
)
def test_wrong_arguments_are_refused_in_one_sentence(wine_file, options, sentence, capsys):
    assert run_explain(wine_file, *options) == 2
    output = capsys.readouterr()
    assert output.err.startswith(f"altfs: {sentence}") and output.err.count("\n") == 1
    assert output.out == ""


def test_without_a_model_a_target_is_needed(wine_file, capsys):
    assert main(["explain", str(wine_file)]) == 2
    assert "target: no column is named, name it with --target" in capsys.readouterr().err


def test_a_file_that_is_not_a_model_is_named(wine_file, capsys):
    assert run_explain(wine_file, "--model", str(wine_file)) == 2
    assert "cannot be loaded" in capsys.readouterr().err
