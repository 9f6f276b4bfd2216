"""The check for packages that only some of altfs needs."""

from __future__ import annotations

from importlib.util import find_spec

from altfs.errors import AltfsError


def require(what: str, extra: str, *modules: str) -> None:
    """Check that modules of an extra are installed.

    Parameters
    ----------
    what : str
        The command, or the key and its value, for the message.
    extra : str
        The extra of altfs that brings them.
    *modules : str
        Names to import.

    Raises
    ------
    AltfsError
        If one of them is not installed; it says how to install it.

    Examples
    --------
    >>> require("report", "study", "altfs")
    >>> require("report", "study", "altfs", "charts_from_mars")
    Traceback (most recent call last):
    ...
    altfs.errors.AltfsError: report needs the library charts_from_mars, which is not installed, \
use `pip install 'altfs[study]'`.
    """
    for module in modules:
        if find_spec(module) is None:
            raise AltfsError(
                f"{what} needs the library {module}, which is not installed, use "
                f"`pip install 'altfs[{extra}]'`."
            )
