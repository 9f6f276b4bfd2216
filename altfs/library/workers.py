"""Parallel work on threads or on the workers of a Dask client."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any, Self

from altfs._numbers import is_whole
from altfs.errors import AltfsError


def is_client(n_jobs: Any) -> bool:
    """Return True for a `distributed.Client`."""
    # Who has a client has imported the library; nobody else should have to.
    distributed = sys.modules.get("distributed")
    return distributed is not None and isinstance(n_jobs, distributed.Client)


def check_n_jobs(n_jobs: Any) -> None:
    """Check that it is None, a number of threads, or a client that is connected."""
    if is_client(n_jobs) and n_jobs.status == "closed":
        raise AltfsError("n_jobs: this distributed.Client is closed, use one that is connected.")
    if n_jobs is None or is_client(n_jobs) or (is_whole(n_jobs) and n_jobs != 0):
        return
    raise AltfsError(
        f"n_jobs: {n_jobs!r} is not allowed, use a number of threads, -1 for all cores, or a "
        "distributed.Client."
    )


@contextmanager
def workers(n_jobs: Any, *shared: Any) -> Iterator[None]:
    """Have joblib do on threads, or on a client's workers, what it is asked for here.

    Parameters
    ----------
    n_jobs : int, distributed.Client or None
        None: as joblib is set up already.
    *shared : object
        What many of the calls need; it is sent to each worker once.

    Raises
    ------
    AltfsError
        If `n_jobs` is none of these, or 0.
    """
    from joblib import parallel_config

    check_n_jobs(n_jobs)
    if n_jobs is None:
        yield
    elif is_client(n_jobs):
        with parallel_config(backend="dask", client=n_jobs, scatter=list(shared)):
            yield
    else:
        with parallel_config(backend="threading", n_jobs=int(n_jobs)):
            yield


class WorkersMixin:
    """Clones and pickles of an estimator whose `n_jobs` can be a client.

    A client is a connection, which is neither copied nor stored: clones share it,
    pickles (and other processes) have None in its place.
    """

    n_jobs: Any

    def __getstate__(self) -> dict[str, Any]:
        state: Any = super().__getstate__()
        return {**state, "n_jobs": None} if is_client(self.n_jobs) else state

    def __sklearn_clone__(self) -> Self:
        # A shallow copy is made of the state, so it is without the client.
        made: Self = super(WorkersMixin, copy(self)).__sklearn_clone__()  # type: ignore[misc]
        made.n_jobs = self.n_jobs
        return made
