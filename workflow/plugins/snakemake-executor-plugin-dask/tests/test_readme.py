"""The tutorial of the README works as it stands."""

import re
import textwrap
from pathlib import Path

import pytest
from snakemake_runs import Folder, wait_until_gone

README = Path(__file__).resolve().parents[1] / "README.md"


@pytest.mark.exhaustive
def test_the_rule_of_the_tutorial_is_a_task(tmp_path):
    text = README.read_text()
    blocks = re.findall(r"^ *```(\w*)\n(.*?)^ *```$", text, re.S | re.M)
    (module,) = [block for language, block in blocks if language == "python"]
    (rule,) = [block for _, block in blocks if "mytasks:square" in block]
    folder = Folder(tmp_path, textwrap.dedent(rule), textwrap.dedent(module))
    (tmp_path / "numbers").mkdir()
    (tmp_path / "numbers" / "7.txt").write_text("7")
    folder.run("squares/7.txt")
    assert folder.read("squares/7.txt") == "49"
    assert "Ran from" in folder.read("logs/7.log")
    assert wait_until_gone(tmp_path) == []
