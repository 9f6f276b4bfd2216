"""Streaming selectors as plain loops, to judge the fast ones, and data for them."""

from itertools import combinations
from math import log2

import numpy as np

from altfs.kinds.streams.base import StreamColumn
from altfs.kinds.streams.cascade import Cascade
from altfs.problem.overlap import Overlap
from altfs.selectors import selectors


def begun(name, y, target_type="binary", seed=0, **options):
    """A selector with some options that reads columns."""
    selector = selectors.get(name)
    return selector(selector.Options(**options)).begin(y, target_type, seed)


def sets_of(reader, X, n_sets=1, overlap=None, largest=None):
    """The numbers of the features of each set, in order of admission."""
    cascade = Cascade(reader, n_sets, overlap or Overlap(tau=1), largest)
    cascade.add(X)
    cascade.finish()
    return [[column.number for column in columns] for columns in cascade.sets]


def dependences(measure, X, columns=None):
    """The dependence of each column on the target; 0 if independent."""
    columns = columns or range(X.shape[1])
    values = np.zeros(len(columns))
    for j, dependence, _ in measure.relevant(X, columns):
        values[j] = dependence
    return values


def data(seed, n_rows=80, width=14):
    """Columns with copies, near copies and a constant one; a target of two classes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, width))
    y = (X[:, :3].sum(axis=1) + rng.normal(size=n_rows) > 0).astype(int)
    for j in range(4, width - 2):
        X[:, j] += X[:, rng.integers(0, 4)] * rng.uniform(0, 3)
    X[:, width - 2] = X[:, 1]
    X[:, width - 1] = 2.0
    return X[:, rng.permutation(width)], y


def numbers_between(measure, X):
    """Functions of the relevance of a feature and of the dependence of two."""
    relevance = dependences(measure, X)
    values = {j: kept for j, _, kept in measure.relevant(X, range(X.shape[1]))}

    def between(f, g):
        members = measure.members()
        members.append(StreamColumn(g, 1.0, values[g]))
        return members.between(StreamColumn(f, 1.0, values[f]))[0]

    return relevance.__getitem__, between


def partial_correlation(x, y, given):
    """The correlation of what a regression on other columns leaves; 0 if nothing is left."""
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0
    Z = np.column_stack([np.ones(len(x)), *given])
    left = [v - Z @ np.linalg.lstsq(Z, v, rcond=1e-9)[0] for v in (x, y)]
    if any((e @ e) < 1e-12 * len(v) * v.var() for e, v in zip(left, (x, y), strict=True)):
        return 0.0
    return left[0] @ left[1] / np.sqrt((left[0] @ left[0]) * (left[1] @ left[1]))


def entropy(*columns):
    _, counts = np.unique(np.column_stack(columns), axis=0, return_counts=True)
    p = counts / counts.sum()
    return -sum(v * log2(v) for v in p)


def uncertainty(x, y):
    both = entropy(x) + entropy(y)
    return 2 * (both - entropy(x, y)) / both if both else 0.0


def saola(n, relevance, between, *, equal_loses, touching):
    """SAOLA with functions of the numbers of features; 0 is independent."""
    chosen = []
    for f in range(n):
        if not relevance(f):
            continue
        for g in list(chosen):
            r = between(f, g)
            if not r:
                continue
            more = relevance(g) > relevance(f) or (equal_loses and relevance(g) == relevance(f))
            if more and (r >= relevance(f) if touching else r > relevance(f)):
                break
            less = relevance(g) < relevance(f)
            if less and (r >= relevance(g) if touching else r > relevance(g)):
                chosen.remove(g)
        else:
            chosen.append(f)
    return chosen


def subsets(others, most=3):
    return (s for size in range(1, most + 1) for s in combinations(others, size))


def osfs(n, independent, most=3):
    """OSFS with a test of a feature given others."""
    chosen = []
    for f in range(n):
        if independent(f, ()):
            continue
        chosen.append(f)
        for g in list(chosen):
            others = [h for h in chosen if h != g]
            if any(independent(g, s) for s in subsets(others, most)):
                chosen.remove(g)
    return chosen


def fast_osfs(n, independent, most=3):
    chosen = []
    for f in range(n):
        if independent(f, ()) or any(independent(f, s) for s in subsets(chosen, most)):
            continue
        chosen.append(f)
        for g in chosen[:-1]:
            others = [h for h in chosen if h != g]
            if any(independent(g, s) for s in subsets(others, most) if f in s):
                chosen.remove(g)
    return chosen
