"""Information of features about the target that other features do not have."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from altfs._numbers import FloatArray, IntArray
from altfs.scores._levels import Levels
from altfs.scores.base import Part, ScoreKey
from altfs.scores.mixed._estimate import chance, information

if TYPE_CHECKING:
    import altair as alt

# Nearly nothing is left of a feature if it is surely at most this share.
NOTHING = 0.05
# The standard deviations that are sure.
_SURE = 2.33
# Numbers of more values are divided into groups of equally many rows.
_MOST_LEVELS, _GROUPS = 32, 8
_MOST_FEATURES, _MOST_ROWS = 40, 5000


@dataclass(frozen=True, eq=False)
class RedundancyMap:
    """The share of what each feature says of the target that is left beside each other one.

    Attributes
    ----------
    names : tuple of str
        Those of the sets, and further ones that say most of the target, up to 40.
    bits : ndarray of float of shape (n,)
        The information of each feature about the target, less chance.
    left : ndarray of float of shape (n, n)
        The conditional information of each feature (row) about the target if another one (column)
        is known, as a share of its own: 0 if the other says it all, NaN if the feature says no
        more than by chance.
    most : ndarray of float of shape (n, n)
        What can be left at most, as few rows do not show what is left; 0 for exact copies.
    """

    names: tuple[str, ...]
    bits: FloatArray
    left: FloatArray
    most: FloatArray

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The features that say the same, in order of the columns; each has two or more.

        Each of them leaves (nearly) nothing of another one of the group, and the other way round.
        """
        from scipy.sparse.csgraph import connected_components

        same = (self.most <= NOTHING) & (self.most.T <= NOTHING)
        labels = connected_components(same, directed=False)[1]
        groups = [np.flatnonzero(labels == g) for g in range(labels.max(initial=-1) + 1)]
        return [tuple(self.names[j] for j in group) for group in groups if len(group) > 1]

    def stand_in(self, feature: str, others: Sequence[str]) -> tuple[str | None, float]:
        """Return the other feature that leaves least of a feature, and what can be left at most."""
        places = [self.names.index(name) for name in others if name in self.names]
        if feature not in self.names or not places:
            return None, float("nan")
        left = self.most[self.names.index(feature), places]
        if np.isnan(left).all():
            return None, float("nan")
        best = int(np.nanargmin(left))
        return self.names[places[best]], float(left[best])

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each two features: feature, other, bits (of the feature), left."""
        rows = [
            (name, other, self.bits[i], self.left[i, j])
            for i, name in enumerate(self.names)
            for j, other in enumerate(self.names)
            if i != j
        ]
        return pd.DataFrame(rows, columns=["feature", "other", "bits", "left"])

    def __repr__(self) -> str:
        groups = "; ".join(" = ".join(group) for group in self.groups) or "none"
        return f"<RedundancyMap of {len(self.names)} features; the same is said by: {groups}>"

    def _repr_html_(self) -> str:
        left = pd.DataFrame(self.left, list(self.names), list(self.names))
        table: str = left.round(2).to_html(na_rep="")
        return f"<p>{html.escape(repr(self))}</p>{table}"

    def plot(self) -> alt.Chart:
        """Draw the shares that are left as a map: nothing is left of a dark one."""
        import altair as alt

        table = self.to_frame().dropna()
        order = list(self.names)
        chart: alt.Chart = (
            alt.Chart(table, title="What is left of a feature if another one is known")
            .mark_rect()
            .encode(
                x=alt.X("other:N", sort=order, title="known"),
                y=alt.Y("feature:N", sort=order, title="feature"),
                color=alt.Color(
                    "left:Q",
                    title="share left",
                    scale=alt.Scale(scheme="blues", reverse=True, domain=[0, 1], clamp=True),
                ),
                tooltip=["feature", "other", "bits", "left"],
            )
        )
        return chart


def redundancy(part: Part, names: Sequence[str], members: Sequence[int]) -> RedundancyMap:
    """Compare the features of some sets and the most relevant others in pairs.

    Parameters
    ----------
    part : Part
    names : sequence of str
        Those of its features.
    members : sequence of int
        Features that are compared in any case.
    """
    relevance = part.score(ScoreKey("relevance"))
    ranked = [int(j) for j in np.argsort(-relevance, kind="stable") if j not in set(members)]
    room = max(0, _MOST_FEATURES - len(members))
    chosen = sorted([*members, *ranked[:room]])
    rows = part.canonical_rows()
    if len(rows) > _MOST_ROWS:
        rows = rows[np.random.default_rng(0).choice(len(rows), _MOST_ROWS, replace=False)]
    y = _grouped(Levels.of(part.y[rows], part.target_type != "regression"))
    codes = []
    for j in chosen:
        levels = Levels.of(part.levels[j].codes[rows], bool(part.categorical[j]))
        codes.append(_grouped(levels).codes)
    alone = [_said(c, y) for c in codes]
    left, most = (np.full((len(chosen), len(chosen)), np.nan) for _ in range(2))
    for i, feature in enumerate(codes):
        said, n_levels = alone[i]
        if said <= _error(n_levels - 1, y):
            continue
        for j, other in enumerate(codes):
            both, more_levels = _said(feature + (feature.max() + 1) * other, y)
            more = max(0.0, both - alone[j][0]) if more_levels > alone[j][1] else 0.0
            left[i, j] = more / said
            most[i, j] = (more + _error(more_levels - alone[j][1], y)) / said
    bits = np.array([said for said, _ in alone]) / log(2)
    return RedundancyMap(tuple(names[j] for j in chosen), bits, left, most)


def _said(codes: IntArray, y: Levels) -> tuple[float, int]:
    """Return the information of groups of rows about the target in nats, and their number."""
    x = Levels.of(codes, True)
    return information(x, y) - chance(x, y), len(x.counts)


def _error(more_groups: int, y: Levels) -> float:
    """Return what so many more groups seem to say by chance.

    Twice the number of rows times the information is distributed as chi squared.
    """
    freedom = more_groups * (len(y.counts) - 1)
    return _SURE * sqrt(freedom / 2) / len(y.codes)


def _grouped(x: Levels) -> Levels:
    """Return numbers of many values in groups of equally many rows, and all else as it is."""
    if len(x.counts) <= _MOST_LEVELS or (x.discrete and not len(x.counts) ** 2 <= len(x.codes)):
        return Levels(x.codes, x.counts, True)
    return x.grouped(_GROUPS)
