"""Progress lines of long work."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

_SECONDS_BETWEEN_LINES = 5.0


def line_every(
    what: str, stream: TextIO, seconds: float = _SECONDS_BETWEEN_LINES
) -> Callable[[int, int], None]:
    """Return a function that prints the progress of work, at most once per interval.

    Parameters
    ----------
    what : str
        The thing that is counted, such as "shards done".
    stream : file
        Stream for the lines.
    seconds : float
        The interval. Shorter work prints nothing.

    Returns
    -------
    callable
        Takes the number done and the total.
    """
    said = time.monotonic()

    def say(done: int, total: int) -> None:
        nonlocal said
        if time.monotonic() - said > seconds:
            said = time.monotonic()
            stream.write(f"altfs: {done} of {total} {what}\n")
            stream.flush()

    return say
