"""Why alternatives are missing, in a line each."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from altfs.evaluation.names import differing, selector_name
from altfs.evaluation.report.phrases import listed, number

# The largest numbers of datasets in a line, and of lines.
_MOST, _LINES = 3, 4
_WHY = {
    "n_without": "do not exist, because no set satisfies all conditions, so there is no original "
    "either",
    "n_conditions": "do not exist, because no set that satisfies all conditions differs enough "
    "from those before it",
    "n_unknown": "were not found within the limits of the search and may exist",
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
    """Say how many sets are possible at most, in a sentence for each size and condition."""
    groups: Any = rows.groupby(["n_features", "max_overlap"], sort=False)
    for _, own in groups:
        each = own.drop_duplicates("dataset").sort_values("n_total", kind="stable")
        of = [f"{row.most_sets} sets of {row.dataset} ({int(row.n_total)} features)"
              for row in each.head(_MOST).itertuples()]  # fmt: skip
        rest = [number(each[_MOST:], "other dataset")] if len(each) > _MOST else []
        yield (
            f"By counting, at most {listed([*of, *rest])} differ by {differing(own)} features, the "
            "original one included."
        )


def _others(rows: pd.DataFrame) -> Iterator[str]:
    """Give each other reason, with the selectors and their numbers of alternatives."""
    for column, why in _WHY.items():
        own = rows[rows[column] > 0]
        counts: Any = own.groupby("selector", sort=False)[column].sum()
        if of := [f"{selector_name(str(name))} ({n:,})" for name, n in counts.items()]:
            yield f"Alternatives of {listed(of)} {why} ({_where(own)})."


def _where(rows: pd.DataFrame) -> str:
    names = [*map(str, rows["dataset"].unique())]
    return listed(names) if len(names) <= _MOST else f"{len(names)} datasets"
