"""Likely mistakes in a table: leaks, constants, ids, copies and dependencies."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Literal

import numpy as np
import pandas as pd

from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.datasets.columns import ROWS_OF_IDS
from altfs.library.leaks import (
    LeakKind,
    leaks_of,
    leaks_without_gaps,
    possible_leaks,
    rows_for_leaks,
    subset,
)
from altfs.library.missing_indicators import gap_scores
from altfs.library.row_dependence import alike_within, follows_rows, target_deviations
from altfs.scores._levels import Levels
from altfs.scores.base import Part

#: The end of the warning.
NOTES = "; notes_ says what to do."
NoteKind = Literal[
    "leak",
    "near leak",
    "possible leak",
    "groups",
    "gaps",
    "constant",
    "id",
    "copies",
    "partial copies",
    "near copies",
    "function",
    "repeats",
    "rare class",
    "skewed target",
    "alike rows",
    "row order",
]

#: Kinds that make scores too good.
GRAVE: tuple[NoteKind, ...] = ("leak", "near leak", "groups", "repeats")
#: Kinds that are told before all scores.
FIRST: tuple[NoteKind, ...] = (*GRAVE, "possible leak")
#: Kinds that say nothing of the target.
OF_FEATURES: tuple[NoteKind, ...] = (
    "constant", "id", "copies", "partial copies", "near copies", "function", "repeats",
)  # fmt: skip
#: Kinds that make scores too good for some new rows.
DEPENDENT: tuple[NoteKind, ...] = ("alike rows", "row order")
#: Kinds that name features of which one may be enough.
COPIES: tuple[NoteKind, ...] = ("copies", "partial copies", "near copies")

# More repeated rows than this share are noted.
_REPEATS = 0.1
# A category with more values than this share of the rows is a name.
_MOST_CATEGORIES = 0.5
# Columns with more values than this share of the rows determine others by coincidence.
_FEW_VALUES = 0.1
# Dependencies are looked for among at most so many columns, as they are looked for in pairs.
_MOST_PAIRED = 100
# Columns with missing values are copies if they agree in so many common rows, of which a few are
# compared first.
_COMMON_ROWS, _FIRST_ROWS = 20, 50
# A class of fewer rows, and of a smaller share of them, is rare.
_FEW_OF_CLASS, _RARE = 30, 0.1
# One in so many rows has extreme targets; of fewer rows, one can by chance.
_EXTREME, _FEWEST_OF_EXTREME = 100, 20
# Numbers whose ranks are correlated so much are nearly copies, in at most so many rows.
_NEAR_COPIES, _RANKED_ROWS = 0.99, 5000
# The largest number of features of a kind in the warning.
_MOST = 5


@dataclass(frozen=True, repr=False)
class Note:
    """A fact about some features that a careful person wants to know.

    Attributes
    ----------
    kind : str
        "leak": the feature alone says the target; "near leak": nearly; "possible leak": much of
        it, and all but few features less than a third of that. "groups": nearly all rows
        with the same value have the same class, as those of a patient. "constant": one value.
        "id": many values, as names have. "copies": each of the features says all others,
        as a copy or a rising or falling function does; "partial copies": where neither is missing;
        "near copies": the ranks of some pairs of them have a correlation above 0.99.
        "function": the first feature says the others, not the other way round. "repeats": many
        rows are equal, the target included. "rare class": few rows have it. "skewed
        target": few rows have most of its squared deviations from the mean. "alike rows": targets
        are alike in rows with the same value, and not in those of near numbers, as of persons and
        places. "row order": the number sorts the rows, and the target changes along them.
    features : tuple of str
        Empty for "repeats", "rare class" and "skewed target".
    rows : tuple of int
        The number of values of an id, of rows that repeat earlier ones, or in which no value of a
        leak or copies is missing, or that have the rarest class or the extreme targets, and of all
        rows; else empty.
    score : str
        How well missing values alone, or a possible leak, tell the target, in words; else empty.
    """

    kind: NoteKind
    features: tuple[str, ...]
    rows: tuple[int, ...] = ()
    score: str = ""

    def __repr__(self) -> str:
        return f"<Note, {self.kind}: {self.sentence}>"

    @property
    def sentence(self) -> str:
        """The fact, and what to do."""
        if self.kind == "repeats":
            return (
                f"{self.rows[0]:,} of {self.rows[1]:,} rows repeat earlier ones, so held-out rows "
                "were seen before and scores are too good, remove copies."
            )
        if self.kind == "rare class":
            return (
                f"Only {self.rows[0]:,} of {self.rows[1]:,} rows have the rarest class, so scores "
                "on new rows may lie outside their intervals, collect more such rows."
            )
        if self.kind == "skewed target":
            have, decide = ("have", "decide") if self.rows[0] > 1 else ("has", "decides")
            return (
                f"{self.rows[0]:,} of {self.rows[1]:,} rows {have} most of the target's squared "
                f"deviations and {decide} the scores, look whether the target is right there, and "
                "take its logarithm or ranks if that makes sense."
            )
        first, *others = self.features
        if self.kind in ("leak", "near leak"):
            where = " in nearly all rows" * (self.kind == "near leak")
            if self.rows:
                nearly = "nearly all of " * (self.kind == "near leak")
                where = f" in {nearly}the {self.rows[0]:,} of {self.rows[1]:,} rows without gaps"
            return (
                f"'{first}' alone says the target{where}, leave it out if it is not known before "
                "it."
            )
        if self.kind == "possible leak":
            return (
                f"'{first}' alone tells much of the target ({self.score}), leave it out if it is "
                "not known before it."
            )
        if self.kind == "groups":
            return (
                f"Nearly all rows with the same value of '{first}' have the same class: leave it "
                "out if it is not known before the target; if such rows belong together, as those "
                "of a patient, hold them out together (`groups`)."
            )
        if self.kind == "gaps":
            return (
                f"Missing values of '{first}' alone tell of the target ({self.score}): leave it "
                "out unless values are missing for the same reason when the model is used."
            )
        if self.kind == "alike rows":
            return (
                f"Rows with the same value of '{first}' have targets that are alike: if they "
                "belong together, as those of a person or a place, hold them out together "
                "(`groups`), else scores are too good for new ones."
            )
        if self.kind == "row order":
            return (
                f"The rows are in the order of '{first}', and the target changes along them: if it "
                "is a time, hold out later rows (`times`), else scores are too good for new ones."
            )
        if self.kind == "constant":
            return f"'{first}' has the same value in every row and tells nothing."
        if self.kind == "id":
            return (
                f"'{first}' has {self.rows[0]:,} values in {self.rows[1]:,} rows, as ids, names "
                "and times have, leave it out unless it says something about new rows; if rows "
                "near in time are alike, hold out later ones (`times`)."
            )
        listed = ", ".join(f"'{name}'" for name in others)
        if self.kind == "copies":
            return f"'{first}' and {listed} say the same in other words, keep one of them."
        if self.kind == "partial copies":
            return (
                f"'{first}' and {listed} say the same in other words in the {self.rows[0]:,} of "
                f"{self.rows[1]:,} rows without gaps, keep one of them."
            )
        if self.kind == "near copies":
            shown = [f"'{name}'" for name in self.features[:_MOST]]
            rest = len(self.features) - _MOST
            last = f"{rest} more" if rest > 0 else shown.pop()
            some = "one" if len(self.features) == 2 else "few"
            alike = f"{', '.join(shown)} and {last} say nearly the same"
            return f"{alike}, {some} of them may be enough."
        return f"'{first}' determines {listed}, which adds nothing to it."


def notes_of(
    part: Part,
    names: Sequence[str],
    exclude: Collection[int],
    X: FloatArray,
    gaps: BoolArray | None = None,
) -> list[Note]:
    """Return the notes about the features of a part, by kind and in order of the columns.

    Excluded ones have none but those about groups. `X` has NaN where the part has what takes the
    place of missing values; `gaps` is True there, and where they are a category.
    """
    rows = rows_for_leaks(part)
    once = part if len(rows) == len(part.y) else subset(part, rows)
    leaks = leaks_of(once)
    known_rows = leaks_without_gaps(once, X[rows], leaks)
    kinds: tuple[NoteKind, ...] = ("leak", "near leak", "possible leak", "groups", "gaps")
    notes: dict[NoteKind, list[Note]] = {kind: [] for kind in (*kinds, "constant", "id")}
    columns: dict[str, Levels] = {}
    told = gap_scores(part, np.isnan(X) if gaps is None else gaps, exclude)
    dependent = _dependent_rows(part, names, leaks)
    alike = {name for note in dependent if note.kind == "alike rows" for name in note.features}
    possible = possible_leaks(once, leaks, exclude)
    for j, (name, x) in enumerate(zip(names, part.levels, strict=True)):
        if j in exclude:
            # Leaving a column out does not keep its rows together.
            if leaks[j] == "groups" and part.groups is None:
                notes["groups"].append(Note("groups", (name,)))
            continue
        if leak := leaks[j]:
            notes[leak].append(Note(leak, (name,), known_rows.get(j, ())))
        elif j in told:
            notes["gaps"].append(Note("gaps", (name,), score=told[j]))
        elif j in possible and name not in alike:
            notes["possible leak"].append(Note("possible leak", (name,), score=possible[j]))
        if len(x.counts) < 2:
            notes["constant"].append(Note("constant", (name,)))
        elif not leak and _is_id(x, part.X[:, j], bool(part.categorical[j])):
            notes["id"].append(Note("id", (name,), (len(x.counts), len(x.codes))))
        else:
            columns[name] = x
    if notes["groups"]:
        # These say the same of their rows, and more surely.
        dependent = [note for note in dependent if note.kind != "alike rows"]
    groups = _copies(columns)
    for group in groups:
        # What a copy determines is said of the first one.
        for other in group[1:]:
            del columns[other]
    return [
        *(note for kind in notes.values() for note in kind),
        *(Note("copies", group) for group in groups),
        *_partial_copies(
            X, part.categorical, {name: j for j, name in enumerate(names) if name in columns}
        ),
        *_near_copies(part, {n: x for n, x in columns.items() if not x.discrete}),
        *_functions(columns),
        *_repeats(part),
        *_few_rows(part),
        *dependent,
    ]


def sentences_of(notes: Sequence[Note]) -> list[str]:
    """Return the sentences of notes; of more than five of a kind, that of the first one.

    >>> few = sentences_of([Note("leak", (name,)) for name in "abcdef"])
    >>> few[0].partition("; ")[2], len(few)
    ("the same holds for 'b', 'c', 'd', 'e' and 'f'.", 1)
    """
    sentences = []
    for kind in dict.fromkeys(note.kind for note in notes):
        same = [note for note in notes if note.kind == kind]
        if len(same) <= (1 if kind == "alike rows" else _MOST):
            sentences += [note.sentence for note in same]
            continue
        names = [f"'{note.features[0]}'" for note in same[1:]]
        rest = len(names) - _MOST
        last = f"{rest} more" if rest > 0 else names.pop()
        listed = " and ".join(filter(None, [", ".join(names[:_MOST]), last]))
        sentences.append(f"{same[0].sentence[:-1]}; the same holds for {listed}.")
    return sentences


def warning_of(notes: Sequence[Note]) -> str:
    """Return a sentence that names the features of all notes; empty if there are none."""
    words = {
        "leak": "leaks",
        "near leak": "near leaks",
        "possible leak": "possible leaks",
        "groups": "groups of one class",
        "gaps": "gaps that tell of the target",
        "constant": "constants",
        "id": "ids",
        "copies": "copies",
        "partial copies": "copies but for gaps",
        "function": "columns that determine others",
        "alike rows": "columns whose rows are alike",
        "row order": "the order of the rows",
    }
    parts = []
    for kind, said in words.items():
        chosen = [" = ".join(n.features) for n in notes if n.kind == kind]
        if kind == "function":
            chosen = [n.features[0] for n in notes if n.kind == kind]
        if chosen:
            more = ", ..." if len(chosen) > _MOST else ""
            parts.append(f"{said}: {', '.join(chosen[:_MOST])}{more}")
    rows = {
        "repeats": "repeated rows", "rare class": "rows of the rarest class",
        "skewed target": "rows with most of the target's deviations",
    }  # fmt: skip
    parts += [f"{n.rows[0]:,} {rows[n.kind]}" for n in notes if n.kind in rows]
    return f"X: {'; '.join(parts)}{NOTES}" if parts else ""


def _is_id(x: Levels, values: FloatArray, is_category: bool) -> bool:
    n = len(x.codes)
    if n < ROWS_OF_IDS:
        return False
    if is_category:
        return len(x.counts) > _MOST_CATEGORIES * n
    return x.distinct and bool((values == np.round(values)).all())


def _repeats(part: Part) -> list[Note]:
    """Return a note if many rows are equal and one of the columns has many values."""
    if all(x.discrete for x in part.levels) or any(x.distinct for x in part.levels):
        # Few combinations of values repeat by themselves.
        return []
    columns = {j: x.codes for j, x in enumerate(part.levels)} | {-1: part.y}
    rows = pd.util.hash_pandas_object(pd.DataFrame(columns), index=False)
    n_rows, repeats = len(rows), int(rows.duplicated().sum())
    return [Note("repeats", (), (repeats, n_rows))] if repeats > _REPEATS * n_rows else []


def _dependent_rows(
    part: Part, names: Sequence[str], leaks: Sequence[LeakKind | None]
) -> list[Note]:
    """Return the columns by which rows are alike, or are sorted, if none holds rows out together.

    Those that are excluded count, as leaving a column out does not keep its rows together.
    """
    if part.groups is not None or part.times is not None:
        return []
    deviations = target_deviations(part.y, part.target_type == "regression")
    notes: list[Note] = []
    of_numbers: list[Note] = []
    for j, (name, x) in enumerate(zip(names, part.levels, strict=True)):
        is_text = bool(part.categorical[j])
        if leaks[j] is None and alike_within(x, deviations, is_text):
            # Numbers are often alike only because those of a person or a place are.
            (notes if x.discrete else of_numbers).append(Note("alike rows", (name,)))
        elif leaks[j] is None and not is_text and follows_rows(x, deviations):
            of_numbers.append(Note("row order", (name,)))
    return [*notes, *of_numbers]


def _few_rows(part: Part) -> list[Note]:
    """Return a note if few rows have a class, or extreme numbers, and decide scores."""
    n_rows = len(part.y)
    if part.target_type == "regression":
        squares = np.sort((part.y - part.y.mean()) ** 2)[::-1]
        n_top = max(1, n_rows // _EXTREME)
        is_skewed = n_rows >= _FEWEST_OF_EXTREME and 2 * squares[:n_top].sum() > squares.sum()
        return [Note("skewed target", (), (n_top, n_rows))] if is_skewed else []
    fewest = int(np.unique(part.y, return_counts=True)[1].min())
    is_rare = fewest < _FEW_OF_CLASS and fewest < _RARE * n_rows
    return [Note("rare class", (), (fewest, n_rows))] if is_rare else []


def _copies(columns: Mapping[str, Levels]) -> list[tuple[str, ...]]:
    """Return groups of features that divide the rows in the same way."""
    groups: dict[bytes, list[str]] = {}
    for name, x in columns.items():
        # Numbers without ties divide the rows alike; only those in the same order are copies.
        codes = _by_first_row(x) if x.discrete else _rising(x)
        groups.setdefault(bytes([x.discrete]) + codes.tobytes(), []).append(name)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def _partial_copies(
    X: FloatArray, categorical: BoolArray, columns: Mapping[str, int]
) -> list[Note]:
    """Return pairs of features that are copies where neither is missing, and one is elsewhere."""
    notes: list[Note] = []
    complete = {name: ~np.isnan(X[:, j]) for name, j in columns.items()}
    gappy = {name for name in columns if not complete[name].all()}

    def alike(name: str, other: str, rows: IntArray, n_values: int) -> bool:
        pair = {
            label: Levels.of(X[rows, columns[label]], bool(categorical[columns[label]]))
            for label in (name, other)
        }
        return len(pair[name].counts) >= n_values and bool(_copies(pair))

    for name, other in combinations(list(columns)[:_MOST_PAIRED], 2):
        if not gappy.intersection((name, other)):
            continue
        rows = np.flatnonzero(complete[name] & complete[other])
        few = len(rows) < _COMMON_ROWS or not alike(name, other, rows[:_FIRST_ROWS], 1)
        if not few and alike(name, other, rows, 2):
            notes.append(Note("partial copies", (name, other), (len(rows), len(X))))
    return notes


def _near_copies(part: Part, columns: Mapping[str, Levels]) -> list[Note]:
    """Return groups of numbers that rise or fall with one another in nearly all rows."""
    from scipy.sparse.csgraph import connected_components

    names, n_rows = list(columns)[:_MOST_PAIRED], len(part.y)
    if len(names) < 2 or n_rows < _COMMON_ROWS:
        return []
    # Every so many rows in the order of the first column, as rows have no order of their own.
    rows = columns[names[0]].order[:: -(-n_rows // _RANKED_ROWS)]
    ranks = np.array([columns[name].places[columns[name].codes[rows]] for name in names])
    alike = np.abs(np.corrcoef(ranks)) > _NEAR_COPIES
    number, group = connected_components(alike, directed=False)
    members = (np.flatnonzero(group == i) for i in range(number))
    return [Note("near copies", tuple(names[j] for j in m)) for m in members if len(m) > 1]


def _by_first_row(x: Levels) -> IntArray:
    """Return the levels as numbers in order of their first rows."""
    first = np.full(len(x.counts), len(x.codes))
    np.minimum.at(first, x.codes, np.arange(len(x.codes)))
    return np.argsort(np.argsort(first))[x.codes]


def _rising(x: Levels) -> IntArray:
    """Return the levels as they are, or falling if a first row is then below the middle."""
    last = len(x.counts) - 1
    sides = np.sign(2 * x.codes - last)
    return last - x.codes if sides[np.argmax(sides != 0)] > 0 else x.codes


def _functions(columns: Mapping[str, Levels]) -> list[Note]:
    """Return features that say others; both have few values."""
    few = [
        (name, x)
        for name, x in columns.items()
        if x.discrete and 2 < len(x.counts) <= _FEW_VALUES * len(x.codes)
    ]
    determined: dict[str, list[str]] = {}
    for (name, x), (other, z) in permutations(few[:_MOST_PAIRED], 2):
        if len(z.counts) < len(x.counts):
            pairs = len(np.unique(x.codes * len(z.counts) + z.codes))
            if pairs == len(x.counts):
                determined.setdefault(name, []).append(other)
    return [Note("function", (name, *others)) for name, others in determined.items()]
