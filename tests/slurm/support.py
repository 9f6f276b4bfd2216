"""The study of the tests on SLURM.

Imported by `tests/slurm/run` as a plugin of pytest.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from snakemake_runs import wait_for
from toy import ToySlurm, slurm

__all__ = ["slurm"]

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "workflow"))

PROFILE = ("--profile", "workflow/profiles/slurm-dask")
STUDY = {"datasets": ["pmlb:hepatitis", "pmlb:backache"], "folds": 2, "n_features": 2}
SHARDS = 32
# The last line of a run that was stopped.
STOPPED = r"Stopped: \d+ of \d+ tasks done, 0 failed; the same command continues.*"
# What a user would write into the profile.
EDITS = {
    "dask-slurm-workers": "2",
    "dask-slurm-memory": "1500M",
    "dask-slurm-partition": "main",
    "dask-slurm-interface": "lo",
}


@pytest.fixture
def study(workspace: Any, pmlb_cache: Path, slurm: ToySlurm) -> Iterator[Callable[..., Any]]:
    """Makes workspaces with the study, and profiles edited for this SLURM."""

    def make(name: str, **changes: Any) -> Any:
        work = workspace(name, pmlb_cache=str(pmlb_cache), **{**STUDY, **changes})
        for profile in (work.folder / "workflow" / "profiles").glob("*/config.yaml"):
            edit(profile, EDITS)
        return work

    yield make
    slurm.cancel_all()


def edit(profile: Path, values: dict[str, str]) -> None:
    """Set keys of a profile that are there already, also as comments."""
    text = profile.read_text()
    for key, value in values.items():
        text = re.sub(rf"^(# )?{key}:.*$", f"{key}: {value}", text, flags=re.MULTILINE)
    profile.write_text(text)


class Local:
    """The results of the study on this machine."""

    def __init__(self, work: Any) -> None:
        from test_runs import contents

        self._found = contents(work.results)

    def assert_same_as(self, work: Any) -> None:
        from test_runs import assert_same, contents

        assert_same(contents(work.results), self._found)

    def assert_same_shards_as(self, work: Any, dataset: str, tau: str) -> None:
        """The same, for a study of one dataset and threshold."""
        from test_runs import assert_same, contents

        parts = (f"/dataset={dataset}/", f"/tau={tau}/")
        found = {
            name: rows
            for name, rows in contents(work.results).items()
            if name.startswith("shards/")
        }
        wanted = {
            name: rows for name, rows in self._found.items() if all(part in name for part in parts)
        }
        assert_same(found, wanted)


@pytest.fixture(scope="session")
def local(tmp_path_factory: pytest.TempPathFactory, pmlb_cache: Path) -> Local:
    """The study run by `snakemake --cores 2`."""
    from studies import SMALL
    from workspaces import Workspace

    config = {**SMALL, **STUDY, "pmlb_cache": str(pmlb_cache)}
    work = Workspace(tmp_path_factory.mktemp("local"), config)
    work.run()
    assert len(work.shards()) == SHARDS
    return Local(work)


def started(work: Any, slurm: ToySlurm, *options: str, shards: int) -> subprocess.Popen[str]:
    """A run on SLURM that has finished some shards."""
    process: subprocess.Popen[str] = work.start(*PROFILE, *options, **slurm.environment)
    wait_for(lambda: len(work.shards()) >= shards, process, 240)
    return process
