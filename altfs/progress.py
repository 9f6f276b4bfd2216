"""Progress lines of long work."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO


def line_every(what: str, stream: TextIO, seconds: float = 5.0) -> Callable[[int, int], None]:
    """Return a function of the number done and the total, which prints a line per interval.

    `what` is the counted thing, such as "shards done". Work that is shorter than the interval
    prints nothing.
    """
    said = time.monotonic()

    def say(done: int, total: int) -> None:
        nonlocal said
        if time.monotonic() - said > seconds:
            said = time.monotonic()
            stream.write(f"altfs: {done} of {total} {what}\n")
            stream.flush()

    return say
