"""Why alternatives are missing, in a line each."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from altfs.evaluation.names import selector_name, tau_in_words
from altfs.evaluation.report.phrases import listed
from altfs.evaluation.tables.gaps import MISSING

# The largest numbers of datasets in a line that are named, and of lines.
_MOST, _CASES, _LINES = 3, 3, 4
_WHY = {
    "n_without": ("no original", "no set meets the conditions of selector and study"),
    "n_conditions": ("conditions", "no further set that meets them differs enough"),
    "n_no_room": ("no room", "earlier sets of the run leave none that differs enough"),
    "n_unknown": ("limits", "not found within those of the search"),
}


class Reason(NamedTuple):
    """A reason: its name, as the rows of the table ``gaps`` have it, and a sentence."""

    name: str
    text: str


def reasons(rows: pd.DataFrame) -> list[Reason]:
    """Say why alternatives are missing, by rows of the table ``gaps``; counting comes first.

    The glossary says what the names of the reasons mean.
    """
    if not len(rows):
        return []
    of_families = rows["counted"] == "family"
    ranked = rows[~of_families]
    lines = [*_by_counting(ranked[ranked["n_counting"] > 0]), *_others(ranked)]
    more = [Reason("", "The table has further reasons.")] * (len(lines) > _LINES)
    return [*lines[:_LINES], *more, *_families(rows[of_families])]


def _by_counting(rows: pd.DataFrame) -> Iterator[Reason]:
    if rows.empty:
        return
    # The narrowest come first.
    names = list(dict.fromkeys(rows.sort_values("n_total", kind="stable")["dataset"]))
    said = []
    for name in names[:_CASES]:
        own = rows[rows["dataset"] == name]
        few = [f"{int(most)} sets at {_taus(part)}" for most, part in own.groupby("most_sets")]
        said.append(f"{name} ({int(own['n_total'].iloc[0])} features) has at most {listed(few)}")
    if others := names[_CASES:]:
        rest = rows[rows["dataset"].isin(others)]
        have = "has" if len(others) == 1 else "have"
        wider = others[0] if len(others) == 1 else f"{len(others)} wider datasets"
        said.append(f"{wider} {have} too few at {_taus(rest)}")
    n = int(rows["n_counting"].sum())
    yield Reason("counting", f"{n:,} alternative{'s' * (n != 1)}, as {'; '.join(said)}.")


def _others(rows: pd.DataFrame) -> Iterator[Reason]:
    for column, (words, why) in _WHY.items():
        part: Any = rows[rows[column] > 0]
        alike: dict[str, list[str]] = {}
        for name, own in part.groupby("selector", sort=False):
            missing = f"{own[column].sum():,} in {_places(own)}"
            alike.setdefault(missing, []).append(selector_name(str(name)))
        of = [f"{listed(same)}{' each' * (len(same) > 1)} {n}" for n, same in alike.items()]
        if of:
            yield Reason(words, f"{'; '.join(of)}, as {why}.")


def _families(rows: pd.DataFrame) -> Iterator[Reason]:
    for search, part in rows.groupby("search", sort=False, observed=True):
        counts: Any = part[[*MISSING]].sum()
        why = ", ".join(f"{words}: {counts[column]:,}" for column, words in MISSING.items()
                        if counts[column])  # fmt: skip
        text = f"{counts.sum():,} families lack a set ({why}), in {_places(part)}."
        yield Reason(str(search), text)


def _places(rows: Any) -> str:
    """Name the datasets and thresholds of some rows."""
    names = [*map(str, rows["dataset"].unique())]
    where = listed(names) if len(names) <= _MOST else f"{len(names)} datasets"
    return f"{where} at {_taus(rows)}"


def _taus(rows: Any) -> str:
    taus = sorted({float(tau) for tau in rows["tau"]})
    return f"τ = {tau_in_words(taus[0])}" + f" to {tau_in_words(taus[-1])}" * (len(taus) > 1)
