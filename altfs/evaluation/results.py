"""The results of a study: two long tables, of feature sets and of scores, and its design."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from altfs._files import read_json
from altfs.study.design import Design, read_design
from altfs.study.store import stamp_of

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
class Results:
    """The results of a study, or of a part of it."""

    design: Design  # What was planned.
    #: A row per feature set, without its features. The index is that of the stored table.
    sets: pd.DataFrame
    #: A row per score of a set (its index is in the column ``set``) by a model and a metric.
    scores: pd.DataFrame
    table: pa.Table  # The stored table of feature sets of the study, with all columns.
    datasets: pd.DataFrame  # A row per dataset whose file exists.
    notes: pd.DataFrame  # The values that could not be computed, the reasons, and their numbers.
    #: The files that have not been computed yet; empty if the study is complete.
    missing: pd.DataFrame
    #: The features that are known to be relevant, by the name of the dataset.
    relevant: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: The features that repeat an earlier one, and that one, by the name of the dataset.
    copies: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    #: The CPU seconds in which each selector learned its qualities and scores, by its name.
    learning: Mapping[str, float | None] = field(default_factory=dict)
    #: The tables of kinds of answers (:attr:`altfs.kinds.base.Kind.table`), by their names.
    more: Mapping[str, pa.Table] = field(default_factory=dict)
    _memory: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, compute: Callable[[Results], T]) -> T:
        """Return what a function makes of these results; it is called once for all tables."""
        if compute not in self._memory:
            self._memory[compute] = compute(self)
        value: T = self._memory[compute]
        return value

    def where(self, kept: Any, design: Design | None = None) -> Results:
        """Return the results of some of the feature sets, given as booleans row by row."""
        sets = self.sets[np.asarray(kept)]
        scores = self.scores[self.scores["set"].isin(sets.index)]
        return replace(self, design=design or self.design, sets=sets, scores=scores)

    @property
    def sizes(self) -> Mapping[int, str]:
        """The entry of ``n_features`` in the configuration for each number in the results."""
        return self.design.sizes

    @cached_property
    def first_scores(self) -> pd.DataFrame:
        """The scores by the first metric of each dataset."""
        first = {one.name: one.metrics[0] for one in self.design.datasets}
        of_dataset = self.scores["dataset"].astype(str).map(first)
        rows = self.scores[self.scores["metric"].astype(str) == of_dataset]
        return rows.assign(metric=rows["metric"].cat.remove_unused_categories())

    @cached_property
    def settings(self) -> pd.DataFrame:
        """The rows that each fold of a dataset has in the complete study."""
        rows = [(*run, i) for run in self.design.runs for i in range(run.n_alternatives + 1)]
        return pd.DataFrame(rows, columns=SET_KEY[2:])

    def gap(self) -> str:
        """Return a sentence about the missing parts; empty for a complete study."""
        if not len(self.missing):
            return ""
        counts = self.missing.groupby("kind", sort=False)["n"].sum()
        parts = []
        for kind, count in counts.items():
            words = _MISSING.get(str(kind), (f"file of {kind}s", f"files of {kind}s"))
            parts.append(f"{count} {words[int(count > 1)]}")
        n = self.missing["dataset"].nunique()
        are = f"dataset{'s' * (n > 1)} {'are' if counts.sum() > 1 else 'is'}"
        return f"Incomplete: {', '.join(parts)} of {n} {are} missing."

    def planned(
        self, table: pd.DataFrame, by: Sequence[str], settings: pd.DataFrame | None = None
    ) -> npt.NDArray[np.int64]:
        """Count the feature sets of each row of a table in the complete study.

        The columns `by` are those of a setting; without any, the table has one row, of all sets.
        `settings` are the rows to count in place of all.
        """
        keys, text = list(by), {c: str for c in by if c in _TEXT}
        whole = self._planned if settings is None else self._with_planned(settings)
        if not keys:
            return np.array([whole["n_planned"].sum()], dtype=np.int64)
        counts = whole.groupby(keys)["n_planned"].sum()
        rows = table[keys].astype(text).merge(counts.reset_index(), on=keys, how="left")
        return rows["n_planned"].fillna(0).to_numpy(np.int64)

    @cached_property
    def _planned(self) -> pd.DataFrame:
        return self._with_planned(self.settings)

    def _with_planned(self, settings: pd.DataFrame) -> pd.DataFrame:
        """Add the number of feature sets of each setting in the complete study."""
        named = settings.astype({c: str for c in _TEXT if c in settings})
        pairs = pd.MultiIndex.from_frame(named[["selector", "search"]])
        counts = {pair: self.design.n_runs(*pair) for pair in pairs.unique()}
        return named.assign(n_planned=pairs.map(counts).to_numpy(np.int64))


def read_results(folder: str) -> Results:
    """Read the collected results of a study; a worker reads them once for all of its tasks."""
    return _read(folder, str(stamp_of(f"{folder}/collected.json")))


@lru_cache(maxsize=1)
def _read(folder: str, _stamp: str) -> Results:
    design = read_design(folder)
    paths = (
        design.all_sets_path(),
        design.scores_path(),
        *map(design.long_table_path, design.long_tables),
    )
    sets, scores, *more = (pq.read_table(path, partitioning=None) for path in paths)
    notes = read_json(design.collected_path())
    frame = as_frame(sets, design)
    scored = scores.to_pandas().astype({"model": "category", "metric": "category"})
    keys = frame[SET_KEY].take(scored["set"]).reset_index(drop=True)
    return Results(
        design=design,
        sets=frame,
        scores=keys.join(scored),
        table=sets,
        datasets=pd.DataFrame(notes["datasets"]),
        notes=pd.DataFrame(notes["notes"], columns=["column", "reason", "shards", "rows"]),
        missing=_missing_table(notes["missing"]),
        relevant=notes["relevant"],
        copies=notes["copies"],
        learning=notes["learning"],
        more=dict(zip(design.long_tables, more, strict=True)),
    )


def as_frame(table: pa.Table, design: Design) -> pd.DataFrame:
    """Return a table of feature sets without their features; text becomes ordered categories.

    Names have the order of the configuration, tau is by size, other text by letter.
    """
    columns = {}
    for name in table.column_names:
        if name in _TEXT:
            coded = table[name].combine_chunks().dictionary_encode().to_pandas()
            by_size = float if name == "tau" else None
            values = design.orders().get(name) or sorted(coded.cat.categories, key=by_size)
            columns[name] = coded.cat.set_categories(list(values), ordered=True)
        elif not pa.types.is_list(table.schema.field(name).type):
            columns[name] = table[name].to_pandas()
    return pd.DataFrame(columns)


def _missing_table(noted: list[dict[str, Any]]) -> pd.DataFrame:
    """Count what is missing: the number of files or feature sets, and their folds."""
    columns = ["kind", "dataset", "selector", "search", "model"]
    listed = pd.DataFrame(noted, columns=[*columns, "fold", "n"])
    groups = listed.groupby(columns, sort=False)
    table = groups.agg(n=("n", "sum")).astype({"n": int})
    folds = groups["fold"].agg(lambda folds: " ".join(map(str, sorted(set(folds)))))
    return table.assign(folds=folds.astype(str)).reset_index()


def by_target(results: Results) -> dict[str, Results]:
    """Split the results into those of classification and of regression datasets.

    MCC and R² have no common scale, and a wrapper's objective is one of the two. So nothing is
    averaged over datasets of both kinds.

    Returns
    -------
    dict of str to Results
        ``classification`` and ``regression`` if a study has results of both; else one part, the
        study itself, named by an empty text.
    """
    targets = {
        one.name: "regression" if one.target_type == "regression" else "classification"
        for one in results.design.datasets
    }
    shown = {targets[name] for name in map(str, results.sets["dataset"].unique())}
    if len(shown) < 2:
        return {"": results}
    return {
        target: of_datasets(results, [name for name in targets if targets[name] == target])
        for target in sorted(shown)
    }


def of_datasets(results: Results, names: list[str]) -> Results:
    """Return the results of some datasets, without the categories of others."""
    part = results.where(results.sets["dataset"].isin(names), results.design.of_datasets(names))
    missing = part.missing
    return replace(
        part,
        sets=_used(part.sets),
        scores=_used(part.scores),
        datasets=part.datasets[part.datasets["dataset"].isin(names)],
        missing=missing[missing["dataset"].isin(names)],
        more={
            name: table.filter(pc.is_in(table["dataset"], pa.array(names, pa.string())))
            for name, table in part.more.items()
        },
    )


def of_sizes(results: Results, sizes: list[int]) -> Results:
    """Return the results of the feature sets of some sizes."""
    design = results.design.with_runs(lambda run: run.n_features in sizes)
    return results.where(results.sets["n_features"].isin(sizes), design)


def rows_of_target(target: str, table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table of one kind of dataset; all rows if it tells none apart."""
    if target and "target_type" in table and "origin" not in table:
        return table[table["target_type"] == target].drop(columns="target_type")
    return table


def _used(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows without the categories that do not occur in them."""
    columns = {str(name): column for name, column in rows.select_dtypes("category").items()}
    return rows.assign(**{c: v.cat.remove_unused_categories() for c, v in columns.items()})


def text_columns_as_text(table: pd.DataFrame) -> pd.DataFrame:
    """Convert categories back to text, as a table is stored."""
    return table.astype(dict.fromkeys(table.select_dtypes("category").columns, "str"))
