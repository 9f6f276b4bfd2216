"""The decorator of functions that numba compiles.

Importing this module imports numba, so import it where the functions are used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit
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
            return cast("F", njit(cache=True, **options)(function))
        except RuntimeError:
            # Neither the folder of the function's file nor the user's cache folder can be written.
            return cast("F", njit(**options)(function))

    return decorate
