"""Seconds of tasks, learned from measured ones.

They come from a table of measured tasks (``times.json``, which ``benchmarks/costs.py`` makes) and
from the finished tasks of a study. Tasks of one kind take longer on larger datasets, by powers of
rows, features and distinct values that are fitted to what was measured.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

#: Rule, component, and what else decides how long a task takes, from the general to the special.
Kind = tuple[str, ...]
#: Rows, features, and distinct values of a feature.
Size = tuple[float, float, float]

#: The file of the table.
TABLE = Path(__file__).with_name("times.json")
# The powers of a kind that nothing is known of.
_POWERS = (0.75, 0.5, 0.1)
#: The seconds of the smallest task of such a kind, by which they are compared with each other.
LEAST = 1e-4
# The share of the least seconds of a kind that any task of it takes.
_BASE = 0.8
# How much these powers weigh beside measured ones, and the table beside a finished dataset.
_TRUST_IN_POWERS = 2.0
_TRUST = 1.0


class Measured(NamedTuple):
    """The mean seconds for each unit of the measured tasks of a kind on one dataset."""

    kind: Kind
    size: Size
    seconds: float
    dataset: str = ""


class Law(NamedTuple):
    """Seconds of a unit of work: a sum of `base` and of a product of powers of the size."""

    base: float
    level: float
    powers: npt.NDArray[np.float64]

    def seconds(self, size: Size) -> float:
        """Return the seconds of a unit."""
        return self.base + math.exp(self.level + float(np.log(size) @ self.powers))

    def scaled(self, factor: float) -> Law:
        """Return the law of a machine on which all takes `factor` times as long."""
        return Law(factor * self.base, self.level + math.log(factor), self.powers)


# Only the powers matter.
UNKNOWN = Law(0.0, math.log(LEAST), np.array(_POWERS))


def fitted(points: Sequence[Measured]) -> Law:
    """Return the law that fits measured tasks, by least squares of logarithms.

    Its powers are shrunk to those of :data:`UNKNOWN`, as there are few datasets.
    """
    base = _BASE * min(point.seconds for point in points)
    sizes = np.log([point.size for point in points])
    logs = np.log([point.seconds - base for point in points]) - sizes @ UNKNOWN.powers
    centre = sizes.mean(axis=0)
    spread = sizes - centre
    shrinking = _TRUST_IN_POWERS * np.eye(len(centre))
    more = np.linalg.solve(spread.T @ spread + shrinking, spread.T @ logs)
    return Law(base, float(logs.mean() - centre @ more), UNKNOWN.powers + more)


class Times:
    """Seconds of tasks, from the table and from finished tasks.

    Parameters
    ----------
    finished : sequence of Measured
        The study's own tasks.

    Examples
    --------
    >>> times = Times([Measured(("predict", "mine"), (100, 5, 5), 0.2, "wine")])
    >>> times.seconds(("predict", "mine"), (100, 5, 5), "wine")
    0.2
    >>> times.seconds(("predict", "other"), (100, 5, 5), "wine") is None
    True
    """

    def __init__(self, finished: Sequence[Measured] = ()) -> None:
        table = _table()
        points = _by_kind(finished)
        # How many times as long as the table says: each kind, and all on this machine.
        slower = {
            kind: [math.log(p.seconds / law.seconds(p.size)) for p, law in known]
            for kind, of_kind in points.items()
            if (known := [(p, law) for p in of_kind if (law := _longest(table, p.kind))])
        }
        means = [sum(logs) / len(logs) for logs in slower.values()]
        machine = sum(means) / (len(means) + _TRUST)
        self._laws = {kind: law.scaled(math.exp(machine)) for kind, law in table.items()}
        for kind, of_kind in points.items():
            if (law := _longest(table, kind)) is None:
                self._laws[kind] = fitted(of_kind)
            else:
                logs = slower[kind]
                mean = (sum(logs) + _TRUST * machine) / (len(logs) + _TRUST)
                self._laws[kind] = law.scaled(math.exp(mean))
        self._on: dict[tuple[Kind, str], float | None] = {
            (point.kind, point.dataset): point.seconds for point in finished
        }

    def seconds(self, kind: Kind, size: Size, dataset: str) -> float | None:
        """Return the seconds of a unit of work; None if nothing is known of its kind."""
        key = kind, dataset
        if key not in self._on:
            law = _longest(self._laws, kind)
            self._on[key] = None if law is None else law.seconds(size)
        return self._on[key]


def _by_kind(points: Sequence[Measured]) -> dict[Kind, list[Measured]]:
    """Return points by their kind, and by each more general one with a component, but no points."""
    groups: dict[Kind, list[Measured]] = defaultdict(list)
    own = {point.kind for point in points}
    for point in points:
        for n in range(min(2, len(point.kind)), len(point.kind) + 1):
            if n == len(point.kind) or point.kind[:n] not in own:
                groups[point.kind[:n]].append(point)
    return groups


def _longest(laws: dict[Kind, Law], kind: Kind) -> Law | None:
    """Return the law of a kind, or else of the most special of the more general ones."""
    kinds = (kind[:n] for n in range(len(kind), 0, -1))
    return next((laws[one] for one in kinds if one in laws), None)


def seconds_by_table(kind: Kind, size: Size) -> float | None:
    """Return the seconds of a unit of work by the table alone; None if it does not know the kind.

    >>> seconds_by_table(("predict", "random_forest"), (10_000, 5, 100)) > 0.01
    True
    """
    law = _longest(_table(), kind)
    return None if law is None else law.seconds(size)


@cache
def _table() -> dict[Kind, Law]:
    seconds: dict[str, list[list[float]]] = json.loads(TABLE.read_text("utf-8"))["seconds"]
    points = [
        Measured(tuple(kind.split("|")), (rows, features, values), each)
        for kind, of_kind in seconds.items()
        for rows, features, values, each in of_kind
    ]
    return {kind: fitted(of_kind) for kind, of_kind in _by_kind(points).items()}
