"""Registries, which find new components by their files.

A package of components (selectors, searches, solvers, ...) has one :class:`Registry`. Each
module of the package registers its class with the registry's decorator, and so does each module
of a folder of that name in a room of ``altfs.kinds``, and each module that another package
names as an entry point (``altfs.selectors``, ``altfs.searches``, ...). The modules are
imported on the first look-up. So a new file is enough, and importing :mod:`altfs` is fast.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, distributions
from typing import Any, Generic, TypeVar

from altfs._clock import starting_up
from altfs._options import checked_options
from altfs.errors import AltfsError

T = TypeVar("T")
M = TypeVar("M")


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
            for module in self.modules():
                importlib.import_module(module)
            for point in self.entry_points():
                self._load_entry_point(point)
        self._loaded = True

    def modules(self) -> list[str]:
        """Return the modules of altfs that register members."""
        packages = [self.package, *(f"{kind}.{self._room}" for kind in rooms_of_kinds())]
        names = [name for package in packages for name in modules_in(package)]
        # Private modules register nothing, and may be slow to import.
        return [name for name in names if not name.rpartition(".")[2].startswith("_")]

    def entry_points(self) -> list[EntryPoint]:
        """Return the entry points of other packages, which are named like their members."""
        return [point for point in all_entry_points() if point.group == f"altfs.{self._room}"]

    @property
    def _room(self) -> str:
        return self.package.rpartition(".")[2]

    def _load_entry_point(self, point: EntryPoint) -> None:
        try:
            point.load()
            if point.name not in self._members:
                raise LookupError(f"{point.module} registers no {self.kind} of this name")
        except AltfsError:
            raise
        except Exception as error:
            # Whatever a module of somebody else raises, the user has to know whose it is.
            reason = str(error).partition("\n")[0] or type(error).__name__
            raise AltfsError(
                self.kind,
                f"'{point.name}' of the package '{package_of(point)}' cannot be loaded ({reason})",
                "repair the package or uninstall it",
            ) from error

    def _add(self, name: str, member: M) -> None:
        """Add a member, which its own module may replace, as reloading it does."""
        other = self._members.setdefault(name, member)
        modules = [self._module_of(m) for m in (other, member)]
        if modules[0] != modules[1]:
            advice = "rename one of them, or uninstall the package of one"
            raise AltfsError(self.kind, f"'{name}' is in {modules[0]} and in {modules[1]}", advice)
        self._members[name] = member

    def _module_of(self, member: M) -> str:
        raise NotImplementedError

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
        AltfsError
            If no member has this name.
        """
        self._load()
        if name not in self._members:
            reason = f"'{name}' is not a known {self.kind}"
            raise AltfsError.of_name(key or self.kind, reason, name, self.names())
        return self._members[name]

    def __iter__(self) -> Iterator[M]:
        self._load()
        return iter([self._members[name] for name in self.names()])


@cache
def rooms_of_kinds() -> list[str]:
    """Return the packages of the kinds of answers."""
    kinds = importlib.import_module("altfs.kinds")
    return [f"altfs.kinds.{m.name}" for m in pkgutil.iter_modules(kinds.__path__) if m.ispkg]


def modules_in(package: str) -> list[str]:
    """Return the modules of a package and of the packages in it; none if there is no package."""
    if importlib.util.find_spec(package) is None:
        return []
    path = importlib.import_module(package).__path__
    return sorted(module.name for module in pkgutil.walk_packages(path, f"{package}."))


@cache
def all_entry_points() -> tuple[EntryPoint, ...]:
    """Return the entry points of all installed packages with components, sorted."""
    points: dict[tuple[str, str, str], EntryPoint] = {}
    # Once for all registries: the metadata of every installed package is read.
    for point in (point for package in distributions() for point in package.entry_points):
        if point.group.startswith("altfs."):
            # Of a package that is installed twice, Python imports the first.
            points.setdefault((point.group, point.name, package_of(point)), point)
    return tuple(points[key] for key in sorted(points))


def package_of(point: EntryPoint) -> str:
    """Return the name of the package that an entry point belongs to."""
    return point.dist.name if point.dist else point.value


class Registry(Members[type[T]]):
    """The components of one kind by name: classes, each in its own file."""

    def make(
        self, name: str, options: Mapping[str, Any] | None = None, key: str | None = None
    ) -> T:
        """Return a component with options; a component without options takes none.

        Parameters
        ----------
        name : str
        options : mapping, optional
            By default those of the component.
        key : str, optional
            The configuration key or argument with the name, for messages.

        Raises
        ------
        AltfsError
            If there is no such component, or an option is not allowed.
        """
        component: Any = self.get(name, key)
        member: T = component(checked_options(component.Options, options or {}, key or self.kind))
        return member

    def register(self, name: str) -> Callable[[type[T]], type[T]]:
        """Return a decorator that registers a class under `name`."""

        def decorate(cls: type[T]) -> type[T]:
            self._add(name, cls)
            cls.name = name  # type: ignore[attr-defined]
            return cls

        return decorate

    def _module_of(self, member: type[T]) -> str:
        return member.__module__
