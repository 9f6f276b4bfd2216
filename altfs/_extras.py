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
    for module in modules:
        if find_spec(module) is None:
            raise AltfsError(
                f"{what} needs the library {module}, which is not installed, use `pip install "
                f"'altfs[{extra}]'`"
            )
