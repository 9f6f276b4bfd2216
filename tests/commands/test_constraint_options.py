"""Constraints of ``altfs find``: by options, by a file, and in the library the same sets."""

import json

import pytest
import yaml
from marks import exhaustive
from sklearn.datasets import load_wine

from altfs import AlternativeFeatures, Constraints, Group, Implication, WeightedSum
from altfs.commands.main import main

# What is asked: options; the same in the words of config.yaml; in the library; given sets.
ASKED = {
    "include and exclude": (
        "--include hue --exclude proline --exclude ash",
        {"include": ["hue"], "exclude": ["proline", "ash"]},
        Constraints(include=("hue",), exclude=("proline", "ash")),
        (),
    ),
    "groups": (
        "--at-most 1 flavanoids proline alcohol --at-least 1 ash magnesium "
        "--all-or-none hue alcohol",
        {
            "groups": [
                {"features": ["flavanoids", "proline", "alcohol"], "at_most": 1},
                {"features": ["ash", "magnesium"], "at_least": 1},
                {"features": ["hue", "alcohol"], "all_or_none": True},
            ]
        },
        Constraints(
            groups=(
                Group(("flavanoids", "proline", "alcohol"), at_most=1),
                Group(("ash", "magnesium"), at_least=1),
                Group(("hue", "alcohol"), all_or_none=True),
            )
        ),
        (),
    ),
    "pairs": (
        "--exclusive flavanoids proline --exclusive flavanoids alcohol",
        {"exclusive": [["flavanoids", "proline"], ["flavanoids", "alcohol"]]},
        Constraints(exclusive=(("flavanoids", "proline"), ("flavanoids", "alcohol"))),
        (),
    ),
    "budget": (
        "--cost proline=1.5 --cost flavanoids=2 --cost hue=.5 --budget 2",
        {"costs": {"proline": 1.5, "flavanoids": 2, "hue": 0.5}, "budget": 2},
        Constraints(costs={"proline": 1.5, "flavanoids": 2, "hue": 0.5}, budget=2),
        (),
    ),
    "implications": (
        "--implies flavanoids ash hue --implies proline magnesium",
        {
            "implications": [
                {"when": ["flavanoids"], "then": ["ash", "hue"]},
                {"when": ["proline"], "then": ["magnesium"]},
            ]
        },
        Constraints(
            implications=(
                Implication(("flavanoids",), ("ash", "hue")),
                Implication(("proline",), ("magnesium",)),
            )
        ),
        (),
    ),
    "sums": (
        "--sum-at-most 1 proline=1 flavanoids=1 --sum-at-least 0.3 hue=.1 ash=.2 alcohol=.2",
        {
            "sums": [
                {"at_most": 1, "weights": {"proline": 1, "flavanoids": 1}},
                {"at_least": 0.3, "weights": {"hue": 0.1, "ash": 0.2, "alcohol": 0.2}},
            ]
        },
        Constraints(
            sums=(
                WeightedSum({"proline": 1, "flavanoids": 1}, at_most=1),
                WeightedSum({"hue": 0.1, "ash": 0.2, "alcohol": 0.2}, at_least=0.3),
            )
        ),
        (),
    ),
    "floor": (
        "--quality-floor 0.9",
        {"quality_floor": 0.9},
        Constraints(quality_floor=0.9),
        (),
    ),
    "relative floor": (
        "--relative-floor 0.9",
        {"relative_floor": 0.9},
        Constraints(relative_floor=0.9),
        (),
    ),
    "given sets": (
        "--given proline flavanoids hue --given alcohol",
        {"given": [["proline", "flavanoids", "hue"], ["alcohol"]]},
        Constraints(),
        (("proline", "flavanoids", "hue"), ("alcohol",)),
    ),
}


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True, as_frame=True)


@pytest.fixture
def folder(wine, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wine[0].assign(kind=wine[1]).to_csv("wine.csv", index=False)
    return tmp_path


def find(folder, *options):
    """The exit code, and what was written."""
    output = folder / "sets.json"
    output.unlink(missing_ok=True)
    usual = (
        "-k",
        "3",
        "-a",
        "2",
        "--tau",
        "0.6",
        "--selector",
        "f_statistic",
        "--evaluate",
        "none",
    )
    code = main(["find", "wine.csv", "-t", "kind", *usual, *options, "-o", str(output)])
    return code, json.loads(output.read_text()) if output.exists() else None


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore::altfs.errors.FewerSetsWarning")
# Floors take 10 s each, as they compile.
@pytest.mark.parametrize(
    "case",
    [*sorted({*ASKED} - {"floor", "relative floor"}), *exhaustive("floor", "relative floor")],
)
def test_options_file_and_library_find_the_same_sets(case, wine, folder):
    options, content, constraints, given = ASKED[case]
    X, y = wine
    if constraints.quality_floor is not None:
        best = AlternativeFeatures("f_statistic", n_features=3).fit(X, y).feature_sets_[0]
        floor = 0.9 * best.train_objective
        options, content = f"--quality-floor {floor!r}", {"quality_floor": floor}
        constraints = Constraints(quality_floor=floor)
    request = AlternativeFeatures(
        "f_statistic", n_features=3, n_alternatives=2, tau="0.6", given=given,
        constraints=constraints,
    )  # fmt: skip
    expected = [list(s.names) for s in request.fit(X, y).feature_sets_]
    # The keys of a file are those of a dict in Python.
    same = AlternativeFeatures(
        "f_statistic", n_features=3, n_alternatives=2, tau="0.6", constraints=content
    )
    assert [list(s.names) for s in same.fit(X, y).feature_sets_] == expected
    plain = AlternativeFeatures("f_statistic", n_features=3, n_alternatives=2, tau="0.6")
    unasked = [list(s.names) for s in plain.fit(X, y).feature_sets_]
    # Of the best sets some break what is asked, else nothing would be shown.
    assert expected != unasked
    code, by_options = find(folder, *options.split())
    # With a floor there are fewer sets.
    assert code == (0 if len(expected) == 3 else 1)
    assert [s["feature_names"] for s in by_options["sets"]] == expected
    (folder / "c.json").write_text(json.dumps(content))
    (folder / "c.yaml").write_text(yaml.safe_dump([content]))
    (folder / "section.yaml").write_text(yaml.safe_dump({"constraints": [content]}))
    # To say why sets are missing takes long; the kinds of files do not depend on the case.
    names = ("c.json", "c.yaml", "section.yaml")
    for name in names[:1] if "floor" in case else names:
        assert find(folder, "--constraints", name) == (code, by_options)


def test_what_was_asked_is_written_in_the_words_of_a_study(folder):
    from altfs.study.constraining import ConstraintsEntry

    options = "--include hue --cost hue=2 --budget 3 --relative-floor 0.5 --given ash"
    _, written = find(folder, *options.split(), "--exclusive", "proline", "alcohol")
    assert written["constraints"] == {
        "include": ["hue"],
        "exclusive": [["proline", "alcohol"]],
        "given": [["ash"]],
        "costs": {"hue": 2.0},
        "budget": 3.0,
        "relative_floor": 0.5,
    }
    # A study takes it as it is, and so does the command line.
    ConstraintsEntry.model_validate(written["constraints"])
    (folder / "again.json").write_text(json.dumps(written["constraints"]))
    assert find(folder, "--constraints", "again.json") == (0, written)
    said = [written[key] for key in ("selector", "search", "tau", "max_overlap", "dissimilarity")]
    assert said == ["f_statistic", "sequential", "0.6", None, "dice"]
    assert find(folder)[1]["constraints"] is None


def test_a_file_and_options_add_up(folder):
    (folder / "c.yaml").write_text("- include: [hue]\n- exclude: [proline]\n  given: [[ash]]\n")
    code, written = find(
        folder, "--constraints", "c.yaml", "--exclude", "alcohol", "--include", "hue"
    )
    assert code == 0
    assert written["constraints"] == {
        "include": ["hue"], "exclude": ["proline", "alcohol"], "given": [["ash"]]
    }  # fmt: skip
    for features in written["sets"]:
        assert "hue" in features["feature_names"]
        assert not {"proline", "alcohol"} & set(features["feature_names"])


def test_a_column_with_an_equals_sign_has_a_cost(folder):
    (folder / "t.csv").write_text("a=b,c,y\n1,2,0\n2,1,1\n1,3,0\n2,4,1\n")
    arguments = ["find", "t.csv", "-t", "y", "-k", "1", "-a", "0", "--selector", "f_statistic"]
    assert main([*arguments, "--cost", "a=b=2", "--budget", "1", "-o", "o.json"]) == 0
    (only,) = json.loads((folder / "o.json").read_text())["sets"]
    assert only["feature_names"] == ["c"]


def test_constraints_that_leave_no_set_are_an_answer(folder, capsys):
    assert find(folder, "--include", "hue", "--all-or-none", "hue", "ash", "--at-most", "1", "hue",
                "ash") == (1, None)  # fmt: skip
    said = capsys.readouterr().err
    assert "0 of 3 feature sets found" in said and said.count("\n") == 1


def test_they_are_in_parquet_and_in_the_help(folder, capsys):
    import pyarrow.parquet as pq

    options = ("--include", "hue", "--selector", "mutual_information", "--evaluate", "none")
    assert main(["find", "wine.csv", "-t", "kind", *options, "-o", "s.parquet"]) == 0
    metadata = pq.read_schema("s.parquet").metadata
    assert any(b'"include": ["hue"]' in value or b'"include":["hue"]' in value
               for value in metadata.values())  # fmt: skip
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(["find", "--help"])
    said = capsys.readouterr().out
    for option in ("--exclusive COLUMN COLUMN", "--at-most N", "--cost COLUMN=NUMBER",
                   "--relative-floor SHARE", "--constraints FILE"):  # fmt: skip
        assert option in said
