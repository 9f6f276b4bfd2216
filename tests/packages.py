"""Packages of other people, installed for one test."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from altfs import registry
from altfs.study import fingerprint

CACHES = (
    registry.all_entry_points,
    fingerprint._packages,
    fingerprint._is_module,
    fingerprint._parse,
    fingerprint.code_hash,
)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Path]]:
    """Installs a package: its files, and its entry points by the registry's group."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    before = set(sys.modules)
    of_altfs: dict[registry.Members, dict] = {}

    def add(
        name: str,
        files: Mapping[str, str | bytes],
        entry_points: Mapping[registry.Members, Mapping[str, str]] | None = None,
    ) -> Path:
        record = "".join(f"{path},,\n" for path in files)
        metadata = {"METADATA": f"Name: {name}\nVersion: 1.0\n", "RECORD": record}
        for members, points in (entry_points or {}).items():
            group = f"[altfs.{members.package.rpartition('.')[2]}]\n"
            lines = "".join(f"{point} = {target}\n" for point, target in points.items())
            metadata["entry_points.txt"] = metadata.get("entry_points.txt", "") + group + lines
            if members not in of_altfs:
                members.names()
                of_altfs[members] = members._members
            monkeypatch.setattr(members, "_members", dict(of_altfs[members]))
            monkeypatch.setattr(members, "_loaded", False)
        information = {f"{name}-1.0.dist-info/{file}": text for file, text in metadata.items()}
        for path, text in {**files, **information}.items():
            file = site / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text if isinstance(text, bytes) else text.encode())
        forget()
        return site

    yield add
    installed = {path.stem for path in site.iterdir()}
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in installed:
            del sys.modules[name]
    forget()


def forget() -> None:
    """Forget what is known of installed packages and their code."""
    importlib.invalidate_caches()
    for cached in CACHES:
        cached.cache_clear()
