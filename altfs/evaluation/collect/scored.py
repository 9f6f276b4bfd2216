"""Scores of feature sets as columns of their table."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pandas as pd
import pyarrow as pa

from altfs.evaluation.collect.results import SET_KEY
from altfs.prediction.metrics import METRICS


def with_scores(
    frame: pd.DataFrame, table: pa.Table, predictions: pd.DataFrame, further: pd.DataFrame
) -> pa.Table:
    """Return the table of feature sets with a column for each model's scores on each part.

    The columns are ``{model}_train_score`` and ``{model}_test_score``, and the ``metric`` of
    the scores; null if there is no score. Scores by a further metric are in
    ``{model}_train_{metric}`` and ``{model}_test_{metric}``.
    """
    keys = frame[SET_KEY]
    metric = pd.Series(None, index=frame.index, dtype=object)
    for model, rows in predictions.groupby("model", observed=True):
        own = keys.merge(rows, on=SET_KEY, how="left")
        metric = metric.where(metric.notna(), own["metric"].astype(object))
        table = _appended(table, own, str(model), "score")
    groups: Any = further.groupby(["model", "metric"], observed=True) if len(further) else ()
    for (model, name), rows in groups:
        table = _appended(table, keys.merge(rows, on=SET_KEY, how="left"), model, name)
    return table.append_column("metric", pa.array(metric, pa.string(), from_pandas=True))


def _appended(table: pa.Table, scores: pd.DataFrame, model: str, end: str) -> pa.Table:
    for part in ("train", "test"):
        values = pa.array(scores[f"{part}_score"].to_numpy(float), from_pandas=True)
        table = table.append_column(f"{model}_{part}_{end}", values)
    return table


def scores_of(
    frame: pd.DataFrame, table: pa.Table, models: Sequence[str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return a row per feature set and model, and those by further metrics, from the columns."""
    parts: list[list[pd.DataFrame]] = [[], []]
    for model, metric in product(models, (None, *METRICS)):
        end = "score" if metric is None else metric
        columns = {f"{model}_{part}_{end}": f"{part}_score" for part in ("train", "test")}
        if not set(columns) <= set(table.column_names):
            continue
        scores = table.select(["metric", *columns]).to_pandas().rename(columns=columns)
        if metric is not None:
            scores["metric"] = metric
        scored = frame[SET_KEY].assign(model=model).join(scores)
        parts[metric is not None].append(scored[scored["test_score"].notna()])
    joined = pd.concat(parts[0], ignore_index=True)
    further = pd.concat(parts[1], ignore_index=True) if parts[1] else pd.DataFrame()
    return joined.astype({"model": "category", "metric": "category"}), further
