"""Hash of the code that a result depends on.

A shard is out of date if, and only if, the code that made it has changed. The hash of a component
covers its module and, transitively, every module that it imports from altfs, from its own package
or from another package with components. Comments and docstrings do not count. A
module without source counts by its bytes, and its imports cannot be followed. Members of registries
are found at run time. So a new selector does not change the hash of another one.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import sys
from functools import cache
from importlib.machinery import SOURCE_SUFFIXES, PathFinder, all_suffixes
from pathlib import Path

import altfs
from altfs.errors import ConfigError
from altfs.registry import all_entry_points

# The fields of a statement with the statements within it.
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
# Names that altfs itself has imported from its modules on their first use.
_PUBLIC = {f"altfs.{name}": module for name, module in altfs._LAZY.items()}


@cache
def code_hash(*modules: str) -> str:
    """Hash the code of some modules and of all that they import, except from libraries.

    Examples
    --------
    >>> code_hash("altfs.quality") == code_hash("altfs.quality")
    True
    >>> code_hash("altfs.quality") == code_hash("altfs.problem")
    False
    """
    state = hashlib.sha256()
    for module in sorted(reached(*modules)):
        state.update(f"{module}\0{_parse(module)[0]}\0".encode())
    return state.hexdigest()[:16]


def reached(*modules: str) -> set[str]:
    """Return modules with all that they import, transitively, except from libraries."""
    pending, seen = list(modules), set[str]()
    while pending:
        module = pending.pop()
        if module not in seen:
            seen.add(module)
            pending += _parse(module)[1]
    return seen


@cache
def files_hash(package: str) -> str:
    """Hash the files of a package that are not Python code: templates, styles, scripts."""
    state = hashlib.sha256()
    for path in sorted(_folder(package).rglob("*")):
        if path.is_file() and path.suffix not in (".py", ".pyc"):
            state.update(f"{path.name}\0".encode() + path.read_bytes())
    return state.hexdigest()[:16]


@cache
def members_of(package: str) -> tuple[str, ...]:
    """Return the modules of a package and of the packages in it."""
    folder = _folder(package)
    modules = (p.relative_to(folder).with_suffix("") for p in folder.rglob("*.py"))
    return tuple(sorted(".".join((package, *p.parts)) for p in modules if p.name != "__init__"))


def _folder(package: str) -> Path:
    file = _file(package)
    assert file is not None
    return file.parent


def _file(module: str) -> Path | None:
    """Return the file of a module, without importing it; None if there is no such module."""
    if file := getattr(sys.modules.get(module), "__file__", None):
        return Path(file)
    top, *names = module.split(".")
    # Of a name with a dot, it would import the packages before the dot.
    spec = importlib.util.find_spec(top)
    for name in names:
        folders = spec and spec.submodule_search_locations
        spec = PathFinder.find_spec(name, folders) if folders else None
    return Path(spec.origin) if spec and spec.has_location and spec.origin else None


@cache
def _packages() -> frozenset[str]:
    """Return the packages whose modules count: altfs, and all of what registers components."""
    packages, suffixes = {"altfs"}, tuple(all_suffixes())
    for point in all_entry_points():
        packages.add(point.module.partition(".")[0])
        files = (point.dist.files if point.dist else None) or ()
        packages |= {f.parts[0].partition(".")[0] for f in files if f.name.endswith(suffixes)}
    return frozenset(packages)


@cache
def _is_module(name: str) -> bool:
    # The package itself has only lazy names and a version.
    return name != "altfs" and _file(name) is not None


@cache
def _parse(module: str) -> tuple[str, tuple[str, ...]]:
    """Return a module's normalised source, and the modules that it imports."""
    path = _file(module)
    if path is None:
        raise ConfigError(f"'{module}' has no file, put its component into a module of a package")
    if path.suffix not in SOURCE_SUFFIXES:
        return hashlib.sha256(path.read_bytes()).hexdigest(), ()
    tree = ast.parse(path.read_text("utf-8"))
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    imported = set()
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            source = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            imported |= {source, *(f"{source}.{alias.name}" for alias in node.names)}
        # Imports for types alone change no result.
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
        match getattr(node, "body", None):
            case [ast.Expr(value=ast.Constant(value=str())) as docstring, *_]:
                docstring.value = ast.Constant("")
        # Statements are in blocks of statements; expressions, which are most nodes, have none.
        for block in _BLOCKS:
            pending += getattr(node, block, ())
    packages = _packages() | {module.partition(".")[0]}
    counted = {_PUBLIC.get(n, n) for n in imported if n.partition(".")[0] in packages}
    return ast.unparse(tree), tuple(sorted(filter(_is_module, counted)))
