"""The folder of downloaded files, and how a file gets there."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from altfs.datasets.base import at_home


def cache_folder(source: str, variable: str) -> Path:
    """Return the folder that an environment variable names, or that of a source at home."""
    if configured := os.environ.get(variable):
        return at_home(Path(configured))
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "altfs" / source


def keep(place: Path, content: bytes) -> None:
    """Write a file whole, beside other processes and machines that do the same."""
    place.parent.mkdir(parents=True, exist_ok=True)
    partial = place.with_name(f".{place.name}.{platform.node()}.{os.getpid()}")
    partial.write_bytes(content)
    partial.replace(place)
