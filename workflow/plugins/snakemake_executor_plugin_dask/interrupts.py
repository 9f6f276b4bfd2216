"""Sections that Ctrl-C and SIGTERM must not interrupt."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def impatience_ignored() -> Iterator[None]:
    """Ignore further interrupts while a run stops."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {n: signal.signal(n, signal.SIG_IGN) for n in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def kept_from_children() -> Iterator[None]:
    """Block Ctrl-C for a process that starts, until the process itself ignores it."""
    # Python starts the resource tracker with the first process, and unblocks Ctrl-C then.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
