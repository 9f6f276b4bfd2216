"""The words that the page explains, in its box and on hover or focus."""

import re
from collections.abc import Collection, Mapping

from markupsafe import Markup, escape

from altfs.evaluation.names import selector_name

#: The words of every study. A word is explained where it stands alone.
TERMS = {
    "original": "The feature set that a selector finds first, from which alternatives differ.",
    "alternative": "A further feature set, as good as possible and different enough from all sets "
    "before it.",
    "τ": "The smallest allowed dissimilarity of two sets: 0 allows the same set, 1 allows no "
    "common feature.",
    "k": "The number of features of a set.",
    "training objective": "What the selector calls good, on the training part; each selector has "
    "its own unit.",
    "quality": "What the selector calls good on the training part, or the metric that is named.",
    "proven best": "Optimal: a solver has shown that no better set satisfies the conditions.",
    "random sets": "Valid feature sets drawn without regard to quality, to compare with.",
    "lead": "The score of original sets less that of random sets. τ is advised as long as first "
    "alternatives keep half of it, by the 95 % interval of six datasets or more, in each dataset "
    "of fewer, on average over the folds of one, and the last ones on average.",
    "run": "One search on one dataset and fold.",
    "fold": "A part of the rows on which sets are tested; they are learned from the other rows.",
    "stability": "How alike the original sets of the folds are (Nogueira): 1 if all are the same, "
    "0 as random ones.",
    "dissimilarity": "How different two sets are: 0 if they are the same, 1 without a common "
    "feature.",
    "few features": "Among so few features there are no more sets that differ enough, the original "
    "included, whatever is ranked.",
    "no original": "The selector's rule or the constraints allow no set, so it lacks alternatives.",
    "conditions": "What the selector and the study's constraints ask of a set. FCBF: no "
    "feature tells as much of another chosen one as that one tells of the target.",
    "no room": "A search in turn takes the best set each time; such sets can block further ones "
    "that other choices would allow.",
    "limits": "Not found within the limits of the search; such alternatives may exist.",
    "family": "The sets that a simultaneous search chooses at once.",
    "simultaneous": "A search that chooses all sets of a family at once, for their common quality.",
    "no loss shown": "The 95 % interval of the mean change is not below 0.",
    "too few datasets": "With fewer than six there is no test: differences may be chance.",
    "⇄": "The first feature gives way to the second one in alternatives.",
}


#: The words of studies that have such scores.
METRIC_TERMS = {
    "MCC": "Matthews' correlation of predicted and true classes: 1 is perfect, 0 is guessing.",
    "R²": "The share of the target's variance that predictions explain: 1 is perfect.",
}


class Glossary:
    """Explanations of words, for one page.

    Parameters
    ----------
    selectors : mapping of str to str
        A sentence for each selector of the study, by its name.
    metrics : collection of str, optional
        The metrics of the study, as readers know them.
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
