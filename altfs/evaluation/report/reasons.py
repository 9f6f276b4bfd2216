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
    """Say why alternatives are missing, by rows of the table ``gaps``; counting comes first."""
    lines = [*_by_counting(rows[rows["n_counting"] > 0]), *_others(rows)] if len(rows) else []
    return lines if len(lines) <= _LINES else [*lines[:_LINES], "The table has further reasons."]


def _by_counting(rows: pd.DataFrame) -> Iterator[str]:
    for _, part in rows.groupby(["n_features", "max_overlap"], sort=False):
        each: Any = part.drop_duplicates("dataset").sort_values("n_total", kind="stable")
        of = [f"{row.most_sets} of {row.dataset} ({int(row.n_total)} features)"
              for row in each[:_MOST].itertuples()]  # fmt: skip
        rest = [f"some of {number(each[_MOST:], 'other dataset')}"] if len(each) > _MOST else []
        yield (
            f"By counting, few sets differ by {differing(part)} features, the original one "
            f"included: at most {listed([*of, *rest])}."
        )


def _others(rows: pd.DataFrame) -> Iterator[str]:
    for column, why in _WHY.items():
        part: Any = rows[rows[column] > 0]
        names = [*map(str, part["dataset"].unique())]
        where = listed(names) if 0 < len(names) <= _MOST else f"{len(names)} datasets"
        counts = part.groupby("selector", sort=False)[column].sum()
        if of := [f"{selector_name(str(name))} ({n:,})" for name, n in counts.items()]:
            yield f"Alternatives of {listed(of)} {why} ({where})."
