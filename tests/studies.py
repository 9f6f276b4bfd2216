"""Small studies that are finished: each is run once, and tests read or copy it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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
def plan(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """The plan of a copy of this study; without a CONFIG, of the one that all tests share."""
    from audit import copy_of

    if not hasattr(request.module, "CONFIG"):
        return request.getfixturevalue("finished")
    return copy_of(request.getfixturevalue("own_results"), tmp_path)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the folder of the test the current one, into which studies write."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def reported_study(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The folder of a study of the module's CONFIG, with a report; not to be changed."""
    from audit import make_study

    from altfs.commands.report import report

    folder = make_study(tmp_path_factory.mktemp("reported"), request.module.CONFIG)
    report(folder)
    return folder


@pytest.fixture(scope="session")
def reported_results(finished_results: Path, made_once: Callable[..., Path]) -> Path:
    """A copy of it with tables, figures and a report; not to be changed."""
    from altfs.commands.report import report

    def make(folder: Path) -> None:
        report(shutil.copytree(finished_results, folder / "study"))

    return made_once("reported", make) / "study"


@pytest.fixture
def finished(finished_results: Path, tmp_path: Path) -> Any:
    """The plan of a copy of it, which lies elsewhere than where the study was run."""
    from altfs.study.session import open_study

    shutil.copytree(finished_results, tmp_path / "shards" / "copy")
    return open_study(tmp_path / "shards" / "copy")
