"""Feature sets as the page holds them: columns of small integers, compressed per dataset.

Half a million feature sets as JSON would need 100 MB. Here every column of a dataset is an
array of integers. Deflate removes the repetitions, and browsers inflate it
(DecompressionStream).
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.evaluation.results import SETTING, Results
from altfs.evaluation.stats.members import features_in
from altfs.evaluation.stats.roles import random_searches
from altfs.evaluation.tables.status import STATUSES

# Values are stored as one of these steps between the smallest and the largest of their
# dataset and selector; one more code means that the value is missing.
_STEPS = 65_534
_NONE = 65_535
_THREADS = 2
Arrays = npt.NDArray[Any]


@dataclass(frozen=True)
class PackedSets:
    """All feature sets of a study, packed."""

    header: dict[str, Any]  # For JSON: names, settings, lengths and ranges of columns.
    chunks: dict[str, str]  # The columns of each dataset one after the other, deflated, in base64.

    def n_bytes(self) -> int:
        """Return the size of the header and the chunks in a page."""
        return len(json.dumps(self.header)) + sum(map(len, self.chunks.values()))


#: How much of the feature sets a page has: of their features, and of their values. *Some* are
#: those of the first fold at the largest size.
PACKINGS = (("all", "all"), ("some", "all"), ("some", "some"))


def pack_feature_sets(results: Results, packing: tuple[str, str] = PACKINGS[0]) -> PackedSets:
    """Pack the feature sets of a study, by one of `PACKINGS`.

    ``header["features_of"]`` and ``header["values_of"]`` say *all* or *some*.
    """
    packed = packed_within(results, packing, inf)
    assert packed is not None
    return packed


def packed_within(
    results: Results, packing: tuple[str, str], most_bytes: float
) -> PackedSets | None:
    """Pack the feature sets of a study; return None if they are larger than `most_bytes`."""
    header, columns = _columns(results, *packing)
    chunks: dict[str, str] = {}
    names = list(columns)
    for i in range(0, len(names), _THREADS):
        chunks |= all_deflated({name: columns[name] for name in names[i : i + _THREADS]})
        if sum(map(len, chunks.values())) > most_bytes:
            return None
    packed = PackedSets(header, chunks)
    return packed if packed.n_bytes() <= most_bytes else None


def all_deflated(contents: Mapping[str, bytes]) -> dict[str, str]:
    """Deflate several contents at a time, as that is slow and does not need the interpreter."""
    with ThreadPoolExecutor(_THREADS) as pool:
        return dict(zip(contents, pool.map(deflated, contents.values()), strict=True))


def deflated(content: bytes) -> str:
    """Return bytes as text that the page inflates."""
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def _columns(
    results: Results, features_of: str, values_of: str
) -> tuple[dict[str, Any], dict[str, bytes]]:
    sets = results.sets
    fold, largest = int(sets["fold"].min()), int(sets["n_features"].max())
    shown = ((sets["fold"] == fold) & (sets["n_features"] == largest)).to_numpy()
    setting = sets.groupby(SETTING, observed=True, sort=True).ngroup().to_numpy()
    first = np.unique(setting, return_index=True)[1]
    settings = sets.iloc[first][SETTING]
    codes, selectors = pd.factorize(settings["selector"].astype(str))
    owner = codes[setting]
    scores = {}
    for model, scored in results.first_scores.groupby("model", observed=True):
        scores[str(model)] = scored.set_index("set")["test_score"].reindex(sets.index)
    header: dict[str, Any] = {
        "features_of": features_of,
        "values_of": values_of,
        "fold": fold,
        "n_features": largest,
        "random": random_searches(results),
        "selectors": list(selectors),
        "statuses": STATUSES,
        "models": list(scores),
        "settings": {name: settings[name].tolist() for name in SETTING},
        "datasets": {},
    }
    scored_datasets = set(results.scores["dataset"].astype(str))
    metrics = {d.name: d.metrics[0] for d in results.design.datasets if d.name in scored_datasets}
    columns_of: dict[str, bytes] = {}
    owners, datasets = pd.factorize(sets["dataset"])
    kinds = pd.Categorical(sets["status"])
    statuses = pd.Index(STATUSES).get_indexer(kinds.categories)[kinds.codes]
    for i, dataset in enumerate(map(str, datasets)):
        rows = np.flatnonzero((owners == i) & (shown | (values_of == "all")))
        kept = shown[rows] | (features_of == "all")
        sizes, members, features = _features(results, sets.index.to_numpy()[rows])
        sizes, members = np.where(kept, sizes, 0), members[np.repeat(kept, sizes)]
        columns: list[Arrays] = [
            setting[rows].astype("<u2"),
            sets["fold"].to_numpy()[rows].astype("<u2"),
            statuses[rows].astype("<u1"),
            sizes.astype("<u2"),
            members.astype("<u2"),
        ]
        ranges = []
        values = [sets["train_objective"], sets["test_objective"], *scores.values()]
        for value in values:
            coded, low, high = _quantised(value.to_numpy(float)[rows], owner[rows], len(selectors))
            columns.append(coded)
            ranges.append([low, high])
        header["datasets"][dataset] = {
            "n": len(rows),
            "n_members": len(members),
            "metric": metrics.get(dataset, ""),
            "ranges": ranges,
            "features": features,
        }
        columns_of[dataset] = b"".join(column.tobytes() for column in columns)
    return header, columns_of


def _features(results: Results, rows: Any) -> tuple[Arrays, Arrays, dict[str, str]]:
    """Return sizes and members of some sets, and the names of these features by number."""
    sizes, numbers, names = features_in(results.table, rows)
    used, first = np.unique(numbers, return_index=True)
    return sizes, numbers, dict(zip(map(str, used), names.take(first).to_pylist(), strict=True))


def _quantised(
    values: Arrays, owner: Arrays, n_owners: int
) -> tuple[Arrays, list[float], list[float]]:
    """Code values as steps between the smallest and the largest of their selector."""
    ends = pd.Series(values).groupby(owner).agg(["min", "max"])
    low, high = ends.reindex(range(n_owners)).fillna(0).to_numpy().T
    span = np.where(high > low, high - low, 1.0)
    steps = np.round((values - low[owner]) / span[owner] * _STEPS)
    coded = np.where(np.isnan(values), _NONE, np.nan_to_num(steps)).astype("<u2")
    return coded, low.tolist(), high.tolist()
