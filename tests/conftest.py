"""Common parts of the tests: the PMLB cache, small studies, and runs of Snakemake."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml
from hypothesis import settings

# In CI the same examples every time; elsewhere new ones. A tenth of them unless pytest is given
# --hypothesis-profile thorough.
for name, share in (("quick", 10), ("thorough", 100)):
    settings.register_profile(
        name, max_examples=share, deadline=None, derandomize=bool(os.environ.get("CI"))
    )
settings.load_profile("quick")


def examples(number: int, **more: Any) -> settings:
    """Return Hypothesis settings of so many examples, or of the profile's share of them."""
    share = settings.default.max_examples / 100
    return settings(max_examples=max(5, round(number * share)), **more)


def exhaustive(*values: Any) -> list[Any]:
    """Mark values of a parameter as exhaustive. A tuple has the values of several parameters."""
    several = [value if isinstance(value, tuple) else (value,) for value in values]
    return [pytest.param(*value, marks=pytest.mark.exhaustive) for value in several]


# Folders of tests that hardly ask exact solvers.
_NOT_SOLVING = {"datasets", "prediction", "streams", "workflow"}
# Files with exhaustive tests alone, of those that were collected.
WITHOUT_QUICK_TESTS: set[Path] = set()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    quick = {item.path for item in items if not item.get_closest_marker("exhaustive")}
    WITHOUT_QUICK_TESTS.update({item.path for item in items} - quick)
    # Of two processes, one begins in the middle. It begins with tests that do not solve, because
    # otherwise both would compile the same functions at the same time. Whole runs of Snakemake
    # come first, as a long test at the end would have the other process wait.
    first = [item for item in items if item.path.parent.name in _NOT_SOLVING]
    first.sort(key=lambda item: item.path.name != "test_runs.py")
    first.sort(key=lambda item: "finished_results" in getattr(item, "fixturenames", ()))
    others = [item for item in items if item.path.parent.name not in _NOT_SOLVING]
    middle = len(items) // 2
    items[:] = [*others[:middle], *first, *others[middle:]]


# Started in the background or by nohup, tests ignore signals, and so would the processes to which
# they send them. A new program begins without handlers. No `preexec_fn` does this: it would run
# between fork and exec, where it can wait forever for a lock of another thread.
# A Dask worker imports this file in a thread, where no handler can be set.
if threading.current_thread() is threading.main_thread():
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda number, frame: None)
# The packages may have been installed without bytecode. Where Python is told not to keep any,
# each of the programs that tests start would compile its imports again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(Path(__file__).parent))

SMALL: dict[str, Any] = {
    "name": "small",
    "results": "results/small",
    "datasets": ["sklearn:wine"],
    "folds": 2,
    "seed": 25,
    "selectors": ["mutual_information", "model_gain"],
    "n_features": 3,
    "taus": "attainable",
    "searches": [
        {"name": "sequential", "n_alternatives": 3},
        {"name": "simultaneous", "n_alternatives": [1], "aggregation": ["sum", "min"]},
    ],
    "models": ["decision_tree"],
}


@pytest.fixture(scope="session")
def pmlb_cache() -> Path:
    """The folder of PMLB files; in CI it has to be there."""
    configured = os.environ.get("ALTFS_PMLB_CACHE")
    if configured and Path(configured).is_dir():
        return Path(configured)
    if os.environ.get("CI"):
        pytest.fail("ALTFS_PMLB_CACHE does not name a folder of PMLB files, CI needs one.")
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


@pytest.fixture(scope="session")
def finished_results(made_once: Callable[..., Path]) -> Path:
    """The results folder of a small finished study; not to be changed."""
    from audit import CONFIG, make_study

    return made_once("finished", make_study) / CONFIG["results"]


@pytest.fixture(scope="module")
def own_results(request: pytest.FixtureRequest, made_once: Callable[..., Path]) -> Path:
    """The results folder of a finished study of the module's CONFIG; not to be changed."""
    from audit import make_study

    config = request.module.CONFIG
    name = Path(config["results"]).name
    return made_once(name, lambda folder: make_study(folder, config)) / config["results"]


@pytest.fixture
def plan(own_results: Path, tmp_path: Path) -> Any:
    """The plan of a copy of this study."""
    from audit import copy_of

    return copy_of(own_results, tmp_path)


@pytest.fixture(scope="module")
def reported_study(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The folder of a study of the module's CONFIG, with a report; not to be changed."""
    from audit import make_study

    from altfs.evaluation.task import report

    folder = make_study(tmp_path_factory.mktemp("reported"), request.module.CONFIG)
    report(folder)
    return folder


@pytest.fixture(scope="session")
def reported_results(finished_results: Path, made_once: Callable[..., Path]) -> Path:
    """A copy of it with tables, figures and a report; not to be changed."""
    from altfs.evaluation.task import report

    def make(folder: Path) -> None:
        report(shutil.copytree(finished_results, folder / "study"))

    return made_once("reported", make) / "study"


@pytest.fixture
def finished(finished_results: Path, tmp_path: Path) -> Any:
    """The plan of a copy of it, which lies elsewhere than where the study was run."""
    from altfs.study.session import open_study

    shutil.copytree(finished_results, tmp_path / "shards" / "copy")
    return open_study(tmp_path / "shards" / "copy")


class Workspace:
    """A copy of the workflow in a folder of its own, with a configuration."""

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        self.folder = folder
        for name in ("Snakefile", "workflow", "profiles", "envs"):
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, dirs_exist_ok=True)
            else:
                shutil.copy(source, folder / name)
        self.configure(config)

    def configure(self, config: dict[str, Any]) -> None:
        self.config = config
        (self.folder / "config.yaml").write_text(yaml.safe_dump(config))

    @property
    def results(self) -> Path:
        return self.folder / self.config["results"]

    def start(self, *options: str, **environment: str) -> subprocess.Popen[str]:
        """Start Snakemake."""
        return start_snakemake(self.folder, *(options or ("--cores", "2")), **environment)

    def run(self, *options: str, ok: bool = True, **environment: str) -> str:
        """Run Snakemake to its end and return what it said."""
        return output_of(self.start(*options, **environment), ok=ok)

    def shards(self) -> list[Path]:
        return sorted(self.results.glob("shards/**/search=*.parquet"))


def start_snakemake(folder: Path, *options: str, **environment: str) -> subprocess.Popen[str]:
    """Start Snakemake in a session of its own, so that signals reach it alone."""
    return subprocess.Popen(
        [str(Path(sys.executable).with_name("snakemake")), *options],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def output_of(process: subprocess.Popen[str], *, ok: bool) -> str:
    """Wait for a process and return what it said. Fail unless it ends as expected."""
    try:
        output, _ = process.communicate(timeout=800)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert (process.returncode == 0) == ok, output
    return output


def processes_in(folder: Path) -> list[psutil.Process]:
    """Processes that work in a folder, this one apart."""
    found = []
    for process in psutil.process_iter():
        if process.pid == os.getpid():
            continue
        try:
            if Path(process.cwd()) == folder and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


def wait_until_gone(folder: Path, seconds: float = 30) -> list[psutil.Process]:
    """Wait for the processes of a folder to end; returns those that did not."""
    end = time.monotonic() + seconds
    while (left := processes_in(folder)) and time.monotonic() < end:
        time.sleep(0.2)
    return left


@pytest.fixture
def workspace(tmp_path: Path) -> Any:
    """Makes workspaces, and sees to it that they leave no process behind."""
    made: list[Workspace] = []

    def make(name: str = "work", **changes: Any) -> Workspace:
        folder = tmp_path / name
        folder.mkdir()
        made.append(Workspace(folder, {**SMALL, **changes}))
        return made[-1]

    yield make
    left = [process for work in made for process in wait_until_gone(work.folder)]
    for process in left:
        process.kill()
    assert not left, f"left behind: {left}"


@pytest.fixture
def finished_workspace(workspace: Any, made_once: Callable[..., Path]) -> Any:
    """Makes workspaces in which the study has been run. It is run once and copied."""

    def make(**changes: Any) -> Workspace:
        work: Workspace = workspace(**changes)
        digest = sha256(json.dumps(work.config, sort_keys=True).encode()).hexdigest()[:16]
        ran = made_once(f"run-{digest}", lambda folder: Workspace(folder, work.config).run())
        for name in (work.config["results"], ".snakemake"):
            shutil.copytree(ran / name, work.folder / name)
        return work

    return make


@pytest.fixture
def wine_file(tmp_path):
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True, as_frame=True)
    path = tmp_path / "wine.csv"
    X.assign(kind=y.map({0: "a", 1: "b", 2: "c"})).to_csv(path, index=False)
    return path
