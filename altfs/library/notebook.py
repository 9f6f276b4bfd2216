"""The HTML of a fitted estimator, which notebooks show."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from sklearn.utils import estimator_html_repr

from altfs.library.answers.words import number
from altfs.library.feature_sets import by_use
from altfs.problem.results import FeatureSet, Status

# More columns do not fit into a page.
_MOST = 40


class NotebookMixin:
    """The HTML representation: the sets as a matrix above that of scikit-learn."""

    feature_sets_: list[FeatureSet]
    shortfall_: str

    @property
    def _html_repr(self) -> Callable[[], str]:
        def made() -> str:
            sets = getattr(self, "feature_sets_", None)
            whole: str = estimator_html_repr(self)
            return f"{_matrix(sets)}{_lines(sets, self.shortfall_)}{whole}" if sets else whole

        return made


def _matrix(sets: list[FeatureSet]) -> str:
    """Return a table with a row per set. It has no colours, so that it suits dark pages, too."""
    names = by_use(sets)
    shown = names[:_MOST]
    heads = "".join(f"<th>{escape(text)}</th>" for text in ("set", "quality", "status", *shown))
    rows = []
    for i, one in enumerate(sets):
        first = f"alternative {i}" if i else "original"
        cells: list[Any] = [first, number(one.train_objective), one.status]
        cells += ["●" if name in one.names else "·" for name in shown]
        rows.append("".join(f"<td>{cell}</td>" for cell in cells))
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    more = len(names) - len(shown)
    note = f"<p>{more} more features are not shown.</p>" if more else ""
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{note}"


def _lines(sets: list[FeatureSet], shortfall: str) -> str:
    proven = sum(one.status is Status.OPTIMAL for one in sets)
    said = f"{proven} of {len(sets)} sets are proven to be optimal."
    among = sets[0].among
    kept = "" if among is None else f"The search saw the {among:,} most relevant features. "
    return f"<p>{said} {kept}{escape(shortfall)}</p>"
