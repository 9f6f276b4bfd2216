"""The clock of this machine, which people and time servers set."""

from __future__ import annotations

import time

# Time servers change a clock by less at a time.
_LEAST = 5.0


class WallClock:
    """Notices that the clock was set back.

    Dask sends messages at a time of this clock: one that is set back by an hour keeps the next
    message for an hour.
    """

    def __init__(self) -> None:
        self._ahead = self._difference()

    def seconds_back(self) -> float:
        """Return the seconds by which the clock was set back since the last call; else 0."""
        before, self._ahead = self._ahead, self._difference()
        return before - self._ahead if before - self._ahead > _LEAST else 0.0

    @staticmethod
    def _difference() -> float:
        return time.time() - time.monotonic()
