"""Where text for people goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


def console(**options: Any) -> Console:
    """A rich console that does not end the process when nobody reads it any more.

    Parameters
    ----------
    **options
        Of :class:`rich.console.Console`, which would exit with code 1: of ``altfs find``
        that is an answer.
    """
    from rich.console import Console

    class Terminal(Console):
        def on_broken_pipe(self) -> None:
            # The error that is being handled, for whoever knows the exit code.
            raise

    return Terminal(**options)
