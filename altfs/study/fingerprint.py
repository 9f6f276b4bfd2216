"""Which code a result depends on, as a hash.

A shard is out of date when the code that made it changes, and only then. The
hash of a component covers its module and, transitively, every module of the
package that it imports; comments and docstrings do not count. Members of
registries are found at run time and imported by nobody, so a new selector
changes no other selector's hash.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from functools import cache
from pathlib import Path

_PACKAGE = "altfs"
_ROOT = Path(__file__).resolve().parents[1]


@cache
def code_hash(*modules: str) -> str:
    """Hash of the code of some modules and of all that they import from altfs.

    Examples
    --------
    >>> code_hash("altfs.quality") == code_hash("altfs.quality")
    True
    >>> code_hash("altfs.quality") == code_hash("altfs.problem")
    False
    """
    pending, seen = list(modules), set()
    while pending:
        module = pending.pop()
        if module not in seen:
            seen.add(module)
            pending += _parse(module)[1]
    state = hashlib.sha256()
    for module in sorted(seen):
        state.update(f"{module}\0{_parse(module)[0]}\0".encode())
    return state.hexdigest()[:16]


@cache
def files_hash(package: str) -> str:
    """Hash of the files of a package that are no code: templates, styles, scripts."""
    state = hashlib.sha256()
    for path in sorted(_folder(package).rglob("*")):
        if path.is_file() and path.suffix not in (".py", ".pyc"):
            state.update(f"{path.name}\0".encode() + path.read_bytes())
    return state.hexdigest()[:16]


@cache
def members_of(package: str) -> tuple[str, ...]:
    """The modules of a package."""
    modules = _folder(package).glob("*.py")
    return tuple(sorted(f"{package}.{p.stem}" for p in modules if p.stem != "__init__"))


def _folder(package: str) -> Path:
    return _file(package).parent


def _file(module: str) -> Path:
    """Where a module's code is; those of altfs are not imported to find out."""
    if _is_ours(module):
        path = _ROOT.joinpath(*module.split(".")[1:])
        return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin)


def _is_ours(name: str) -> bool:
    return name.split(".")[0] == _PACKAGE


@cache
def _parse(module: str) -> tuple[str, tuple[str, ...]]:
    """A module's normalised source, and the modules of the package it imports."""
    tree = ast.parse(_file(module).read_text("utf-8"))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            imported.add(node.module)
            imported |= {f"{node.module}.{alias.name}" for alias in node.names}
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and _is_docstring(body[0]):
            body[0].value = ast.Constant("")
    ours = {name for name in imported if _is_ours(name) and _is_module(name)}
    return ast.unparse(tree), tuple(sorted(ours))


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


@cache
def _is_module(name: str) -> bool:
    # The package itself only hands out lazy names and a version.
    return name != _PACKAGE and _file(name).is_file()
