"""The best numbers of sets that hold each feature, if the mean overlap is limited.

The overlaps of all pairs of T sets add up to the sum of C(m_j, 2), where m_j sets hold feature
j. A given set that holds it adds m_j more. So only the multiplicities m matter: every m with
0 <= m_j <= T and T k in total belongs to T sets of k features.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from altfs.problem import Family, Problem
from altfs.quality import Linear

# Less than any sum of scaled values, and far from an overflow.
_NONE = np.int64(-(2**61))


@dataclass(frozen=True)
class Question:
    """A problem with a linear quality in the numbers that the table needs."""

    n_sets: int
    n_features: int
    #: The features that matter, ascending.
    features: tuple[int, ...]
    #: Their values in the integers of the quality.
    values: tuple[int, ...]
    #: The numbers of given sets that hold them.
    held: tuple[int, ...]
    #: True for those that every set has to hold.
    included: tuple[bool, ...]

    @property
    def most_common(self) -> int:
        """The number of common features of all pairs that no family exceeds."""
        pairs = self.n_features * (self.n_sets * (self.n_sets - 1) // 2)
        return pairs + self.n_sets * self.n_features * max(self.held, default=0)

    def cells(self, most: int) -> int:
        """Return the size of the table for up to so many common features."""
        return len(self.features) * (self.n_sets * self.n_features + 1) * (most + 1)


def question_of(problem: Problem, quality: Linear) -> Question:
    """Return the question that a problem asks.

    Of the features that equally many given sets hold, only the T k best can be needed.
    """
    held = Counter(j for g in problem.given for j in g)
    include, exclude = problem.constraints.include, set(problem.constraints.exclude)
    room = Counter[int]()
    kept = list(include)
    for j in map(int, quality.order):
        if j in include or j in exclude:
            continue
        room[held[j]] += 1
        if room[held[j]] <= problem.n_sets * problem.n_features:
            kept.append(j)
    features = tuple(sorted(kept))
    return Question(
        problem.n_sets,
        problem.n_features,
        features,
        tuple(quality.scaled[j] for j in features),
        tuple(held[j] for j in features),
        tuple(j in include for j in features),
    )


class Multiplicities:
    """The table of the best sums, for up to `most` common features of all pairs.

    Attributes
    ----------
    best : ndarray of shape (most + 1,)
        The largest sum of values with at most so many common features; a number far below
        any sum if there is none.
    """

    def __init__(self, question: Question, most: int) -> None:
        self.question, self.most = question, most
        slots, n_sets = question.n_sets * question.n_features, question.n_sets
        best = np.full((slots + 1, most + 1), _NONE)
        best[0] = 0
        self._chosen: list[npt.NDArray[np.int16]] = []
        # From the last feature to the first, so that the first ones are chosen first.
        for i in reversed(range(len(question.features))):
            least = n_sets if question.included[i] else 0
            after = np.full_like(best, _NONE)
            chosen = np.zeros(best.shape, dtype=np.int16)
            for m in range(least, n_sets + 1):
                common = self._common(i, m)
                if common > most or m > slots:
                    break
                found = best[: slots + 1 - m, : most + 1 - common] + m * question.values[i]
                place = (slice(m, None), slice(common, None))
                better = (best[: slots + 1 - m, : most + 1 - common] > _NONE // 2) & (
                    found >= after[place]
                )
                after[place][better] = found[better]
                chosen[place][better] = m
            best = after
            self._chosen.append(chosen)
        self._chosen.reverse()
        self.best = best[slots]

    def _common(self, i: int, m: int) -> int:
        return m * (m - 1) // 2 + m * self.question.held[i]

    def exists(self, common: int) -> bool:
        """Return True if there is a family with at most so many common features."""
        return bool(self.best[common] > _NONE // 2)

    def family(self, common: int) -> Family:
        """Return the best family with at most so many common features.

        Of equal ones, the first feature is in the most sets, then the second one, and so on.
        The features are dealt around the sets in their order.
        """
        question, dealt = self.question, 0
        sets: list[list[int]] = [[] for _ in range(question.n_sets)]
        left = question.n_sets * question.n_features
        for i, j in enumerate(question.features):
            m = int(self._chosen[i][left, common])
            left, common = left - m, common - self._common(i, m)
            for _ in range(m):
                sets[dealt % question.n_sets].append(j)
                dealt += 1
        return tuple(sorted(map(tuple, sets)))


def allowed_common(problem: Problem) -> int:
    """Return the largest sum of the overlaps of all pairs, given sets included."""
    n, k = problem.n_sets, problem.n_features
    limits: Sequence[int] = [most for _, most in problem.given_limits]
    return n * (n - 1) // 2 * problem.overlap(k, k) + n * sum(limits)
