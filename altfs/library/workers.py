"""Parallel work on threads or on the workers of a Dask client."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any, Self

import numpy as np

from altfs._numbers import is_whole
from altfs.errors import AltfsError
from altfs.selectors import Part, Selector

# Every part of a matrix of scores prepares all columns, so parts are few and large.
_COLUMNS_AT_ONCE, _MOST_PARTS = 16, 8


def is_client(n_jobs: Any) -> bool:
    """Return True for a `distributed.Client`."""
    # If the user has a client, the library is imported. Else it need not be.
    distributed = sys.modules.get("distributed")
    return distributed is not None and isinstance(n_jobs, distributed.Client)


def check_n_jobs(n_jobs: Any) -> None:
    """Check that it is None, a number of threads, or a client that is connected."""
    if is_client(n_jobs):
        if n_jobs.status == "closed":
            raise AltfsError(
                "n_jobs", "this distributed.Client is closed", "use one that is connected"
            )
    elif n_jobs is not None and not (is_whole(n_jobs) and n_jobs != 0):
        raise AltfsError.of_value(
            "n_jobs", n_jobs, "use a number of threads, -1 for all cores, or a distributed.Client"
        )


def threads(n_jobs: Any, batches: bool) -> Any:
    """Return the threads for a search; None leaves them as joblib is configured.

    By default batches of sets are scored on as many cores as OpenMP would use, so that processes
    of joblib share them; scikit-learn's histogram gradient boosting does so, too. A client has
    none, as other processes do not share the compiled code of batches.
    """
    if is_client(n_jobs):
        return None
    if n_jobs is not None or not batches:
        return n_jobs
    stated = os.environ.get("OMP_NUM_THREADS", "")
    return int(stated) if stated.isdigit() and int(stated) else -1


@contextmanager
def workers(n_jobs: Any, *shared: Any) -> Iterator[None]:
    """Let joblib use threads or the workers of a client; None leaves it as it is configured.

    Each `shared` argument of the jobs, such as a part, is sent to each worker once.
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


def compute_pair_scores(
    selector: Selector, part: Part, n_jobs: Any, say: Callable[[int, int], None]
) -> None:
    """Compute the scores of feature pairs that a selector needs, in parts.

    The values do not depend on `n_jobs` (see :func:`workers`). Threads are enough on this
    machine, as the compiled code does not hold Python's lock.
    """
    from sklearn.utils.parallel import Parallel, delayed

    n_total = part.X.shape[1]
    step = max(_COLUMNS_AT_ONCE, -(-n_total // _MOST_PARTS))
    ranges = [range(a, min(a + step, n_total)) for a in range(0, n_total, step)]
    for key in selector.train_scores:
        # A score of pairs may start from other scores, which threads must not compute again.
        for score in key.starts_from if key.of_pairs else (key,):
            part.score(score)
    keys = [key for key in selector.train_scores if key.of_pairs]
    for i, key in enumerate(keys):
        blocks = []
        jobs = (delayed(Part.compute)(part, key, columns) for columns in ranges)
        with workers(n_jobs, part):
            for block in Parallel(prefer="threads", return_as="generator")(jobs):
                blocks.append(block)
                say(i * len(ranges) + len(blocks), len(keys) * len(ranges))
        part.scores[key] = key.score.whole(np.hstack(blocks))


class WorkersMixin:
    """Clones and pickles of an estimator whose `n_jobs` can be a client.

    A client is a connection. Clones share it, and pickles have None in its place.
    """

    n_jobs: Any

    def __getstate__(self) -> dict[str, Any]:
        state: Any = super().__getstate__()
        return {**state, "n_jobs": None} if is_client(self.n_jobs) else state

    def __sklearn_clone__(self) -> Self:
        # The copy is made of the state, which does not have the client.
        clone: Self = super(WorkersMixin, copy(self)).__sklearn_clone__()  # type: ignore[misc]
        clone.n_jobs = self.n_jobs
        return clone
