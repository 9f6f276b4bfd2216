"""Means, medians and their intervals of groups of feature sets, and their numbers."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from altfs.evaluation.results import Results
from altfs.evaluation.rules import enough
from altfs.evaluation.stats.runs import NORMALISATIONS, normalised


class Summaries:
    """Summaries of values of feature sets or search runs."""

    def __init__(self, results: Results) -> None:
        shown = results.sets["dataset"].unique()
        self._datasets = list(
            dict.fromkeys(map(str, [*results.datasets.get("dataset", ()), *shown]))
        )
        self._seed = results.design.seed

    @cached_property
    def _draws(self) -> Any:
        # Planning imports the tables and needs no compiler, and few datasets have no interval. So
        # numba is imported here.
        from altfs.evaluation.stats.bootstrap import draw_datasets

        return draw_datasets(len(self._datasets), self._seed)

    def of(
        self, rows: pd.DataFrame, by: Sequence[str], value: str, prefix: str = ""
    ) -> pd.DataFrame:
        """Summarise a column by groups, which are the index; rows without a value do not count.

        The columns are ``n`` (values), ``n_datasets``, and, with the prefix, ``mean``, ``std`` (of
        the sample), ``q25``, ``median``, ``q75``, and the 95 % interval of the median over
        datasets, ``median_low`` to ``median_high``, NaN for fewer than six.
        """
        present = rows[rows[value].notna()]
        groups = present.groupby(list(by), observed=True, sort=True)
        values = groups[value]
        table = pd.DataFrame(
            {"n": groups.size(), "n_datasets": groups["dataset"].nunique().astype(int)}
        )
        table[f"{prefix}mean"], table[f"{prefix}std"] = values.mean(), values.std()
        # One call sorts the values once.
        quartiles = {"q25": 0.25, "median": 0.5, "q75": 0.75}
        at: Any = values.quantile(np.array([*quartiles.values()])).unstack()
        for name, q in quartiles.items():
            table[f"{prefix}{name}"] = at.get(q, np.nan)
        ends = [f"{prefix}median_low", f"{prefix}median_high"]
        many = enough(table["n_datasets"])
        table[ends] = np.nan
        if many.any():
            from altfs.evaluation.stats.bootstrap import median_intervals

            code, names = pd.factorize(present["dataset"])
            owners = pd.Index(self._datasets).get_indexer(names.astype(str))[code]
            found = median_intervals(
                present[value].to_numpy(float), np.asarray(groups.ngroup()), owners, self._draws
            )
            table[ends] = np.where(many.to_numpy()[:, None], np.transpose(found), np.nan)
        return table


def measures(results: Results) -> Iterator[tuple[str, str, Any]]:
    """Yield each measure: its name, model (empty for objectives), and rows with ``value``."""
    # In comparisons, the floor is that of random sets.
    sets = results.sets.drop(columns="floor", errors="ignore")
    for name in ("train_objective", "test_objective"):
        yield name, "", sets.assign(value=sets[name])
    scored = results.first_scores
    for (model, metric), rows in scored.groupby(["model", "metric"], observed=True):
        yield f"test_{metric}", str(model), rows.assign(value=rows["test_score"])


def normalised_summaries(
    results: Results, keys: Sequence[Sequence[str]], *, ranked: bool = False
) -> pd.DataFrame:
    """Summarise every measure in every normalisation, by each of several lists of columns.

    With `ranked`, only sets count that have a rank in their run.
    """
    parts = []
    for measure, model, rows in measures(results):
        values = normalised(rows[rows["aggregation"] == "none"] if ranked else rows)
        for by in keys:
            for normalisation in NORMALISATIONS:
                labels = {"measure": measure, "model": model, "normalisation": normalisation}
                table = with_tau(summary(results, values, by, normalisation, **labels))
                parts.append(with_planned(results, table, by))
    return pd.concat(parts, ignore_index=True)


def summary(
    results: Results, rows: pd.DataFrame, by: Sequence[str], value: str, **labels: str
) -> pd.DataFrame:
    """Summarise a column by groups as :meth:`Summaries.of`, as rows that start with labels."""
    return labelled(results.once(Summaries).of(rows, by, value), **labels)


def labelled(table: pd.DataFrame, **labels: str) -> pd.DataFrame:
    """Return a summary as plain rows that start with columns of one value each."""
    plain = table.reset_index()
    for position, (name, text) in enumerate(labels.items()):
        plain.insert(position, name, text)
    return plain


def with_planned(
    results: Results,
    table: pd.DataFrame,
    by: Sequence[str],
    settings: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Insert the number in the complete study before ``n``, as :meth:`Results.planned`."""
    table.insert(list(table.columns).index("n"), "n_planned", results.planned(table, by, settings))
    return table


def with_tau(table: pd.DataFrame) -> pd.DataFrame:
    """Insert an empty ``tau`` if a table is over all of them."""
    if "tau" not in table:
        table.insert(list(table.columns).index("set_index"), "tau", None)
    return table.astype({"tau": object})
