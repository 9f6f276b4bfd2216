"""What some shards need beyond a quality: a seed for their search, or constraints.

It is looked up here and not in :mod:`altfs.study.sharding`, because a shard's
hash covers the code that made it: shards that need nothing of this stay as they
are when it changes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from altfs.constraints import NO_CONSTRAINTS, Constraints
from altfs.quality import Quality
from altfs.searches._seeded import SeededSearch
from altfs.searches.base import Search, searches
from altfs.solvers.base import Limits
from altfs.study import sharding
from altfs.study.constraining import constraints_for
from altfs.study.folds import load_planned_dataset


def is_special(arguments: Mapping[str, Any]) -> bool:
    """Whether a shard needs a seed for its search, or constraints, and so depends on this code."""
    component = searches.get(arguments["search"]["type"])
    return "constraints" in arguments or issubclass(component, SeededSearch)


def make_shard(arguments: Mapping[str, Any]) -> None:
    """Make any shard: with a seed where its search draws, and with constraints if it has some."""
    sharding.make_shard(arguments, _search(arguments), partial(constraints_of, arguments))


def constraints_of(arguments: Mapping[str, Any], quality: Quality, n_features: int) -> Constraints:
    """The constraints of a shard's runs of one size."""
    if "constraints" not in arguments:
        return NO_CONSTRAINTS
    dataset = load_planned_dataset(arguments["files"]["data"], arguments["digest"])
    limits = Limits(**arguments["limits"])
    return constraints_for(
        arguments["constraints"], dataset.feature_names, quality, n_features, limits,
        arguments["tau"],
    )  # fmt: skip


def draw_seed(arguments: Mapping[str, Any]) -> int:
    """The seed of a shard's random search, out of the study's.

    Datasets, folds and taus have seeds of their own. Selectors have not: where
    nothing forbids it, their qualities are compared with those of the same sets.
    """
    names = ("seed", "dataset", "fold", "tau")
    text = json.dumps([arguments[name] for name in names])
    return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16)


def _search(arguments: Mapping[str, Any]) -> Search:
    component = searches.get(arguments["search"]["type"])
    if issubclass(component, SeededSearch):
        return component(draw_seed(arguments))
    return component()
