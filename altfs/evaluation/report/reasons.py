"""Why alternatives are missing, in a line each."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from altfs.evaluation.names import differing, selector_name
from altfs.evaluation.report.phrases import listed, number
from altfs.evaluation.tables.gaps import MISSING

# The largest numbers of datasets and of cases in a line, and of lines.
_MOST, _CASES, _LINES = 2, 2, 4
_WHY = {
    "n_without": (
        "no original",
        "no set meets the selector's conditions, so alternatives are missing",
    ),
    "n_conditions": ("conditions", "no set that meets the selector's conditions differs enough"),
    "n_no_room": ("no room", "the run's earlier sets leave none that differs enough from them"),
    "n_unknown": ("limits", "not found within the limits of the search, but they may exist"),
}


class Reason(NamedTuple):
    """A reason: its name, as the rows of the table ``gaps`` have it, and a sentence."""

    name: str
    text: str


def reasons(rows: pd.DataFrame) -> list[Reason]:
    """Say why alternatives are missing, by rows of the table ``gaps``; counting comes first."""
    if not len(rows):
        return []
    of_families = rows["counted"] == "family"
    ranked = rows[~of_families]
    lines = [*_by_counting(ranked[ranked["n_counting"] > 0]), *_others(ranked)]
    more = [Reason("", "The table has further reasons.")] * (len(lines) > _LINES)
    return [*lines[:_LINES], *more, *_families(rows[of_families])]


def _by_counting(rows: pd.DataFrame) -> Iterator[Reason]:
    cases: list[str] = []
    # Those that differ most come first.
    for _, part in rows.groupby(["n_features", "max_overlap"]):
        each: Any = part.drop_duplicates("dataset").sort_values("n_total", kind="stable")
        of = [f"{int(row.most_sets)} in {row.dataset} ({int(row.n_total)} features)"
              for row in each[:_MOST].itertuples()]  # fmt: skip
        gone = f"{part['n_counting'].sum():,} of {part['n_planned'].sum():,}"
        rest = [f"few in {number(each[_MOST:], 'other dataset')}"] if len(each) > _MOST else []
        what = "" if cases else " features"
        cases.append(
            f"by {differing(part)}{what}: at most {listed([*of, *rest])}, so "
            f"{gone} alternatives there are missing"
        )
    if cases:
        more = ["the table has the others"] * (len(cases) > _CASES)
        said = "; ".join([*cases[:_CASES], *more])
        yield Reason("counting", f"sets, the original included, that differ {said}.")


def _others(rows: pd.DataFrame) -> Iterator[Reason]:
    for column, (words, why) in _WHY.items():
        part: Any = rows[rows[column] > 0]
        counts = part.groupby("selector", sort=False)[column].sum()
        planned = part.groupby("selector", sort=False)["n_planned"].sum()
        alike: dict[str, list[str]] = {}
        for name, n in counts.items():
            where = _places(part[part["selector"] == name])
            missing = f"{n:,} of {planned[name]:,} in {where}"
            alike.setdefault(missing, []).append(selector_name(str(name)))
        of = [f"{listed(same)}{' each' * (len(same) > 1)} {n}" for n, same in alike.items()]
        if of:
            yield Reason(words, f"{why}: {'; '.join(of)}.")


def _families(rows: pd.DataFrame) -> Iterator[Reason]:
    for search, part in rows.groupby("search", sort=False, observed=True):
        counts: Any = part[[*MISSING]].sum()
        why = ", ".join(f"{words}: {counts[column]:,}" for column, words in MISSING.items()
                        if counts[column])  # fmt: skip
        n, planned = counts.sum(), part["n_planned"].sum()
        text = f"{n:,} of {planned:,} families lack a set ({why}), in {_places(part)}."
        yield Reason(str(search), text)


def _places(rows: Any) -> str:
    """Name the datasets and thresholds of some rows."""
    names = [*map(str, rows["dataset"].unique())]
    where = listed(names) if len(names) <= _MOST else f"{len(names)} datasets"
    taus = sorted({float(tau) for tau in rows["tau"]})
    return f"{where} at τ = {taus[0]:.3g}" + f" to {taus[-1]:.3g}" * (len(taus) > 1)
