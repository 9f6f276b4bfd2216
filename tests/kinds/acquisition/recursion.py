"""The problem of acquisition, solved by definition: dictionaries, fractions and recursion."""

from fractions import Fraction
from itertools import combinations

import numpy as np


class Judge:
    """All states of coded rows. Costs and loss are numbers, and panels tuples of columns."""

    def __init__(self, codes, y, costs, price, **options):
        self.codes, self.y = np.asarray(codes), np.asarray(y)
        self.n_classes = int(self.y.max()) + 1
        self.actions = options.get("actions") or [(j,) for j in range(self.codes.shape[1])]
        self.costs = [Fraction(str(cost)) for cost in costs]
        self.price = Fraction(str(price))
        self.budget = options.get("budget")
        self.alpha = Fraction(options.get("alpha", 0))
        self.min_rows = options.get("min_rows", 1)
        self.most = options.get("most", len(self.actions))
        loss = options.get("loss", 1 - np.eye(self.n_classes))
        self.loss = [[Fraction(str(value)) for value in row] for row in np.asarray(loss).tolist()]
        self.allowed = set(options.get("allowed", range(len(self.actions))))

    def risk(self, rows):
        counts = [sum(int(self.y[i] == c) for i in rows) for c in range(self.n_classes)]
        total = len(rows) + self.alpha * self.n_classes
        return min(
            sum((n + self.alpha) * self.loss[c][a] for c, n in enumerate(counts)) / total
            for a in range(self.n_classes)
        )

    def parts(self, rows, action):
        parts = {}
        for i in rows:
            parts.setdefault(tuple(self.codes[i, list(self.actions[action])]), []).append(i)
        return list(parts.values())

    def values(self, rows=None, done=frozenset()):
        """Return the value of stopping and that of each action."""
        rows = list(range(len(self.y))) if rows is None else rows
        stop, values = self.risk(rows), {}
        if len(rows) < self.min_rows or len(done) >= self.most:
            return stop, values
        for a in sorted(self.allowed - done):
            spent = sum(self.costs[b] for b in done | {a})
            if self.budget is None or spent <= Fraction(str(self.budget)):
                after = sum(
                    len(part) * self.value(part, done | {a}) for part in self.parts(rows, a)
                )
                values[a] = self.price * self.costs[a] + after / len(rows)
        return stop, values

    def value(self, rows=None, done=frozenset()):
        stop, values = self.values(rows, done)
        return min(stop, *values.values()) if values else stop

    def policies(self, rows=None, done=frozenset()):
        """Yield the loss and price, summed up over rows, of every policy that can be written.

        A policy stops, or takes an action and goes on with any policy for each code of it.
        """
        rows = list(range(len(self.y))) if rows is None else rows
        # A branch without rows may go on in any way; it adds nothing.
        yield self.risk(rows) * len(rows) if rows else Fraction(0)
        for a in sorted(self.allowed - done):
            (column,) = self.actions[a]
            zero = [i for i in rows if self.codes[i, column] == 0]
            one = [i for i in rows if self.codes[i, column] == 1]
            second = list(self.policies(one, done | {a}))
            for first in self.policies(zero, done | {a}):
                for other in second:
                    yield first + other + self.price * self.costs[a] * len(rows)

    def kits(self, k):
        """Return every set of k columns with its value, the best first."""
        listed = []
        for chosen in combinations(range(self.codes.shape[1]), k):
            inside = [a for a, fs in enumerate(self.actions) if set(fs) <= set(chosen)]
            judge = Judge.__new__(Judge)
            judge.__dict__ = self.__dict__ | {"allowed": set(inside)}
            listed.append((judge.value(), chosen))
        return sorted(listed)
