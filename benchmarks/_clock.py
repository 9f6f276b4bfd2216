"""The time of the fastest of several runs."""

from collections.abc import Callable
from time import process_time
from typing import Any


def fastest(
    run: Callable[[], Any], repeats: int = 3, clock: Callable[[], float] = process_time
) -> float:
    """Return the least seconds of a clock, by default of the CPU."""
    times = []
    for _ in range(repeats):
        start = clock()
        run()
        times.append(clock() - start)
    return min(times)
