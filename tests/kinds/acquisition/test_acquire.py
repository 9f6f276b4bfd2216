"""`altfs acquire data.csv --target y`: the next measurement, printed, written and asked for."""

import io
import json
from itertools import product

import pandas as pd
import pyarrow.parquet as pq
import pytest

from altfs import AlternativeAcquisition
from altfs.commands.main import main

ROWS = pd.DataFrame(list(product([0, 1], repeat=3)) * 6, columns=["age", "scan", "sugar"])
KIND = ROWS["scan"].where(ROWS["age"] == 0, ROWS["sugar"]).map({0: "well", 1: "ill"})


@pytest.fixture
def path(tmp_path):
    ROWS.assign(kind=KIND).to_csv(tmp_path / "clinic.csv", index=False)
    return tmp_path / "clinic.csv"


def run(path, *options):
    return main(["acquire", str(path), "--target", "kind", *options])


def test_it_says_and_writes_what_the_library_does(path, tmp_path, capsys):
    costs = {"age": 1, "scan": 12, "sugar": 1}
    acquisition = AlternativeAcquisition(
        price=0.01, costs=costs, n_features=2, n_alternatives=1, max_overlap=1
    ).fit(ROWS, KIND)
    options = ("--cost", "scan=12", "--price", "0.01", "-k", "2", "--max-overlap", "1")
    assert run(path, *options, "--known", "age=0", "--not", "sugar") == 0
    said = capsys.readouterr()
    expected = acquisition.next({"age": 0}, without=["sugar"])
    assert said.err == "" and str(expected) in said.out
    assert acquisition.explain() in said.out and str(acquisition.policy()) in said.out
    assert run(path, *options, "--json", "-o", str(tmp_path / "a.json")) == 0
    content = json.loads(capsys.readouterr().out)
    assert json.loads((tmp_path / "a.json").read_text()) == content
    first = acquisition.next()
    assert content["next"]["measure"] == first.measure
    assert content["next"]["value"] == first.value == content["next"]["bound"]
    assert [tuple(other.values()) for other in content["next"]["alternatives"]] == (
        first.alternatives
    )
    assert [kit["features"] for kit in content["kits"]] == [
        list(kit.names) for kit in acquisition.kits_
    ]
    assert len(content["tree"]) == len(acquisition.policy())
    assert run(path, *options, "-o", str(tmp_path / "a.parquet")) == 0
    assert pq.read_table(tmp_path / "a.parquet").to_pylist() == content["tree"]
    assert run(path, *options, "-o", str(tmp_path / "a.html")) == 0
    page = (tmp_path / "a.html").read_text()
    assert "What to measure of a row of clinic.csv" in page and "measure sugar" in page


@pytest.mark.parametrize("method", ["plan", "greedy", "static", "stopping"])
def test_every_method_answers(path, capsys, method):
    options = ("--method", method, "--model", "naive_bayes", "--budget", "2", "--json")
    assert run(path, *options) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["next"]["measure"] in ROWS
    assert bool(content["tree"]) == (method == "stopping")


def test_it_asks_on_the_terminal(path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nno\n0\n"))
    assert run(path, "--price", "0.01", "--ask") == 0
    said = capsys.readouterr().out
    assert said.startswith("age? sugar? ") and "The answer is" in said
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\n"))
    panel = ("--panel", "blood=1.5", "age", "sugar")
    assert run(path, "--price", "0.01", *panel, "--ask") == 0
    assert "blood: age? blood: sugar? The answer is ill" in capsys.readouterr().out


def test_features_that_are_known_of_every_row_have_no_value_yet(path, capsys):
    options = ("--price", "0.01", "--include", "age", "--json")
    assert run(path, *options) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["next"] is None and len(content["tree"]) == 6
    assert run(path, *options, "--known", "age=1") == 0
    assert json.loads(capsys.readouterr().out)["next"]["measure"] == "sugar"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "--price: there is no budget either, give one of them."),
        (("--budget", "0.5"),
         "--budget: 0.5 is below the cheapest measurement ('age', 1), give at least 1."),
        (("--price", "1", "--known", "age"), "--known: 'age' is not allowed, write NAME=VALUE."),
        (("--price", "1", "--known", "scam=1"),
         "--known: there is no feature 'scam', did you mean 'scan'? use names of columns."),
        (("--price", "1", "--not", "scam"),
         "--not: there is no feature 'scam', did you mean 'scan'? use names of columns."),
        (("--price", "1", "--cost", "scan=dear"),
         "--cost: 'dear' for 'scan' is not allowed, use finite numbers from 0."),
        (("--price", "1", "--method", "greedy", "-k", "2"),
         "--method: 'greedy' has no value of a whole policy, which kits need, use 'exact', 'plan' "
         "or 'stopping'."),
        (("--price", "1", "--method-option", "bins=1"),
         "--method-option bins: 1 is not allowed, the least is 2."),
        (("--price", "1", "--ask", "--json"),
         "--ask: questions are text, leave out --ask or --json."),
        (("--price", "1", "-o", "a.txt"),
         "--output: 'a.txt' ends in '.txt', allowed are: .json, .parquet, .html."),
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused_in_one_sentence(path, capsys, options, sentence):
    assert run(path, *options) == 2
    assert capsys.readouterr().err == f"altfs: {sentence}\n"
