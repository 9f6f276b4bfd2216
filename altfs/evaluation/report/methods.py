"""The methods paragraph and the citations of a study, to paste into a paper."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from altfs import __version__
from altfs.evaluation.names import METRICS, in_words, selector_name, sizes_in_words
from altfs.evaluation.report.phrases import listed, number
from altfs.study.design import Design, SearchDesign, SelectorDesign

PROBLEM = (
    "Bach, *Finding Optimal Diverse Feature Sets with Alternative Feature Selection*, "
    "arXiv:2307.11607, 2023"
)
LIBRARY = (
    "Pedregosa et al., *Scikit-learn: Machine Learning in Python*, "
    "Journal of Machine Learning Research 12, 2011"
)
WORKFLOW = "Mölder et al., *Sustainable Data Analysis with Snakemake*, F1000Research 10, 2021"

# Authors, title in asterisks, venue, year. What follows the year is about the implementation.
_WORK = re.compile(
    r"(?:^|;)\s*(?P<authors>[^*;]+), \*(?P<title>[^*]+)\*, (?P<venue>[^;]*?),?\s*"
    r"\b(?P<year>(?:19|20)\d\d)\b"
)
_JOURNAL = re.compile(r"(?P<journal>.*\D) (?P<volume>\d+)$")
_NAMES = re.compile(r", | and ")


class Work(NamedTuple):
    """A publication."""

    authors: tuple[str, ...]
    title: str
    venue: str
    year: str

    @property
    def short(self) -> str:
        """Authors and year, as in a text."""
        first, *others = self.authors
        if others in ([], ["others"]):
            names = f"{first} et al." if others else first
        else:
            names = f"{first} and {others[0]}" if len(others) == 1 else f"{first} et al."
        return f"{names}, {self.year}"

    @property
    def key(self) -> str:
        """The key of its BibTeX entry."""
        author, *words = (_letters(text) for text in (self.authors[0], *self.title.split()))
        return f"{author}{self.year}{next((word for word in words if len(word) > 3), '')}"

    @property
    def bibtex(self) -> str:
        """Its BibTeX entry."""
        kind, fields = "misc", {"howpublished": self.venue}
        if journal := _JOURNAL.match(self.venue):
            kind, fields = "article", journal.groupdict()
        elif self.venue.startswith("PhD thesis, "):
            kind, fields = "phdthesis", {"school": self.venue.removeprefix("PhD thesis, ")}
        elif self.venue and not self.venue.startswith("arXiv"):
            kind, fields = "inproceedings", {"booktitle": self.venue}
        names = [f"{{{name}}}" if " " in name else name for name in self.authors]
        return _entry(
            kind, self.key,
            author=" and ".join(names), title=f"{{{self.title}}}", **fields, year=self.year,
        )  # fmt: skip


def works_in(source: str) -> list[Work]:
    """Return the publications that the source of a component names.

    Examples
    --------
    >>> [work.short for work in works_in("Li, Wu, *One*, ICML 2018 (section 3); Ma, *Two*, 2009.")]
    ['Li and Wu, 2018', 'Ma, 2009']
    """
    return [
        Work(
            tuple(_NAMES.split(found["authors"].replace(" et al.", ", others"))),
            found["title"], found["venue"], found["year"],
        )
        for found in _WORK.finditer(source)
    ]  # fmt: skip


def citation(design: Design) -> str:
    """Return the BibTeX entries of the software, and of the methods that a study used."""
    components = (*design.datasets, *design.selectors, *design.searches)
    sources = [PROBLEM, *(one.source for one in components), LIBRARY, WORKFLOW]
    works = dict.fromkeys(work for source in sources for work in works_in(source))
    software = _entry(
        "software", "altfs", author="{The altfs developers}",
        title="{altfs: alternative feature selection at scale}", version=__version__, year="2026",
    )  # fmt: skip
    return "\n\n".join([software, *(work.bibtex for work in works)]) + "\n"


def methods(design: Design, configuration: Mapping[str, Any], commit: str = "") -> str:
    """Return a paragraph about the methods of a study.

    Parameters
    ----------
    design : Design
    configuration : mapping
        That of the study, for its limits and constraints.
    commit : str, optional
        The commit of altfs.
    """
    return " ".join(_sentences(design, configuration, commit))


def _sentences(design: Design, configuration: Mapping[str, Any], commit: str) -> Iterator[str]:
    yield f"We searched for alternative feature sets{_cited(PROBLEM)} in {_datasets(design)}."
    classes = any(one.target_type != "regression" for one in design.datasets)
    yield (
        f"All results are from {design.folds}-fold cross-validation"
        f"{', stratified by class' * classes}."
    )
    yield "Feature sets and prediction models saw the training rows of a fold alone."
    several = len(design.selectors) > 1
    yield (
        f"The quality of a feature set is that of {'one of ' * several}"
        f"{number(design.selectors, 'selector')}: {listed([*map(_selector, design.selectors)])}."
    )
    taus, measure = listed(list(design.taus)), design.dissimilarity.capitalize()
    yield (
        f"The size of the sets is {sizes_in_words([*design.sizes], design.sizes)}, and any two of "
        f"a search have a {measure} dissimilarity of at least τ = {taus}."
    )
    entries = {one["name"]: one for one in configuration.get("searches", ())}
    searches = [_search(one, entries.get(one.name, {})) for one in design.searches]
    yield f"The searches are {'; '.join(searches)}."
    if constraints := configuration.get("constraints"):
        yield f"Constraints on the sets are {'; '.join(map(_options, constraints))}."
    work = configuration.get("limits", {}).get("work")
    limit = "" if work is None else f" Each call of a solver was limited to {work:g} units of work."
    yield (
        "A set is called optimal if a solver proved that no admissible set, or for several sets at "
        "once no admissible family, has a larger quality on the training rows; the proof is up to "
        "the rounding of the quality to integers and says nothing about predictions. Sets without "
        f"proof are called feasible.{limit}"
    )
    if explained := configuration.get("explanations"):
        yield f"Single rows of the test parts were explained, too ({_options(explained)})."
    yield (
        f"Each set was judged by {listed([in_words(name).lower() for name in design.models])}"
        f"{_cited(LIBRARY)}, trained on the training rows and scored on the test rows by "
        f"{_metrics(design)}."
    )
    at = f" (commit {commit})" if commit and commit != "unknown" else ""
    yield (
        f"Everything random has the seed {design.seed}. We used altfs {__version__}{at}, with "
        f"Snakemake{_cited(WORKFLOW)}."
    )


def _datasets(design: Design) -> str:
    rows, columns = ([getattr(one, name) for one in design.datasets]
                     for name in ("n_rows", "n_total"))  # fmt: skip
    names = listed([one.name for one in design.datasets])
    works = dict.fromkeys(one.source for one in design.datasets)
    return (
        f"{number(design.datasets, 'dataset')}{_cited(*works)} ({names}; {_range(rows)} rows, "
        f"{_range(columns)} features)"
    )


def _selector(one: SelectorDesign) -> str:
    options = f" with {_options(one.options)}" if one.options else ""
    if not (about := _cited(one.source)):
        about = f" ({_about(one)})" if one.about else ""
    kind = f", a kind of {selector_name(one.type)}" if one.name != one.type else ""
    return f"{selector_name(one.name)}{kind}{about}{options}"


def _search(one: SearchDesign, entry: Mapping[str, Any]) -> str:
    counts = listed([str(n) for n in one.n_alternatives]) if one.n_alternatives else "no"
    parts = [f"{counts} alternative{'s' * (one.n_alternatives != (1,))}"]
    if one.aggregation:
        parts.append(f"the quality of a family is the {' or the '.join(one.aggregation)}")
    if entry.get("overlap") == "average":
        parts.append("the threshold is for the mean dissimilarity of all pairs of sets")
    if entry.get("solver"):
        parts.append(f"by the solver {entry['solver']['type']}")
    for key in ("selectors", "datasets"):
        if names := entry.get(key):
            parts.append(f"for {listed(list(names))}")
    about = f": {_about(one)}" if one.about else ""
    return f"{in_words(one.name).lower()}{_cited(one.source)} ({', '.join(parts)}){about}"


def _about(one: SelectorDesign | SearchDesign) -> str:
    """Return what a component is, without its place in a paper."""
    text = re.sub(r" \([^()]*paper[^()]*\)", "", one.about.rstrip("."))
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def _metrics(design: Design) -> str:
    """Say the metrics; those of classes apart from those of numbers if there are both."""
    said: dict[tuple[str, ...], bool] = {}
    for one in design.datasets:
        said.setdefault(one.metrics, one.target_type == "regression")
    words = {key: listed([METRICS.get(name, name) for name in key]) for key in said}
    if len(said) == 1:
        return next(iter(words.values()))
    kinds = {False: "classes", True: "numbers"}
    return listed([f"{words[key]} for {kinds[numbers]}" for key, numbers in said.items()])


def _options(options: Mapping[str, Any]) -> str:
    given = {key: value for key, value in options.items() if value not in (None, [], {})}
    return ", ".join(f"{key} {value}".replace("'", "") for key, value in given.items())


def _cited(*sources: str) -> str:
    works = [work.short for source in sources for work in works_in(source)]
    return f" ({'; '.join(works)})" if works else ""


def _letters(text: str) -> str:
    return re.sub("[^a-z]", "", unicodedata.normalize("NFKD", text.lower()))


def _range(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _entry(kind: str, key: str, **fields: str) -> str:
    lines = [f"  {name} = {{{text}}}," for name, text in fields.items() if text]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])
