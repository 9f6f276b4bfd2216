"""`altfs find data.csv --target y`: sets in a table, printed and written."""

import json

import numpy as np
import pandas as pd
import pytest

from altfs.commands.main import main


def run_find(path, *options):
    evaluated = () if "--evaluate" in options else ("--evaluate", "none")
    # The filter is faster than the default selector.
    selector = () if "--selector" in options else ("--selector", "mutual_information")
    return main(["find", str(path), "--target", "kind", *evaluated, *selector, *options])


@pytest.mark.exhaustive
def test_find_prints_sets_and_writes_what_the_library_finds(wine_file, tmp_path, capsys):

    import pyarrow.parquet as pq
    from sklearn.datasets import load_wine

    from altfs import AlternativeFeatures

    X, y = load_wine(return_X_y=True, as_frame=True)
    afs = AlternativeFeatures("mutual_information", n_features=3, n_alternatives=2, tau="0.6").fit(
        X, y
    )
    options = ("-k", "3", "-a", "2", "--tau", "0.6", "--output")
    assert run_find(wine_file, *options, str(tmp_path / "sets.json")) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert "wine.csv: 178 rows, 13 features, target kind (multiclass)" in said.out
    for result in afs.feature_sets_:
        assert ", ".join(result.names) in said.out
    written = json.loads((tmp_path / "sets.json").read_text())
    assert written["shortfall"] is None
    assert [s["feature_names"] for s in written["sets"]] == [
        list(s.names) for s in afs.feature_sets_
    ]
    assert [s["bound"] for s in written["sets"]] == [s.bound for s in afs.feature_sets_]
    assert run_find(wine_file, *options, str(tmp_path / "sets.parquet")) == 0
    assert pq.read_table(tmp_path / "sets.parquet").to_pylist() == written["sets"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["sets.json", "sets.parquet", "wine.csv"]


def test_find_passes_on_what_it_is_asked(wine_file, tmp_path, capsys):

    output = tmp_path / "sets.json"
    options = (
        "--search simultaneous --aggregation min --selector model_gain -k 2 -a 1 --max-overlap 0"
    )
    limits = ("--include", "hue", "--exclude", "proline")
    assert run_find(wine_file, *options.split(), *limits) == 1
    assert "0 of 2 feature sets found" in capsys.readouterr().err
    assert run_find(wine_file, *options.split(), *limits[2:], "-o", str(output), "-v") == 0
    said = capsys.readouterr()
    assert "altfs: scoring 13 features on 178 rows (multiclass)" in said.err
    assert "min of the qualities: " in said.out
    written = json.loads(output.read_text())
    assert written["aggregation"] == "min"
    assert written["run_objective"] == min(s["train_objective"] for s in written["sets"])
    names = [name for s in written["sets"] for name in s["feature_names"]]
    assert len(set(names)) == 4
    assert "proline" not in names


def test_find_takes_options_of_a_search(wine_file, tmp_path, capsys):
    import pandas as pd

    wine = pd.read_csv(wine_file)
    wine.assign(kind=wine["kind"] == "b").to_csv(wine_file, index=False)
    output = tmp_path / "sets.json"
    options = "-k 1 -a 1 --tau 1 --selector naive_bayes_curve --search many_objective"
    # An infinite number is not JSON.
    more = ("--search-option", "dominance_factor=.inf", "--search-option", "sizes=exact")
    assert run_find(wine_file, *options.split(), *more, "-o", str(output)) == 0
    written = json.loads(output.read_text(), parse_constant=pytest.fail)
    request = {"dominance_factor": "inf", "sizes": "exact"}
    assert written["search"] == {"type": "many_objective", "options": request}
    # With factor 1 the front has one set.
    assert run_find(wine_file, *options.split(), "--search-option", "dominance_factor=1") == 1
    said = capsys.readouterr().out
    assert "1 of 2 feature sets found" in said and "or a larger dominance_factor." in said
    assert run_find(wine_file, *options.split(), *more, "-a", "12") == 1
    assert "use a smaller tau or more features." in capsys.readouterr().out


@pytest.mark.exhaustive
def test_find_evaluates_the_sets(wine_file, capsys):
    from sklearn.datasets import load_wine

    from altfs import AlternativeFeatures

    options = ("-k", "2", "-a", "1", "--tau", "1", "--evaluate", "decision_tree")
    assert run_find(wine_file, *options) == 0
    said = capsys.readouterr().out
    assert "nested score: roc_auc_ovr of DecisionTreeClassifier" in said
    assert run_find(wine_file, *options, "--json") == 0
    result = json.loads(capsys.readouterr().out)["evaluation"]
    X, y = load_wine(return_X_y=True, as_frame=True)
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=1, tau=1).fit(X, y)
    table = afs.evaluate("decision_tree").table
    assert [row["set"] for row in result["sets"]] == [
        "original",
        "alternative 1",
        "all features",
        "empty set",
    ]
    assert [row["score"] for row in result["sets"]] == list(table["score"])
    assert result["nested"] and result["sets"][0]["difference_low"] == 0
    assert run_find(wine_file, *options, "--json", "--explain") == 2
    assert run_find(wine_file, *options[:-1], "none", "--json") == 0
    assert "evaluation" not in json.loads(capsys.readouterr().out)


def test_a_model_to_evaluate_is_named_and_a_file_is_none(wine_file, capsys):
    for name, said in (("tree", "known model, allowed"), (str(wine_file), "a file and not a")):
        with pytest.raises(SystemExit) as end:
            main(["find", "--target", "kind", "--evaluate", name])
        assert end.value.code == 2
        error = capsys.readouterr().err
        assert f"--evaluate: '{name}' is" in error and said in error
        assert "random_forest, auto, none, see" in error and error.count("\n") == 1


@pytest.mark.exhaustive
def test_find_explains_what_is_there_and_what_is_not(wine_file, capsys):
    assert run_find(wine_file, "-k", "3", "-a", "1", "--explain") == 0
    said = capsys.readouterr().out
    assert said.index("original") < said.index("What changes from set to set")
    assert "What tau costs in quality" in said
    assert run_find(wine_file, "-k", "3", "-a", "1") == 0
    assert "What changes" not in capsys.readouterr().out
    dear = ("--cost", "hue=2", "--include", "hue", "--budget", "1")
    assert run_find(wine_file, "-k", "3", *dear, "--explain") == 1
    said = capsys.readouterr()
    assert "What could be asked instead" in said.out
    assert "With no budget: 5 sets" in said.out
    assert "no set of 3 features satisfies the request" in said.err
    assert said.err.count("\n") == 1


@pytest.mark.exhaustive
def test_sets_that_are_nearly_as_good_are_counted(wine_file, tmp_path, capsys):
    written = tmp_path / "sets.json"
    assert run_find(wine_file, "-k", "3", "--near", "0.1", "-o", str(written)) == 0
    said = capsys.readouterr().out
    assert "Nearly as good: 11 sets have a quality from 0.33" in said
    assert "None holds" in said and "Most often besides: flavanoids 91%" in said
    near = json.loads(written.read_text())["near"]
    assert near["at_least"] == near["at_most"] == "11" and len(near["features"]) == 13
    assert run_find(wine_file, "-k", "3", "--near", "2") == 2
    assert "--near: 2.0 is not allowed, use a number from 0 to 1" in capsys.readouterr().err


@pytest.mark.exhaustive
def test_find_names_columns_of_one_value(wine_file, capsys):
    import pandas as pd

    pd.read_csv(wine_file)[["hue", "kind"]].assign(same=1, too=2).to_csv(wine_file, index=False)
    assert run_find(wine_file, "-k", "1", "-a", "0") == 0
    assert capsys.readouterr().out.count("has the same value in every row and is left out.") == 2
    assert run_find(wine_file, "-k", "1", "-a", "0", "--exclude", "same", "--exclude", "too") == 0
    assert "same value" not in capsys.readouterr().out
    assert run_find(wine_file, "-k", "2", "-a", "0") == 2
    assert "2 is not allowed (left out, as they tell nothing: same, too), use a number" in (
        capsys.readouterr().err
    )
    # A constraint that names such a column keeps it.
    assert run_find(wine_file, "-k", "2", "-a", "0", "--include", "same") == 0
    assert "'same' has the same value in every row and tells nothing" in capsys.readouterr().out


def test_find_leaves_out_rows_without_a_target_and_says_so(wine_file, capsys):
    import pandas as pd

    frame = pd.read_csv(wine_file)[["hue", "alcohol", "kind"]]
    frame.loc[[3, 90], "kind"] = None
    frame.to_csv(wine_file, index=False)
    assert run_find(wine_file, "-k", "1", "-a", "0") == 0
    output = capsys.readouterr().out
    assert "176 rows, 2 features" in output
    assert "2 rows have no value of 'kind' and are left out." in output
    frame.assign(kind=None).to_csv(wine_file, index=False)
    assert run_find(wine_file, "-k", "1", "-a", "0") == 2
    assert "Traceback" not in capsys.readouterr().err


def test_find_shortens_long_names_so_that_they_differ(wine_file, tmp_path, capsys):
    import pandas as pd

    long = "the_share_of_{}_in_what_the_laboratory_measured"
    wine = pd.read_csv(wine_file)[["hue", "proline", "kind"]]
    names = [long.format("hue"), long.format("proline"), "kind"]
    wine.set_axis(names, axis="columns").to_csv(wine_file, index=False)
    output = tmp_path / "sets.json"
    assert run_find(wine_file, "-k", "1", "-a", "1", "--tau", "1", "-o", str(output)) == 0
    said = capsys.readouterr().out
    rows = [line.split()[-1] for line in said.splitlines() if "proven best" in line]
    assert len(set(rows)) == 2 and all("..." in name and len(name) <= 40 for name in rows)
    written = json.loads(output.read_text())["sets"]
    assert {s["feature_names"][0] for s in written} == set(names[:2])


def test_a_tau_of_zero_is_written_as_zero(wine_file, tmp_path):
    from altfs.commands.find import find

    output, asked = tmp_path / "sets.json", {"n_features": 2, "n_alternatives": 1, "tau": 0.0}
    find(wine_file, "kind", selector="mutual_information", output=output, **asked)
    written = json.loads(output.read_text())
    assert written["tau"] == 0.0
    first, second = (set(s["selected"]) for s in written["sets"])
    assert len(first & second) == 1


# 11 s, as it compiles the solvers for several sizes.
@pytest.mark.exhaustive
def test_find_takes_a_range_of_sizes(wine_file, tmp_path):

    from sklearn.datasets import load_wine

    from altfs import AlternativeFeatures

    output = tmp_path / "sets.json"
    options = ("--selector", "cfs", "-k", "2-4", "-a", "2", "-o", str(output))
    assert run_find(wine_file, *options) == 0
    written = json.loads(output.read_text())
    assert written["n_features"] == "2-4"
    afs = AlternativeFeatures("cfs", n_features=(2, 4), n_alternatives=2)
    afs.fit(*load_wine(return_X_y=True, as_frame=True))
    assert [s["feature_names"] for s in written["sets"]] == [list(s) for s in afs.feature_sets_]


@pytest.mark.exhaustive
def test_find_shows_the_sets_there_are_and_says_that_they_are_fewer(wine_file, capsys):
    assert run_find(wine_file, "-k", "6", "-a", "3", "--tau", "1") == 1
    said = capsys.readouterr().out
    assert "original" in said
    assert "2 of 4 feature sets found, as 4 sets of 6 features with at most 0 in common" in said


# The table of tests/test_refusals.py has the others.
@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ["-k", "x"],
            "--n-features: 'x' is not allowed, use a whole number from 1, or a range such",
        ),
        (
            ["-k", "2-x"],
            "--n-features: '2-x' is not allowed, use a whole number from 1, or a range",
        ),
        (["--exclude", "hu"], "exclude: there is no feature 'hu', did you mean 'hue'?"),
        (["--exclude", "hu", "--exclude", "x"], "--exclude: there are no features 'hu', 'x', use"),
        (["--exclude", "kind"], "exclude: there is no feature 'kind'"),
        (["--without", "hu"], "altfs: --without: there is no feature 'hu'"),
        (["--outages", "hu"], "altfs: --outages: there is no feature 'hu'"),
        (["--target", "kinds"], "has no target column 'kinds', did you mean 'kind'?"),
    ],
)
def test_find_refuses_in_one_sentence(wine_file, capsys, options, sentence):
    assert run_find(wine_file, *options) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("altfs: ") and sentence in said.err
    assert said.err.count("\n") == 1


def test_find_refuses_arguments_that_are_none(wine_file, capsys):
    for options in (
        ["--task", "ranking"],
        ["--selectors", "mrmr"],
    ):
        with pytest.raises(SystemExit) as end:
            run_find(wine_file, *options)
        assert end.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_find_does_not_overwrite_its_table(wine_file, capsys):
    table = wine_file.with_suffix(".parquet")
    import pandas as pd

    pd.read_csv(wine_file).to_parquet(table)
    before = table.read_bytes()
    assert run_find(table, "--output", str(table)) == 2
    assert "is the table itself" in capsys.readouterr().err
    assert table.read_bytes() == before


def test_the_help_of_find_has_examples_and_exit_codes(capsys):
    with pytest.raises(SystemExit) as end:
        main(["find", "--help"])
    assert end.value.code == 0
    said = capsys.readouterr().out
    assert "exit code: 0 all sets are there; 1 there are fewer; 2 wrong" in said
    assert "altfs find data.csv --target outcome -k 5 -a 4 --tau 0.4 --output sets.json" in said


def test_few_groups_are_the_folds(tmp_path, capsys):
    frame = pd.DataFrame(np.random.default_rng(3).normal(size=(90, 3))).add_prefix("f")
    frame = frame.assign(site=np.arange(90) % 3, kind=(frame["f0"] > 0).astype(int))
    frame.to_csv(tmp_path / "sites.csv", index=False)
    options = ("-k", "1", "-a", "0", "--groups", "site", "--evaluate", "decision_tree")
    assert run_find(tmp_path / "sites.csv", *options) == 0
    assert "found the original set itself in 3 of 3 folds" in capsys.readouterr().out


@pytest.mark.exhaustive
def test_groups_are_a_column_that_is_no_feature(tmp_path, capsys):
    random = np.random.default_rng(3)
    patients = np.repeat(np.arange(40), 8)
    traits, kinds = random.normal(size=(40, 6)), random.integers(0, 2, 40)
    frame = pd.DataFrame(traits[patients] + random.normal(size=(320, 6)) / 6).add_prefix("f")
    frame = frame.assign(patient=[f"p{i}" for i in patients], kind=kinds[patients])
    path = tmp_path / "clinic.csv"
    frame.sample(frac=1, random_state=0).to_csv(path, index=False)
    assert run_find(path, "-k", "3", "-a", "1") == 0
    _, note, signal, *_ = capsys.readouterr().out.splitlines()
    assert "better than chance" in signal and "the same value of 'patient'" in note
    assert run_find(path, "-k", "3", "-a", "1", "--groups", "patient", "--json") == 0
    written = json.loads(capsys.readouterr().out)
    assert written["groups"] == "patient"
    assert run_find(path, "-k", "3", "-a", "1", "--groups", "patient") == 0
    said = capsys.readouterr().out
    assert "clinic.csv: 320 rows in 40 groups of 'patient', 6 features" in said
    assert "No signal shown: the original set is not better than chance" in said
    assert run_find(path, "--groups", "patents") == 2
    assert "--groups: 'patents' is not a column besides the target, did you mean 'patient'?" in (
        capsys.readouterr().err
    )


@pytest.mark.exhaustive
def test_what_sets_tell_about_a_column(tmp_path, capsys):
    rng = np.random.default_rng(0)
    sex = rng.integers(0, 2, 120)
    table = pd.DataFrame(rng.normal(size=(120, 4)), columns=list("abcd")).assign(sex=sex)
    table["y"] = (table["a"] + sex > 0.5).astype(int)
    table.to_csv(tmp_path / "t.csv", index=False)
    options = ["--selector", "f_statistic", "-k", "2", "-a", "1", "--evaluate", "none"]
    arguments = ["find", str(tmp_path / "t.csv"), "-t", "y", *options, "--sensitive"]
    assert main([*arguments, "sex", "-o", str(tmp_path / "s.json")]) == 0
    assert "A forest tells sex from " in capsys.readouterr().out
    written = json.loads((tmp_path / "s.json").read_text())
    assert all("sex" not in s["feature_names"] for s in written["sets"])
    assert written["sensitive"]["groups"].keys() == {"0", "1"}
    refusals = {"y": "'y' is not a column besides the target", "z": "'z' is not", "a": "120 values"}
    for column, said in refusals.items():
        assert main([*arguments, column]) == 2
        assert said in capsys.readouterr().err


def test_sets_are_compared_with_equivalent_ones(tmp_path, capsys):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(120, 4)), columns=list("abcd"))
    table["d"], table["y"] = 2 * table["a"], table["a"] + table["b"]
    table.to_csv(tmp_path / "t.csv", index=False)
    options = ["--selector", "f_statistic", "-k", "2", "-a", "1", "--evaluate", "none"]
    output = ["--equivalents", "-o", str(tmp_path / "s.json")]
    assert main(["find", str(tmp_path / "t.csv"), "-t", "y", *options, *output]) == 0
    said = capsys.readouterr().out
    assert "2 sets of 2 features cannot be told apart by Fisher's z test" in said
    assert "a or d" in said
    written = json.loads((tmp_path / "s.json").read_text())["equivalents"]
    assert written["classes"] == [["a", "d"], ["b"]] and written["number"] == "2"
    assert len(written["sets"]) == 2


@pytest.mark.exhaustive
def test_times_are_a_column_that_is_no_feature(tmp_path, capsys):
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(120, 4))).add_prefix("f")
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(120), unit="D")
    frame = frame.assign(day=days.strftime("%Y-%m-%d"), kind=np.arange(120) // 3 % 2)
    path = tmp_path / "visits.csv"
    frame.to_csv(path, index=False)
    assert run_find(path, "-k", "2", "-a", "1", "--times", "day", "--json") == 0
    written = json.loads(capsys.readouterr().out)
    assert written["times"] == "day"
    assert "day" not in {name for one in written["sets"] for name in one["feature_names"]}
    assert run_find(path, "-k", "2", "-a", "1", "--times", "day") == 0
    assert "visits.csv: 120 rows in the order of 'day', 4 features" in capsys.readouterr().out
    assert run_find(path, "--times", "kind") == 2
    assert "--times: 'kind' is not a column besides the target" in capsys.readouterr().err
    assert run_find(path, "--times", "day", "--groups", "f0") == 2
    assert "--times: they are given beside --groups, leave one" in capsys.readouterr().err
