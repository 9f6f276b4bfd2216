"""Answers in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

import pandas as pd

from altfs.library.answers.counts import MOST_SETS
from altfs.library.answers.fitted import FittedRequest
from altfs.library.answers.redundancy import NOTHING
from altfs.library.answers.sizes import size_name

#: A heading and its sentences.
Section = tuple[str, list[str]]
#: Headings of sections that more than one door has.
WORTH, WHAT_TO_DO = "What the sets are worth (95 % intervals)", "What to do"
# A smaller loss of the score on held-out rows is none.
_LOSS = 0.01
# A larger bound is not written out.
_MANY = 100_000_000
# The search has a limit of work, or is a heuristic.
_UNPROVEN = "none was found, though one may exist"


def section_text(sections: Iterable[Section]) -> str:
    """Return sections as plain text, but those without a sentence.

    >>> print(section_text([("What to do", ["Use the original set."]), ("Notes", [])]))
    What to do
      Use the original set.
    """
    return "\n\n".join(
        "\n".join([title, *(f"  {line}" for line in lines)]) for title, lines in sections if lines
    )


def section_html(sections: Iterable[Section]) -> str:
    """Return sections as HTML, but those without a sentence."""
    parts = []
    for title, lines in sections:
        items = "".join(f"<li>{escape(line)}</li>" for line in lines)
        parts.append(f"<h4>{escape(title)}</h4><ul>{items}</ul>" if items else "")
    return f"<section>{''.join(parts)}</section>"


def number(value: float) -> str:
    """Format a quality with four digits."""
    return f"{value:.4g}"


def proof_words(status: str, proof: str = "best") -> str:
    """Return a status as what is proven of a set, which is that of a search.

    >>> proof_words("optimal"), proof_words("feasible", "best together")
    ('proven best', 'not proven best together')
    """
    words = {
        "optimal": f"proven {proof}",
        "feasible": f"not proven {proof}",
        "infeasible": "no more exist",
    }
    return words.get(status, str(status))


def request_words(fitted: FittedRequest) -> Section:
    """Describe the sets that were found, and the reason if some are missing."""
    lines, request = [], fitted.request
    apart = f"at most {fitted.overlap} in common"
    if request.averages:
        apart = fitted.problem.overlap.mean_in_words()
    sizes = f"{fitted.result.n_features} features with {apart}"
    if request.is_range:
        sizes = f"{request.sizes[0]} to {request.sizes[-1]} features"
    if fitted.sets:
        first, proof = fitted.sets[0], fitted.search.proof
        by = " by this quality" * proof.startswith("best")
        lines.append(
            f"The original set has a quality of {number(first.train_objective)}"
            f"{_in_unit(fitted, first.train_objective)}, {proof_words(first.status, proof)}{by}: "
            f"{_listed(first.names)}."
        )
    complete = f"All {request.n_sets} requested sets of {sizes} were found."
    if request.n_sets == 1:
        complete = "No other set was requested."
    lines.append(fitted.shortfall or complete)
    lines += [fitted.size_reason] * bool(fitted.size_reason)
    if fitted.screen is not None:
        lines.append(fitted.screen.sentence)
    return "What was found", lines


def _in_unit(fitted: FittedRequest, value: float) -> str:
    measure = fitted.quality.measure
    return "" if measure is None else f" ({measure.words(value)})"


def wish_words(table: pd.DataFrame) -> Section:
    """Say what wishes cost, and how many sets pay."""
    lines = []
    for row in _rows(table):
        sets = f"{row.violated} set{'' if row.violated == 1 else 's'}"
        if row.wish == "share_price":
            shared = f"{row.violated} shared feature{'' if row.violated == 1 else 's'}"
            lines.append(f"Each of {shared} costs {number(row.price)}.")
            continue
        lost = "" if row.cost != row.cost else f"; as a constraint it costs {number(row.cost)}"
        lines.append(f"{row.condition}: {sets} pay{'s' * (row.violated == 1)} "
                     f"{number(row.price)}{lost}.")  # fmt: skip
    return "What the wishes cost", lines


def nearest_words(table: pd.DataFrame) -> Section:
    """Describe requests that can be met."""
    lines = [
        f"With {row.words}: {row.n_sets} {'set' if row.n_sets == 1 else 'sets'}, "
        f"mean quality {number(row.mean_objective)}."
        for row in _rows(table)
    ]
    nothing = ["No change of one parameter or constraint gives all sets."]
    return "What could be asked instead", lines or nothing


def change_words(table: pd.DataFrame, proof: str) -> Section:
    """Describe the changes from set to set."""
    lines = []
    for row in _rows(table):
        against = "the original set" if row.compared_to == 0 else f"alternative {row.compared_to}"
        part = _percent(row.of_original, "it") if row.compared_to == 0 else ""
        moved = "the same features"
        if len(row.comes_in) or len(row.goes_out):
            moved = f"{_listed(row.comes_in)} in place of {_listed(row.goes_out)}"
        lines.append(
            f"Alternative {row.set_index} against {against}: {moved}; dissimilarity "
            f"{row.dissimilarity:.3g}, quality {number(row.train_objective)}{part}, "
            f"{proof_words(row.status, proof)}."
        )
    return "What changes from set to set", lines or ["There is one set only."]


def substitute_words(table: pd.DataFrame) -> Section:
    """Describe the substitutes of features."""
    lines = []
    for row in _rows(table):
        if not len(row.feature_names):
            lines.append(f"Without {row.feature}: {_why_none(row, 'no set exists')}.")
            continue
        others = [name for name in row.goes_out if name != row.feature]
        come = "comes" if len(row.comes_in) == 1 else "come"
        go = "goes" if len(others) == 1 else "go"
        gone = f", {_listed(others)} {go} as well" if others else ""
        proof = "" if row.status == "optimal" else f", {row.status}: a better one is not ruled out"
        nothing = ""
        if getattr(row, "left", 1.0) <= NOTHING and not _predicts_less(row):
            nothing = f"nothing is lost, as {row.stand_in} in the set says the same; otherwise "
        lines.append(
            f"Without {row.feature}: {nothing}{_listed(row.comes_in)} {come} in{gone}; quality "
            f"{number(row.train_objective)}{_percent(row.of_original, 'it')}{proof}"
            f"{_held_out_words(row)}."
        )
    if "score" in table and table["score"].notna().any():
        lines.append(
            "Held-out scores are of a forest of one half of the rows on the other (AUC of classes, "
            "R² of numbers), and optimistic, as the search saw all rows. They are of one split, so "
            "differences of a few hundredths may be chance."
        )
    return "What could take a feature's place", lines or ["There is no set."]


def _predicts_less(row: Any) -> bool:
    """Return True if a forest predicts less with nothing in a feature's place."""
    return bool(row.score_without < row.score_of_original - _LOSS)


def _held_out_words(row: Any) -> str:
    """Say what a forest predicts on held-out rows without a feature, if it is known."""
    score = getattr(row, "score", float("nan"))
    if score != score:
        return ""
    return (
        f"; on held-out rows {score:.3f}, with the feature {row.score_of_original:.3f}, "
        f"with nothing in its place {row.score_without:.3f}"
    )


def redundancy_words(groups: Sequence[Sequence[str]]) -> Section:
    """Describe the features that say the same of the target."""
    lines = [f"{', '.join(group)}: each says (nearly) all that the others say." for group in groups]
    return "Which features say the same", lines


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


def outage_lines(table: pd.DataFrame) -> Iterator[str]:
    """Describe the set to use in each outage."""
    for row in _rows(table):
        if len(row.feature_names):
            part = _percent(row.of_original, "the original set's")
            use = f"{_listed(row.feature_names)}; quality {number(row.train_objective)}{part}"
        else:
            use = _why_none(row, "no set exists")
        yield f"Without {_listed(row.missing)}: {use}."


def evaluation_lines(table: pd.DataFrame) -> Iterator[str]:
    """Describe the cross-validated score of each set."""
    for row in _rows(table):
        if not row.folds:
            yield f"{row.set}: found in no fold."
            continue
        low_to_high = "" if row.low != row.low else f" ({row.low:.3f} to {row.high:.3f})"
        line = f"{row.set}: {row.score:.3f}{low_to_high}"
        if row.set != "original" and row.difference == row.difference:
            line += f", against the original set {signed(row.difference)}"
            if row.difference_low == row.difference_low:
                line += f" ({signed(row.difference_low)} to {signed(row.difference_high)})"
        if row.same < row.folds:
            line += f"; this very set in {row.same} of {row.folds} folds"
        yield f"{line}; {size_name(row.n_features)}, fit {row.fit_seconds:.2g} s."


def signed(value: float) -> str:
    """Write a difference of scores with its sign, which 0 has not.

    >>> signed(0.0042), signed(-0.0002)
    ('+0.004', '0.000')
    """
    text = f"{value:+.3f}"
    return text if float(text) else text[1:]


def _size(difference: float) -> str:
    """Write how large a difference of scores is; less than half of a thousandth is 0."""
    return f"{abs(difference):.2g}" if abs(difference) >= 0.0005 else "0"


def loss_words(row: Mapping[Any, Any]) -> str:
    """Say how much lower a set's score is than that of the original set, and may be.

    >>> loss_words({"difference": -0.17, "difference_low": -0.45})
    'scores 0.17 less here, and may be worse by 0.45'
    """
    difference, low = row["difference"], max(0.0, -row["difference_low"])
    less = f"scores {_size(difference)} {'less' if difference < 0 else 'more'} here"
    return f"{less}, and may be worse by {low:.2g}"


def span_words(differences: Sequence[float]) -> str:
    """Say how much lower or higher scores are than that of the original set.

    >>> span_words([-0.02, 0.0011]), span_words([-0.02, -2e-6]), span_words([0.3])
    ('0.02 less to 0.0011 more', '0 to 0.02 less', '0.3 more')
    """
    low, high = min(differences), max(differences)
    ends = (low, high) if low < 0 <= high else sorted((low, high), key=abs)
    parts = [f"{_size(end)} {'less' if end < 0 else 'more'}" for end in ends]
    if low >= 0 or high < 0:
        parts[0] = parts[0].partition(" ")[0]
    return " to ".join(parts) if low < high else parts[1]


def curve_words(table: pd.DataFrame, n_sets: int) -> Section:
    """Describe the quality that is lost at each tau."""
    lines = []
    for row in _rows(table[table["tau"] > 0]):
        here = ", as requested" if row.asked else ""
        sets = _why_none(row, "none exists")
        if row.n_sets:
            sets = (
                f"{row.n_sets} of {n_sets} sets, mean quality {number(row.mean_objective)}"
                f"{_percent(row.mean_of_best)}, worst {number(row.min_objective)}, "
                f"{proof_words(row.status)}"
            )
        lines.append(f"tau {row.tau:g} (at most {row.max_overlap} in common{here}): {sets}.")
    return "What tau costs in quality (in brackets: of the best set's)", lines


def mean_curve_words(table: pd.DataFrame) -> Section:
    """Describe the best quality at the mean overlaps that are whole numbers."""
    lines = []
    for overlap in range(int(table["mean_overlap"].max()) + 1 if len(table) else 0):
        # With a small overlap there may be no family.
        for row in _rows(table[table["mean_overlap"] <= overlap])[-1:]:
            lines.append(
                f"At most {overlap} in common on average: mean quality "
                f"{number(row.mean_objective)}, mean dissimilarity {row.mean_dissimilarity:.3g}."
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
            there = f"{row.at_least} or more (counted no further), {_at_most(row.at_most)}"
        else:
            there = f"at least {row.at_least}, {_at_most(row.at_most)} (not settled)"
        here = ", as requested" if row.asked else ""
        size = f"{row.n_features} features, " if several else ""
        lines.append(f"{size}tau {row.tau:g} (at most {row.max_overlap} in common{here}): {there}.")
    return "The number of sets that exist, with the original one", lines


def _at_most(bound: int) -> str:
    """Return an upper bound in words, unless it is so large that it says little."""
    return f"at most {bound:,}" if bound <= _MANY else "possibly more than 100 million"


def _rows(table: pd.DataFrame) -> list[Any]:
    return list(table.itertuples(index=False))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) else "nothing"


def _percent(part: float, whole: str = "") -> str:
    """Format a share in brackets, if it is defined."""
    return "" if part != part else f" ({part:.1%}{whole and f' of {whole}'})"


def _why_none(row: Any, infeasible: str) -> str:
    return infeasible if row.status == "infeasible" else _UNPROVEN
