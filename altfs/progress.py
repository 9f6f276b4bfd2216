"""A line now and then on long work."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

_SECONDS_BETWEEN_LINES = 5.0


def line_every(
    what: str, stream: TextIO, seconds: float = _SECONDS_BETWEEN_LINES
) -> Callable[[int, int], None]:
    """A function that says how far work is, at most once in so many seconds.

    Parameters
    ----------
    what : str
        What is counted, as in "shards done".
    stream : file
        Where the lines go.
    seconds : float
        Shorter work than this says nothing.

    Returns
    -------
    callable
        Takes the number done and the number of all.
    """
    said = time.monotonic()

    def say(done: int, total: int) -> None:
        nonlocal said
        if time.monotonic() - said > seconds:
            said = time.monotonic()
            stream.write(f"altfs: {done} of {total} {what}\n")
            stream.flush()

    return say
