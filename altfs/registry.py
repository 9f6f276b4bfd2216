"""Registries, which find new components by their files.

A package of components (selectors, searches, solvers, ...) has one :class:`Registry`. Each
module of the package registers its class with the registry's decorator. The modules are
imported on the first look-up. So a new file is enough, and importing :mod:`altfs` is fast.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from altfs._clock import starting_up
from altfs.errors import ConfigError

T = TypeVar("T")
M = TypeVar("M")


def did_you_mean(name: str, known: list[str]) -> str:
    """Suggest the nearest known name in a half-sentence; empty if none is near.

    >>> did_you_mean("fcbff", ["fcbf", "model_gain"])
    ", did you mean 'fcbf'?"
    >>> did_you_mean("xyz", ["fcbf"])
    ''
    """
    near = difflib.get_close_matches(name, known, n=1)
    return f", did you mean '{near[0]}'?" if near else ""


class Members(Generic[M]):
    """The members by name that the modules of a package register.

    Parameters
    ----------
    package : str
        The package whose modules register members.
    kind : str
        The word for a member in messages, for example ``"selector"``.
    """

    def __init__(self, package: str, kind: str) -> None:
        self.package = package
        self.kind = kind
        self._members: dict[str, M] = {}
        self._loaded = False

    def _load(self) -> None:
        if self._loaded:
            return
        with starting_up():
            package = importlib.import_module(self.package)
            found = pkgutil.walk_packages(package.__path__, f"{self.package}.")
            for module in sorted(m.name for m in found):
                # Private modules register nothing, and may be slow to import.
                if not module.rpartition(".")[2].startswith("_"):
                    importlib.import_module(module)
        self._loaded = True

    def names(self) -> list[str]:
        """Return all registered names, sorted."""
        self._load()
        return sorted(self._members)

    def get(self, name: str, key: str | None = None) -> M:
        """Return the member with a name.

        Parameters
        ----------
        name : str
        key : str, optional
            The configuration key or argument with the name, for the message.

        Raises
        ------
        ConfigError
            If no member has this name.
        """
        self._load()
        if name not in self._members:
            allowed = ", ".join(self.names())
            raise ConfigError(
                f"{key or self.kind}: '{name}' is not a known {self.kind}"
                f"{did_you_mean(name, self.names()) or ','} allowed are: {allowed}."
            )
        return self._members[name]

    def __iter__(self) -> Iterator[M]:
        self._load()
        return iter([self._members[name] for name in self.names()])


class Registry(Members[type[T]]):
    """The components of one kind by name: classes, each in its own file."""

    def register(self, name: str) -> Callable[[type[T]], type[T]]:
        """Return a decorator that registers a class under `name`."""

        def decorate(cls: type[T]) -> type[T]:
            if name in self._members and self._members[name].__module__ != cls.__module__:
                raise RuntimeError(f"two {self.kind}s are called '{name}'")
            self._members[name] = cls
            cls.name = name  # type: ignore[attr-defined]
            return cls

        return decorate
