"""Clocks of work that stand still while code is imported or compiled."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter, process_time


class _Spent(threading.local):
    """The start-up of a thread: its seconds, how many blocks are open, and since when."""

    seconds = cpu_seconds = 0.0
    depth = 0
    since = cpu_since = 0.0


_spent = _Spent()


@contextmanager
def starting_up() -> Iterator[None]:
    """Count the time of a block as start-up of this thread.

    Imports on the first look-up of a component count, and compiled code that is compiled or
    loaded. A process pays for both once, whichever search comes first. Blocks may be nested.
    """
    if _spent.depth == 0:
        _spent.since, _spent.cpu_since = perf_counter(), process_time()
    _spent.depth += 1
    try:
        yield
    finally:
        _spent.depth -= 1
        if _spent.depth == 0:
            _spent.seconds += perf_counter() - _spent.since
            _spent.cpu_seconds += process_time() - _spent.cpu_since


def startup_seconds() -> float:
    """Return the seconds of start-up that this thread has spent so far."""
    return _spent.seconds


def work_clock() -> float:
    """Return the seconds of a clock that does not count start-up.

    Examples
    --------
    >>> from time import sleep
    >>> before = work_clock()
    >>> with starting_up():
    ...     sleep(0.02)
    >>> work_clock() - before < 0.02
    True
    """
    return perf_counter() - _spent.seconds


def cpu_clock() -> float:
    """Return the CPU seconds of this process, without those of start-up in this thread."""
    return process_time() - _spent.cpu_seconds
