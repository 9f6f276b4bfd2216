"""The HTML of a fitted estimator, which notebooks show."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from sklearn.utils import estimator_html_repr

from altfs.library.answers.words import number
from altfs.library.feature_sets import FeatureSetsMixin, by_use, set_name
from altfs.library.short_names import short_names
from altfs.library.signal import Signal
from altfs.problem.results import FeatureSet, Status

# More columns do not fit into a page.
_MOST = 40


class NotebookMixin(FeatureSetsMixin):
    """The HTML representation: the signal, the sets as a matrix, and that of scikit-learn."""

    @property
    def _html_repr(self) -> Callable[[], str]:
        def page() -> str:
            sets = getattr(self, "feature_sets_", None)
            whole: str = estimator_html_repr(self)
            if not sets:
                return whole
            signal: Signal | None = getattr(self, "signal_", None)
            first = "" if signal is None else f"<p>{escape(signal.sentence)}</p>"
            return f"{first}{_html_matrix(sets)}{_html_notes(sets, self.shortfall_)}{whole}"

        return page


def _html_matrix(sets: list[FeatureSet]) -> str:
    """Return a table with a row per set. It has no colours, so that it suits dark pages, too."""
    names = by_use(sets)
    shown = short_names(names[:_MOST])
    titles = ("set", "quality", "status", *shown.values())
    heads = "".join(f"<th>{escape(text)}</th>" for text in titles)
    rows = []
    for i, features in enumerate(sets):
        cells: list[Any] = [set_name(i), number(features.train_objective), features.status]
        cells += ["●" if name in features.names else "·" for name in shown]
        rows.append("".join(f"<td>{cell}</td>" for cell in cells))
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    more = len(names) - len(shown)
    note = f"<p>{more} more features are not shown.</p>" if more else ""
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{note}"


def _html_notes(sets: list[FeatureSet], shortfall: str) -> str:
    proven = sum(features.status is Status.OPTIMAL for features in sets)
    said = f"{proven} of {len(sets)} sets are proven to be optimal."
    among = sets[0].among
    kept = "" if among is None else f"The search saw the {among:,} most relevant features. "
    return f"<p>{said} {kept}{escape(shortfall)}</p>"
