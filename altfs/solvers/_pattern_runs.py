"""The kernel of the pattern tree with its tables, and its runs in stages."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from altfs.quality import Linear
from altfs.solvers._gains import gain_table
from altfs.solvers._patterns import best_family
from altfs.solvers._reduced import Reduced
from altfs.solvers._tails import tail_sums

# Searches of what is left: nodes (None: all that are allowed), and how many of the
# last features have every sum listed, 2 ** 22 sums at most.
# A search that lets expect more than the third number times the nodes that are allowed
# is given up; with fewer sums it expects too many.
_STAGES = ((8_000, 16, 1_000), (None, 22, 40))
_NO_SUMS = (np.empty(0, dtype=np.int64), np.empty((0, 0), dtype=np.int64))

IntArray = npt.NDArray[np.int64]


class Found(NamedTuple):
    """What `best_family` returns."""

    complete: bool
    kept: bool
    found: int
    value: int
    families: IntArray
    bound: int
    nodes: int


class Runs:
    """Runs of the kernel for one problem; each choice of features gets its table once."""

    def __init__(self, quality: Linear, reduced: Reduced, n_sets: int, minimum: bool) -> None:
        self.quality, self.reduced = quality, reduced
        self.n_sets, self.minimum = n_sets, minimum
        self._tables: dict[bytes, tuple[IntArray, IntArray]] = {}

    def in_stages(
        self, features: IntArray, floor: int, stop_at: int, keep: int, node_limit: int
    ) -> Found:
        """Start again, with more sums of the last features, where a few nodes do not do."""
        best: Found | None = None
        bound, nodes = 1 << 59, 0
        for most, tail, patience in _STAGES:
            left = node_limit - nodes
            limit = left if most is None else min(most, left)
            seen = self.run(
                features, floor, stop_at, keep, limit, tail, patience=patience * node_limit
            )
            bound, nodes = min(bound, seen.bound), nodes + seen.nodes
            if best is None or seen.found:
                best = seen
                floor = max(floor, seen.value - (keep > 0))
            if seen.complete or seen.nodes < limit or nodes >= node_limit:
                break
        assert best is not None
        return best._replace(complete=seen.complete, bound=bound, nodes=nodes)

    def run(
        self,
        features: IntArray,
        floor: int,
        stop_at: int,
        keep: int,
        node_limit: int,
        tail: int = 0,
        duties: tuple[IntArray, IntArray] | None = None,
        patience: int = 1 << 59,
    ) -> Found:
        tables, offsets = self.gains(features)
        graph = np.zeros((0, 0), dtype=np.bool_)
        if self.quality.conflicts is not None:
            graph = self.quality.conflicts[np.ix_(features, features)]
        weights = self.quality.weights[features]
        sums, sum_offsets = _NO_SUMS
        if tail and self.minimum:
            start = max(len(features) - tail, 0)
            sums, sum_offsets = tail_sums(weights, start, self.reduced.n_features)
        inside, outside = duties or np.zeros((2, len(features)), dtype=np.int64)
        return Found(*best_family(
            weights, tables, offsets, sums, sum_offsets, graph, inside, outside, self.n_sets,
            self.reduced.n_features, self.reduced.max_overlap, self.minimum,
            self.quality.conflicts is None, floor, stop_at, keep, node_limit, patience,
        ))  # fmt: skip

    def gains(self, features: IntArray) -> tuple[IntArray, IntArray]:
        key = features.tobytes()
        if key not in self._tables:
            weights = self.quality.weights[features]
            offsets = np.zeros(self.n_sets + 1, dtype=np.int64)
            parts: list[IntArray] = []
            for t in range(1 if self.minimum else self.n_sets, self.n_sets + 1):
                offsets[t] = sum(part.size for part in parts)
                pairs = comb(t, 2) * self.reduced.max_overlap
                parts.append(gain_table(weights, t, t * self.reduced.n_features, pairs).ravel())
            self._tables[key] = (np.concatenate(parts), offsets)
        return self._tables[key]
