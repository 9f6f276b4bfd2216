"""Hooks of pytest, and the fixtures that tests of several folders share."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from marks import WITHOUT_QUICK_TESTS

# Before anything imports it: its assertions are to show values, as those of tests do.
pytest.register_assert_rewrite("altfs.testing")
# More fixtures.
pytest_plugins = ["packages", "studies", "workspaces"]

# In CI the same examples every time; elsewhere new ones. A tenth of them unless pytest is given
# --hypothesis-profile thorough, or fifty times as many with night.
for name, share in (("quick", 10), ("thorough", 100), ("night", 5000)):
    settings.register_profile(
        name, max_examples=share, deadline=None, derandomize=bool(os.environ.get("CI"))
    )
settings.load_profile("quick")

# Folders of tests that hardly ask exact solvers.
_NOT_SOLVING = {"datasets", "plugins", "prediction", "streams", "workflow"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    quick = {item.path for item in items if not item.get_closest_marker("exhaustive")}
    WITHOUT_QUICK_TESTS.update({item.path for item in items} - quick)
    # Of two processes, one begins in the middle. It begins with tests that do not solve, because
    # otherwise both would compile the same functions at the same time. Whole runs of Snakemake
    # come first, as a long test at the end would have the other process wait, and with the first
    # process the tests that run others in a copy.
    first = [item for item in items if not _NOT_SOLVING.isdisjoint(item.nodeid.split("/"))]
    first.sort(key=lambda item: item.path.name != "test_runs.py")
    first.sort(key=lambda item: "finished_results" in getattr(item, "fixturenames", ()))
    others = [item for item in items if _NOT_SOLVING.isdisjoint(item.nodeid.split("/"))]
    others.sort(key=lambda item: not item.name.startswith("test_all_other_tests_pass"))
    middle = len(items) // 2
    items[:] = [*others[:middle], *first, *others[middle:]]


@pytest.fixture(scope="session")
def pmlb_cache() -> Path:
    """The folder of PMLB files; in CI it has to be there, or the variable has to be empty."""
    configured = os.environ.get("ALTFS_PMLB_CACHE")
    if configured and Path(configured).is_dir():
        return Path(configured)
    if os.environ.get("CI") and configured != "":
        pytest.fail("ALTFS_PMLB_CACHE names no folder of PMLB files, name one, or set it empty.")
    pytest.skip("ALTFS_PMLB_CACHE does not name a folder of PMLB files")


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes a folder of a name once, for all processes of pytest-xdist."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def folder_of(name: str, make: Callable[[Path], Any]) -> Path:
        folder = shared / "made" / name
        folder.parent.mkdir(exist_ok=True)
        with folder.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            # Results name their folder, so an unfinished one cannot be renamed.
            finished = folder.with_suffix(".finished")
            if not finished.exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                make(folder)
                finished.touch()
        return folder

    return folder_of


@pytest.fixture
def wine_file(tmp_path):
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True, as_frame=True)
    path = tmp_path / "wine.csv"
    X.assign(kind=y.map({0: "a", 1: "b", 2: "c"})).to_csv(path, index=False)
    return path
