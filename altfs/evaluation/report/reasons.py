"""Why alternatives are missing, in a line each."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from altfs.evaluation.names import differing, selector_name
from altfs.evaluation.report.phrases import listed

# The largest numbers of datasets in a line, and of lines.
_MOST, _LINES = 3, 4
_WHY = {
    "n_without": "no set satisfies all conditions, so there is no original either",
    "n_conditions": "no set that satisfies all conditions differs enough from those before it",
}


def reasons(rows: pd.DataFrame) -> list[str]:
    """Say why alternatives are missing, from rows of the table ``gaps``.

    What counting forbids is apart from what conditions forbid.
    """
    if not len(rows):
        return []
    lines = [*_by_counting(rows[rows["n_counting"] > 0]), *_others(rows)]
    return lines if len(lines) <= _LINES else [*lines[:_LINES], "The table has further reasons."]


def _by_counting(rows: pd.DataFrame) -> Iterator[str]:
    """Say how many sets are possible at most, once for each number of them and condition."""
    groups: Any = rows.groupby(["n_features", "max_overlap", "most_sets"], sort=False)
    for (_, _, most), own in groups:
        widths = own.drop_duplicates("dataset")
        of = [f"{row.dataset} has {int(row.n_total)}" for row in widths.head(_MOST).itertuples()]
        rest = f", and {len(widths) - _MOST} more" * (len(widths) > _MOST)
        several = "sets" if most > 1 else "set"
        yield (
            f"By counting, at most {most} {several} with {differing(own)} features different can "
            f"exist, the original one included ({', '.join(of)} features{rest})."
        )


def _others(rows: pd.DataFrame) -> Iterator[str]:
    for name, own in rows.groupby("selector", sort=False):
        for column, why in _WHY.items():
            if gone := int(own[column].sum()):
                yield (
                    f"{selector_name(str(name))}: {_alternatives(gone, 'does', 'do')} not exist, "
                    f"because {why} ({_where(own[own[column] > 0])})."
                )
        if unknown := int(own["n_unknown"].sum()):
            yield (
                f"{selector_name(str(name))}: {_alternatives(unknown, 'was', 'were')} not found "
                "within the limits of the search and may exist."
            )


def _where(rows: pd.DataFrame) -> str:
    names = [*map(str, rows["dataset"].unique())]
    return listed(names) if len(names) <= _MOST else f"{len(names)} datasets"


def _alternatives(n: int, verb: str, verbs: str) -> str:
    return f"{n:,} alternatives {verbs}" if n > 1 else f"{n} alternative {verb}"
