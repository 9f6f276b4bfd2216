"""The columns of tables: a heading that can be read, and what the values are."""

import tomllib
from functools import cache
from typing import NamedTuple

import pandas as pd

from altfs.evaluation.report.files import asset
from altfs.kinds.base import kinds


class Column(NamedTuple):
    """A column as the page shows it."""

    name: str  # The name in the file.
    heading: str  # A few words with the unit.
    meaning: str  # A sentence.


# The words of columns: of any table, of one, and of what a statistic is.
_WORDS = tomllib.loads(asset("columns.toml"))
_STATISTICS, _ENDS, _STATUSES = (_WORDS[part] for part in ("statistics", "ends", "statuses"))
#: The columns that only the files of a table have, and the endings of those of a wide one.
LEFT_TO_FILES = _WORDS["only_in_files"]


def describe(name: str, table: str = "") -> Column:
    """Return the heading and the meaning of a column of a file.

    Those of a `table` may be something else than those of others.

    Raises
    ------
    KeyError
        If the column is not known.

    >>> describe("n", "effort").meaning
    'Number of search runs.'
    >>> describe("test_score_median").heading
    'Test score, median'
    """
    value, _, end = name.rpartition("_")
    if end in _ENDS:
        words = _ENDS[end].partition(" of ")[0].lower()
        return Column(name, f"{describe(value, table).heading}, {words}", _ENDS[end])
    of_kinds = _of_kinds()
    known = (
        _WORDS["in_table"].get(table, {}).get(name)
        or of_kinds.get(f"{table}.{name}")
        or _WORDS["columns"].get(name)
    )
    known = known or of_kinds.get(name) or _composed(name)
    return Column(name, *known)


@cache
def _of_kinds() -> dict[str, tuple[str, str]]:
    return {name: words for kind in kinds.all() for name, words in kind.headings().items()}


def described(name: str, table: pd.DataFrame) -> list[Column]:
    """Return the columns of a table; one that is not known has its own name as its heading."""
    columns = []
    for column in map(str, table.columns):
        try:
            columns.append(describe(column, name))
        except KeyError:
            columns.append(Column(column, column, ""))
    return columns


def _composed(name: str) -> tuple[str, str]:
    kind, _, status = name.partition("_")
    if status in _STATUSES and kind in ("n", "share"):
        what = "Number" if kind == "n" else "Share"
        heading = status.capitalize() if kind == "n" else f"{status.capitalize()}, share"
        return heading, f"{what} of those {_STATUSES[status]}."
    if name in _STATISTICS:
        heading, meaning = _STATISTICS[name]
        return heading.capitalize(), f"{meaning}."
    for statistic, (heading, meaning) in _STATISTICS.items():
        subject = _WORDS["subjects"].get(name.removesuffix(f"_{statistic}"))
        if subject is not None and name.endswith(f"_{statistic}"):
            return f"{subject[0]}, {heading}", f"{meaning} of {subject[1]}."
    raise KeyError(name)
