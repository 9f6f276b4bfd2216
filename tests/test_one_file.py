"""A component is one file: put into a folder that its package looks into, everything finds it.

Scores and selectors are judged so in test_conformance.py, tables and figures in
evaluation/test_catalogue.py.
"""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from audit import run_tasks, verify
from sklearn.datasets import load_wine
from studies import SMALL
from test_how_to import EXAMPLES, REGISTRIES

from altfs.problem import Problem
from altfs.quality import Quality
from altfs.searches import searches
from altfs.solvers import Limits, solve, solvers
from altfs.study.session import check_study
from altfs.study.state import Ledger, look_at_files
from altfs.study.store import read_table
from altfs.testing import check_search, check_solver

ONE_FILE_EACH = {name: REGISTRIES[name] for name in ("blocks", "listing", "json_lines", "ridge")}


@pytest.fixture
def one_file_each(tmp_path, monkeypatch):
    """The examples of the documentation, each in a folder that its package looks into."""
    for name, registry in ONE_FILE_EACH.items():
        folder = tmp_path / name
        folder.mkdir()
        shutil.copy(EXAMPLES / f"{name}.py", folder)
        # Loaded before: a module that is imported for the copy alone would be lost with it.
        assert name not in registry.names()
        package = sys.modules[registry.package]
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        monkeypatch.setattr(registry, "_members", dict(registry._members))
        monkeypatch.setattr(registry, "_loaded", False)
    yield
    for name, registry in ONE_FILE_EACH.items():
        sys.modules.pop(f"{registry.package}.{name}", None)


class Products(Quality):
    """A quality of a kind of its own."""

    n_total = 6

    def evaluate(self, indices):
        return float(np.prod([j + 1 for j in indices]))


def test_each_is_found_by_its_name_and_passes_the_checks(one_file_each):
    for name, registry in ONE_FILE_EACH.items():
        assert name in registry.names()
    check_search(searches.get("blocks")())
    check_solver(solvers.get("listing")())


def test_a_solver_takes_what_no_other_handles(one_file_each):
    found = solve(Problem(Products(), 2, overlap=0, given=((4, 5),)), Limits())
    assert (found.sets, found.solver, found.status) == (((2, 3),), "listing", "optimal")


def test_a_study_with_them_runs_and_passes_its_audit(one_file_each, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    X, y = load_wine(return_X_y=True, as_frame=True)
    rows = X.assign(kind=y).to_dict("records")
    Path("wine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    config = {
        **SMALL,
        "datasets": [
            {
                "name": "lines",
                "type": "json_lines",
                "options": {"path": "wine.jsonl", "target": "kind"},
            }
        ],
        "selectors": ["mutual_information"],
        "searches": [{"name": "blocks", "n_alternatives": 2}],
        "taus": ["1"],
        "models": [{"name": "ridge10", "type": "ridge", "options": {"alpha": 10}}],
    }
    plan = check_study(config)
    run_tasks(plan)
    assert look_at_files(plan, Ledger(plan.results)).complete
    table, _ = read_table(Path(plan.predict_task("lines", 0, "ridge10").path))
    assert len(table) == 3
    code, said = verify(capsys, plan, "--full")
    assert code == 0, said
