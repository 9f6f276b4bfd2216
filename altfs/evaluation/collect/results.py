"""The results of a study as data frames, and the keys of their rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from altfs.problem.overlap import Dissimilarity

T = TypeVar("T")

#: The columns that identify a feature set of a study.
SET_KEY = [
    "dataset", "fold", "selector", "tau", "search", "n_features", "n_alternatives", "aggregation",
    "set_index",
]  # fmt: skip
#: The columns that identify a search run: one call of a search.
RUN_KEY = SET_KEY[:-1]
#: The columns that vary besides dataset and fold, over which the tables average.
SETTING = [
    "selector", "search", "aggregation", "n_features", "n_alternatives", "tau", "set_index"
]  # fmt: skip
# What is missing: one, several. Any other word stands for a file.
_MISSING = {
    "shard": ("shard", "shards"),
    "dataset": ("dataset", "datasets"),
    "prediction of a feature set": ("prediction of a feature set", "predictions of feature sets"),
}
_TEXT = ["dataset", "selector", "tau", "search", "aggregation", "status", "solver"]


@dataclass(frozen=True)
class StudyResults:
    """The stored tables of a study."""

    #: All shards, a row per feature set; without the features themselves.
    feature_sets: pd.DataFrame
    #: A row per feature set that exists, and model: the scores by the first metric.
    predictions: pd.DataFrame
    #: A row per dataset.
    datasets: pd.DataFrame
    #: The values that could not be computed, the reasons, and their numbers.
    notes: pd.DataFrame
    #: The rows that each fold of a dataset has in the complete study.
    settings: pd.DataFrame
    #: The number of folds of all datasets in the complete study.
    n_runs: int
    #: The files that have not been computed yet; empty if the study is complete.
    missing: pd.DataFrame = field(default_factory=pd.DataFrame)
    #: `feature_sets` with all columns, row for row.
    table: pa.Table | None = None
    #: The seed of the study, from which the bootstrap starts.
    seed: int = 0
    #: The type of each search by its name; by default the name is the type.
    search_types: Mapping[str, str] = field(default_factory=dict)
    #: ``binary``, ``multiclass`` or ``regression`` by the name of the dataset; by default its
    #: scores are those of classes.
    target_types: Mapping[str, str] = field(default_factory=dict)
    #: The dissimilarity of the study.
    dissimilarity: Dissimilarity = "dice"
    #: The entry of ``n_features`` in the configuration for each stored size; by default the size
    #: itself.
    sizes: Mapping[int, str] = field(default_factory=dict)
    #: The tables of kinds of answers (:attr:`altfs.kinds.base.Kind.table`), by their names.
    more: Mapping[str, pa.Table] = field(default_factory=dict)
    #: Facts of the design (:meth:`altfs.kinds.base.Kind.facts`), by the kind of answer.
    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    #: The features that are known to be relevant, by the name of the dataset.
    relevant: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: The CPU seconds in which each selector learned its qualities and scores, by its name.
    learning: Mapping[str, float | None] = field(default_factory=dict)
    #: As `predictions`, with a row for each further metric.
    further: pd.DataFrame = field(default_factory=pd.DataFrame)
    #: The datasets of each search that is not for all, by its name.
    places: Mapping[str, Sequence[str]] = field(default_factory=dict)
    _known: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, compute: Callable[[StudyResults], T]) -> T:
        """Return what a function makes of these results; it is called once for all tables."""
        if compute not in self._known:
            self._known[compute] = compute(self)
        found: T = self._known[compute]
        return found

    def gap(self) -> str:
        """Return a sentence about the missing parts; empty for a complete study."""
        if not len(self.missing):
            return ""
        counts = self.missing.groupby("kind")["n"].sum()
        parts = []
        for kind, count in counts.items():
            words = _MISSING.get(str(kind), (f"file of {kind}s", f"files of {kind}s"))
            parts.append(f"{count} {words[int(count > 1)]}")
        n = self.missing["dataset"].nunique()
        are = f"dataset{'s' * (n > 1)} {'are' if counts.sum() > 1 else 'is'}"
        return f"Incomplete: {', '.join(parts)} of {n} {are} missing."

    def planned_datasets(self) -> list[str]:
        """Return the names of the datasets of the complete study."""
        named = [*self.target_types, *map(str, self.datasets.get("dataset", ()))]
        return list(dict.fromkeys([*named, *map(str, self.feature_sets["dataset"].unique())]))

    def planned(
        self, table: pd.DataFrame, by: Sequence[str], settings: pd.DataFrame | None = None
    ) -> npt.NDArray[np.int64]:
        """Count the feature sets of each row of a table in the complete study.

        Parameters
        ----------
        table : DataFrame
            With the columns `by`.
        by : sequence of str
            Columns of a setting; without any, the table has one row, of all sets.
        settings : DataFrame, optional
            The rows to count in place of all `settings`.
        """
        keys, text = list(by), {c: str for c in by if c in _TEXT}
        planned = self.settings if settings is None else settings
        names = planned["search"].astype(str)
        runs = names.map({name: self.planned_runs(name) for name in names.unique()})
        if not keys:
            return np.array([runs.sum()], dtype=np.int64)
        whole = planned.astype(text).assign(n_planned=runs)
        counts = whole.groupby(keys)["n_planned"].sum()
        rows = table[keys].astype(text).merge(counts.reset_index(), on=keys, how="left")
        return rows["n_planned"].fillna(0).to_numpy(np.int64)

    def planned_runs(self, search: str) -> int:
        """Count the folds of all datasets that a search is for in the complete study."""
        if search not in self.places:
            return self.n_runs
        datasets = self.planned_datasets()
        return self.n_runs // len(datasets) * len({*datasets} & {*self.places[search]})

    def widths(self) -> dict[str, float]:
        """Return the number of features of each dataset whose file exists."""
        known = self.datasets.reindex(columns=["dataset", "features"])
        return dict(zip(known["dataset"].astype(str), known["features"].astype(float), strict=True))

    def by_every_metric(self) -> pd.DataFrame:
        """Return the scores by all metrics; `predictions` if there is only one."""
        if not len(self.further):
            return self.predictions
        both = [text_columns_as_text(rows) for rows in (self.predictions, self.further)]
        return pd.concat(both, ignore_index=True)

    def scores(self) -> dict[str, pd.DataFrame]:
        """Return the metric and scores of each model, row for row of the feature sets."""
        keys = self.feature_sets[SET_KEY]
        models = self.predictions.groupby("model", observed=True)
        return {str(name): keys.merge(rows, on=SET_KEY, how="left") for name, rows in models}


def as_sorted_frame(
    table: pa.Table, **orders: Sequence[str]
) -> tuple[pd.DataFrame, npt.NDArray[np.int64]]:
    """Convert a table of feature sets to a frame, text to ordered categories.

    Parameters
    ----------
    table : Table
        With the columns of shards.
    **orders : sequence of str
        The order of the values of a column. By default tau is sorted by size, text by letter.

    Returns
    -------
    DataFrame
        Sorted by the key of the sets, without the columns of their features.
    ndarray of int
        The rows of `table` in this order.
    """
    columns = {}
    for name in table.column_names:
        if name in _TEXT:
            coded = table[name].combine_chunks().dictionary_encode().to_pandas()
            by_size = float if name == "tau" else None
            values = orders.get(name) or sorted(coded.cat.categories, key=by_size)
            columns[name] = coded.cat.set_categories(list(values), ordered=True)
        elif not pa.types.is_list(table.schema.field(name).type):
            columns[name] = table[name].to_pandas()
    frame = pd.DataFrame(columns)
    keys = [frame[c].cat.codes if c in _TEXT else frame[c] for c in SET_KEY]
    order = np.lexsort([np.asarray(key) for key in reversed(keys)])
    return frame.take(order).reset_index(drop=True), order


def match_predictions(
    frame: pd.DataFrame,
    table: pa.Table,
    trained: pa.Table | None,
    models: Sequence[str],
    lacking: Callable[[str, int, str, int], None],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Give every feature set the scores of its models.

    Parameters
    ----------
    frame, table
        The feature sets, row for row.
    trained : Table or None
        Predictions: rows of each distinct feature set of a fold and model, one for each metric;
        None if there are none.
    models : sequence of str
    lacking : callable
        Called with dataset, fold, model and the number of feature sets without a score.

    Returns
    -------
    DataFrame
        The key of the feature set, model, metric, train_score and test_score, by the first metric.
    DataFrame
        The same by the further metrics.
    """
    exists = np.asarray(pc.greater(pc.list_value_length(table["selected"]), 0))
    wanted = pd.Index(_places(table)[exists])
    keys = frame.loc[exists, SET_KEY].reset_index(drop=True)
    columns = ["model", "metric", "train_score", "test_score"]
    known = pd.DataFrame(columns=["place", *columns])
    if trained is not None:
        known = trained.select(columns).to_pandas().assign(place=_places(trained))
    parts, further = [], []
    for model in models:
        every = known[known["model"] == model]
        rank = every.groupby("place").cumcount()
        own = every[rank == 0].set_index("place")
        at = own.index.get_indexer(wanted)
        folds: Any = keys[at < 0].groupby(["dataset", "fold"], observed=True)
        for (dataset, fold), sets in folds:
            lacking(str(dataset), int(fold), model, len(sets))
        found = own.iloc[at[at >= 0]].reset_index(drop=True)
        parts.append(keys[at >= 0].reset_index(drop=True).join(found))
        for number in range(1, int(rank.max()) + 1 if len(rank) else 0):
            own = every[rank == number].set_index("place")
            at = own.index.get_indexer(wanted)
            found = own.iloc[at[at >= 0]].reset_index(drop=True)
            further.append(keys[at >= 0].reset_index(drop=True).join(found))
    categories = {"model": "category", "metric": "category"}
    joined = pd.concat(parts, ignore_index=True).astype(categories)
    return joined, pd.concat(further, ignore_index=True) if further else pd.DataFrame()


def _places(table: pa.Table) -> npt.NDArray[Any]:
    """Return dataset, fold and features of each row, as one text."""
    dataset, fold, flat = (table[name].combine_chunks() for name in ("dataset", "fold", "selected"))
    numbers = pa.ListArray.from_arrays(flat.offsets, pc.cast(flat.values, pa.string()))
    parts = (dataset, pc.cast(fold, pa.string()), pc.binary_join(numbers, ","))
    joined = pc.binary_join_element_wise(*parts, "|")
    return np.asarray(joined.to_numpy(zero_copy_only=False))


def text_columns_as_text(table: pd.DataFrame) -> pd.DataFrame:
    """Convert categories back to text, as a table is stored."""
    return table.astype(dict.fromkeys(table.select_dtypes("category").columns, "str"))
