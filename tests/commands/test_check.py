"""`altfs check`: of a configuration, and of a table."""

import json

import numpy as np
import pandas as pd
import pytest
import yaml
from studies import SMALL

from altfs import AlternativeFeatures
from altfs.commands.check import check_table
from altfs.commands.main import main
from altfs.commands.tables import load_table
from altfs.datasets.file import file_options
from altfs.datasets.table import features_and_target
from altfs.errors import AltfsError
from altfs.study.session import check_study

N = 60


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    columns = {name: rng.random(N) for name in "abcd"}
    return pd.DataFrame({**columns, "y": ["no", "yes", "maybe"] * (N // 3)})


def check(frame, tmp_path, *, kind="csv", **options):
    path = tmp_path / f"data.{kind}"
    frame.to_csv(path, index=False) if kind == "csv" else frame.to_parquet(path)
    return check_table(path, "y", **options)


def test_check_says_what_would_be_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(SMALL))
    assert main(["check"]) == 0
    said = capsys.readouterr().out
    assert "wine: 178 rows, 13 features, multiclass" in said
    assert "small: 24 shards in results/small" in said
    assert [p.name for p in tmp_path.iterdir()] == ["config.yaml"]


def test_check_refuses_in_one_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for text in ("name: [", "- 1", yaml.safe_dump({**SMALL, "folds": 0})):
        (tmp_path / "config.yaml").write_text(text)
        assert main(["check"]) == 2
        said = capsys.readouterr().err
        assert said.startswith("altfs: ")
        assert said.count("\n") == 1
    assert main(["check", "nowhere.yaml"]) == 2


def is_sentence(text):
    return "\n" not in text and text.endswith(".") and (text[0].islower() or text[0] == "'")


@pytest.mark.exhaustive
def test_a_table_without_oddities_gets_its_cost_and_entry(frame, tmp_path, capsys):
    frame.to_csv(tmp_path / "good table.csv", index=False)
    before = sorted(tmp_path.iterdir())
    assert main(["check", str(tmp_path / "good table.csv"), "--target", "y"]) == 0
    said = capsys.readouterr()
    first, signal, fine, cost, entry = said.out.splitlines()
    assert fine == "The table has no problem that stops a search or a study."
    assert first == "good table.csv: 60 rows, 4 features, target y (multiclass)"
    assert "of 4 features alone tell more about the target than by chance" in signal
    assert cost.startswith("A study of it (10 folds, sets of 2, ")
    assert "of CPU time" in cost
    assert sorted(tmp_path.iterdir()) == before
    # What it says to write into config.yaml is what a study takes.
    listed = yaml.safe_load(entry.removeprefix("To study it, write into config.yaml: "))
    assert listed["datasets"][0]["name"] == "good_table"
    small = {"name": "s", "results": str(tmp_path / "r"), "folds": 2, "seed": 0, "taus": [1],
             "selectors": ["fcbf"], "n_features": 2, "models": ["decision_tree"],
             "searches": [{"name": "sequential", "n_alternatives": 1}]}  # fmt: skip
    assert check_study({**small, **listed}).facts["good_table"].n_total == 4


def test_a_table_with_gaps_is_looked_at_all_the_same(frame, tmp_path, capsys):
    told = pd.factorize(frame["y"])[0].astype(float)
    gaps = frame.assign(a=[np.nan, *frame["a"][1:]], told=[*told[:-9], *[np.nan] * 9])
    gaps.to_csv(tmp_path / "gaps.csv", index=False)
    assert main(["check", str(tmp_path / "gaps.csv"), "--target", "y"]) == 1
    text = capsys.readouterr().out
    assert "! column 'a' (NaN in 1.7% of the rows" in text
    assert "the 51 of 60 rows without gaps" in text
    assert "(ranks and levels, gaps imputed, " in text
    end = "The table has 2 problems (!), with which a study does not begin; altfs find imputes "
    assert text.splitlines()[-1] == f"{end}missing values."
    assert "has missing values, set --missing to impute" in text
    assert "A study of it" not in text


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"a": [np.nan] + [1.0] * (N - 1)},
            "column 'a' (NaN in 1.7% of the rows",
        ),
        ({"a": [np.inf] + [1.0] * (N - 1)}, "column 'a' has an infinite value in row 1"),
        ({"a": [1.0] * (N - 1) + [1e39]}, "column 'a' has the number 1e+39 in row 60"),
        ({"a": ["x"] + ["1"] * (N - 1)}, "column 'a' mixes numbers and text"),
        ({"y": ["one"] * N}, "target 'y' has only one value"),
        ({"y": ["rare"] * 9 + ["often"] * (N - 9)}, "folds: 10 is more than the 9 rows of class"),
        ({"y": [f"class {i % 30}" for i in range(N)]}, "folds: 10 is more than the 2 rows"),
    ],
)
def test_what_a_study_refuses(frame, tmp_path, capsys, change, sentence):
    path = tmp_path / "data.csv"
    frame.assign(**change).to_csv(path, index=False)
    assert main(["check", str(path), "--target", "y"]) == 1
    message = [line[2:] for line in capsys.readouterr().out.splitlines() if line.startswith("! ")]
    assert any(line.startswith(sentence) for line in message), message
    assert all(is_sentence(line) for line in message)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"a": 7}, "column 'a' has the same value in every row"),
        ({"a": lambda f: f["b"]}, "column 'b' has the values of column 'a'"),
        ({"a": list("uvw") * 20}, "column 'a' tells target 'y' exactly"),
        ({"a": range(N)}, "column 'a' has another value in every row, as ids have"),
        ({"a": [f"name {i // 1.5}" for i in range(N)]}, "column 'a' is text with 40 different"),
        ({"a": ["9", "10.5 kg"] * 30}, None),
        ({"a": ["12 €", "7 €"] * 30}, "column 'a' looks like numbers but is text such as '12 €'"),
        ({"a": ["tall", "short"] * 30}, "is taken as 2 categories ('short', 'tall')"),
        ({"a": 1.7e9 + np.arange(N) / 8}, "in the 32-bit numbers of prediction models"),
        ({"a": [i // 7 % 4 for i in range(N)]}, "column 'a' has at most 10 different whole"),
        ({"größe": 1.5}, "column 'größe' has a name beyond ASCII"),
        ({" e": lambda f: f["b"] * 2}, "column ' e' has blanks around its name"),
        ({"A": lambda f: f["b"] * 2}, "columns 'a' and 'A' have names that are easily taken"),
        ({"x,y": lambda f: f["b"] * 2}, "column 'x,y' has a comma in the name"),
        ({"e\u200b": lambda f: f["b"] * 2}, "characters in its name that do not show"),
        ({"y": [i % 40 for i in range(N)]}, "has 40 different whole numbers and is taken for a"),
    ],
)  # fmt: skip
def test_what_is_worth_a_look_stops_no_study(frame, tmp_path, change, sentence):
    report = check(frame.assign(**change), tmp_path)
    assert all(map(is_sentence, (*report["notes"], *report["problems"])))
    if sentence is None:
        assert "mixes numbers and text" in report["problems"][0]
        return
    assert report["problems"] == []
    assert any(sentence in note for note in report["notes"]), report["notes"]


@pytest.mark.parametrize(
    ("values", "kind", "sentence"),
    [
        (["1,024", "960"], "problems", "mixes numbers and text"),
        (["1,024", "9,600"], "notes", "column 'a' looks like numbers but is text such as '1,0"),
    ],
)
def test_commas_that_begin_no_decimals(frame, tmp_path, capsys, values, kind, sentence):
    path = tmp_path / "data.csv"
    frame.assign(a=values * 30).to_csv(path, index=False)
    assert main(["check", str(path), "--target", "y"]) == 2
    assert "numbers with commas, name the --decimal mark" in capsys.readouterr().err
    main(["check", str(path), "--target", "y", "--decimal", ".", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert any(sentence in line for line in report[kind]), report


def test_a_numeric_target_told_by_a_feature(frame, tmp_path):
    frame = frame.assign(y=frame["b"] * 3 - 1)
    assert any("column 'b' tells" in note for note in check(frame, tmp_path)["notes"])
    frame = frame.assign(y=frame["b"] + frame["c"])
    assert check(frame, tmp_path)["notes"] == []


def test_a_target_that_is_an_id(frame, tmp_path):
    report = check(frame.assign(y=[f"p{i}" for i in range(N)]), tmp_path)
    assert any("looks like an id" in note for note in report["notes"])
    assert "folds: 10 is more than the 1 rows of class" in report["problems"][0]


def test_values_that_are_neither_numbers_nor_text(frame, tmp_path):
    report = check(frame.assign(a=[[1, 2]] * N, b=[b"x"] * N), tmp_path, kind="parquet")
    assert report["problems"][0].startswith("column 'a' holds a ")
    assert report["problems"][1].startswith("column 'b' holds a bytes in row 1")


def test_all_problems_are_told_and_many_alike_in_short(tmp_path):
    frame = pd.DataFrame({f"x{i}": [np.nan, 1.0] * 10 for i in range(9)})
    report = check(frame.assign(z=range(20), y=[0, 1] * 10), tmp_path)
    assert len(report["problems"]) == 6
    others = "columns 'x5', 'x6', 'x7', 'x8' cannot be used either"
    assert report["problems"][5].startswith(others)
    assert any("'z' has another value in every row" in note for note in report["notes"])


@pytest.mark.exhaustive
def test_what_takes_long_is_named(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((200, 200)), columns=[f"x{i}" for i in range(200)])
    frame["y"] = rng.integers(0, 2, 200)
    # Many folds, so that a small table takes long.
    report = check(pd.concat([frame] * 8), tmp_path, kind="parquet", folds=200, selectors=("mrmr",))
    assert report["problems"] == []
    assert any("of CPU time with 200 features and 1600 rows" in note for note in report["notes"])
    # All columns say the class of a row that is there eight times.
    [said] = [note for note in report["notes"] if note.startswith("Nearly all rows with")]
    assert said.endswith("; the same holds for 'x1', 'x2', 'x3', 'x4', 'x5' and 194 more.")


def test_json_follows_the_options(frame, tmp_path, capsys):
    path = tmp_path / "data.csv"
    frame.assign(y=frame.index % 25).to_csv(path, index=False)
    options = ["--task", "classification", "--folds", "2", "-k", "3", "--selector", "cfs"]
    assert main(["check", str(path), "--target", "y", *options, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["target_type"] == "multiclass"
    assert "(2 folds, sets of 3, " in report["cost"]
    assert ", cfs, decision trees" in report["cost"]
    assert report["entry"]["options"]["task"] == "classification"
    # Two or three rows of each of 25 classes: half of them cannot be split again.
    options[-1] = "greedy_wrapper"
    assert main(["check", str(path), "--target", "y", *options]) == 1
    assert "! selector: 'greedy_wrapper' cannot learn on fold 0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["data.csv", "--target", "z"], "has no target column 'z'"),
        (["data.txt", "--target", "y"], "there is no file"),
        (["data.csv", "--target", "y", "--folds", "0"], "folds: 0 is not allowed"),
        (["data.csv", "--target", "y", "-k", "-1"], "--n-features: -1 is not allowed"),
    ],
)
def test_wrong_arguments_are_refused_in_one_sentence(
    frame, tmp_path, monkeypatch, capsys, arguments, sentence
):
    monkeypatch.chdir(tmp_path)
    frame.to_csv("data.csv", index=False)
    assert main(["check", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("altfs: ") and said.err.count("\n") == 1
    assert sentence in said.err


def test_options_of_tables_are_refused_for_a_configuration(capsys):
    for options, name in (
        (["--folds", "3"], "--folds"),
        (["--json"], "--json"),
        (["-k", "2"], "--n-fea"),
    ):
        assert main(["check", "config.yaml", *options]) == 2
        assert f"altfs: {name}" in capsys.readouterr().err


def test_a_size_that_the_table_does_not_have(frame, tmp_path):
    report = check(frame, tmp_path, n_features=5)
    assert report["problems"] == [
        "n_features: 5 is more than the 4 features of dataset 'data.csv', "
        "use at most 4 or leave the dataset out."
    ]
    with pytest.raises(AltfsError, match="is not a known selector"):
        check(frame, tmp_path, selectors=("x",))


DAYS = [f"2024-{1 + i // 28:02}-{1 + i % 28:02}" for i in range(N)]
# Changes of the table, and options of the dataset.
MESSY = {
    "plain": ({}, {}),
    "categories": ({"a": ["low", "high", "none"] * (N // 3)}, {}),
    "codes named as categories": ({"a": [1, 2, 5] * (N // 3)}, {"categorical": ["a"]}),
    "gaps": ({"a": [None, *range(1, N)]}, {}),
    "gaps to impute": ({"a": [None, *range(1, N)]}, {"missing": "impute"}),
    "gaps of text": ({"a": [None, "u", "v"] * (N // 3)}, {}),
    "gaps of text as a category": (
        {"a": [None, "u", "v"] * (N // 3)},
        {"missing": "as_category"},
    ),
    "no values": ({"a": [None] * N}, {"missing": "impute"}),
    "constant": ({"a": 1.0}, {}),
    "constants only": (dict.fromkeys("abcd", 1.0), {}),
    "dates": ({"a": DAYS}, {}),
    "dates and text": ({"a": ["soon", *DAYS[1:]]}, {}),
    "numbers and text": ({"a": ["x", *["1"] * (N - 1)]}, {}),
    "infinite": ({"a": [np.inf] * N}, {}),
    "too large": ({"a": [1e39] * N}, {}),
    "ids of text": ({"a": [f"p{i}" for i in range(N)]}, {}),
    "ids of text left out": ({"a": [f"p{i}" for i in range(N)]}, {"exclude": ["a"]}),
    "ids that are numbers": ({"a": range(N)}, {}),
    "ids named as categories": ({"a": range(N)}, {"categorical": ["a"]}),
    "nothing left": ({}, {"exclude": list("abcd")}),
    "left out but not there": ({}, {"exclude": ["e"]}),
    "category that is left out": ({}, {"exclude": ["a"], "categorical": ["a"]}),
    "copies": ({"e": lambda f: f["a"], "f": lambda f: f["y"]}, {}),
    "one class": ({"y": "yes"}, {}),
    "a class of one row": ({"y": ["rare", *["often"] * (N - 1)]}, {}),
    "gaps in the target": ({"y": [None, *["yes", "no"] * (N // 2 - 1), "no"]}, {}),
    "target of numbers": ({"y": lambda f: f["a"] + f["b"]}, {}),
    "target of dates": ({"y": DAYS}, {}),
    "text for regression": ({}, {"task": "regression"}),
    "fractions for classes": ({"y": lambda f: f["a"]}, {"task": "classification"}),
    "wide": ({f"x{i}": lambda f, i=i: f["a"] * i % 1 for i in range(400)}, {}),
}
LINES = [*"1234567890" * 2]
TEXTS = {
    "index": ",a,b,y\n" + "".join(f"{i},{d},{i % 7},{i % 2}\n" for i, d in enumerate(LINES)),
    "index with a name": "id,a,y\n" + "".join(f"p{i},{d},{i % 2}\n" for i, d in enumerate(LINES)),
    "few rows": "a,b,y\n1,2,0\n3,4,1\n5,6,0\n",
    "no rows": "a,b,y\n",
    "no features": "y\n" + "0\n1\n" * 20,
    "two names alike": "a,a,y\n" + "1,2,0\n3,4,1\n" * 20,
    "no name": "a,,y\n" + "1,2,0\n3,5,1\n" * 20,
    "ragged": "a,b,y\n" + "1,2,0\n3,4,1\n" * 20 + "1,2,0,4\n",
    "no target": "a,b,z\n" + "1,2,0\n3,4,1\n" * 20,
    "decimal commas": "a;b;y\n" + "1,5;2;0\n3,25;4;1\n" * 20,
}


def is_refused(use, *arguments, **options):
    try:
        return bool(use(*arguments, **options)["problems"])
    except AltfsError:
        return True


def plan_of(content):
    return {"problems": [], "plan": check_study(content)}


def fit_of(path, options):
    raw = load_table(path, options)[1]
    columns = {key: getattr(options, key) for key in ("categorical", "missing", "exclude")}
    X, y = features_and_target(path.name, raw, "", columns.pop("exclude"))
    AlternativeFeatures("mutual_information", n_features=1, task=options.task, **columns).fit(X, y)
    return {"problems": []}


# What only a study refuses: too few rows for folds; ids, of which the library warns.
STUDY_ALONE = {
    "a class of one row",
    "few rows",
    "ids of text",
    "dates and text",
    "index with a name",
}


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*MESSY, *TEXTS])
def test_check_refuses_what_a_plan_refuses(frame, tmp_path, name):
    path = tmp_path / "messy table.csv"
    options = {}
    if name in TEXTS:
        path.write_text(TEXTS[name])
    else:
        changes, options = MESSY[name]
        frame.assign(**changes).to_csv(path, index=False)
    entry = {"name": "m", "type": "file", "options": {"path": str(path), "target": "y", **options}}
    study = {
        **SMALL,
        "results": str(tmp_path / "results"),
        "datasets": [entry],
        "folds": 5,
        "n_features": 1,
        "selectors": ["mutual_information", "fcbf", "model_gain", "greedy_wrapper"],
    }
    planned = is_refused(plan_of, study)
    checked = is_refused(check_table, path, "y", options=options, folds=5, n_features=1)
    assert checked == planned
    if not planned:
        # The entry that it prints is taken, too.
        entry = check_table(path, "y", options=options, folds=5, n_features=1)["entry"]
        assert not is_refused(plan_of, {**study, "datasets": [entry]})
    if name not in STUDY_ALONE:
        assert is_refused(fit_of, path, file_options(entry["options"])) == planned
