"""Completion, tried in a real shell."""

import shlex
import shutil
import subprocess
import sys

import pytest

from altfs.commands.completion import completion
from altfs.commands.main import main, make_parser
from altfs.searches import searches
from altfs.selectors import selectors


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    path = tmp_path_factory.mktemp("completion") / "altfs.bash"
    path.write_text(completion(make_parser(), "bash") + "\n")
    return path


def completed(script, folder, *words):
    """Return bash's offers for the last word."""
    quoted = " ".join(shlex.quote(word) for word in ("altfs", *words))
    lines = [
        f"source {script}",
        f"COMP_WORDS=({quoted})",
        f"COMP_CWORD={len(words)}",
        "_shtab_altfs",
    ]
    lines.append('printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(
        ["bash", "--norc", "-c", "\n".join(lines)], cwd=folder, capture_output=True, text=True
    )
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if line]


def test_commands_are_completed(script, tmp_path):
    everything = completed(script, tmp_path, "")
    assert everything == [
        "find", "acquire", "explain", "check", "plan", "status", "verify", "report", "compare",
        "export", "info", "schema", "completion",
    ]  # fmt: skip
    assert completed(script, tmp_path, "--") == ["--help", "--version"]
    assert completed(script, tmp_path, "fi") == ["find"]
    assert completed(script, tmp_path, "x") == []


def test_options_of_every_command_are_completed(script, tmp_path):
    assert completed(script, tmp_path, "find", "--searc") == ["--search", "--search-option"]
    assert completed(script, tmp_path, "find", "--at-") == ["--at-most", "--at-least"]
    assert completed(script, tmp_path, "find", "--co") == ["--cost", "--constraints"]
    assert completed(script, tmp_path, "check", "data.csv", "--fo") == ["--folds"]
    assert completed(script, tmp_path, "verify", "--f") == ["--full"]
    assert completed(script, tmp_path, "status", "--j") == ["--json"]
    # What a command does not have is not offered.
    assert completed(script, tmp_path, "plan", "--full") == []


def test_values_of_options_are_completed(script, tmp_path):
    assert completed(script, tmp_path, "find", "--selector", "") == selectors.names()
    assert completed(script, tmp_path, "find", "--search", "") == searches.names()
    assert completed(script, tmp_path, "find", "--task", "c") == ["classification"]
    assert completed(script, tmp_path, "completion", "") == ["bash", "zsh"]
    # A number, or a column: nobody knows which.
    assert completed(script, tmp_path, "find", "--tau", "") == []
    assert completed(script, tmp_path, "find", "--target", "") == []


def test_files_are_completed(script, tmp_path):
    (tmp_path / "wine.csv").touch()
    (tmp_path / "results").mkdir()
    for command in ("find", "check", "verify", "report", "plan"):
        assert completed(script, tmp_path, command, "w") == ["wine.csv"]
    for option in ("--output", "--constraints"):
        assert sorted(completed(script, tmp_path, "find", option, "")) == ["results", "wine.csv"]
    (tmp_path / "my data.csv").touch()
    assert completed(script, tmp_path, "find", "m") == ["my data.csv"]
    # Columns, and numbers.
    assert completed(script, tmp_path, "find", "--exclusive", "") == []


def test_the_command_prints_what_a_shell_can_read(script, capsys):
    assert main(["completion", "bash"]) == 0
    assert capsys.readouterr().out == script.read_text()
    for shell in ("fish", ""):
        with pytest.raises(SystemExit) as end:
            main(["completion", shell])
        assert end.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_zsh_gets_every_option_with_its_help(tmp_path):
    script = completion(make_parser(), "zsh")
    assert script.startswith("#compdef altfs\n")
    for word in ("--max-overlap[features that two sets may share", "(auto class", "_files"):
        assert word in script
    if shutil.which("zsh"):
        path = tmp_path / "_altfs"
        path.write_text(script)
        subprocess.run(["zsh", "-n", str(path)], check=True)


def test_asking_for_completion_is_cheap_at_the_command_line():
    # Only printing the script looks at the registries.
    code = (
        "import sys; from altfs.commands.main import make_parser; make_parser(); "
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
