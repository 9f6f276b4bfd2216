"""Groups of features by row, and what they say about all rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from altfs._numbers import FloatArray, IntArray, check_whole
from altfs.errors import AltfsError
from altfs.problem import Constraints, Group


@dataclass(frozen=True)
class FeatureGroups:
    """The groups of the features of rows.

    Attributes
    ----------
    labels : ndarray of int of shape (n_rows, n_total)
        The number of the group of each feature.
    chances : ndarray of shape (n_rows, n_total)
        How likely the group of each feature decides, in [0, 1].
    distances : ndarray of shape (n_rows, n_total)
        How far each feature is from the mean of its group, from 0.
    names : tuple of str
        Of the features.

    Examples
    --------
    >>> labels = np.array([[0, 0, 1], [0, 0, 1], [1, 0, 0]])
    >>> groups = FeatureGroups(labels, np.ones((3, 3)), np.zeros((3, 3)), ("a", "b", "c"))
    >>> groups.together().round(2).tolist()
    [[1.0, 0.67, 0.0], [0.67, 1.0, 0.33], [0.0, 0.33, 1.0]]
    >>> [group.features for group in groups.constraints().groups]
    [('a', 'b')]
    >>> groups.values.tolist()
    [[1.0, 0.5, 1.0], [1.0, 0.5, 1.0], [1.0, 1.0, 0.5]]
    """

    labels: IntArray
    chances: FloatArray
    distances: FloatArray
    names: tuple[str, ...]

    @property
    def values(self) -> FloatArray:
        """The chance of the group of each feature, halved for each nearer feature of the group."""
        order = np.lexsort((self.distances, self.labels))
        of_group = np.take_along_axis(self.labels, order, axis=1)
        places = np.arange(order.shape[1])
        starts = np.where(np.diff(of_group, axis=1, prepend=-1) != 0, places, 0)
        ranks = np.empty_like(order)
        np.put_along_axis(ranks, order, places - np.maximum.accumulate(starts, axis=1), axis=1)
        values: FloatArray = self.chances * 0.5**ranks
        return values

    def together(self) -> FloatArray:
        """Return the share of the rows in which two features share a group.

        Returns
        -------
        ndarray of shape (n_total, n_total)
        """
        shares = [(self.labels == column[:, None]).mean(axis=0) for column in self.labels.T]
        return np.array(shares)

    def constraints(self, share: float = 0.5) -> Constraints:
        """Return constraints by which a set has one feature at most of those that are alike.

        With them, the others of a group are what :meth:`altfs.AlternativeFeatures.explain` lets
        come in for a feature of it.

        Parameters
        ----------
        share : float, default=0.5
            The smallest share of the rows in which each two of them share a group, in (0, 1].

        Returns
        -------
        Constraints
            With a group of each two features or more (complete linkage).

        Raises
        ------
        AltfsError
            If the share is outside its range.
        """
        from scipy.cluster.hierarchy import fcluster, linkage
        from scipy.spatial.distance import squareform

        if not 0 < share <= 1:
            raise AltfsError.of_value("share", share, "use a number above 0, at most 1")
        groups: dict[int, list[str]] = {}
        if len(self.names) > 1:
            apart = squareform(1 - self.together(), checks=False)
            clusters = fcluster(linkage(apart, "complete"), 1 - share + 1e-9, "distance")
            for name, cluster in zip(self.names, clusters.tolist(), strict=True):
                groups.setdefault(cluster, []).append(name)
        alike = [tuple(names) for names in groups.values() if len(names) > 1]
        return Constraints(groups=tuple(Group(features, at_most=1) for features in alike))

    def to_frame(self) -> pd.DataFrame:
        """Return the groups as a table.

        Returns
        -------
        DataFrame
            A row per row and feature: row, feature, group, chance, distance.
        """
        n_rows, n_total = self.labels.shape
        return pd.DataFrame(
            {
                "row": np.repeat(np.arange(n_rows), n_total),
                "feature": np.tile(np.array(self.names, dtype=object), n_rows),
                "group": self.labels.ravel(),
                "chance": self.chances.ravel(),
                "distance": self.distances.ravel(),
            }
        )


def groups_by_value(X: FloatArray, n_groups: int, names: tuple[str, ...]) -> FeatureGroups:
    """Group the features of each row by their values alone, with the least squared distance.

    This is k-means of the values of a row, solved exactly by dynamic programming (Wang and Song
    2011). Features are alike in a row by accident, too: four independent ones lose nine tenths of
    their variance in two groups. Standardise the columns before.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_total)
    n_groups : int
        At least 1; groups of a row are as many, or as its values that differ.
    names : tuple of str

    Returns
    -------
    FeatureGroups
        The chances are 1.

    Raises
    ------
    AltfsError
        If the number of groups is outside its range.

    Examples
    --------
    >>> groups_by_value(np.array([[0.1, 5.0, 0.0, 5.2]]), 2, tuple("abcd")).labels.tolist()
    [[0, 1, 0, 1]]
    """
    check_whole("n_groups", n_groups, 1, X.shape[1])
    order = np.argsort(X, axis=1, kind="stable")
    ascending = np.take_along_axis(X, order, axis=1)
    n_rows, n = X.shape
    sums = np.zeros((n_rows, n + 1))
    squares = np.zeros((n_rows, n + 1))
    sums[:, 1:], squares[:, 1:] = ascending.cumsum(axis=1), (ascending**2).cumsum(axis=1)

    def cost(a: int, b: int) -> FloatArray:
        """Return the squared distance of the values from place a to b from their mean."""
        total = sums[:, b] - sums[:, a]
        return np.maximum(squares[:, b] - squares[:, a] - total**2 / (b - a), 0)

    least = np.array([cost(0, b) for b in range(1, n + 1)])
    starts = np.zeros((n_groups, n, n_rows), dtype=np.int64)
    for k in range(1, n_groups):
        more = least.copy()
        for b in range(k, n):
            for a in range(k, b + 1):
                with_group = least[a - 1] + cost(a, b + 1)
                is_less = with_group < more[b] - 1e-12
                more[b] = np.where(is_less, with_group, more[b])
                starts[k, b] = np.where(is_less, a, starts[k, b])
        least = more
    labels, end = np.zeros((n_rows, n), dtype=np.int64), np.full(n_rows, n - 1)
    rows = np.arange(n_rows)
    for k in range(n_groups - 1, 0, -1):
        start = starts[k, np.maximum(end, 0), rows]
        inside = (np.arange(n) >= start[:, None]) & (start[:, None] > 0)
        labels += inside
        end = np.where(start > 0, start - 1, end)
    numbers = np.empty_like(labels)
    np.put_along_axis(numbers, order, labels, axis=1)
    one = np.eye(n_groups)[numbers]
    means = (one * X[:, :, None]).sum(axis=1) / np.maximum(one.sum(axis=1), 1)
    distances = np.abs(X - np.take_along_axis(means, numbers, axis=1))
    return FeatureGroups(numbers, np.ones(X.shape), distances, names)
