"""Names that the documentation of the last version promised can still be imported."""

import importlib
import subprocess
import sys

import pytest

PROMISED = {
    "altfs.answers": "altfs.library.answers",
    "altfs.answers.explanation": "altfs.library.answers.explanation",
    "altfs.answers.optima": "altfs.library.answers.optima",
    "altfs.checking": "altfs.commands.check",
    "altfs.cli": "altfs.commands.main",
    "altfs.constraint_options": "altfs.commands.constraint_options",
    "altfs.constraints": "altfs.problem.constraints",
    "altfs.dissimilarity": "altfs.problem.overlap",
    "altfs.estimators": "altfs.library.estimator",
    "altfs.finding": "altfs.commands.find",
    "altfs.results": "altfs.problem.results",
}
STATEMENTS = """\
from altfs.answers.explanation import Explanation
from altfs.answers.optima import OptimalSets
from altfs.results import SearchResult, Status
from altfs.dissimilarity import parse_tau, canonical_tau, max_overlap, attainable_taus
from altfs.checking import check_table
from altfs.finding import find
from altfs.constraint_options import Asked
from altfs.constraints import Constraints, Group
from altfs.estimators import AlternativeFeatures, FeatureSet
from altfs.cli import main
import altfs.results
assert altfs.results is sys.modules["altfs.problem.results"]
assert altfs.AlternativeFeatures is AlternativeFeatures and altfs.Group is Group
assert Status.__module__ == altfs.results.__spec__.name == "altfs.problem.results"
"""


@pytest.mark.parametrize("former", PROMISED)
def test_a_moved_module_is_there_under_its_former_name_and_says_the_new_one(former, monkeypatch):
    new = importlib.import_module(PROMISED[former])
    monkeypatch.delitem(sys.modules, former, raising=False)
    with pytest.warns(DeprecationWarning, match=rf"^{former} is now {PROMISED[former]}, "):
        assert importlib.import_module(former) is new
    assert new.__name__ == new.__spec__.name == PROMISED[former]


@pytest.mark.exhaustive
def test_former_names_are_imported_in_a_new_process():
    code = f"import sys\n{STATEMENTS}"
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)


def test_a_module_that_never_was_is_still_missing():
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'altfs\.resluts'"):
        importlib.import_module("altfs.resluts")
    with pytest.warns(match="nothing is now"), pytest.raises(ModuleNotFoundError):
        importlib.import_module("altfs.answers.nothing")
