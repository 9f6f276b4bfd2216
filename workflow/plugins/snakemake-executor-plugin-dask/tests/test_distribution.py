"""The distribution: built from its folder, complete, and without altfs."""

import ast
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1]
PACKAGE = FOLDER / "snakemake_executor_plugin_dask"
SNAKEFILE = """
rule all:
    output: "done.txt"
    shell: "echo {threads} > {output}"
"""


@pytest.fixture
def wheel(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=FOLDER, check=True, capture_output=True,
    )  # fmt: skip
    (built,) = tmp_path.glob("*.whl")
    return built


def test_the_wheel_holds_every_file_of_the_package_and_no_other(wheel):
    expected = {
        f"{PACKAGE.name}/{path.relative_to(PACKAGE).as_posix()}"
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert f"{PACKAGE.name}/py.typed" in expected
    names = zipfile.ZipFile(wheel).namelist()
    assert {name for name in names if ".dist-info/" not in name} == expected
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_no_file_here_imports_altfs():
    for path in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            names = [getattr(node, "module", None), *(name.name for name in node.names)]
            assert "altfs" not in {str(name).partition(".")[0] for name in names}, path


@pytest.mark.exhaustive
def test_it_works_in_an_environment_of_its_own(wheel, tmp_path):
    programs = tmp_path / "environment" / "bin"
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "venv", "-q", programs.parent], check=True)
    there = ["--python", programs / "python"]
    subprocess.run([*uv, "pip", "install", "-q", *there, wheel], check=True)
    installed = subprocess.run(
        [*uv, "pip", "freeze", *there], check=True, capture_output=True, text=True
    ).stdout
    assert "dask" in installed
    assert "altfs" not in installed
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    subprocess.run(
        [programs / "snakemake", "--executor", "dask", "--jobs", "2", "--cores", "2"],
        cwd=tmp_path, check=True, env={"PATH": f"{programs}:/usr/bin:/bin"},
    )  # fmt: skip
    assert (tmp_path / "done.txt").read_text() == "1\n"
