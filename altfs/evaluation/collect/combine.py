"""The results of a study, combined from those of its datasets."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa

from altfs.errors import StaleResultError
from altfs.evaluation.collect.learning import over_datasets
from altfs.evaluation.collect.reader import missing_table
from altfs.evaluation.collect.results import SET_KEY, StudyResults, as_sorted_frame
from altfs.evaluation.collect.scored import scores_of
from altfs.kinds.base import kinds
from altfs.searches.request import stored_size
from altfs.study.plan import Plan
from altfs.study.store import SHARD_SCHEMA


class Portion(NamedTuple):
    """The results of one dataset."""

    #: A row per feature set in the order of its key, with scores; None if no shard exists.
    table: pa.Table | None
    #: The rows of each kind of answer that the study has, by the name of its table.
    more: dict[str, pa.Table]
    #: For JSON: ``dataset`` (a record, None without the dataset's file), ``notes`` (what could not
    #: be computed), ``missing`` (what has not been computed yet), and ``learning`` (CPU seconds of
    #: each selector, None if they are not known).
    notes: dict[str, Any]


class Collected(NamedTuple):
    """The results of a study, and further facts for its report."""

    results: StudyResults
    #: For JSON: ``datasets`` (a record each), ``notes``, ``missing``, ``learning``, ``relevant``
    #: (features by dataset) and ``foreign`` (files of no task).
    notes: dict[str, Any]
    #: The results of each dataset by its name.
    portions: dict[str, Portion]


def combine_portions(
    plan: Plan, portions: Mapping[str, Portion], foreign: Sequence[str]
) -> Collected:
    """Combine the results of all datasets, which are in the configured order.

    Raises
    ------
    StaleResultError
        If there is no shard.
    """
    tables = [one.table for one in portions.values() if one.table is not None]
    if not tables:
        raise StaleResultError(f"'{plan.results}' holds no shard yet, run the study first.")
    # Datasets with other metrics have other columns.
    whole = pa.concat_tables(tables, promote_options="default").combine_chunks()
    table = whole.select(SHARD_SCHEMA.names)
    frame, _ = as_sorted_frame(table, **plan.orders())
    rows = [row for one in portions.values() if (row := one.notes["dataset"])]
    noted = chain.from_iterable(one.notes["notes"] for one in portions.values())
    told = {
        "datasets": [{k: v for k, v in row.items() if k != "relevant"} for row in rows],
        "notes": counted(noted),
        "missing": [*chain.from_iterable(one.notes["missing"] for one in portions.values())],
        "learning": over_datasets(one.notes["learning"] for one in portions.values()),
        "foreign": list(foreign),
        "relevant": {row["dataset"]: row["relevant"] for row in rows},
    }
    more = {
        name: pa.concat_tables([one.more[name] for one in portions.values()])
        for name in plan.long_tables
    }
    scores = scores_of(frame, whole, [*plan.model_entries])
    results = results_of(plan, frame, table, scores, told, more)
    return Collected(results, told, dict(portions))


def results_of(
    plan: Plan,
    frame: pd.DataFrame,
    table: pa.Table,
    predictions: tuple[pd.DataFrame, pd.DataFrame],
    notes: Mapping[str, Any],
    more: Mapping[str, pa.Table],
) -> StudyResults:
    """Return the results of a study from the parts that were collected."""
    return StudyResults(
        feature_sets=frame,
        predictions=predictions[0],
        further=predictions[1],
        datasets=pd.DataFrame(notes["datasets"]),
        notes=pd.DataFrame(notes["notes"], columns=["column", "reason", "shards", "rows"]),
        settings=planned_settings(plan),
        n_runs=len(plan.config.datasets) * plan.config.folds,
        missing=missing_table(notes["missing"]),
        table=table,
        seed=plan.config.seed,
        search_types={name: entry.type for name, entry in plan.search_entries.items()},
        target_types={name: fact.target_type for name, fact in plan.facts.items()},
        dissimilarity=plan.config.dissimilarity,
        sizes={stored_size(k): str(k) for k in plan.config.n_features},
        more=more,
        facts={kind.name: kind.facts(plan) for kind in kinds.all()},
        relevant=notes["relevant"],
        learning=notes["learning"],
        places={s.name: s.datasets for s in plan.config.searches if s.datasets is not None},
    )


def planned_settings(plan: Plan) -> pd.DataFrame:
    """Return every row that a fold of a dataset has in the complete study."""
    rows = [
        # Results are stored by the largest size of a range.
        (*run[:3], stored_size(run.n_features), *run[4:], i)
        for run in plan.runs
        for i in range(run.n_alternatives + 1)
    ]
    return pd.DataFrame(rows, columns=SET_KEY[2:])


def counted(notes: Iterable[Any]) -> list[dict[Any, Any]]:
    """Return notes of the same column and reason as one, with sums of their shards and rows."""
    table = pd.DataFrame(notes, columns=["column", "reason", "shards", "rows"])
    return table.groupby(["column", "reason"], as_index=False).sum().to_dict("records")
