"""The package that the page on components ends with, built and installed for real."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from sklearn.datasets import load_wine
from workspaces import ROOT

PACKAGE = ROOT / "docs" / "how_to" / "examples" / "altfs-clipped"
ALTFS = str(Path(sys.executable).with_name("altfs"))
USE = """
import sys
from altfs import AlternativeFeatures
from altfs.commands.main import main
from pandas import read_csv

data = read_csv("wine.csv")
chosen = {"type": "clipped_correlation", "options": {"share": 0.2}}
afs = AlternativeFeatures(chosen, n_features=3, n_alternatives=1)
afs.fit(data.drop(columns="kind"), data["kind"])
print([list(entry.names) for entry in afs.feature_sets_])
arguments = ["--selector", chosen["type"], "--selector-option", "share=0.2", "-k", "3", "-a", "1"]
arguments += ["--evaluate", "none", "--json"]
sys.exit(main(["find", "wine.csv", "--target", "kind", *arguments]))
"""


@pytest.fixture(scope="module")
def built(made_once):
    """A folder with the installed package."""

    def build(folder):
        source = shutil.copytree(PACKAGE, folder / "source")
        options = ("-q", "--no-index", "--no-deps", "--no-build-isolation")
        subprocess.run(
            [sys.executable, "-m", "pip", "install", *options, "--target", folder / "site", source],
            check=True, capture_output=True,
        )  # fmt: skip

    return made_once("example-package", build) / "site"


@pytest.fixture
def run(built, tmp_path):
    """Runs a program in whose path a copy of the package is."""
    site = shutil.copytree(built, tmp_path / "site")

    def run(*command, code=0, folder=tmp_path):
        done = subprocess.run(
            [sys.executable, *command], cwd=folder, env={**os.environ, "PYTHONPATH": path},
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        return done.stdout

    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
    run.site, run.path = site, path
    return run


def test_the_page_shows_its_files():
    page = (ROOT / "docs" / "how_to" / "extend.md").read_text()
    for name in ("pyproject.toml", "altfs_clipped/correlation.py", "tests/test_correlation.py"):
        assert (PACKAGE / name).is_file()
        assert f"examples/altfs-clipped/{name}\n" in page


@pytest.mark.exhaustive
def test_its_selector_works_in_the_library_and_on_the_command_line(run, tmp_path):
    X, y = load_wine(return_X_y=True, as_frame=True)
    X.assign(kind=y).to_csv(tmp_path / "wine.csv", index=False)
    by_library, _, by_command = run("-c", USE).partition("\n")
    clipped = X.clip(X.quantile(0.2), X.quantile(0.8), axis=1)
    best = clipped.corrwith(y).abs().nlargest(3).index
    sets = [entry["feature_names"] for entry in json.loads(by_command)["sets"]]
    assert sets[0] == [name for name in X if name in best]
    assert str(sets) == by_library


@pytest.mark.exhaustive
def test_its_own_tests_pass(run, built):
    # With the exit code 5, pytest has found none.
    run("-m", "pytest", "-p", "no:cacheprovider", str(built.with_name("source")))


@pytest.mark.exhaustive
@pytest.mark.study
def test_a_study_uses_it_on_workers_and_its_code_counts(run, workspace):
    work = workspace(
        selectors=["mutual_information", "clipped_correlation"],
        searches=[{"name": "sequential", "n_alternatives": 1}],
        taus=["1"],
    )

    def altfs(*arguments, code=0):
        return run(ALTFS, *arguments, code=code, folder=work.folder)

    work.run("--cores", "2", PYTHONPATH=run.path)
    assert len(work.shards()) == 2 * 2
    table = pd.read_parquet(work.results / "tables" / "best_objectives.parquet")
    assert set(table["selector"]) == {"mutual_information", "clipped_correlation"}
    assert (table["best"] > 0).all()
    page = (work.results / "report.html").read_text()
    assert "Best training objective of each selector on each dataset." in page
    assert altfs("verify", "results/small", "--full")
    assert "altfs-clipped" in altfs("info")
    helper = run.site / "altfs_clipped" / "clipping.py"
    helper.write_text(helper.read_text() + "\n# A comment.\n")
    assert altfs("status")
    helper.write_text(helper.read_text() + "\nMOST = 1\n")
    shards = json.loads(altfs("status", "--json", code=1))["shards"]
    stale = {cell["selector"]: (cell["stale"], cell["done"]) for cell in shards}
    assert stale == {"mutual_information": (0, 2), "clipped_correlation": (2, 0)}
    work.run("--cores", "2", PYTHONPATH=run.path)
    assert altfs("status")
