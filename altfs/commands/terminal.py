"""The terminal, for text that people read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def console(width: int | None = None) -> Console:
    """Return a rich console that raises an error if its reader has closed the pipe.

    Rich's own class exits with code 1, which is an answer of ``altfs find``.
    """
    from rich.console import Console

    class Terminal(Console):
        def on_broken_pipe(self) -> None:
            # The caller knows the exit code.
            raise

    return Terminal(width=width, highlight=False)
