"""Calls in processes of their own."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from typing import Any

from altfs.errors import AltfsError

#: A function and its arguments.
Call = tuple[Any, ...]
#: Yields the results of calls, in their order.
Runner = Callable[[Iterable[Call]], Iterator[Any]]


def serially(calls: Iterable[Call]) -> Iterator[Any]:
    """Make calls in this process."""
    return map(_call, calls)


@contextmanager
def processes(jobs: int) -> Iterator[Runner]:
    """Yield a function that makes calls, in this process or in `jobs` others.

    Raises
    ------
    AltfsError
        If `jobs` is less than 1, or a process was killed.
    """
    if jobs < 1:
        raise AltfsError("jobs", f"{jobs} is not allowed", "use a number from 1")
    if jobs == 1:
        yield serially
        return
    # Solvers do not work in forked processes.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start)
    try:
        yield partial(pool.map, _call)
    except BrokenProcessPool:
        raise AltfsError(
            "jobs", "a process was killed, perhaps for lack of memory", "use fewer jobs"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def collect_less_often() -> None:
    """Look for cycles of objects less often: a twelfth of the time of many small ones."""
    gc.set_threshold(100_000, 20, 100)


def _start() -> None:
    # Ctrl-C ends these processes silently.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    collect_less_often()


def _call(call: Call) -> Any:
    function, *arguments = call
    return function(*arguments)
