"""Smaller sizes of sets that are worth comparing with the size of the request."""

from typing import Any

from altfs._numbers import is_whole
from altfs.library.answers.reliance import most_alone
from altfs.problem.constraints import Constraints


def size_name(size: int) -> str:
    """Return the name of the best set of a size.

    >>> size_name(1), size_name(3)
    ('1 feature', '3 features')
    """
    return f"{size} feature{'s' * (size != 1)}"


def smaller_sizes(alternatives: Any) -> list[int]:
    """Return the smaller sizes that are worth comparing, the largest first.

    They are the number of features of the original set that are shown to add to its quality, and 1
    if one feature has most of it. There is none without a signal, or with other constraints than
    excluded features, which may not allow smaller sets.
    """
    signal, original = alternatives.signal_, alternatives.feature_sets_[0]
    constraints, size = alternatives._request.constraints, len(original.names)
    is_free = constraints == Constraints(exclude=constraints.exclude) and not alternatives.search
    one_size = alternatives.n_features is None or is_whole(alternatives.n_features)
    if signal is None or not (signal.above_chance and is_free and one_size):
        return []
    sizes = {size - len(original.idle), 1 if most_alone(alternatives) else size}
    return sorted((n for n in sizes if 0 < n < size), reverse=True)
