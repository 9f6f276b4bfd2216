"""What a bug report begins with."""

import json
import os
import platform
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from studies import SMALL
from workspaces import ROOT

import altfs
from altfs.commands.main import main


@pytest.mark.exhaustive
def test_a_run_names_versions_extras_machine_and_the_folder_of_kernels(tmp_path):
    def run(*options):
        return subprocess.run(
            [Path(sys.executable).with_name("altfs"), "info", *options],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip

    data = json.loads(run("--json"))
    assert yaml.safe_load(run()) == data
    assert (data["altfs"], data["python"]) == (altfs.__version__, platform.python_version())
    assert data["folder"] == str(ROOT / "altfs")
    assert f"{platform.machine()}, {os.cpu_count()} processors" in data["machine"]
    assert Path(data["kernels"]).parent == tmp_path
    assert data["libraries"]["numpy"] == version("numpy")
    assert data["extras"]["study"] is True
    assert data["extras"]["torch"] == (data["libraries"]["torch"] is not None)
    assert "study" not in data


@pytest.mark.exhaustive
def test_kernels_without_a_folder_are_null(tmp_path):
    shutil.copytree(
        ROOT / "altfs", tmp_path / "altfs", ignore=shutil.ignore_patterns("__pycache__")
    )
    # Root may write into every folder, but not into a file.
    (tmp_path / "altfs" / "__pycache__").touch()
    nowhere = {"HOME": os.devnull, "XDG_CACHE_HOME": os.devnull, "PYTHONPATH": str(tmp_path)}
    code = "from altfs.commands.main import main; main(['info', '--json'])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"} | nowhere,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    data = json.loads(done.stdout)
    assert data["folder"] == str(tmp_path / "altfs")
    assert data["kernels"] is None


def test_the_configuration_is_that_of_a_file_or_of_results(tmp_path, finished, capsys):
    # A file is shown as it is: a mistake in it may be what the report is about.
    config = tmp_path / "config.yaml"
    config.write_text(yaml.safe_dump({**SMALL, "folds": 0}))
    assert main(["info", str(config)]) == 0
    assert yaml.safe_load(capsys.readouterr().out)["study"] == {**SMALL, "folds": 0}
    assert main(["info", str(finished.results), "--json"]) == 0
    study = json.loads(capsys.readouterr().out)["study"]
    assert study == finished.config.model_dump(mode="json")


@pytest.mark.parametrize("missing", ["nowhere.yaml", "."])
def test_what_holds_no_study_is_refused_in_one_sentence(missing, tmp_path, capsys):
    assert main(["info", str(tmp_path / missing)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("altfs: ")
    assert said.err.count("\n") == 1
