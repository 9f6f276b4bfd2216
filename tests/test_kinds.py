"""Kinds of answers: no part of the package names one, and each can be taken away."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from marks import exhaustive

from altfs.kinds.base import kinds
from altfs.registry import rooms_of_kinds
from altfs.searches import searches
from altfs.selectors import selectors

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ["acquisition", "assessments", "fronts", "rows", "streams"]
# What a user of the package without a room does.
USE = """
import numpy as np
from sklearn.datasets import load_wine
import altfs
from altfs import AlternativeFeatures
from altfs.commands.main import make_parser
from altfs.catalogue import figures, tables
from altfs.study.config import config_schema
from altfs.study.session import check_study
from altfs.study.tasks import task_types

X, y = load_wine(return_X_y=True)
# A selector that compiles little: nothing of the copy is in the cache.
afs = AlternativeFeatures("f_statistic", n_features=2, tau=1, n_shuffles=0)
assert len(afs.fit(X, y).feature_sets_) == 2
make_parser(), config_schema(), tables.names(), figures.names(), task_types()
study = check_study({
    "name": "small", "results": "results", "datasets": ["sklearn:wine"], "folds": 2, "seed": 1,
    "selectors": ["mutual_information"], "n_features": 2, "taus": [1], "models": ["naive_bayes"],
    "searches": [{"name": "sequential", "n_alternatives": 1}],
})
assert study.tasks and study.evaluation_paths()
print(altfs.__file__)
"""


def of_rooms(registry):
    return {one.name for one in registry if one.__module__.startswith("altfs.kinds.")}


def test_every_room_has_a_kind():
    assert {one.__module__.rpartition(".")[0] for one in kinds} == set(rooms_of_kinds())
    assert set(ROOMS) < set(kinds.names())


@pytest.mark.exhaustive
def test_no_module_outside_a_room_names_a_kind_of_answer():
    names = {*ROOMS, *of_rooms(searches), *of_rooms(selectors)}
    for path in (ROOT / "altfs").rglob("*.py"):
        inside = path.relative_to(ROOT / "altfs")
        # The package itself hands out the public names of rooms, on first use.
        if str(inside) == "__init__.py" or (inside.parts[0] == "kinds" and len(inside.parts) > 2):
            continue
        text = path.read_text()
        assert not [room for room in ROOMS if f"altfs.kinds.{room}" in text], path
        compared = {
            constant.value
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Compare)
            for constant in ast.walk(node)
            if isinstance(constant, ast.Constant)
        }
        assert not compared & names, path


def without(rooms, folder):
    """Copy the repository without some rooms and the tests of their kinds of answer."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for name in listed:
        folders = [f"{root}/kinds/{room}/" for root in ("altfs", "tests") for room in rooms]
        gone = name.startswith((*folders, "docs/"))
        if not gone and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    plugins = folder / "workflow" / "plugins"
    paths = (folder, plugins, plugins / "snakemake-executor-plugin-dask")
    # Workers of one run share the studies that tests make; these are of other code.
    outer = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    return {**outer, "PYTHONPATH": os.pathsep.join(map(str, paths))}


@pytest.mark.exhaustive
@pytest.mark.parametrize("room", [*ROOMS[:1], *exhaustive(*ROOMS[1:])])
def test_the_package_works_without_a_room(room, tmp_path):
    environment = without([room], tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", USE], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(tmp_path / "altfs" / "__init__.py")


# The contract of imports keeps rooms from each other, so that all can go together.
@pytest.mark.exhaustive
def test_all_other_tests_pass_without_rooms(tmp_path):
    environment = without(ROOMS, tmp_path)

    def run(*arguments):
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr
        return done.stdout

    # The committed schema has the sections of all kinds.
    schema = run("-c", "from altfs.commands.main import main; main(['schema'])")
    (tmp_path / "workflow" / "schemas" / "config.schema.json").write_text(schema)
    # What reads the registries and makes a whole study. Nothing compiled is shared with the copy,
    # so that more takes long.
    names = ("config", "constraining", "plan", "run", "session", "state", "store", "tasks")
    chosen = [f"tests/study/test_{name}.py" for name in names]
    chosen.append("tests/evaluation/test_evaluation.py")
    run("-m", "pytest", "-q", "-x", "-n", "0", *chosen)
