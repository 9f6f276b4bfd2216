"""The first screen: a table of selectors for each choice of target, size, score and dataset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from altfs._processes import Call, Runner, serially
from altfs.evaluation.names import (
    COLOURS,
    count,
    differing,
    selector_colours,
    selector_name,
    size_name,
    tau_in_words,
)
from altfs.evaluation.report.headline import LITTLE, SMALL, Answer, answers, caption, score_name
from altfs.evaluation.report.phrases import ends_in_words, listed, signed, two
from altfs.evaluation.report.reasons import Reason, in_short, reasons
from altfs.evaluation.results import rows_of_target
from altfs.evaluation.rules import enough
from altfs.evaluation.tables import Tables, rows_of
from altfs.evaluation.tables.overview import OBJECTIVE

# The thresholds of which a table has a column.
_MOST_TAUS = 6
RANDOM = "random sets"  # The row of these.
_ANSWERS = ["max_overlap", "change", "change_low", "change_worst", "n_exist", "n_all_exist"]
_MOST_ELSEWHERE = 6  # Of more answers, other targets and sizes have those of one model.
_NO_GAPS = pd.DataFrame(columns=["n_features", "dataset"])


class Mark(NamedTuple):
    """A mark of a strip: its kind, its place in percent, its text, and its width."""

    kind: str
    at: float
    title: str
    width: float = 0.0


class Cell(NamedTuple):
    """The first alternatives of a threshold: their change, its ends, and how many are missing."""

    change: str
    ends: str = ""
    lacking: str = ""
    title: str = ""
    clear: bool = False
    marks: Sequence[Mark] = ()
    lost: int = 0  # The share of the lead over random sets that is lost, in percent.


@dataclass(frozen=True)
class Row:
    """A selector, or random sets."""

    name: str
    colour: str
    original: str
    note: str
    behind: str = ""
    ends: str = ""
    clear: bool = False
    stability: str = ""
    cells: Sequence[Cell] = ()
    marks: Sequence[Mark] = ()


class Elsewhere(NamedTuple):
    """The answers for another choice in short."""

    choice: str
    keys: Sequence[str]

    @classmethod
    def of(cls, view: View, *choice: str) -> Elsewhere:
        """Return what is read first of a table with answers."""
        first, *rest = view.answers
        keys = [", ".join(filter(None, [first.key, first.verdict]))]
        keys += [": ".join(filter(None, [one.selector, one.key])) for one in rest]
        keys += ["–"] * (3 - len(keys))
        keys.append(in_short(view.reasons) or "0")
        return cls(", ".join(filter(None, choice)), keys)


@dataclass(frozen=True)
class View:
    """The table of one choice."""

    target: str  # In words, as are the next three; these are the choices of the page.
    size: str
    score: str
    dataset: str
    answers: list[Answer]
    caption: str
    heads: list[tuple[str, str]]  # Of each column of cells what differs at least, and tau.
    rows: list[Row]
    axis: Sequence[str]  # The ends of the axis of scores.
    reasons: list[Reason]  # Why alternatives are missing.
    ready: bool  # True if it is in the page as it is, False if it is inflated when chosen.
    search: str = ""  # The search of the alternatives, if the study has several.
    population: str = ""  # The datasets of the means, if it is of several.
    others: Sequence[Elsewhere] = ()  # The answers for other models, sizes and targets.

    @property
    def kept(self) -> str:
        """Words for what alternatives have to keep up to a threshold."""
        drawn = any(row.name == RANDOM for row in self.rows)
        return "Half of the lead is kept" if drawn else f"At most {LITTLE} is lost"

    @property
    def setting(self) -> tuple[str, str]:
        """Target and size."""
        return self.target, self.size

    @property
    def key(self) -> str:
        """The choices as one text."""
        return "|".join((self.target, self.size, self.score, self.dataset))


def views(
    tables: Tables, selectors: Sequence[str], sizes: Mapping[int, str], run: Runner = serially
) -> Iterator[View]:
    """Yield the tables of the first screen, the one that is shown at first before the others.

    They rest on the tables ``overview`` and, if the study has it, ``stability``. The target of most
    datasets comes first. `selectors` have their colours in this order, `sizes` the entries of the
    configuration for stored sizes. `run` makes the calls, one for each table.
    """
    rows = tables.get("overview", pd.DataFrame())
    if not len(rows):
        return
    colours = selector_colours(selectors)
    counts = rows.groupby(rows.get("target_type", pd.Series("", rows.index)))["dataset"].nunique()
    targets = sorted(counts.index, key=lambda kind: (-counts[kind], kind))
    calls: list[Call] = []
    missing: dict[tuple[str, str], list[Reason]] = {}
    for target in targets:
        own = rows_of_target(target, rows)
        stable = rows_of_target(target, rows_of(tables, "stability", sets="by rank", set_index=0))
        gaps = rows_of_target(target, tables.get("gaps", _NO_GAPS))
        context = _Context(target, stable, gaps, colours, sizes)
        groups: Any = own.groupby(["n_features", "measure", "model"], sort=False)
        for _, group in sorted(groups, key=lambda item: _first(item[0], item[1])):
            names = [*dict.fromkeys(group["dataset"])]
            # One dataset is not summarised.
            for dataset in names if len(names) > 2 else names[1:]:
                shown = group[(group["dataset"] == dataset) & group["original"].notna()]
                if len(shown):
                    calls.append((_view, context, group, shown))
        for k in sorted(set(gaps["n_features"]), reverse=True):
            missing[target, size_name(k, sizes)] = reasons(context.missing("", k))
    made: list[View] = [*run(calls)]
    answered = [view for view in made if view.ready and view.answers]
    firsts = {(view.target, view.size): view for view in reversed(answered)}
    elsewhere = answered if len(answered) <= _MOST_ELSEWHERE else [*reversed(firsts.values())]
    # Sizes of which no set exists have no table.
    without = [(key, in_short(said)) for key, said in missing.items() if said and key not in firsts]
    for view in made:
        same = [one for one in answered if one is not view and one.setting == view.setting]
        further = [one for one in elsewhere if one.setting != view.setting]
        others = [
            *(
                Elsewhere.of(
                    one, *one.setting, one.population, one.score * (firsts[one.setting] is not one)
                )
                for one in further
            ),
            *(Elsewhere.of(one, one.score) for one in same),
            *(Elsewhere(", ".join(filter(None, key)), ["–", "–", "–", n]) for key, n in without),
        ]
        yield replace(view, others=others if view in answered else [])


def _first(key: tuple[int, str, str], rows: pd.DataFrame) -> tuple[Any, ...]:
    """Order choices: test scores first, the largest size, the model that predicts best."""
    size, measure, _ = key
    return measure == OBJECTIVE, -size, -rows.loc[rows["dataset"] == "", "original"].mean()


def stable_of(rows: pd.DataFrame, dataset: str) -> Any:
    """Return Nogueira's stability of original sets by selector and size, and its datasets."""
    if not len(rows):
        return {}
    own = rows[rows["dataset"] == dataset] if dataset else rows
    each = own.groupby(["dataset", "selector", "n_features"], sort=False)["nogueira"].first()
    of_size = each.dropna().groupby(level=["selector", "n_features"])
    return {key: (values.mean(), len(values)) for key, values in of_size}


@dataclass(frozen=True)
class _Context:
    """Rows, colours and sizes that the tables of one kind of target share."""

    target: str
    stable: pd.DataFrame  # Rows of the table `stability`.
    gaps: pd.DataFrame  # Rows of the table `gaps`.
    colours: Mapping[str, str]
    sizes: Mapping[int, str]

    def missing(self, dataset: str, k: int) -> pd.DataFrame:
        """Return the rows of missing alternatives of a size, of one dataset or all (empty)."""
        rows = self.gaps[self.gaps["n_features"] == k]
        return rows[rows["dataset"] == dataset] if dataset else rows


@dataclass(frozen=True)
class _Choice:
    """The rows of one table, and what all of its cells share."""

    dataset: str
    measure: str
    model: str
    n_datasets: int
    shown: pd.DataFrame  # The rows of the table.
    of_datasets: pd.DataFrame  # The same rows of single datasets.

    @property
    def each(self) -> pd.DataFrame:
        """The rows of the datasets that are shown one by one: fewer than six."""
        one_by_one = self.dataset == "" and not self.many
        return self.of_datasets if one_by_one else self.of_datasets[:0]

    def rests_on(self, row: Mapping[Any, Any]) -> str:
        """Say of how many folds the original sets of a selector are, if not of all of them.

        The best selector's score on the same folds is beside it.
        """
        n, most = row["n_original"], self.shown["n_original"].max()
        best = self.shown[(self.shown["n_original"] == most) & (self.shown["behind"] == 0)]
        there = [f", where {selector_name(name)} has {two(row['original'] - row['behind'])}"
                 for name in best["selector"].astype(str)[:1]]  # fmt: skip
        drawn = f", random sets {two(row['random'])}" * bool(there and pd.notna(row["random"]))
        return "".join([f"{n}\xa0of\xa0{most} folds", *there, drawn]) * bool(n < most)

    @property
    def many(self) -> bool:
        """True if ends are those of an interval."""
        return self.dataset == "" and bool(enough(self.n_datasets))

    @cached_property
    def axis(self) -> tuple[float, float]:
        """The ends of the axis of scores."""
        rows = self.shown
        # Alternatives of fewer folds than originals have no mark.
        change = rows["change"].where(rows["n"] == rows["n_original"])
        values = [rows["original"], rows["original"] + change, rows["random"]]
        return float(np.nanmin(values)), float(np.nanmax(values))

    @cached_property
    def _most(self) -> float:
        """The largest change of the table, either way."""
        own = [self.shown["change_low"], self.shown["change_high"], self.each["change"]]
        return float(pd.concat(own).abs().max())

    @cached_property
    def lead(self) -> float:
        """The largest lead over random sets of a selector with all original sets."""
        rows = self.shown[self.shown["n_original"] == self.shown["n_original"].max()]
        return float((rows["original"] - rows["random"]).max())

    def place(self, value: float) -> float:
        """Return the place of a score, in percent of the shared axis."""
        low, high = self.axis
        return round(4 + 92 * (value - low) / (high - low or 1.0), 1)

    def place_of_change(self, value: float) -> float:
        """Return the place of a change, in percent; no change is in the middle."""
        return round(50 + 46 * value / (self._most or 1.0), 1)


def _view(context: _Context, group: pd.DataFrame, shown: pd.DataFrame) -> View:
    dataset, k, measure, model = shown[["dataset", "n_features", "measure", "model"]].iloc[0]
    starts = _same_sets(shown)
    every = [*starts]
    shown = shown[shown["tau"].isin(every)]
    of_datasets = group[(group["dataset"] != "") & group["tau"].isin(every)]
    ready = dataset == "" or len(of_datasets["dataset"].unique()) == 1
    words = answers(shown, shown if dataset else of_datasets, with_others=ready)
    apart = [one.n_apart for one in words]
    taus = [every[i] for i in _chosen_taus(len(every), apart)]
    stable = stable_of(context.stable, dataset)
    choice = _Choice(
        dataset, measure, model, of_datasets["dataset"].nunique(),
        shown[shown["tau"].isin(taus)], of_datasets,
    )  # fmt: skip
    keys = ["n_original", *["behind"] * (measure != OBJECTIVE), "original"]
    order = shown.groupby("selector", sort=False)[keys].first()
    order = order.sort_values(keys, ascending=False, kind="stable")
    rows = [
        _row(choice, selector, taus, stable.get((selector, k), (np.nan, 0)), context.colours)
        for selector in order.index
    ]
    without = group[(group["dataset"] == dataset) & group["original"].isna()]
    for selector, n in without.groupby("selector", sort=False)["n_planned"].max().items():
        name, note = selector_name(str(selector)), "none exists" if n else "no answer yet"
        rows.append(Row(name, context.colours.get(name, COLOURS[0]), "–", note))
    # Those of a selector without all original sets are of other folds.
    complete = shown["n_original"] == shown["n_original"].max()
    floors = shown["random"][complete].dropna()
    if len(floors) and measure != OBJECTIVE:
        low, high = two(floors.min()), two(floors.max())
        notes = [f"to {high} by selector" * (low != high), _worse(floors.max(), measure)]
        rows.append(Row(RANDOM, "", low, "; ".join(filter(None, notes))))
    heads = [
        (differing(shown[shown["tau"] == t]),
         f"τ = {' to '.join(dict.fromkeys(map(tau_in_words, (starts[t], t))))}")
        for t in taus
    ]  # fmt: skip
    score = "objective" if measure == OBJECTIVE else score_name(measure, model)
    own = group[group["dataset"] == dataset]
    planned = (own["n_planned"] * own["last"]).groupby(own["selector"].astype(str)).sum()
    some = f"{len(taus)} of {len(every)} τ, all in table Overview" * (len(taus) < len(every))
    named = listed([*dict.fromkeys(shown.get("search", pd.Series(dtype=str)).astype(str))])
    some_less = bool((shown["n_datasets"] < choice.n_datasets).any())
    squares = any(mark.kind == "alternative" for row in rows for mark in row.marks)
    lead = choice.lead if any(cell.lost for row in rows for cell in row.cells) else 0.0
    small = f"below: least to most of the {'folds' if dataset else 'datasets'}"
    small = "in brackets: 95 % intervals" if choice.many else small
    columns = "; ".join(filter(None, [f"search {named}" * bool(named), some, small]))
    return View(
        context.target, size_name(k, context.sizes), score, dataset, words,
        caption(measure, choice.n_datasets, dataset, squares, lead, some_less), heads, rows,
        [*map(two, choice.axis)],
        reasons(context.missing(dataset, k), planned.astype(int).to_dict()), ready, columns,
        "" if dataset else count(choice.n_datasets, "dataset"),
    )  # fmt: skip


def _same_sets(rows: pd.DataFrame) -> dict[str, str]:
    """Return the largest of the thresholds with the same answers, each with the smallest one."""
    starts: dict[str, str] = {}
    of_tau = {str(tau): part.set_index("selector") for tau, part in rows.groupby("tau")}
    last = ""
    for tau in sorted(of_tau, key=float):
        same = last != "" and of_tau[tau][_ANSWERS].equals(of_tau[last][_ANSWERS])
        starts[tau] = starts.pop(last) if same else tau
        last = tau
    return starts


def _chosen_taus(n: int, apart: Sequence[int]) -> list[int]:
    """Choose the thresholds of columns: the ends, those told apart, and the farthest from these.

    >>> _chosen_taus(9, [4, 0]), _chosen_taus(3, [3])
    ([0, 1, 3, 4, 6, 8], [0, 1, 2])
    """
    places = [n - 1, 0, *(at for number in apart for at in (number - 1, number) if 0 < at < n)]
    chosen = [*dict.fromkeys(places)][:_MOST_TAUS]
    while len(chosen) < min(n, _MOST_TAUS):
        chosen.append(max(range(n), key=lambda i: min(abs(i - at) for at in chosen)))
    return sorted(chosen)


def _row(
    choice: _Choice, selector: str, taus: Sequence[str], stability: tuple[float, int],
    colours: Mapping[str, str],
) -> Row:  # fmt: skip
    name = selector_name(selector)
    own = choice.shown[choice.shown["selector"] == selector]
    each = choice.each[choice.each["selector"] == selector].to_dict("records")
    of_tau = {row["tau"]: row for row in own.to_dict("records")}
    cells = [
        _cell(choice, of_tau[tau], [one for one in each if one["tau"] == tau])
        if tau in of_tau else Cell("–")
        for tau in taus
    ]  # fmt: skip
    first = next(iter(of_tau.values()))
    most = first["n_original"]
    marks = [
        Mark("alternative", choice.place(row["original"] + row["change"]),
             f"first alternative, τ = {tau}: {signed(row['change'])}")
        for tau, row in of_tau.items() if row["n"] == most
    ]  # fmt: skip
    value, drawn = float(first["original"]), float(first["random"])
    if drawn == drawn:
        marks.append(Mark("random", choice.place(drawn), f"random sets: {two(drawn)}"))
    notes = [_worse(value, choice.measure), choice.rests_on(first)]
    marks.append(Mark("original", choice.place(value), f"original: {two(value)}"))
    few = bool(most < choice.shown["n_original"].max())
    best = not few and not any(first[name] for name in ("behind", "behind_low", "behind_high"))
    each_dataset = choice.of_datasets[choice.of_datasets["selector"] == selector]
    having = each_dataset.loc[each_dataset["original"].notna(), "dataset"].nunique()
    tested = choice.many and bool(enough(having))
    on = f"{' by datasets,' * (choice.dataset == '' and not tested)} on its folds"
    nogueira, n = stability
    some = f" ({n} of {choice.n_datasets})" * (n < choice.n_datasets * (choice.dataset == ""))
    stable = "" if pd.isna(nogueira) else two(nogueira) + some
    behind = "" if pd.isna(first["behind"]) else "best" if best else signed(first["behind"])
    return Row(
        name, colours.get(name, COLOURS[0]), two(value), "; ".join(filter(None, notes)), behind,
        ends_in_words(first, "behind", tested).replace(" ", "\xa0") + on * few
        if behind and not best else "",
        tested and first["behind_high"] < 0,
        stable, cells, marks,
    )  # fmt: skip


def _cell(choice: _Choice, row: Mapping[Any, Any], each: Sequence[Mapping[Any, Any]]) -> Cell:
    there, planned = int(row["n_exist"]), int(row["n_planned"])
    lacking = "" if there == planned else f"{there} of {planned} exist"
    if pd.isna(row["change"]):
        nothing = "none exists" if planned else "no answer yet"
        return Cell("–", lacking=lacking if there else nothing)
    title = f"{two(row['of_same'])} → {two(row['alternative'])}, of {int(row['n'])} folds"
    several = choice.many or row["change_low"] != row["change_high"]
    at = choice.place_of_change
    low, high = at(row["change_low"]), at(row["change_high"])
    tested = choice.many and bool(enough(row["n_datasets"]))
    bar = [Mark("bar", low, "", round(high - low, 1))] if tested else []
    dots = [Mark("dot", at(one["change"]), f"{one['dataset']}: {signed(one['change'])}")
            for one in each if one["change"] == one["change"]]  # fmt: skip
    mean = Mark("mean", at(row["change"]), "mean")
    ends = ends_in_words(row, "change", tested) if several else ""
    ends = ends if len({*ends.split(" to ")}) > 1 or tested else ""
    if choice.many and not tested:
        lacking += f" in {count(int(row['n_datasets']), 'dataset')}"
    clear = tested and not row["change_low"] <= 0 <= row["change_high"]
    lead = 1.0 if choice.measure == OBJECTIVE else choice.lead
    # Shares of a lead that is none say nothing.
    lost = round(100 * min(max(-row["change"] / lead, 0.0), 1.0)) if lead > SMALL else 0
    marks = [*bar, *dots, mean]
    return Cell(signed(row["change"]), ends, lacking, title, clear, marks, lost)


def _worse(value: float, measure: str) -> str:
    """Say so of an R² below 0."""
    return "worse than the mean" if measure == "test_r2" and value < 0 else ""
