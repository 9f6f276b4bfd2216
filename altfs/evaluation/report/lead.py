"""The share of the lead over random sets that alternatives keep, for the picture of the answers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from altfs.evaluation.report.phrases import signed
from altfs.evaluation.tables.overview import ends

_LOWEST, _HIGHEST = -40.0, 160.0  # Shares outside are drawn at the ends; 0 is a random set.


class Share(NamedTuple):
    """Share of the lead that alternatives keep, in percent: mean, ends, and single datasets."""

    mean: float
    low: float
    high: float
    dots: Sequence[tuple[str, float]] = ()

    @staticmethod
    def place(value: float) -> float:
        """Return the place of a share in the picture, in percent from its top."""
        value = min(max(value, _LOWEST), _HIGHEST)
        return round(100 * (_HIGHEST - value) / (_HIGHEST - _LOWEST), 1)

    @staticmethod
    def outside(value: float) -> str:
        """Return the side of the picture on which a share lies, if it is not in it."""
        return " under" * (value < _LOWEST) + " over" * (value > _HIGHEST)


class Point(NamedTuple):
    """The first and the worst alternatives of a threshold."""

    tau: str
    differing: str
    first: Share
    worst: Share | None
    band: str  # What the first alternatives keep, in words that are on the picture.


def shares_kept(rows: pd.DataFrame, each: pd.DataFrame, change: str, many: bool) -> pd.DataFrame:
    """Return what is left of half of the lead at each tau of `rows`, at worst, and what is kept.

    `each` are the rows of single datasets, with half of their leads.
    """
    by, spare = each["tau"].astype(str), each[change] + each["half"]
    groups, halves = spare.groupby(by), each["half"].groupby(by).mean()
    # Of many datasets, leads vary as changes do: the interval is of both together.
    limits = pd.DataFrame(ends(groups), halves.index, ["low", "high"])
    scale = halves.where(halves > 0)
    shares: Any = (spare / each["half"]).groupby(by).agg(low="min", high="max")
    shares = (limits.div(scale, axis=0) if many else shares).assign(share=groups.mean() / scale)
    table = (50 * shares + 50).assign(spare=limits["low"])
    parts: pd.DataFrame = table.reindex(rows["tau"].astype(str)).reset_index(drop=True)
    return parts


def share_of(row: Mapping[Any, Any], each: Iterable[Sequence[Any]] = ()) -> Share:
    """Return a share to be drawn; `each` are the name, change and half of the lead of each dot."""
    dots = [(f"{name}: {signed(change)}", 50 * change / half + 100) for name, change, half in each]
    mean, low, high = (float(np.nan_to_num(row[c])) for c in ("share", "low", "high"))
    return Share(mean, low, high, dots)
