"""The decorator of functions that numba compiles.

Importing this module imports numba, so import it where the functions are used.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import IndexDataCacheFile
from numba.core.event import Event, Listener, register

from altfs._clock import end, start

F = TypeVar("F", bound=Callable[..., Any])


class _Compiling(Listener):
    """Stops the clock of work while numba compiles a function or loads a compiled one."""

    def on_start(self, event: Event) -> None:
        """Stop the clock."""
        start()

    def on_end(self, event: Event) -> None:
        """Let it go on."""
        end()


register("numba:compiler_lock", _Compiling())  # type: ignore[no-untyped-call]


class _UniqueNumbers:
    """Numbers that no other process draws."""

    def __next__(self) -> int:
        return int.from_bytes(os.urandom(12))


# Numba tells apart the symbols of functions that share a name and types, such as the parts of
# `np.sort` and `np.argsort`, by numbers. It counts them in each process. If two processes compile
# at the same time, other code can get the same symbol in the cache. A process that loads both
# runs the wrong one, without an error (numba issue 10486).
FunctionIdentity._unique_ids = _UniqueNumbers()  # type: ignore[assignment]


class _SafeCacheFile(IndexDataCacheFile):
    """The cache of a function, for processes that compile it at the same time.

    Numba numbers the files of machine code and names one in its index before it writes it. Until
    then another process loads what an older source or other types left under this number.
    """

    def save(self, key: Any, data: Any) -> None:
        """Store machine code under a name of its own, then name it in the index."""
        own = hashlib.sha256(repr((self._source_stamp, key)).encode()).hexdigest()[:16]
        name = self._index_name.removesuffix("nbi") + f"{own}.nbc"
        self._save_data(name, data)  # type: ignore[no-untyped-call]
        overloads = self._load_index()  # type: ignore[no-untyped-call]
        self._save_index({**overloads, key: name})  # type: ignore[no-untyped-call]


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
            made = njit(cache=True, **options)(function)
        except RuntimeError:
            # Neither the folder of the function's file nor the user's cache folder can be written.
            return cast("F", njit(**options)(function))
        made._cache._cache_file.__class__ = _SafeCacheFile
        return cast("F", made)

    return decorate


@compiled()
def copy_into(target: Any, source: Any) -> None:
    """Copy an array to the first places of another one, in compiled functions.

    The statement ``target[:] = source`` does the same. But numba then compiles a message about
    shapes that differ, which takes seconds in every process.
    """
    for i in range(source.size):
        target.flat[i] = source.flat[i]
