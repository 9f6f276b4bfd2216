"""All answers about one fit, in words and as tables, computed on the first access."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from altfs.errors import AltfsError
from altfs.library.answers import words
from altfs.library.answers.counts import counts
from altfs.library.answers.curves import curve_sets, mean_curve, tau_curve
from altfs.library.answers.differences import changes, substitutes
from altfs.library.answers.fitted import FittedRequest, Say
from altfs.library.answers.nearest import nearest
from altfs.library.answers.redundancy import RedundancyMap, redundancy
from altfs.library.answers.shared import shared
from altfs.library.answers.wishes import wishes
from altfs.scores.base import Part

if TYPE_CHECKING:
    from altfs.library.answers.evaluation import Evaluation


class Explanation:
    """An explanation of the sets that were found, or of their absence.

    ``print`` shows it in words, and a notebook shows it in words with headings. Its tables are
    computed on the first access.

    Attributes
    ----------
    reason : str
        The reason why there are fewer sets than requested; else empty.
    signal : str
        The sentence on the original set beside chance, if it is not better; else empty.
    nearest : DataFrame
        Requests that can be met, see :func:`altfs.library.answers.nearest.nearest`.
    changes : DataFrame
        Changes from set to set, see :func:`altfs.library.answers.differences.changes`.
    substitutes : DataFrame
        Substitutes of features, see :func:`altfs.library.answers.differences.substitutes`.
    redundancy : RedundancyMap
        What features say of the target that others do not: ``groups``, ``to_frame()``, ``plot()``.
    shared : DataFrame
        What features share, see :func:`altfs.library.answers.shared.shared`.
    tau_curve : DataFrame
        The quality at each tau, see :func:`altfs.library.answers.curves.tau_curve`.
    tau_curve_sets : DataFrame
        The sets at each tau, see :func:`altfs.library.answers.curves.curve_sets`.
    mean_curve : DataFrame
        The best mean quality at each mean overlap, see
        :func:`altfs.library.answers.curves.mean_curve`.
    evaluation : Evaluation or None
        The scores of the sets, if they were evaluated.
    wishes : DataFrame
        What wishes with a price cost, see :func:`altfs.library.answers.wishes.wishes`.
    counts : DataFrame
        The number of sets that exist, see :func:`altfs.library.answers.counts.counts`.
    """

    def __init__(self, fitted: FittedRequest, say: Say, part: Part | None = None) -> None:
        self._fitted = fitted
        self._part = part
        self._say = say
        self.reason = fitted.shortfall
        self.signal = ""
        #: Groups of copies and near copies, by the notes on the table.
        self.copies: list[tuple[str, ...]] = []
        self.evaluation: Evaluation | None = None

    nearest = cached_property(lambda self: nearest(self._fitted, self._say))
    changes = cached_property(lambda self: changes(self._fitted))
    substitutes = cached_property(lambda self: substitutes(self._fitted, self._say, self._part))
    shared = cached_property(lambda self: shared(self._fitted))
    tau_curve_sets = cached_property(lambda self: curve_sets(self._fitted, self._say))
    tau_curve = cached_property(lambda self: tau_curve(self.tau_curve_sets))
    mean_curve = cached_property(lambda self: mean_curve(self._fitted))
    wishes = cached_property(lambda self: wishes(self._fitted))
    counts = cached_property(lambda self: counts(self._fitted, self._say))

    @cached_property
    def redundancy(self) -> RedundancyMap:
        """Information of features about the target that others do not have.

        Raises
        ------
        AltfsError
            If the rows are not there, as with given qualities and after unpickling.
        """
        if self._part is None:
            reason = "it needs the rows, which given qualities, copies and pickles do not hold"
            raise AltfsError("redundancy", reason, "call fit with a selector that learns")
        members = sorted({j for features in self._fitted.sets for j in features.indices})
        return redundancy(self._part, self._fitted.names, members)

    @cached_property
    def _sections(self) -> list[words.Section]:
        request = self._fitted.request
        title, lines = words.request_words(self._fitted)
        sections = [(title, [*([self.signal] if self.signal else []), *lines])]
        if self.reason and not request.averages:
            sections.append(words.nearest_words(self.nearest))
        if self._fitted.sets:
            sections.append(words.change_words(self.changes, self._fitted.search.proof))
            sections.append(words.substitute_words(self.substitutes))
        if len(self.wishes):
            sections.append(words.wish_words(self.wishes))
        if self._part is not None and self._fitted.sets:
            groups = _joined([*self.copies, *self.redundancy.groups])
            sections += [words.redundancy_words(groups)] * bool(groups)
        if len(self.shared):
            sections.append(words.shared_words(self.shared))
        sections.append(words.curve_words(self.tau_curve, request.n_sets))
        if request.averages:
            sections.append(words.mean_curve_words(self.mean_curve))
        else:
            sections.append(words.count_words(self.counts))
        return sections

    @property
    def _all_sections(self) -> list[words.Section]:
        lines = ["No model was evaluated."]
        if self.evaluation is not None:
            lines = [self.evaluation.sentence, *words.evaluation_lines(self.evaluation.table)]
        return [*self._sections, ("How well the sets predict", lines)]

    def __str__(self) -> str:
        return words.section_text(self._all_sections)

    def __repr__(self) -> str:
        return f"<Explanation of {len(self._fitted.sets)} feature sets; print it to read it>"

    def _repr_html_(self) -> str:
        return words.section_html(self._all_sections)


def _joined(groups: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return groups of names, of which those with a common name are one.

    >>> _joined([("a", "b"), ("c", "d"), ("b", "e")])
    [('c', 'd'), ('a', 'b', 'e')]
    """
    joined: list[tuple[str, ...]] = []
    for group in groups:
        common = [other for other in joined if not {*group}.isdisjoint(other)]
        names = [name for each in (*common, group) for name in each]
        joined = [other for other in joined if other not in common]
        joined.append(tuple(dict.fromkeys(names)))
    return joined
