"""What is built for others to install holds all that the package needs, and works by itself."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT

# Reads every file that is not Python's, as the package does.
USE = """
import sys
import altfs
from altfs.datasets.pmlb import pinned_digests
from altfs.evaluation.report.page import asset
from altfs.study.config import config_schema

print(altfs.__file__)
assert len(pinned_digests()) > 1
assert all(asset(name) for name in sys.argv[1:])
assert config_schema()["properties"]
"""


def package_files(folder: Path, package: str) -> set[str]:
    return {
        f"{package}/{path.relative_to(folder / package).as_posix()}"
        for path in (folder / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (built,) = folder.glob("*.whl")
    return built


def test_it_holds_every_file_of_the_packages_and_no_other(wheel):
    plugins = ROOT / "workflow" / "plugins"
    expected = package_files(ROOT, "altfs")
    for plugin in sorted(path.name for path in plugins.glob("snakemake_*") if path.is_dir()):
        expected |= package_files(plugins, plugin)
    assert {"altfs/py.typed", "altfs/datasets/pmlb_digests.tsv"} < expected
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == expected


def test_what_was_built_reads_its_own_files(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    assets = sorted(
        name for name in os.listdir(ROOT / "altfs" / "evaluation" / "report" / "assets")
    )
    assert {"page.html", "page.css", "main.js"} <= set(assets)
    done = subprocess.run(
        [sys.executable, "-c", USE, *assets],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()) == tmp_path / "altfs" / "__init__.py"
