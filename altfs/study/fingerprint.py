"""Hash of the code that a result depends on.

A shard is out of date if, and only if, the code that made it has changed. The hash of a component
covers its module and, transitively, every module of the package that it imports. Comments and
docstrings do not count. Members of registries are found at run time. So a new
selector does not change the hash of another one.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import sys
from functools import cache
from pathlib import Path
from typing import TypeGuard

_PACKAGE = "altfs"
_ROOT = Path(__file__).resolve().parents[1]


@cache
def code_hash(*modules: str) -> str:
    """Hash the code of some modules and of all that they import from altfs.

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
    """Return modules with all that they import from altfs, transitively."""
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
    return _file(package).parent


def _file(module: str) -> Path:
    """Return the file of a module, without importing modules of altfs."""
    if _is_ours(module):
        path = _ROOT.joinpath(*module.split(".")[1:])
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        # A component can lie in another folder of its package's path.
        found = getattr(sys.modules.get(module), "__file__", None)
        return Path(found) if found and not path.is_file() else path
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin)


def _is_ours(name: str) -> bool:
    return name.split(".")[0] == _PACKAGE


@cache
def _is_module(name: str) -> bool:
    # The package itself has only lazy names and a version.
    return _is_ours(name) and name != _PACKAGE and _file(name).is_file()


@cache
def _parse(module: str) -> tuple[str, tuple[str, ...]]:
    """Return a module's normalised source, and the modules of the package it imports."""
    tree = ast.parse(_file(module).read_text("utf-8"))
    imported = set()
    for block in filter(_is_for_types, ast.walk(tree)):
        block.body = [ast.Pass()]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            imported.add(node.module)
            imported |= {f"{node.module}.{alias.name}" for alias in node.names}
        match getattr(node, "body", None):
            case [ast.Expr(value=ast.Constant(value=str())) as docstring, *_]:
                docstring.value = ast.Constant("")
    return ast.unparse(tree), tuple(sorted(filter(_is_module, imported)))


def _is_for_types(node: ast.AST) -> TypeGuard[ast.If]:
    """Return True for ``if TYPE_CHECKING:``, whose imports change no result."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
