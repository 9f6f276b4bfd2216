"""The nearest valid set after one feature is flipped, by exchanging few features.

The hill climber asks this question up to a thousand times per set. The answer is nearly
always one or two exchanges away, and bit operations find it in microseconds. Otherwise, and for
several sets without constraints, :mod:`altfs.solvers.black_box.hill_climbing` asks a compiled
walk, and then an exact solver.

Sets are integers, in which feature j is bit ``n - 1 - j``. Of the sets of one size the
lexicographically smallest index tuple is the largest integer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from altfs.problem import Family, FeatureIndices, Problem

# Sets of exchanges with more steps than this are left to the exact solver.
_MOST_EXCHANGES = 3
# Nodes of the search over several sets at once.
_MOST_NODES = 20_000


def to_bits(indices: FeatureIndices, n_total: int) -> int:
    """Return the integer that stands for a feature set.

    Examples
    --------
    >>> to_bits((0, 3), 4)
    9
    """
    bits = 0
    for j in indices:
        bits |= 1 << (n_total - 1 - j)
    return bits


def to_indices(bits: int, n_total: int) -> FeatureIndices:
    """Return the feature set that an integer stands for."""
    return tuple(n_total - bit.bit_length() for bit in _singles(bits))


def _singles(bits: int) -> list[int]:
    """Return the bits that are set, smallest feature index first."""
    places = []
    while bits:
        highest = 1 << (bits.bit_length() - 1)
        places.append(highest)
        bits ^= highest
    return places


class Exchanger:
    """The search for the nearest valid set in one problem.

    Parameters
    ----------
    problem : Problem
        Its constraints decide which features stay and enter; :meth:`first` ignores them.
    given : sequence of tuple of int
        The sets to differ from.
    admits : callable, optional
        Returns True if a set, as an integer, satisfies the other constraints. It is
        called for single exchanges. The caller checks answers of more exchanges.
    """

    def __init__(
        self, problem: Problem, given: Family, admits: Callable[[int], bool] = lambda bits: True
    ) -> None:
        n, k = problem.quality.n_total, problem.n_features
        self.n_total, self.n_features, self.max_overlap = n, k, problem.max_overlap
        self.given = [to_bits(g, n) for g in given]
        self.most = [problem.overlap(k, len(g)) for g in given]
        self.stays = to_bits(problem.constraints.include, n)
        self.enters = ((1 << n) - 1) & ~to_bits(problem.constraints.exclude, n)
        self.admits = admits

    def _room(self, bits: int) -> list[int]:
        """Return how many more features of each given set a set may hold."""
        return [
            most - (bits & g).bit_count() for most, g in zip(self.most, self.given, strict=True)
        ]

    def first(self) -> int | None:
        """Return the lexicographically smallest valid set, or None if not found quickly."""
        bits = 0
        room = self._room(bits)
        path: list[tuple[int, int]] = []
        j = 0
        for _ in range(_MOST_NODES):
            missing = self.n_features - bits.bit_count()
            if missing == 0:
                return bits
            if self.n_total - j < missing:
                if not path:
                    return None
                j, bits = path.pop()
                room = self._room(bits)
                j += 1
                continue
            bit = 1 << (self.n_total - 1 - j)
            if all(r > 0 or not g & bit for r, g in zip(room, self.given, strict=True)):
                path.append((j, bits))
                bits |= bit
                room = [r - 1 if g & bit else r for r, g in zip(room, self.given, strict=True)]
            j += 1
        return None

    def nearest(self, current: int, flipped: int) -> int | None:
        """Return the valid set that keeps most of `current`, with one feature flipped.

        It is the lexicographically smallest of the nearest sets, or None if these are
        more than a few exchanges away.
        """
        removing = bool(current & flipped)
        disjoint = (g for m, g in zip(self.most, self.given, strict=True) if m == 0)
        if not removing and any(g & flipped for g in disjoint):
            return None
        for exchanges in range(1, _MOST_EXCHANGES + 1):
            best = 0
            removable = _singles(current & ~flipped & ~self.stays)
            for chosen in combinations(removable, exchanges - 1 if removing else exchanges):
                base = current & ~flipped if removing else current | flipped
                for bit in chosen:
                    base &= ~bit
                room = self._room(base)
                if min(room, default=0) < 0:
                    continue
                allowed = self.enters & ~current & ~flipped
                missing = self.n_features - base.bit_count()
                fill = self._admitted if exchanges == 1 else self._fill
                best = max(best, fill(base, missing, room, allowed))
            if best:
                return best
        return None

    def _admitted(self, base: int, missing: int, room: list[int], allowed: int) -> int:
        """Return the first admitted set that `_fill` makes with at most one feature; 0 if none."""
        while filled := self._fill(base, missing, room, allowed):
            if self.admits(filled):
                return filled
            if missing == 0:
                return 0
            allowed &= ~(filled & ~base)
        return 0

    def _fill(self, base: int, missing: int, room: list[int], allowed: int) -> int:
        """Add the lexicographically first `missing` features that fit; 0 if none do."""
        if missing == 0:
            return base
        for r, g in zip(room, self.given, strict=True):
            if r == 0:
                allowed &= ~g
        if missing == 1:
            return base | 1 << (allowed.bit_length() - 1) if allowed else 0
        for bit in _singles(allowed):
            allowed &= ~bit
            left = [r - 1 if g & bit else r for r, g in zip(room, self.given, strict=True)]
            filled = self._fill(base | bit, missing - 1, left, allowed)
            if filled:
                return filled
        return 0

    def nearest_family(self, current: list[int], flipped: int) -> list[int] | None:
        """Return the nearest valid sets, with one feature flipped in each of them.

        Every set changes by exactly one exchange. None if that is not possible, which
        leaves the answer to the exact solver. Sets keep their places. Among equals the
        smallest choice of the first set is taken, then that of the second, and so on.
        """
        holders = sum(1 for bits in current if not bits & flipped)
        if holders > 1 and self.max_overlap == 0:
            return None
        left = _MOST_NODES

        def extend(chosen: list[int]) -> list[int] | None:
            nonlocal left
            if len(chosen) == len(current):
                return chosen
            for candidate in self._single_exchanges(current[len(chosen)], flipped):
                left -= 1
                if left < 0:
                    return None
                if all((candidate & other).bit_count() <= self.max_overlap for other in chosen):
                    family = extend([*chosen, candidate])
                    if family is not None:
                        return family
            return None

        return extend([])

    def _single_exchanges(self, bits: int, flipped: int) -> Iterator[int]:
        if bits & flipped:
            base = bits & ~flipped
            candidates = [base | bit for bit in _singles(self.enters & ~bits)]
        else:
            base = bits | flipped
            candidates = [base & ~bit for bit in reversed(_singles(bits & ~self.stays))]
        for candidate in candidates:
            if min(self._room(candidate), default=0) >= 0 and self.admits(candidate):
                yield candidate
