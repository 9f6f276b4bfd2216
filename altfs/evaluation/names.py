"""Names for readers: of selectors, searches, metrics and axes."""

import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from math import floor, log10
from typing import Any

import numpy as np

BOX = "Box: quartiles and median; whiskers: 5 % to 95 %."
RANK = "Number of alternative (0 = original set)"
TAU = "Dissimilarity threshold τ"
LATER = "A hollow mark rests on fewer folds than its line's start; the others have no such set."
POINT = "A point per dataset: its median; line: the smallest and largest median of its folds."
LATER_POINTS = "A hollow mark rests on fewer sets than the first one."
LATER_BOXES = "A box that is not filled is of fewer sets than the first one."
LATER_RUNS = "A hollow mark rests on fewer runs than the start of its line or than other originals."
OBJECTIVES = {"train_objective": "Training objective", "test_objective": "Test objective"}
_NAMES = tomllib.loads(resources.files(__package__).joinpath("names.toml").read_text("utf-8"))
SELECTORS: Mapping[str, str] = _NAMES["selectors"]
METRICS: Mapping[str, str] = _NAMES["metrics"]
#: Colours for groups, and those for an ordered quantity.
COLOURS, RAMP = _NAMES["colours"]["groups"], _NAMES["colours"]["ramp"]


def size_name(stored: Any, sizes: Mapping[int, str]) -> str:
    """Return a size of the results in words; `sizes` has the entry of the configuration for each.

    >>> size_name(5, {}), size_name(5, {5: "3-5"}), size_name(0, {0: "unlimited"})
    ('k = 5', 'k = 3 to 5', 'k unlimited')
    """
    entry = sizes.get(int(stored), str(stored))
    return f"k = {entry.replace('-', ' to ')}" if entry[0].isdigit() else f"k {entry}"


def selector_name(name: str) -> str:
    """Return the name of a selector in the paper, by default its own name."""
    return SELECTORS.get(str(name), str(name))


def selector_colours(selectors: Sequence[str]) -> dict[str, str]:
    """Return the colour of each selector by its name for readers, in every table and figure.

    A selector has one colour in all studies, unless one before it in `SELECTORS` took it.
    """
    order = {name: i for i, name in enumerate(SELECTORS)}
    colours = dict.fromkeys(map(selector_name, selectors), "")
    for selector in sorted(selectors, key=lambda name: order.get(name, len(order))):
        slots = [COLOURS[(order.get(selector, 0) + i) % len(COLOURS)] for i in range(len(COLOURS))]
        free = [colour for colour in slots if colour not in colours.values()]
        colours[selector_name(selector)] = [*free, slots[0]][0]
    return colours


def count(n: int, noun: str) -> str:
    """Count things in words.

    >>> count(1, "family"), count(1200, "alternative")
    ('1 family', '1,200 alternatives')
    """
    several = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{n:,} {noun if n == 1 else several}"


def search_name(search: str, aggregation: str = "none") -> str:
    """Return the name of a search, with its aggregation if it has one."""
    name = str(search)[:1].upper() + str(search)[1:]
    return name if str(aggregation) == "none" else f"{name} ({aggregation})"


def sizes_in_words(stored: Sequence[int], sizes: Mapping[int, str]) -> str:
    """Return several sizes of feature sets in words; numbers in a row by their ends.

    >>> sizes_in_words([5, 10], {}), sizes_in_words([1, 2, 3, 8, 0], {0: "unlimited"})
    ('k = 5 and 10', 'k = 1 to 3 and 8, k unlimited')
    """
    rows: list[list[int]] = []
    others = []
    for k in stored:
        if size_name(k, sizes) != size_name(k, {}):
            others.append(size_name(k, sizes))
        elif rows and rows[-1][-1] == k - 1:
            rows[-1].append(k)
        else:
            rows.append([k])
    parts = [f"{row[0]} to {row[-1]}" if len(row) > 2 else " and ".join(map(str, row))
             for row in rows]  # fmt: skip
    plain = " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
    return ", ".join([*[f"k = {plain}"] * bool(rows), *others])


def in_words(name: str) -> str:
    """Return a name with underscores as words."""
    words = str(name).replace("_", " ")
    return words[:1].upper() + words[1:]


def value_in_words(column: str, value: Any) -> Any:
    """Return a value of a table as readers know it.

    >>> value_in_words("selector", "mutual_information"), value_in_words("measure", "test_mcc")
    ('MI', 'Test MCC')
    >>> value_in_words("model", "decision_tree"), value_in_words("dataset", "")
    ('Decision tree', 'all')
    """
    if not isinstance(value, str):
        return value
    if column == "dataset":
        return value or "all"
    if column in ("selector", "treatment", "first", "second"):
        return selector_name(value)
    if column in ("measure", "metric", "metric_1", "metric_2"):
        part, _, metric = value.partition("_")
        if part in ("train", "test") and metric in METRICS:
            return f"{'Training' if part == 'train' else 'Test'} {METRICS[metric]}"
        return OBJECTIVES.get(value) or METRICS.get(value) or in_words(value)
    return in_words(value) if column == "model" else value


def ramp(number: int, between: Sequence[str] = tuple(RAMP)) -> list[str]:
    """Return so many colours between those of the ramp.

    >>> ramp(1) == RAMP[:1], ramp(5) == RAMP
    (True, True)
    """
    ends = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in between], dtype=float)
    at = np.linspace(0, len(between) - 1, number)
    parts = [
        np.interp(at, np.arange(len(between)), ends[:, i]).round().astype(int) for i in range(3)
    ]
    return [f"#{r:02X}{g:02X}{b:02X}" for r, g, b in zip(*parts, strict=True)]


def tau_in_words(tau: Any) -> str:
    """Write a threshold with three digits, rounded down: a larger one would ask for more.

    >>> tau_in_words("0.6666666666666667"), tau_in_words(0.3), tau_in_words("0.00051")
    ('0.666', '0.3', '0.00051')
    """
    unit = 10.0 ** (2 - floor(log10(float(tau) or 1.0)))
    return f"{floor(float(tau) * unit + 1e-6) / unit:.3g}"


def differing(rows: Any) -> str:
    """Say how many features of two sets differ at least; nothing of sets of several sizes."""
    k, overlap = rows["n_features"].iloc[0], rows["max_overlap"].iloc[0]
    return f"{int(k) - int(overlap)} of {k}" if overlap == overlap else ""
