"""Hooks of pytest, and the fixtures of several files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from snakemake_runs import Cluster, heed_signals


def pytest_configure() -> None:
    heed_signals()


@pytest.fixture
def cluster(folder: Any) -> Iterator[Cluster]:
    """A scheduler that was started elsewhere, for the folder of the test."""
    started = Cluster(folder)
    yield started
    started.close()
