"""The decorator of functions that numba compiles.

Importing this module imports numba, so import it where the functions are used.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

from numba import njit, typeof
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import IndexDataCacheFile
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from altfs._clock import starting_up

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")

# The work that Python has done for functions that are not compiled.
_interpreted_work: dict[Callable[..., Any], int] = {}


class _UniqueNumbers:
    """Numbers that no other process draws."""

    def __next__(self) -> int:
        return int.from_bytes(os.urandom(12))


class _Dispatcher(CPUDispatcher):
    """A compiled function whose symbols no other process gives to other code.

    Numba tells apart the symbols of functions that share a name and types, such as the parts of
    `np.sort` and `np.argsort`, by numbers. It counts them in each process. If two processes
    compile at the same time, other code can get the same symbol in the cache. A process that loads
    both runs the wrong one, without an error (numba issue 10486).
    """

    def compile(self, sig: Any) -> Any:
        """Compile the function or load it, while the clock of work stands still."""
        with starting_up(), global_compiler_lock:
            counted = FunctionIdentity._unique_ids
            if isinstance(counted, _UniqueNumbers):
                # A function that calls this one is being compiled.
                return super().compile(sig)
            FunctionIdentity._unique_ids = _UniqueNumbers()  # type: ignore[assignment]
            try:
                with _one_process(self, sig):
                    return super().compile(sig)
            finally:
                FunctionIdentity._unique_ids = counted


class _SafeCacheFile(IndexDataCacheFile):
    """The cache of a function, for processes that compile it at the same time.

    Numba numbers the files of machine code and names one in its index before it writes it. Until
    then another process loads what an older source or other types left under this number.
    """

    def _load_index(self) -> Any:
        try:
            return super()._load_index()  # type: ignore[no-untyped-call]
        except (AttributeError, ImportError):
            # It was written by another version, and names a class that this one has not.
            return {}

    def save(self, key: Any, data: Any) -> None:
        """Store machine code under a name of its own, then name it in the index."""
        digest = hashlib.sha256(repr((self._source_stamp, key)).encode()).hexdigest()[:16]
        name = self._index_name.removesuffix("nbi") + f"{digest}.nbc"
        self._save_data(name, data)  # type: ignore[no-untyped-call]
        overloads = self._load_index()
        self._save_index({**overloads, key: name})  # type: ignore[no-untyped-call]


def _stamps_of_others(function: Any) -> tuple[tuple[str, int, int], ...]:
    """Return the times and sizes of the other files whose compiled functions a function may call.

    Its machine code holds theirs. Numba looks at the function's own file only.
    """
    own, functions = function.__code__.co_filename, [function]
    files = {own}
    for each in functions:
        for value in each.__globals__.values():
            if isinstance(value, CPUDispatcher):
                file = value.py_func.__code__.co_filename
                if file not in files:
                    files.add(file)
                    functions.append(value.py_func)
    statuses = [(file, os.stat(file)) for file in sorted(files - {own})]
    return tuple((file, status.st_mtime_ns, status.st_size) for file, status in statuses)


@contextmanager
def _one_process(dispatcher: Any, sig: Any) -> Iterator[None]:
    """Wait until no other process compiles the function, unless its cache has the machine code.

    Workers that start together otherwise compile the same functions together. A process holds
    one lock at a time, so none waits for another in a circle. Without a file that can be
    locked, each compiles on its own.
    """
    with ExitStack() as held:
        cache: Any = dispatcher._cache
        if hasattr(cache, "_cache_file"):
            with suppress(OSError):
                if not _is_on_disk(dispatcher, sig):
                    path = Path(cache._cache_file._index_path).with_suffix(".lock")
                    path.parent.mkdir(parents=True, exist_ok=True)
                    lock = held.enter_context(path.open("w"))
                    fcntl.flock(lock, fcntl.LOCK_EX)
                    # A process that was forked meanwhile has the file open, too.
                    held.callback(fcntl.flock, lock, fcntl.LOCK_UN)
                    if _is_on_disk(dispatcher, sig):
                        held.close()
        yield


def compiled(**options: Any) -> Callable[[F], F]:
    """Compile a function on its first call, and keep the result on disk if that is possible.

    The options are those of :func:`numba.njit`. The result is numba's dispatcher, so that
    compiled functions can call each other.

    >>> @compiled(error_model="numpy")
    ... def inverse(number: float) -> float:
    ...     return 1.0 / number
    >>> inverse(4.0), inverse(0.0)
    (0.25, inf)
    """

    def decorate(function: F) -> F:
        try:
            dispatcher = njit(cache=True, **options)(function)
            file = dispatcher._cache._cache_file
            file.__class__ = _SafeCacheFile
            file._source_stamp = (file._source_stamp, _stamps_of_others(function))
        except RuntimeError:
            # Neither the folder of the function's file nor the user's cache folder can be written.
            dispatcher = njit(**options)(function)
        dispatcher.__class__ = _Dispatcher
        return cast("F", dispatcher)

    return decorate


def compiled_inside(**options: Any) -> Callable[[F], F]:
    """Compile a function that compiled functions of the package call.

    Its machine code is stored in that of its callers only, and Python cannot call it, which saves
    half of the time that compiling takes. :func:`interpreted` makes a function that Python calls.

    >>> @compiled_inside()
    ... def double(number: float) -> float:
    ...     return 2.0 * number
    >>> interpreted(double)(4.0)
    8.0
    """
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, **options}
    return cast("Callable[[F], F]", njit(**options))


def is_compiled(function: Any, *arguments: Any) -> bool:
    """Return True if a function needs no compiling for arguments: it has been, or is on disk.

    >>> is_compiled(copy_into, "no array", "no array")
    False
    """
    types = tuple(map(typeof, arguments))
    return types in function.overloads or _is_on_disk(function, types)


def _is_on_disk(dispatcher: Any, sig: Any) -> bool:
    cache: Any = dispatcher._cache
    if not hasattr(cache, "_cache_file"):
        return False
    key = cache._index_key(sig, dispatcher.targetctx.codegen())
    return key in cache._cache_file._load_index()


def run(function: Callable[..., R], work: int, most_work: int, *arguments: Any) -> R:
    """Run a compiled function, in Python as long as that is faster than to compile it.

    Parameters
    ----------
    function : callable
    work : int
        The work of this call, in any unit.
    most_work : int
        The work that Python does in a process before the function is compiled.
    *arguments : Any

    Examples
    --------
    >>> import numpy as np
    >>> target = np.zeros(2)
    >>> run(copy_into, 2, 100, target, np.ones(2))
    >>> target.tolist()
    [1.0, 1.0]
    """
    work += _interpreted_work.get(function, 0)
    if work > most_work or is_compiled(function, *arguments):
        return function(*arguments)
    _interpreted_work[function] = work
    return cast("R", interpreted(function)(*arguments))


@lru_cache
def interpreted(function: F) -> F:
    """Return a compiled function as Python runs it, with the compiled functions that it calls.

    Compiling takes seconds, which a small problem is not worth.

    >>> interpreted(copy_into) is not copy_into
    True
    """
    return cast("F", _as_python(cast("Any", function), {}))


def _as_python(function: Any, copies: dict[int, FunctionType]) -> FunctionType:
    if id(function) not in copies:
        source = function.py_func
        scope = dict(source.__globals__)
        copies[id(function)] = copy = FunctionType(source.__code__, scope, source.__name__)
        copy.__kwdefaults__, copy.__defaults__ = source.__kwdefaults__, source.__defaults__
        for name in source.__code__.co_names:
            if isinstance(scope.get(name), CPUDispatcher):
                scope[name] = _as_python(scope[name], copies)
    return copies[id(function)]


@compiled()
def copy_into(target: Any, source: Any) -> None:
    """Copy an array to the first places of another one, in compiled functions.

    The statement ``target[:] = source`` does the same. But numba then compiles a message about
    shapes that differ, which takes seconds in every process.
    """
    for i in range(source.size):
        target.flat[i] = source.flat[i]
