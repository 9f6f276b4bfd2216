"""Copies of the workflow in folders of their own, and runs of Snakemake there."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from snakemake_runs import output_of, start_snakemake, wait_until_gone
from studies import SMALL

ROOT = Path(__file__).resolve().parents[1]


class Workspace:
    """A copy of the workflow in a folder of its own, with a configuration."""

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        self.folder = folder
        for name in ("workflow", "profiles", "envs"):
            shutil.copytree(ROOT / name, folder / name)
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
