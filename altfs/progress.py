"""The progress of long work: lines for logs, and a bar for terminals and notebooks."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.util import find_spec
from multiprocessing import parent_process
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

# Work that is shorter shows no bar.
_LONG = 3.0


def line_every(what: str, stream: TextIO, seconds: float = 5.0) -> Callable[[int, int], None]:
    """Return a function of the number done and the total, which prints a line per interval.

    `what` is the counted thing, such as "shards done". A total of 0 is unknown. Work that is
    shorter than the interval prints nothing.
    """
    said = time.monotonic()

    def say(done: int, total: int) -> None:
        nonlocal said
        if time.monotonic() - said > seconds:
            said = time.monotonic()
            stream.write(f"altfs: {_counted(done, total)} {what}\n")
            stream.flush()

    return say


def _counted(done: int, total: int) -> str:
    """Return the number done, and the total if it is known; empty if nothing is counted."""
    return f"{done} of {total}" if total else str(done or "")


_bar: ContextVar[Progress | None] = ContextVar("bar", default=None)
_log: ContextVar[Callable[[str, int, int], None] | None] = ContextVar("log", default=None)


@contextmanager
def lines(stream: TextIO, seconds: float = 5.0) -> Iterator[None]:
    """Print what :func:`tell` counts inside, a line per interval for each thing."""
    counted: dict[str, Callable[[int, int], None]] = {}

    def say(what: str, done: int, total: int) -> None:
        if what not in counted:
            counted[what] = line_every(what, stream, seconds)
        counted[what](done, total)

    token = _log.set(say)
    try:
        yield
    finally:
        _log.reset(token)


@contextmanager
def bar() -> Iterator[None]:
    """Show what :func:`tell` says, once the work inside takes longer than some seconds.

    The bar is on standard error, if that is a terminal or a notebook, and goes when the work ends.
    Threads, other processes and work inside other work show none.
    """
    console = None if is_shown() else _console()
    if console is None:
        yield
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    # Names of columns may have square brackets.
    texts = [TextColumn(f"{{task.{part}}}", markup=False) for part in ("description", "fields[of]")]
    columns = (texts[0], BarColumn(), texts[1], TimeElapsedColumn())
    shown = Progress(
        *columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
    )
    shown.add_task("", total=None, of="")
    # Rich draws in a thread of its own, and the work does not wait for it.
    start = threading.Timer(_LONG, shown.start)
    start.daemon = True
    token = _bar.set(shown)
    start.start()
    try:
        yield
    finally:
        _bar.reset(token)
        start.cancel()
        start.join()
        shown.stop()


def tell(what: str, done: int = 0, total: int = 0) -> None:
    """Set the stage that the bar shows, and how much of it is done, and print it in lines.

    A total of 0 is unknown. It has no effect outside of :func:`bar` and :func:`lines`.
    """
    shown, log = _bar.get(), _log.get()
    if shown is not None:
        of = _counted(done, total)
        shown.update(
            shown.task_ids[0], description=what, completed=done, total=total or None, of=of
        )
    if log is not None and done:
        log(what, done, total)


def is_shown() -> bool:
    """Return True inside of :func:`bar` on a terminal or in a notebook."""
    return _bar.get() is not None


def _console() -> Console | None:
    """Return a console on which a bar can be drawn, or None."""
    is_main = threading.current_thread() is threading.main_thread() and parent_process() is None
    # Rich takes time to import, and the setting of a colour for a terminal.
    if not is_main or not (sys.stderr.isatty() or "ipykernel" in sys.modules):
        return None
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_jupyter:
        # Rich would warn that it lacks this package.
        return console if find_spec("ipywidgets") is not None else None
    return console if console.is_terminal and not console.is_dumb_terminal else None
