"""Feature sets as the page holds them: columns of small integers, compressed per dataset.

A page of half a million feature sets as JSON would have 100 MB. Here every column
of a dataset is an array of integers; what repeats (and nearly everything does)
is left to deflate, which browsers undo by themselves (DecompressionStream).
"""

from __future__ import annotations

import base64
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.evaluation.collect.results import SET_KEY, SETTING, StudyResults
from altfs.evaluation.collect.roles import random_searches

#: If the packed sets of a study are larger, fewer are in the page.
MOST_BYTES = 8_000_000
STATUSES = ("optimal", "feasible", "infeasible", "unknown")
# Values are stored as one of so many steps between the smallest and the largest of
# their dataset and selector; one more code says that there is none.
_STEPS = 65_534
_NONE = 65_535
_THREADS = 2
Arrays = npt.NDArray[Any]


@dataclass(frozen=True)
class PackedSets:
    """All feature sets of a study, packed.

    Attributes
    ----------
    header : dict
        What all datasets share, for JSON: selectors, models, statuses, the columns of
        the settings, and what of each dataset tells its columns apart.
    chunks : dict of str to str
        Of each dataset: its columns one after the other, deflated, in base64.
    """

    header: dict[str, Any]
    chunks: dict[str, str]


def pack_feature_sets(results: StudyResults, most_bytes: int = MOST_BYTES) -> PackedSets:
    """Pack the feature sets of a study.

    Parameters
    ----------
    results : StudyResults
    most_bytes : int, default=8,000,000
        If the packed sets are larger than this, the page gets the features of fold 0 (or
        the first there is) at the largest size alone; if objectives and scores
        are still larger, also these of such sets alone.

    Returns
    -------
    PackedSets
        ``header["features_of"]`` and ``header["values_of"]`` say *all* or *some*.
    """
    for features_of, values_of in (("all", "all"), ("some", "all"), ("some", "some")):
        packed = _pack(results, features_of, values_of)
        if sum(map(len, packed.chunks.values())) <= most_bytes:
            break
    return packed


def deflated(content: bytes) -> str:
    """Return bytes as text that the page inflates."""
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def _pack(results: StudyResults, features_of: str, values_of: str) -> PackedSets:
    sets = results.feature_sets
    shown = ((sets["fold"] == sets["fold"].min()) & (
        sets["n_features"] == sets["n_features"].max()
    )).to_numpy()  # fmt: skip
    setting = sets.groupby(SETTING, observed=True, sort=True).ngroup().to_numpy()
    first = np.unique(setting, return_index=True)[1]
    settings = sets.iloc[first][SETTING]
    selectors = list(dict.fromkeys(settings["selector"].astype(str)))
    owner = np.array([selectors.index(s) for s in settings["selector"].astype(str)])[setting]
    scores = _scores(results)
    starts, flat = _members(results)
    header: dict[str, Any] = {
        "features_of": features_of,
        "values_of": values_of,
        "fold": int(sets["fold"].min()),
        "n_features": int(sets["n_features"].max()),
        "random": random_searches(results),
        "selectors": selectors,
        "statuses": STATUSES,
        "models": list(scores),
        "settings": {name: settings[name].astype(object).map(_plain).tolist() for name in SETTING},
        "datasets": {},
    }
    scored = results.predictions.drop_duplicates("dataset", keep="last")
    metrics = dict(zip(scored["dataset"].astype(str), scored["metric"].astype(str), strict=True))
    columns_of = {}
    owners, datasets = pd.factorize(sets["dataset"])
    codes = {status: i for i, status in enumerate(STATUSES)}
    status, names = pd.factorize(sets["status"])
    statuses = np.array([codes[str(name)] for name in names])[status]
    for i, dataset in enumerate(map(str, datasets)):
        rows = np.flatnonzero((owners == i) & (shown | (values_of == "all")))
        own = shown[rows] | (features_of == "all")
        sizes = np.where(own, starts[rows + 1] - starts[rows], 0)
        members = flat[np.repeat(starts[rows], sizes) + _within(sizes)]
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
            "features": _names(results, rows, dataset),
        }
        columns_of[dataset] = b"".join(column.tobytes() for column in columns)
    # Deflating takes the longest, and does not need the interpreter.
    with ThreadPoolExecutor(_THREADS) as pool:
        chunks = dict(zip(columns_of, pool.map(deflated, columns_of.values()), strict=True))
    return PackedSets(header, chunks)


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) else int(value)


def _scores(results: StudyResults) -> dict[str, pd.Series[float]]:
    """Return the test scores of each model, row for row of the feature sets."""
    keys = results.feature_sets[SET_KEY]
    found = {}
    for model, rows in results.predictions.groupby("model", observed=True):
        joined = keys.merge(rows[[*SET_KEY, "test_score"]], on=SET_KEY, how="left")
        found[str(model)] = joined["test_score"]
    return found


def _members(results: StudyResults) -> tuple[Arrays, Arrays]:
    """Return where the features of each set start among those of all sets, and these."""
    if results.table is None:
        return np.zeros(len(results.feature_sets) + 1, dtype=np.int64), np.empty(0, np.int64)
    selected = results.table["selected"].combine_chunks()
    return np.asarray(selected.offsets).astype(np.int64), np.asarray(selected.values)


def _within(sizes: Arrays) -> Arrays:
    """Return 0, 1, ... within each of these lengths, one after the other."""
    ends = np.cumsum(sizes)
    return np.asarray(np.arange(int(sizes.sum())) - np.repeat(ends - sizes, sizes))


def _quantised(
    values: Arrays, owner: Arrays, n_owners: int
) -> tuple[Arrays, list[float], list[float]]:
    """Code values as steps between the smallest and the largest of their selector."""
    low, high = np.zeros(n_owners), np.zeros(n_owners)
    for i in range(n_owners):
        own = values[(owner == i) & ~np.isnan(values)]
        if len(own):
            low[i], high[i] = own.min(), own.max()
    span = np.where(high > low, high - low, 1.0)
    steps = np.round((values - low[owner]) / span[owner] * _STEPS)
    coded = np.where(np.isnan(values), _NONE, np.nan_to_num(steps)).astype("<u2")
    return coded, low.tolist(), high.tolist()


def _names(results: StudyResults, rows: Arrays, dataset: str) -> dict[str, str]:
    """Return the names of the features of a dataset's sets, by column number."""
    if results.table is None:
        return {}
    part = results.table.select(["selected", "feature_names"]).take(rows)
    numbers = np.asarray(part["selected"].combine_chunks().flatten())
    names = part["feature_names"].combine_chunks().flatten()
    used, first = np.unique(numbers, return_index=True)
    return {str(i): names[int(at)].as_py() for i, at in zip(used, first, strict=True)}
