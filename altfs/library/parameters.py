"""Checks of the parameters of `AlternativeFeatures` before anything else happens."""

from __future__ import annotations

from typing import Any

import numpy as np

from altfs._numbers import is_collection, is_whole
from altfs.errors import AltfsError
from altfs.library.workers import check_n_jobs
from altfs.problem.constraints import Constraints

_TASKS = ("auto", "classification", "regression")
_LARGEST_SEED = 2**32 - 1


def check_parameters(given: Any, constraints: Any, task: Any, n_jobs: Any, verbose: Any) -> None:
    """Check parameters, also those that would not be used.

    Raises
    ------
    AltfsError
        In one sentence.

    Examples
    --------
    >>> check_parameters((), None, "auto", None, 1)
    >>> check_parameters((), None, "auto", None, "loud")
    Traceback (most recent call last):
    ...
    altfs.errors.AltfsError: verbose: 'loud' is not allowed, use a whole number from 0.
    """
    if not _can_be_read_again(given):
        raise AltfsError(f"given: {given!r} is not allowed, use a list of sets of features.")
    for features in given:
        if not _can_be_read_again(features):
            raise AltfsError(f"given: {features!r} is not a set of features, put them in a list.")
        if not list(features):
            raise AltfsError("given: a set without features is not allowed, leave it out.")
    if constraints is not None and not isinstance(constraints, Constraints):
        raise AltfsError(f"constraints: {constraints!r} is not allowed, use altfs.Constraints.")
    if not isinstance(task, str) or task not in _TASKS:
        raise AltfsError(f"task: {task!r} is unknown, allowed are: {', '.join(_TASKS)}.")
    check_n_jobs(n_jobs)
    if not isinstance(verbose, bool | np.bool_) and (not is_whole(verbose) or verbose < 0):
        raise AltfsError(f"verbose: {verbose!r} is not allowed, use a whole number from 0.")


def seed_of(random_state: Any) -> int:
    """Return a whole number for a random state of scikit-learn.

    Raises
    ------
    AltfsError
        If it is neither None, nor a whole number from 0 to 2**32 - 1, nor a RandomState.

    Examples
    --------
    >>> seed_of(7)
    7
    >>> seed_of(True)
    Traceback (most recent call last):
    ...
    altfs.errors.AltfsError: random_state: True is not allowed, use a whole number from 0 to \
4294967295, a numpy RandomState or None.
    """
    if is_whole(random_state) and 0 <= random_state <= _LARGEST_SEED:
        return int(random_state)
    if random_state is None or isinstance(random_state, np.random.RandomState):
        drawn = np.random.RandomState() if random_state is None else random_state
        return int(drawn.randint(np.iinfo(np.int32).max))
    raise AltfsError(
        f"random_state: {random_state!r} is not allowed, use a whole number from 0 to "
        f"{_LARGEST_SEED}, a numpy RandomState or None."
    )


def _can_be_read_again(value: Any) -> bool:
    # What is not a dict, of which the values would be lost, nor a generator, that ends.
    return is_collection(value) and not isinstance(value, dict) and iter(value) is not value
