"""A compiled heap of places, ordered by their keys."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from altfs._compiled import compiled


@compiled()
def sift(heap: npt.NDArray[Any], keys: npt.NDArray[Any], start: int, size: int) -> None:
    """Move an entry down to its place: the smallest key first, of equal ones the first entry."""
    moved = heap[start]
    place = start
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size:
            a, b = heap[child], heap[child + 1]
            if keys[b] < keys[a] or (keys[b] == keys[a] and b < a):
                child += 1
        other = heap[child]
        if keys[moved] < keys[other] or (keys[moved] == keys[other] and moved < other):
            break
        heap[place] = other
        place = child
    heap[place] = moved
