"""A sentence of the report, and the shared readers of tables."""

from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from altfs.evaluation.tables import Tables

#: The ranks of alternatives of which the report says the cost.
RANKS = (1, 5, 10)


@dataclass(frozen=True)
class Answer:
    """A sentence of the report."""

    #: The heading above it.
    topic: str
    text: str
    #: The table with its numbers.
    table: str
    #: These numbers, not rounded.
    numbers: dict[str, float] = field(default_factory=dict)
    #: What the sentence is based on: values that are pooled, and runs that are left out.
    basis: str = ""
    #: True if the sentence is on the first screen.
    first: bool = False


def records(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table, each as a mapping."""
    return [{str(k): v for k, v in row.items()} for row in rows.to_dict("records")]


def random_searches(tables: Tables) -> list[str]:
    """Return the names of the searches whose sets are the floor."""
    floors = tables.get("controls", pd.DataFrame()).get("floor", pd.Series(dtype=str))
    return str(floors.iloc[0]).split(", ") if len(floors) else []
