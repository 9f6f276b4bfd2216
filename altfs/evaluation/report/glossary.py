"""The words that the page explains, in its box and on hover or focus."""

import re
import tomllib
from collections.abc import Collection, Mapping

from markupsafe import Markup, escape

from altfs.evaluation.names import selector_name
from altfs.evaluation.report.files import asset

_WORDS = tomllib.loads(asset("terms.toml"))
#: The words of every study, and those of studies with such scores.
TERMS: Mapping[str, str] = _WORDS["terms"]
METRIC_TERMS: Mapping[str, str] = _WORDS["metrics"]


class Glossary:
    """Explanations of words, for one page.

    `selectors` has a sentence for each selector of the study, by its name; `metrics` are those of
    the study, as readers know them.
    """

    def __init__(self, selectors: Mapping[str, str], metrics: Collection[str] = ()) -> None:
        named = {selector_name(name): text for name, text in selectors.items()}
        scored = {name: text for name, text in METRIC_TERMS.items() if name in metrics}
        self.terms = {**TERMS, **scored, **named}
        self._meanings = {term.lower(): text for term, text in self.terms.items()}
        several = {f"{term}s": term for term in ("original", "alternative", "run", "fold")}
        self._singular = {term.lower(): term.lower() for term in self.terms} | several
        longest = sorted(self._singular, key=len, reverse=True)
        self._pattern = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, longest))})(?![\w-])",
                                   re.IGNORECASE)  # fmt: skip
        self._reached: set[str] = set()

    def explain(self, text: str) -> Markup:
        """Return text whose known words explain themselves.

        Every known word does on hover. Its first place on the page also does on focus.
        """
        # A threshold is not broken over lines.
        parts = self._pattern.split(text.replace("τ = ", "τ\xa0=\xa0"))
        said = [escape(part) if i % 2 == 0 else self._explained(part) for i, part in
                enumerate(parts)]  # fmt: skip
        return Markup("").join(said)

    def _explained(self, word: str) -> Markup:
        term = self._singular[word.lower()]
        first = "" if term in self._reached else Markup(' tabindex="0"')
        self._reached.add(term)
        meaning = self._meanings[term]
        return Markup('<dfn{} aria-description="{}" data-means="{}">{}</dfn>').format(
            first, meaning, meaning, word
        )
