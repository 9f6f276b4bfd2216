"""A second process, so that both cores of a machine have something to do.

Threads are no help: what an evaluation does takes Python's interpreter most of the
time, and two threads that wait for each other are slower than one.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any, Protocol, Self

from altfs.errors import AltfsError

#: From so many files on, a second process saves more time than it takes to start.
MANY_FILES = 2_000
# The other process finds what this one finds, also where a script has changed the path.
_START = "import sys; sys.path[:] = {path!r}; from altfs.evaluation.helper import serve; serve()"
_LOST = (
    "results: the second process of the evaluation was killed, perhaps for want of memory, free "
    "some and run the evaluation again."
)


class Place(Protocol):
    """Where calls are done."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a call done, after those that were handed in before."""
        ...

    def map(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        """What a function returns for each item, in their order."""
        ...


class Here:
    """The same process: what is handed in is done at once."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Do a call; its error is raised here."""
        done: Future[Any] = Future()
        done.set_result(function(*arguments))
        return done

    def map(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        """Python's own."""
        return map(function, items)


class Helper:
    """Another process, which does one call after the other.

    It ends with the block that it is used in, and with this process, however that ends:
    then it is told nothing any more. Functions, arguments and results are pickled.

    Examples
    --------
    >>> from math import sqrt
    >>> with Helper() as helper:
    ...     helper.submit(sqrt, 4.0).result(), list(helper.map(sqrt, [9.0, 16.0]))
    (2.0, [3.0, 4.0])
    """

    def __init__(self) -> None:
        # Not multiprocessing, whose children run the user's script again, and which workers
        # of Dask may not use.
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START.format(path=sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._queue = ThreadPoolExecutor(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._queue.shutdown(cancel_futures=True)
        # Closes its pipes, too; what could not be sent does not matter.
        self._process.communicate()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a call done by the other process, after those that were handed in before.

        Raises
        ------
        AltfsError
            From ``result()``, if the process was killed; else what the call raises.
        """
        return self._queue.submit(self._call, function, *arguments)

    def map(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        """What a function returns for each item, in their order; done here and there."""
        free: SimpleQueue[Callable[[Any], Any]] = SimpleQueue()
        free.put(function)
        free.put(lambda item: self.submit(function, item).result())

        def do(item: Any) -> Any:
            one = free.get()
            try:
                return one(item)
            finally:
                free.put(one)

        pool = ThreadPoolExecutor(2)
        try:
            yield from pool.map(do, items)
        finally:
            # After an error, nothing else is begun.
            pool.shutdown(cancel_futures=True)

    def _call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            _send((function, arguments), self._process.stdin)
            succeeded, answer = pickle.load(self._process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            raise AltfsError(_LOST) from None
        if not succeeded:
            raise answer
        return answer


def serve() -> None:
    """Be the other process: do calls from standard input until that ends."""
    # Ctrl-C in a terminal reaches both processes; the first one ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    calls: SimpleQueue[tuple[Callable[..., Any], tuple[Any, ...]]] = SimpleQueue()
    listener = Thread(target=_listen, args=(os.fdopen(os.dup(0), "rb"), calls), daemon=True)
    answers = os.fdopen(os.dup(1), "wb")
    # What a library prints is no answer.
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    listener.start()
    while True:
        _send(_answer(*calls.get()), answers)


def _answer(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    """Whether a call succeeded, and what it returned or raised."""
    try:
        return True, function(*arguments)
    except Exception as error:
        error.add_note(f"In the second process:\n{traceback.format_exc()}")
        return False, error


def _listen(source: IO[bytes], calls: SimpleQueue[Any]) -> None:
    """Hand on calls, also while one is done, so that the end of the other process is noticed."""
    try:
        while True:
            calls.put(pickle.load(source))
    finally:
        os._exit(0)


def _send(message: Any, target: IO[bytes]) -> None:
    pickle.dump(message, target, protocol=pickle.HIGHEST_PROTOCOL)
    target.flush()


def place_for(n_files: int) -> AbstractContextManager[Place]:
    """Where a study of so many files is evaluated: a second process has to be worth its start."""
    from joblib import cpu_count

    return Helper() if n_files >= MANY_FILES and cpu_count() > 1 else nullcontext(Here())
