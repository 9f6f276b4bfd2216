"""Answers in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from altfs.library.answers.asked import Asked
from altfs.library.answers.counts import MOST_SETS

if TYPE_CHECKING:
    import pandas as pd

Section = tuple[str, list[str]]
# The search has a limit of work, or is a heuristic.
_NOT_FOUND = "none was found, though one may exist"


def number(value: float) -> str:
    """Format a quality with four digits."""
    return f"{value:.4g}"


def listed(names: Sequence[str]) -> str:
    """Join names; "nothing" if there are none."""
    return ", ".join(names) if len(names) else "nothing"


def in_percent(part: float) -> str:
    """Format a share of a quality in brackets, if it is defined."""
    return "" if part != part else f" ({part:.1%} of it)"


def request_words(asked: Asked) -> Section:
    """Describe the sets that were found, and the reason if some are missing."""
    lines = []
    mean = " on average" if asked.request.averages else ""
    sizes = f"{asked.result.n_features} features with at most {asked.overlap} in common{mean}"
    if asked.request.is_range:
        sizes = f"{asked.request.sizes[0]} to {asked.request.sizes[-1]} features"
    if asked.sets:
        first = asked.sets[0]
        lines.append(
            f"The original set has a quality of {number(first.train_objective)} "
            f"({first.status}): {listed(first.names)}."
        )
    all_found = f"All {asked.request.n_sets} sets of {sizes} were found."
    if asked.request.n_sets == 1:
        all_found = "No other set was requested."
    lines.append(asked.shortfall or all_found)
    if asked.screen is not None:
        lines.append(asked.screen.sentence)
    return "What was found", lines


def nearest_words(table: pd.DataFrame) -> Section:
    """Describe requests that can be met."""
    lines = [
        f"With {row.words}: {row.n_sets} {'set' if row.n_sets == 1 else 'sets'}, "
        f"mean quality {number(row.mean_objective)}."
        for row in _rows(table)
    ]
    nothing = ["No change of one parameter or constraint gives all sets."]
    return "What could be asked instead", lines or nothing


def change_words(table: pd.DataFrame) -> Section:
    """Describe the changes from set to set."""
    lines = []
    for row in _rows(table):
        against = "the original set" if row.compared_to == 0 else f"alternative {row.compared_to}"
        part = in_percent(row.of_original) if row.compared_to == 0 else ""
        moved = (
            f"{listed(row.comes_in)} in place of {listed(row.goes_out)}"
            if len(row.comes_in) or len(row.goes_out)
            else "the same features"
        )
        lines.append(
            f"Alternative {row.set_index} against {against}: {moved}; dissimilarity "
            f"{row.dissimilarity:.3g}, quality {number(row.train_objective)}{part}, {row.status}."
        )
    return "What changes from set to set", lines or ["There is one set only."]


def substitute_words(table: pd.DataFrame) -> Section:
    """Describe the substitutes of features."""
    lines = []
    for row in _rows(table):
        if not len(row.feature_names):
            why = "no set exists" if row.status == "infeasible" else _NOT_FOUND
            lines.append(f"Without {row.feature}: {why}.")
            continue
        others = [name for name in row.goes_out if name != row.feature]
        come = "comes" if len(row.comes_in) == 1 else "come"
        gone = (
            f", {listed(others)} {'goes' if len(others) == 1 else 'go'} as well" if others else ""
        )
        proof = "" if row.status == "optimal" else f", {row.status}: a better one is not ruled out"
        lines.append(
            f"Without {row.feature}: {listed(row.comes_in)} {come} in{gone}; quality "
            f"{number(row.train_objective)}{in_percent(row.of_original)}{proof}."
        )
    return "What could take a feature's place", lines or ["There is no set."]


def shared_words(table: pd.DataFrame) -> Section:
    """Describe what the features of each set tell, and what they share."""
    lines = []
    for row in _rows(table):
        name = "The original set" if row.set_index == 0 else f"Alternative {row.set_index}"
        most = ""
        if row.most_with is not None:
            most = f", redundancy {number(row.redundancy)}, most with {row.most_with}"
            most += f" ({number(row.most)})"
        lines.append(f"{name}, {row.feature}: relevance {number(row.relevance)}{most}.")
    return "What the features share", lines


def outage_lines(table: pd.DataFrame) -> list[str]:
    """Describe the set to use in each outage."""
    lines = []
    for row in _rows(table):
        if not len(row.feature_names):
            why = "no set exists" if row.status == "infeasible" else _NOT_FOUND
            lines.append(f"Without {listed(row.missing)}: {why}.")
            continue
        part = row.of_original
        of_it = "" if part != part else f" ({part:.1%} of the original set's)"
        quality = f"quality {number(row.train_objective)}{of_it}"
        lines.append(f"Without {listed(row.missing)}: {listed(row.feature_names)}; {quality}.")
    return lines


def evaluation_lines(table: pd.DataFrame) -> list[str]:
    """Describe the cross-validated score of each set."""
    lines = []
    for row in _rows(table):
        if not row.folds:
            lines.append(f"{row.set}: found in no fold.")
            continue
        low_to_high = "" if row.low != row.low else f" ({row.low:.3f} to {row.high:.3f})"
        line = f"{row.set}: {row.score:.3f}{low_to_high}"
        if row.set != "original" and row.difference == row.difference:
            line += f", against the original set {row.difference:+.3f}"
            if row.difference_low == row.difference_low:
                line += f" ({row.difference_low:+.3f} to {row.difference_high:+.3f})"
        lines.append(f"{line}; {row.n_features} features, fit {row.fit_seconds:.2g} s.")
    return lines


def curve_words(table: pd.DataFrame, n_sets: int) -> Section:
    """Describe the quality that is lost at each tau."""
    lines = []
    for row in _rows(table):
        here = ", as asked" if row.asked else ""
        if row.n_sets == 0:
            found = "none exists" if row.status == "infeasible" else _NOT_FOUND
        else:
            part = "" if row.mean_of_best != row.mean_of_best else f" ({row.mean_of_best:.1%})"
            found = (
                f"{row.n_sets} of {n_sets} sets, mean quality {number(row.mean_objective)}{part}, "
                f"worst {number(row.min_objective)}, {row.status}"
            )
        lines.append(f"tau {row.tau:g} (at most {row.max_overlap} in common{here}): {found}.")
    return "What tau costs in quality (in brackets: of the best set's)", lines


def mean_curve_words(table: pd.DataFrame) -> Section:
    """Describe the best quality at the mean overlaps that are whole numbers."""
    lines = []
    for overlap in range(int(table["mean_overlap"].max()) + 1 if len(table) else 0):
        row = _rows(table[table["mean_overlap"] <= overlap])[-1]
        lines.append(
            f"At most {overlap} in common on average: mean quality {number(row.mean_objective)}, "
            f"mean dissimilarity {row.mean_dissimilarity:.3g}."
        )
    return "What a mean overlap gives at best", lines or ["It is known for linear qualities."]


def count_words(table: pd.DataFrame) -> Section:
    """Describe the numbers of sets that exist."""
    lines = []
    several = len(set(table["n_features"])) > 1
    for row in _rows(table):
        if row.exact:
            there = f"exactly {row.at_least}"
        elif row.at_least >= MOST_SETS:
            there = f"{row.at_least} or more (counted no further), at most {row.at_most:,}"
        else:
            there = f"at least {row.at_least}, at most {row.at_most:,} (not settled)"
        here = ", as asked" if row.asked else ""
        size = f"{row.n_features} features, " if several else ""
        lines.append(f"{size}tau {row.tau:g} (at most {row.max_overlap} in common{here}): {there}.")
    return "The number of sets that exist, with the original one", lines


def _rows(table: pd.DataFrame) -> list[Any]:
    return list(table.itertuples(index=False))
