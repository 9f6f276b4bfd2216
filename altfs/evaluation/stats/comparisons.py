"""Families of treatments, selectors or searches, that are compared over datasets.

As Demšar (2006) advises, the values of a dataset are averaged first. So datasets are the
observations of the tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from altfs.evaluation.results import Results
from altfs.evaluation.stats.controls import CONTROLS, NOISE, controls_of
from altfs.evaluation.stats.roles import CASE, is_random, treatments
from altfs.evaluation.stats.runs import run_statistics
from altfs.evaluation.stats.summaries import measures


class Family(NamedTuple):
    """Treatments that are compared with one another on the same datasets."""

    labels: dict[str, Any]  # The kind of treatments, the measure and the setting.
    values: pd.DataFrame  # A row per dataset, a column per treatment, no value missing.
    #: ``floor`` and ``ceiling`` in the shape of `values`; NaN if a case that counts lacks it.
    controls: Mapping[str, pd.DataFrame] = MappingProxyType({})
    #: Datasets of the study without a case in which every treatment has a value.
    left_out: tuple[str, ...] = ()
    #: Values and controls of all cases, a column per treatment; missing ones are NaN.
    cases: tuple[pd.DataFrame, pd.DataFrame] | None = None

    def pair(self, *names: str) -> Family:
        """Return two treatments, compared where both have a value, whatever the others have."""
        if self.cases is None or not self.labels["n_cases_left_out"]:
            return self._replace(values=self.values[[*names]])
        every, limits = self.cases
        some = every[[*names]].dropna(how="all")
        n_cases = self.labels["n_cases"]
        if len(some.dropna()) == n_cases:
            # They are compared on the cases of the family.
            labels = {**self.labels, "n_cases_left_out": len(some) - n_cases}
            return self._replace(labels=labels, values=self.values[[*names]])
        columns = limits.columns[limits.columns.isin(names, level=1)]
        both = _of_cases(some, limits[columns], self.labels)
        planned = {*self.left_out, *self.values.index}
        return both._replace(left_out=tuple(sorted(planned - {*both.values.index})))

    def control(self, name: str) -> pd.DataFrame:
        """Return the floor or the ceiling in the shape of `values`."""
        of_control = self.controls.get(name)
        return self.values * np.nan if of_control is None else of_control


LABELS = ["compared", "measure", "model", "selector", "n_features", "n_alternatives", "sets"]


def families(results: Results) -> list[Family]:
    """Return all families of treatments to compare."""
    planned = sorted(results.design.dataset_names)
    return [
        family._replace(left_out=tuple(d for d in planned if d not in family.values.index))
        for family in _families(results)
    ]


def _families(results: Results) -> Iterator[Family]:
    for measure, model, rows in measures(results):
        limits = controls_of(results, rows)
        if model:
            sought = rows[~is_random(results, rows)].join(limits, on=CASE)
            yield from _of_selectors(measure, model, sought)
        runs = run_statistics(rows, results.settings).join(limits, on=CASE)
        yield from _of_searches(measure, model, runs.assign(value=runs["mean"]))


def _of_selectors(measure: str, model: str, rows: pd.DataFrame) -> Iterator[Family]:
    """Compare selectors by the scores of their sets; objectives have no common scale."""
    rows = rows[rows["aggregation"] == "none"].assign(treatment=rows["selector"].astype(str))
    unit = ["dataset", "fold", "tau", "search", "n_alternatives", "set_index"]
    for sets, chosen in (
        ("original sets", rows[rows["set_index"] == 0]),
        ("alternatives", rows[rows["set_index"] > 0]),
    ):
        for k, part in chosen.groupby("n_features", observed=True):
            labels = {"compared": "selectors", "selector": "", "n_features": k, "sets": sets}
            yield from _family(part, unit, measure=measure, model=model, **labels)


def _of_searches(measure: str, model: str, runs: pd.DataFrame) -> Iterator[Family]:
    """Compare searches, also random ones, by the mean quality of runs of the same length."""
    runs = runs.assign(treatment=treatments(runs))
    unit = ["dataset", "fold", "n_features", "tau"]
    for (selector, a), part in runs.groupby(["selector", "n_alternatives"], observed=True):
        labels = {"compared": "searches", "selector": selector, "n_alternatives": a, "sets": "runs"}
        yield from _family(part, unit, measure=measure, model=model, **labels)


def _family(rows: pd.DataFrame, unit: list[str], **labels: Any) -> Iterator[Family]:
    """Yield the means by dataset over the cases in which every treatment has a value."""
    cases = rows.groupby([*unit, "treatment"], observed=True)
    every: Any = cases["value"].mean().unstack()
    limits: Any = cases[[*CONTROLS, NOISE]].first().unstack()
    if every.shape[1] > 1:
        yield _of_cases(every, limits, {**dict.fromkeys(LABELS), **labels})


def _of_cases(every: pd.DataFrame, limits: pd.DataFrame, labels: dict[str, Any]) -> Family:
    """Return the means by dataset over the cases without a missing value."""
    wide = every.dropna()
    here = limits.reindex(wide.index)
    # A control of some of the cases would be of other cases than the values.
    means: Any = here.groupby("dataset", observed=True).mean()
    complete: Any = here.notna().groupby("dataset", observed=True).all()
    controls = {c: means[c].where(complete[c]) for c in (*CONTROLS, NOISE)}
    counts = {"n_cases": len(wide), "n_cases_left_out": len(every) - len(wide)}
    values = wide.groupby("dataset", observed=True).mean()
    return Family({**labels, **counts}, values, controls, cases=(every, limits))


def mean_of_all(values: pd.DataFrame) -> pd.Series[float]:
    """Return the mean of each treatment over datasets; NaN if a dataset lacks a value."""
    return values.mean(skipna=False)


def typed(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table in which the numbers of a setting may be missing."""
    return table.astype({"n_features": "Int64", "n_alternatives": "Int64", "selector": str})
