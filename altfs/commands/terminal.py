"""The terminal, for text that people read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


def console(**options: Any) -> Console:
    """Return a rich console that does not end the process when its reader has closed the pipe.

    Parameters
    ----------
    **options
        Of :class:`rich.console.Console`. That class exits with code 1, which is an answer
        of ``altfs find``.
    """
    from rich.console import Console

    class Terminal(Console):
        def on_broken_pipe(self) -> None:
            # The caller knows the exit code.
            raise

    return Terminal(**options)
