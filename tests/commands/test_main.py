"""Common behaviour of all commands: exit codes, errors in one line, pipes."""

import subprocess
import sys

import pytest
from marks import exhaustive

from altfs.commands.main import main


def test_wrong_arguments_are_one_sentence_and_exit_code_2(tmp_path, capsys):
    for arguments in (["verify"], ["verify", str(tmp_path), "--jobs", "x"], ["checks"], []):
        with pytest.raises(SystemExit) as end:
            main(arguments)
        assert end.value.code == 2
        said = capsys.readouterr().err
        assert said.startswith("altfs: ")
        assert said.count("\n") == 1
    assert main(["verify", str(tmp_path)]) == 2
    assert "holds no study" in capsys.readouterr().err


def test_an_unknown_option_is_answered_by_the_command(wine_file, capsys):
    for option, answer in (
        ("--n-fetures", "altfs: '--n-fetures' is not an argument of 'altfs find', did you mean "
         "'--n-features'?\n"),
        ("--xyz=3", "altfs: '--xyz' is not an argument of 'altfs find', see "
         "'altfs find --help'.\n"),
    ):  # fmt: skip
        with pytest.raises(SystemExit) as end:
            main(["find", str(wine_file), "--target", "kind", option])
        assert end.value.code == 2
        assert capsys.readouterr().err == answer


# Arguments that are wrong, and the beginning of what is said about them.
WRONG = {
    "find T -k 2 --max-overlap 9": "--max-overlap: 9 is not",
    "find T --tau 1 --max-overlap 1": "--tau, --max-overlap: give exactly one",
    "find T --seed -1": "--seed: -1 is not",
    "find T --jobs 0": "--jobs: 0 is not",
    "find T --cost hue=1": "--cost, --budget: give both",
    "find T --cost hue=-1 --budget 1": "--cost: -1.0 for 'hue' is not",
    "find T --at-least x hue ash": "--at-least: 'x' is not",
    "find T --at-most 2": "--at-most: [] is not",
    "find T --relative-floor 2": "--relative-floor: 2.0 is not",
    "find T --selector relif": "--selector: 'relif' is not",
    "find T --selector wrapper --selector-option folds=0": "--selector-option folds: 0 is",
    "find T --search random --search-option population=9": "--search-option: 'random' has none",
    "find T --output x.csv": "--output: 'x.csv' ends",
    "check T --folds 1": "--folds: 1 is not",
    "check T -k 0": "--n-features: 0 is not",
    "check T --selector relif": "--selector: 'relif' is not",
    "check T --separator ,,": "--separator: ',,' is not",
    "check --folds 2": "--folds: this option is for tables",
}


@pytest.mark.parametrize("words", WRONG)
def test_messages_speak_of_the_options_of_the_command(wine_file, capsys, words):
    table = [str(wine_file), "--target", "kind"]
    arguments = [y for x in words.split() for y in (table if x == "T" else [x])]
    assert main(arguments) in (1, 2)
    said = capsys.readouterr().err
    assert said.startswith(f"altfs: {WRONG[words]}") and said.count("\n") == 1


def test_messages_name_the_table_and_the_keys_of_a_file(wine_file, tmp_path, capsys):
    table = tmp_path / "gaps.csv"
    table.write_text("a,b,y\n1,,0\n2,3,1\n")
    assert main(["find", str(table), "-t", "y", "--missing", "refuse"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("altfs: gaps.csv: column 'b' (NaN in 50.0% of the rows")
    assert "set --missing to impute or as_category" in said
    wishes = tmp_path / "wishes.yaml"
    wishes.write_text("budget: -1")
    assert main(["find", str(wine_file), "-t", "kind", "--constraints", str(wishes)]) == 2
    assert capsys.readouterr().err.startswith("altfs: budget: -1 is not")


@pytest.mark.exhaustive
@pytest.mark.parametrize("command", ["schema", *exhaustive("completion", "find", "check")])
def test_who_closes_the_pipe_gets_no_traceback(wine_file, tmp_path, command):
    import json
    import subprocess
    import sys

    table = [str(wine_file), "--target", "kind"]
    options = {"schema": [], "completion": ["bash"], "check": table,
               "find": [*table, "-k", "2", "-o", str(tmp_path / "sets.json")]}  # fmt: skip
    code = "import sys; from altfs.commands.main import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", code, command, *options[command]],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() == 141
    process.stderr.close()
    if command == "find":
        # What was asked to be written is there all the same.
        assert len(json.loads((tmp_path / "sets.json").read_text())["sets"]) == 5


def test_the_package_is_a_command():
    run = subprocess.run(
        [sys.executable, "-m", "altfs", "--version"], capture_output=True, text=True, check=True
    )
    assert run.stdout.startswith("altfs ")
