"""Solvers by their names: in searches, in the library, in studies and on the command line."""

import json

import numpy as np
import pytest
from audit import run_tasks, verify
from studies import SMALL

from altfs import AlternativeFeatures, search_sequentially, search_simultaneously
from altfs.commands.main import main
from altfs.errors import UnsupportedProblemError
from altfs.problem import Problem
from altfs.quality import Linear, Pairwise
from altfs.solvers import Limits, solve, solvers, solvers_for
from altfs.solvers.by_name._moves import GreedyOptions
from altfs.solvers.by_name.forward import Forward
from altfs.solvers.named import named_solver
from altfs.study.fingerprint import members_of
from altfs.study.session import check_study
from altfs.study.store import read_table

VALUES = np.array([0.1, 0.4, 0.3, 0.2, 0.05])
ASKED = {"n_features": 2, "n_alternatives": 1, "tau": 1}


def test_only_a_named_solver_of_that_room_is_asked_by_name_only():
    by_name = {cls.__module__ for cls in solvers if cls.by_name_only}
    public = {name for name in members_of("altfs.solvers.by_name") if "._" not in name}
    assert by_name == public
    problem = Problem(Linear(VALUES), 2, 0)
    assert not any(solver.by_name_only for solver in solvers_for(problem))
    assert solve(problem, Limits()).solver not in ("forward", "backward")


@pytest.mark.parametrize(
    "asked",
    ["forward", {"type": "forward"}, {"type": "forward", "options": {}}, Forward, Forward()],
    ids=["name", "type", "options", "class", "object"],
)
def test_every_way_to_name_a_solver_gives_the_same(asked):
    found = search_sequentially(Linear(VALUES), solver=asked, **ASKED)
    assert found.sets == [(1, 2), (0, 3)]
    assert [one.solver for one in found] == ["forward", "forward"]
    assert found.status == ["feasible", "feasible"]
    afs = AlternativeFeatures(VALUES, solver=asked, n_features=2, tau=1).fit(np.zeros((2, 5)))
    assert afs.search_result_.sets == found.sets
    assert "x1" in str(afs.explain())


def test_options_and_the_seed_reach_the_solver():
    made = named_solver({"type": "forward", "options": {"step": 2, "candidates": 0.5}}, 7)
    assert made.options == GreedyOptions(step=2, candidates=0.5)
    assert made.seed == 7
    rng = np.random.default_rng(0)
    quality = Pairwise(rng.random(30), rng.random((30, 30)))
    few = {"type": "forward", "options": {"candidates": 0.2}}
    first, again, other = (
        search_sequentially(quality, solver=few, random_state=seed, **ASKED).sets
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_an_unnamed_exact_solver_can_be_named_too():
    asked = {**ASKED, "solver": "histograms"}
    found = search_simultaneously(Linear(VALUES), **asked)
    assert [one.solver for one in found] == ["histograms"] * 2
    with pytest.raises(UnsupportedProblemError, match="'histograms' cannot handle 2 sets at once"):
        search_simultaneously(Pairwise(VALUES, np.outer(VALUES, VALUES)), **asked)


SEARCHES = [
    {"name": "forward", "type": "sequential", "n_alternatives": 2, "solver": "forward"},
    {
        "name": "drawn",
        "type": "sequential",
        "n_alternatives": 1,
        "solver": {"type": "stepwise", "options": {"candidates": 0.5}},
    },
]


@pytest.mark.exhaustive
def test_a_study_asks_named_solvers_and_passes_its_audit(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    config = {**SMALL, "selectors": ["mrmr"], "taus": ["1"], "searches": SEARCHES[:1]}
    plan = check_study(config)
    run_tasks(plan)
    for key in plan.places():
        rows = read_table(plan.search_task(key).path)[0].to_pylist()
        assert {row["solver"] for row in rows} == {
            "forward" if key.search == "forward" else "stepwise"
        }
    code, said = verify(capsys, plan)
    assert code == 0, said


def test_searches_without_the_key_keep_their_hashes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plain = check_study(SMALL)
    assert all("solver" not in entry for entry in plain.config.model_dump()["searches"])
    named = check_study({**SMALL, "searches": [*SMALL["searches"], *SEARCHES]})
    before = {key: plain.search_task(key).hash for key in plain.places()}
    after = {key: named.search_task(key).hash for key in named.places()}
    assert {key: after[key] for key in before} == before
    keys = [key for key in after if key.search == "forward"]
    changed = [{**SEARCHES[0], "solver": {"type": "forward", "options": {"step": 2}}}]
    other = check_study({**SMALL, "searches": changed})
    assert all(other.search_task(key).hash != after[key] for key in keys)


@pytest.mark.exhaustive
def test_the_command_line_names_a_solver(wine_file, tmp_path, capsys):
    output = tmp_path / "sets.json"
    options = "-k 3 -a 1 --selector mrmr --solver backward --solver-option step=2 --evaluate none"
    options += f" -t kind -o {output}"
    assert main(["find", str(wine_file), *options.split()]) == 0
    written = json.loads(output.read_text())
    assert written["solver"] == {"type": "backward", "options": {"step": 2}}
    assert {one["status"] for one in written["sets"]} == {"feasible"}
