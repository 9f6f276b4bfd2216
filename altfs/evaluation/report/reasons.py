"""Why alternatives are missing, in a line each."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from altfs.evaluation.names import count, selector_name, tau_in_words
from altfs.evaluation.report.phrases import listed
from altfs.evaluation.tables.gaps import MISSING

# The largest numbers of datasets in a line that are named.
_MOST, _CASES = 3, 3
_WHY = {
    "n_without": "no set of the size meets its conditions",
    "n_conditions": "its conditions leave no further set that differs enough",
    "n_no_room": "earlier sets leave none that differs enough",
    "n_unknown": "not found within the limits of the search",
}


class Reason(NamedTuple):
    """A reason: its name, as the rows of the table ``gaps`` have it, and sentences.

    ``n`` of ``kind`` are missing, as ``short`` says, too. A summary has no name.
    """

    name: str
    lines: list[str]
    n: int = 0
    short: str = ""
    kind: str = "alternative"
    planned: int = 0  # The number of alternatives that were asked for, if it is known.
    dataset: str = ""  # The dataset of which all are, if it is one.

    @property
    def key(self) -> str:
        """Return how many sets are missing."""
        return f"{self.n:,} of " * bool(self.planned) + count(self.planned or self.n, self.kind)


def reasons(rows: pd.DataFrame, planned: Mapping[str, int] | None = None) -> list[Reason]:
    """Say why alternatives are missing, by rows of the table ``gaps``; counting comes first.

    `planned` are the alternatives of each selector that were asked for, if it is known. Several
    reasons are summarised before them. The glossary says what their names mean.
    """
    if not len(rows):
        return []
    planned = planned or {}
    ranked = rows[rows["counted"] != "family"]
    lines = [*_by_counting(ranked[ranked["n_counting"] > 0]), *_others(ranked, planned)]
    families = [*_families(rows.drop(ranked.index))]
    counted = lines or families
    each = [one.short for one in counted]
    total = sum(one.n for one in counted)
    summary = [Reason("", each, total, kind=counted[0].kind)] * (len(each) > 1)
    first, *others = [*summary, *lines, *families]
    return [first._replace(planned=sum(planned.values()) * bool(lines)), *others]


def in_short(said: Sequence[Reason]) -> str:
    """Return how many sets are missing, and the names of the reasons; nothing without one."""
    names = [one.name + f" of {one.dataset}" * bool(one.dataset) for one in said if one.name]
    return said[0].key + f" ({', '.join(names)})" if said else ""


def _by_counting(rows: pd.DataFrame) -> Iterator[Reason]:
    if rows.empty:
        return
    # The narrowest come first.
    names = list(dict.fromkeys(rows.sort_values("n_total", kind="stable")["dataset"]))
    cases, said = names[: _CASES + (len(names) == _CASES + 1)], []
    for name in cases:
        own = rows[rows["dataset"] == name]
        few = [f"{count(n, 'set')} at {_taus(part)}" for n, part in own.groupby("most_sets")]
        features = count(int(own["n_total"].iloc[0]), "feature")
        said.append(f"{name} has {features}, enough for at most {listed(few)} (with the original)")
    wider = [f"{len(names) - len(cases)} other datasets"] * (len(names) > len(cases))
    if wider:
        taus = _taus(rows[~rows["dataset"].isin(cases)])
        said.append(f"The features of {wider[0]} are too few at {taus}")
    n, of = int(rows["n_counting"].sum()), [rows[rows["dataset"] == one] for one in cases]
    narrow = [f"{part['n_counting'].sum():,} of {part['dataset'].iloc[0]} at {_taus(part)}"
              for part in of]  # fmt: skip
    short = f"too few features ({listed([*narrow, *wider])})"
    short = short if len(names) > 1 else f"{names[0]} has too few features at {_taus(rows)}"
    of_one = names[0] * (len(names) == 1)
    lines = [f"{one}." for one in said]
    yield Reason(MISSING["n_counting"], lines, n, f"{n:,}: {short}.", dataset=of_one)


def _others(rows: pd.DataFrame, planned: Mapping[str, int]) -> Iterator[Reason]:
    for column, why in _WHY.items():
        part: Any = rows[rows[column] > 0]
        alike: dict[str, list[str]] = {}
        for name, own in part.groupby("selector", sort=False):
            missing = f"{own[column].sum():,} in {_places(own)}"
            alike.setdefault(missing, []).append(selector_name(str(name)))
        of = [f"{listed(s)} {'each lack' if s[1:] else 'lacks'} {n}" for n, s in alike.items()]
        if of:
            whose = listed([name for same in alike.values() for name in same])
            lines, n = [f"{one}: {why}." for one in of], int(part[column].sum())
            most = sum(planned.get(name, 0) for name in map(str, part["selector"].unique()))
            whose += f"'s {most:,}" * bool(most)
            names = part["dataset"].unique()
            why += f" ({names[0]})" * (len(names) == 1)
            yield Reason(MISSING[column], lines, n, f"{n:,} of {whose}: {why}.")


def _families(rows: pd.DataFrame) -> Iterator[Reason]:
    for search, part in rows.groupby("search", sort=False, observed=True):
        counts: Any = part[[*MISSING]].sum()
        why = ", ".join(f"{words}: {counts[column]:,}" for column, words in MISSING.items()
                        if counts[column])  # fmt: skip
        n, lack = int(counts.sum()), "lacks" if counts.sum() == 1 else "lack"
        text = f"{count(n, 'family')} {lack} a set ({why}), in {_places(part)}."
        short = f"Search {search}: {count(n, 'family')} {lack} a set."
        yield Reason(str(search), [text], n, short, "family")


def _places(rows: Any) -> str:
    """Name the datasets and thresholds of some rows."""
    names = [*map(str, rows["dataset"].unique())]
    where = listed(names) if len(names) <= _MOST else f"{len(names)} datasets"
    return f"{where} at {_taus(rows)}"


def _taus(rows: Any) -> str:
    taus = sorted({float(tau) for tau in rows["tau"]})
    return f"τ = {tau_in_words(taus[0])}" + f" to {tau_in_words(taus[-1])}" * (len(taus) > 1)
