"""Modules under their names before version 1.0."""

from __future__ import annotations

import importlib
import sys
import warnings
from importlib.machinery import ModuleSpec
from types import ModuleType

_NEW = {
    "answers": "library.answers",
    "checking": "commands.check",
    "cli": "commands.main",
    "constraint_options": "commands.constraint_options",
    "constraints": "problem.constraints",
    "dissimilarity": "problem.overlap",
    "estimators": "library.estimator",
    "finding": "commands.find",
    "results": "problem.results",
}


class MovedModules:
    """A finder and loader of modules by their former names; it warns and gives the new one.

    >>> finder = MovedModules()
    >>> finder.find_spec("altfs.results"), finder.find_spec("altfs.study")
    (ModuleSpec(name='altfs.results', loader=altfs.problem.results), None)
    """

    def __init__(self, new: str = "") -> None:
        self.new = new

    def __repr__(self) -> str:
        return self.new

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return how to import a module that has moved; None for any other module."""
        package, _, inside = name.partition(".")
        first, _, rest = inside.partition(".")
        if package != "altfs" or first not in _NEW:
            return None
        new = ".".join(filter(None, (package, _NEW[first], rest)))
        return ModuleSpec(name, MovedModules(new))  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Let Python make the module, which `exec_module` replaces."""

    def exec_module(self, module: ModuleType) -> None:
        """Replace the module of the former name with the moved one."""
        name = module.__name__
        text = f"{name} is now {self.new}, which has to be imported from altfs 1.0 on."
        warnings.warn(text, DeprecationWarning, stacklevel=2)
        sys.modules[name] = importlib.import_module(self.new)


def install() -> None:
    """Let Python import modules by their former names."""
    # Before Python's own finders, which would load the modules of a moved package twice.
    sys.meta_path.insert(0, MovedModules())
