"""Jobs that wait or run at the workers."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from snakemake_executor_plugin_dask import call, watch

# A worker does not answer while it runs compiled code.
_SECONDS_TO_ANSWER = 10.0
_SECONDS_TO_STOP = 2.0 * watch.SECONDS_TO_END + 2.0


class Submitted:
    """The keys of submitted jobs, until Snakemake has their reports."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        # A scheduler may serve several runs. If two of them use a key, Dask returns the result
        # of the first.
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
        """Cancel jobs that wait, and stop jobs that run if their workers answer."""
        keys = list(self._keys)
        if not keys or client.status != "running":
            return
        # Also if the workers end next: a stopped job leaves no process.
        with suppress(OSError, TimeoutError, RuntimeError):
            client.run(call.stop, keys, on_error="ignore", callback_timeout=_SECONDS_TO_STOP)
        self.cancel(client, keys)

    def hold_back(self, client: Any, keys: list[str]) -> set[str] | None:
        """Keep workers from beginning these jobs; return those that began before.

        None if the workers do not answer: some jobs may still begin.
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
        """Cancel jobs in Dask."""
        from distributed import Future

        with suppress(OSError, TimeoutError):
            client.cancel([Future(k, client=client) for k in keys if k in client.futures])
