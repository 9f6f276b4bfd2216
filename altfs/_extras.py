"""The check for packages that only some of altfs needs."""

from __future__ import annotations

from importlib.util import find_spec

from altfs.errors import AltfsError


def require(what: str, extra: str, *modules: str) -> None:
    """Check that modules of an extra are installed; `what` is the command or key that needs them.

    >>> require("report", "study", "altfs", "charts_from_mars")
    Traceback (most recent call last):
    ...
    altfs.errors.AltfsError: report needs the library charts_from_mars, which is not installed, \
use `pip install 'altfs[study]'`.
    """
    absent = [module for module in modules if not is_installed(module)]
    if absent:
        libraries, are = ("library", "is") if len(absent) == 1 else ("libraries", "are")
        raise AltfsError(
            f"{what} needs the {libraries} {', '.join(absent)}, which {are} not installed, use "
            f"`pip install 'altfs[{extra}]'`"
        )


def is_installed(module: str) -> bool:
    """Return True if a module can be imported."""
    return find_spec(module) is not None
