"""An installation that cannot be written to, used by someone without a home, works."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from workspaces import ROOT

# Begins Python again without root's right to write everywhere: PR_CAPBSET_DROP (24) of
# CAP_DAC_OVERRIDE (1). Linux takes a right away when a program begins.
OBEY_PERMISSIONS = """
import ctypes, os, sys
if os.getuid() == 0 and ctypes.CDLL(None, use_errno=True).prctl(24, 1, 0, 0, 0):
    raise OSError(ctypes.get_errno(), "this system does not let root give up rights")
os.execv(sys.executable, [sys.executable, "-c", sys.argv[1]])
"""

# Prints where altfs is, and of each room with compiled functions how many have been called.
COUNT = """
import json, pkgutil, sys
from collections import Counter
from importlib import import_module
import numba
import altfs

for package in ("altfs.scores", "altfs.solvers", "altfs.evaluation.stats.bootstrap"):
    module = import_module(package)
    for found in pkgutil.walk_packages(getattr(module, "__path__", ()), package + "."):
        import_module(found.name)
kernels = {
    id(one): one
    for name in [name for name in sys.modules if name.startswith("altfs.")]
    for one in vars(sys.modules[name]).values()
    if isinstance(one, numba.core.dispatcher.Dispatcher)
}
rooms = Counter({one.__module__.rpartition(".")[0]: 0 for one in kernels.values()})
for one in kernels.values():
    rooms[one.__module__.rpartition(".")[0]] += bool(one.signatures)
cached = [one.__name__ for one in kernels.values() if one.stats.cache_path is not None]
print(json.dumps({"altfs": altfs.__file__, "rooms": rooms, "cached": cached}))
"""
FIT = """
import warnings
import numpy as np
from sklearn.datasets import load_breast_cancer
from altfs import AlternativeFeatures, Constraints

warnings.simplefilter("ignore")
X, y = load_breast_cancer(return_X_y=True, as_frame=True)
# A wide table, as Python runs small problems of one set itself.
wide = np.random.default_rng(0).normal(size=(len(y), 200)) + y.to_numpy()[:, None]
AlternativeFeatures("mutual_information", n_features=20, n_alternatives=3, tau=0.5).fit(wide, y)
X = X.iloc[:, :14]
budget = Constraints(costs=(1.0,) * 14, budget=9.0)
several = {"search": "simultaneous", "n_alternatives": 2, "n_features": 3, "tau": 0.5,
           "selector": "mutual_information"}
for parameters in (
    several,
    {**several, "aggregation": "min"},
    {**several, "n_features": (2, 3), "selector": "mrmr"},
    {**several, "selector": "fcbf"},
    {**several, "selector": "mrmr"},
    {**several, "selector": "cfs"},
    {**several, "selector": "rar"},
    {**several, "selector": {"type": "mrmr", "options": {"measure": "distance_correlation"}}},
    {**several, "selector": "model_gain", "constraints": budget},
    {**several, "selector": "greedy_wrapper"},
):
    AlternativeFeatures(**parameters).fit(X, y)

from sklearn.tree import DecisionTreeClassifier
from altfs.prediction.set_trees import SetTrees

# A search compiles trees only where there are thousands of sets.
tree = DecisionTreeClassifier(criterion="entropy", random_state=0)
SetTrees(tree, X.to_numpy(), y.to_numpy(), n_train=len(y)).predict([(0, 1)])
"""


@pytest.fixture(scope="module")
def installation(tmp_path_factory):
    """A folder with altfs that nobody may write to."""
    folder = tmp_path_factory.mktemp("installation")
    shutil.copytree(ROOT / "altfs", folder / "altfs", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    for path in (folder, *(p for p in folder.rglob("*") if p.is_dir())):
        path.chmod(stat.S_IRWXU)


def run(code, folder):
    """Run code with what is installed in a folder, without rights and without a home."""
    variables = ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in variables}
    done = subprocess.run(
        [sys.executable, "-c", OBEY_PERMISSIONS, code],
        cwd=folder, env={**environment, "HOME": str(folder), "PYTHONPATH": str(folder)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert Path(answer["altfs"]) == folder / "altfs" / "__init__.py"
    # Else something could be written.
    assert answer["cached"] == []
    return answer["rooms"]


def test_everything_that_is_compiled_can_be_imported(installation):
    rooms = run(COUNT, installation)
    assert {"altfs.evaluation.stats", "altfs.scores", "altfs.solvers.one_set"} < set(rooms)


@pytest.mark.exhaustive
def test_sets_are_found_by_every_room_of_solvers(installation):
    rooms = run(FIT + COUNT, installation)
    assert [room for room, called in rooms.items() if not called] == ["altfs.evaluation.stats"]
