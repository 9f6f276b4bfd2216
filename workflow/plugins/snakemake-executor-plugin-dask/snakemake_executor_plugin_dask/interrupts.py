"""Signals that stop a run, handled in Snakemake's main thread."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_STOPPING = (signal.SIGINT, signal.SIGTERM)
# Signals within so many seconds are one. `timeout` sends each twice, and a second exception while
# the first one releases a lock would break it.
_SAME = 1.0


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def stop_on_signals() -> None:
    """Stop the run by SIGTERM as by Ctrl-C.

    Snakemake would first finish all submitted jobs, which can take hours. Stopping loses no
    finished result.
    """
    last = -_SAME

    def stop(*_: Any) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before >= _SAME:
            raise KeyboardInterrupt

    if _in_main_thread():
        for number in _STOPPING:
            signal.signal(number, stop)
        signal.signal(signal.SIGURG, lambda *_: None)


def wake_main_thread() -> None:
    """Interrupt the main thread's waiting, so that it handles a signal that it has missed.

    Python handles signals between two steps of the main thread. While this thread waits for a
    lock, a signal wakes it. One that arrives just before it falls asleep, or in another thread,
    does not, and Snakemake waits for a lock until a job ends. SIGURG has no effect of its own.
    """
    main = threading.main_thread().ident
    if main is not None:
        signal.pthread_kill(main, signal.SIGURG)


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Ignore further interrupts while a run stops.

    The handler is a function: SIG_IGN would meet signals that Python has received and not handled
    yet, and write a traceback for each. Commands that run meanwhile need a session of their own.
    """
    if not _in_main_thread():
        yield
        return
    before = {number: signal.signal(number, lambda *_: None) for number in _STOPPING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
