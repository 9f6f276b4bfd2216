"""Fast-OSFS: streaming features, tested given few others, the new one among them."""

from __future__ import annotations

from altfs.kinds.streams.methods.fast_osfs import FastOsfs
from altfs.kinds.streams.selectors.osfs import OsfsSelector
from altfs.selectors.base import selectors


@selectors.register("fast_osfs")
class FastOsfsSelector(OsfsSelector):
    """OSFS that judges the new feature first, and old ones only given the new one.

    Source: Wu, Yu, Ding, Wang, Zhu, *Online Feature Selection with Streaming Features*, IEEE
    Transactions on Pattern Analysis and Machine Intelligence 35, 2013 (Algorithm 2).
    """

    _method = FastOsfs
