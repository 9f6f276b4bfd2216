"""Jobs that wait or run at the workers."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from snakemake_executor_plugin_dask import call, watch

# Workers that are in code that is not Python's do not answer.
_SECONDS_TO_ANSWER = 10.0
_SECONDS_TO_STOP = 2.0 * watch.SECONDS_TO_END + 2.0


class Submitted:
    """Keys of jobs from before they reach the scheduler until they are reported."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        # A scheduler that somebody else started may serve several runs, and
        # gives the second one that uses a key the result of the first.
        self._run = uuid.uuid4().hex[:8]
        self._keys: set[str] = set()

    def add(self, job: Any) -> str:
        """Return a new key for a job that is about to be submitted."""
        key = f"{job.name}-{job.jobid}-{next(self._numbers)}-{self._run}"
        self._keys.add(key)
        return key

    def remove(self, key: str) -> None:
        """Forget a job that was reported."""
        self._keys.discard(key)

    def stop(self, client: Any) -> None:
        """Drop what waits and stop what runs, as well as it can be done."""
        keys = list(self._keys)
        if not keys or client.status != "running":
            return
        # Also where the workers are ended next: of what is told to stop, nothing is left.
        with suppress(OSError, TimeoutError, RuntimeError):
            client.run(call.stop, keys, on_error="ignore", callback_timeout=_SECONDS_TO_STOP)
        self.cancel(client, keys)

    def hold_back(self, client: Any, keys: list[str]) -> set[str] | None:
        """See to it that no worker begins these jobs any more.

        Returns
        -------
        set of str or None
            Those that have begun before; None if the workers do not answer, and then
            some may begin.
        """
        if client.status != "running":
            return None
        try:
            begun = client.run(
                call.hold_back, keys, on_error="ignore", callback_timeout=_SECONDS_TO_ANSWER
            )
        except (OSError, TimeoutError):
            return None
        known = set(itertools.chain.from_iterable(begun.values()))
        self.cancel(client, [key for key in keys if key not in known])
        return known

    @staticmethod
    def cancel(client: Any, keys: Iterable[str]) -> None:
        """Have Dask drop jobs."""
        from distributed import Future

        with suppress(OSError, TimeoutError):
            client.cancel([Future(k, client=client) for k in keys if k in client.futures])
