"""Common behaviour of all commands: exit codes, errors in one line, pipes."""

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
