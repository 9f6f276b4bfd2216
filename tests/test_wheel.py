"""The wheel holds all that the package needs, and works by itself."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from studies import SMALL
from workspaces import ROOT

# Reads every file that is not Python's, as the package does.
USE = """
import sys
import altfs
from altfs.datasets.pmlb import pinned_digests
from altfs.evaluation.report.files import asset
from altfs.study.config import config_schema

print(altfs.__file__)
assert len(pinned_digests()) > 1
assert all(asset(name) for name in sys.argv[1:])
assert config_schema()["properties"]
"""

# What the page of the library begins with.
FIND = """
import sys
from sklearn.datasets import load_wine
from altfs import AlternativeFeatures, quality, search_sequentially

X, y = load_wine(return_X_y=True, as_frame=True)
afs = AlternativeFeatures(n_features=3, n_alternatives=1, tau=0.5).fit(X, y)
assert len(afs.to_frame()) == 2 and str(afs.explain())
assert afs.plot("matrix").to_dict()
assert search_sequentially(quality.Linear([0.3, 0.2]), n_features=1, n_alternatives=1, tau=1).sets
assert not {"dask", "distributed", "snakemake", "pmlb"} & set(sys.modules)
X.assign(outcome=y).to_csv("data.csv", index=False)
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
    expected = package_files(ROOT, "altfs") | package_files(
        plugins, "snakemake_logger_plugin_altfs"
    )
    assert {"altfs/py.typed", "altfs/datasets/pmlb_digests.tsv"} < expected
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == expected


@pytest.mark.exhaustive
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


@pytest.mark.exhaustive
def test_the_library_works_without_the_packages_of_a_study(wheel, tmp_path, finished):
    programs = tmp_path / "environment" / "bin"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}

    def run(program, *arguments, code=0):
        done = subprocess.run(
            [programs / program, *map(str, arguments)],
            cwd=tmp_path, env=environment, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout if code == 0 else done.stderr

    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "venv", "-q", programs.parent], check=True)
    install = ["pip", "install", "-q", "--python", programs / "python"]
    subprocess.run([*uv, *install, "-c", ROOT / "envs" / "develop.txt", wheel], check=True)
    installed = subprocess.run(
        [*uv, "pip", "freeze", "--python", programs / "python"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert not re.search(
        r"^(snakemake|dask|distributed|pmlb|duckdb|sphinx|shap)\b", installed, re.M
    )

    run("python", "-c", FIND)
    assert "original" in run("altfs", "find", "data.csv", "--target", "outcome", "-k", 3)
    assert "A study of it" in run("altfs", "check", "data.csv", "--target", "outcome")
    assert "study: false" in run("altfs", "info")
    # These read what is stored, so nothing is missing.
    for command in (["plan"], ["verify", "--sample", "1"]):
        assert run("altfs", *command, finished.results)

    def needs(what, extra, *libraries):
        are = "libraries {}, which are" if len(libraries) > 1 else "library {}, which is"
        said = are.format(", ".join(libraries))
        return (
            f"altfs: {what} needs the {said} not installed, use `pip install 'altfs[{extra}]'`.\n"
        )

    found = run("altfs", "report", finished.results, code=2)
    assert found == needs("report", "study", "vl_convert")
    config = tmp_path / "config.yaml"
    config.write_text(yaml.safe_dump({**SMALL, "datasets": ["pmlb:ionosphere"]}))
    assert run("altfs", "check", "config.yaml", code=2) == needs(
        "dataset 'ionosphere': type 'pmlb'", "study", "pmlb", "requests"
    )
    config.write_text(yaml.safe_dump({**SMALL, "selectors": ["shap"]}))
    study = "selectors: the study"
    assert run("altfs", "check", "config.yaml", code=2) == needs(study, "shap", "shap")
