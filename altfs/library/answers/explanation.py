"""All answers about one fit, in words and as tables, computed on the first access."""

from __future__ import annotations

import html
from functools import cached_property
from typing import TYPE_CHECKING

from altfs.library.answers import words
from altfs.library.answers.asked import Asked, Say
from altfs.library.answers.changes import changes
from altfs.library.answers.counts import counts
from altfs.library.answers.mean_curve import mean_curve
from altfs.library.answers.nearest import nearest
from altfs.library.answers.shared import shared
from altfs.library.answers.substitutes import substitutes
from altfs.library.answers.tau_curve import curve_sets, summary

if TYPE_CHECKING:
    import pandas as pd

    from altfs.library.answers.evaluation import Evaluation


class Explanation:
    """An explanation of the sets that were found, or of their absence.

    ``print`` shows it in words, and a notebook shows it in words with headings. Its tables are
    computed on the first access.

    Attributes
    ----------
    reason : str
        The reason why there are fewer sets than requested; else empty.
    nearest : DataFrame
        Requests that can be met, see :func:`altfs.library.answers.nearest.nearest`.
    changes : DataFrame
        Changes from set to set, see :func:`altfs.library.answers.changes.changes`.
    substitutes : DataFrame
        Substitutes of features, see :func:`altfs.library.answers.substitutes.substitutes`.
    shared : DataFrame
        What features share, see :func:`altfs.library.answers.shared.shared`.
    tau_curve : DataFrame
        The quality at each tau, see :func:`altfs.library.answers.tau_curve.summary`.
    tau_curve_sets : DataFrame
        The sets at each tau, see :func:`altfs.library.answers.tau_curve.curve_sets`.
    mean_curve : DataFrame
        The best mean quality at each mean overlap, see
        :func:`altfs.library.answers.mean_curve.mean_curve`.
    evaluation : Evaluation or None
        The scores of the sets, if they were evaluated.
    counts : DataFrame
        The number of sets that exist, see :func:`altfs.library.answers.counts.counts`.
    """

    def __init__(self, asked: Asked, say: Say) -> None:
        self._asked = asked
        self._say = say
        self.evaluation: Evaluation | None = None

    @property
    def reason(self) -> str:
        return self._asked.shortfall

    @cached_property
    def nearest(self) -> pd.DataFrame:
        return nearest(self._asked, self._say)

    @cached_property
    def changes(self) -> pd.DataFrame:
        return changes(self._asked)

    @cached_property
    def substitutes(self) -> pd.DataFrame:
        return substitutes(self._asked, self._say)

    @cached_property
    def shared(self) -> pd.DataFrame:
        return shared(self._asked)

    @cached_property
    def tau_curve_sets(self) -> pd.DataFrame:
        return curve_sets(self._asked, self._say)

    @cached_property
    def tau_curve(self) -> pd.DataFrame:
        return summary(self.tau_curve_sets)

    @cached_property
    def mean_curve(self) -> pd.DataFrame:
        return mean_curve(self._asked)

    @cached_property
    def counts(self) -> pd.DataFrame:
        return counts(self._asked, self._say)

    @cached_property
    def _sections(self) -> list[words.Section]:
        made = [words.request_words(self._asked)]
        if self.reason and not self._asked.request.averages:
            made.append(words.nearest_words(self.nearest))
        if self._asked.sets:
            made.append(words.change_words(self.changes))
            made.append(words.substitute_words(self.substitutes))
        if len(self.shared):
            made.append(words.shared_words(self.shared))
        made.append(words.curve_words(self.tau_curve, self._asked.request.n_sets))
        if self._asked.request.averages:
            made.append(words.mean_curve_words(self.mean_curve))
        else:
            made.append(words.count_words(self.counts))
        return made

    @property
    def _all_sections(self) -> list[words.Section]:
        lines = ["evaluate() tells."]
        if self.evaluation is not None:
            lines = [self.evaluation.sentence, *words.evaluation_lines(self.evaluation.table)]
        return [*self._sections, ("How well the sets predict", lines)]

    def __str__(self) -> str:
        return "\n\n".join(
            "\n".join([title, *(f"  {line}" for line in lines)])
            for title, lines in self._all_sections
        )

    def __repr__(self) -> str:
        return f"<Explanation of {len(self._asked.sets)} feature sets; print it to read it>"

    def _repr_html_(self) -> str:
        parts = []
        for title, lines in self._all_sections:
            items = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
            parts.append(f"<h4>{html.escape(title)}</h4><ul>{items}</ul>")
        return f"<section>{''.join(parts)}</section>"
