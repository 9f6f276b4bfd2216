"""The publications that components name, as short names in a text and as BibTeX."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

from altfs import __version__
from altfs.evaluation.report.files import asset
from altfs.study.design import Design

_WORDS = tomllib.loads(asset("methods.toml"))
#: The publications that every study cites, and what is said of missing values.
WORKS: Mapping[str, str] = _WORDS["works"]
GAPS: Mapping[str, str] = _WORDS["gaps"]

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
        texts = (self.authors[0], *self.title.split())
        plain = (unicodedata.normalize("NFKD", text.lower()) for text in texts)
        author, *words = (re.sub("[^a-z]", "", text) for text in plain)
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

    >>> [work.short for work in works_in("Li, Wu, *One*, ICML 2018 (section 3); Ma, *Two*, 2009.")]
    ['Li and Wu, 2018', 'Ma, 2009']
    """
    return [
        Work(
            tuple(_NAMES.split(match["authors"].replace(" et al.", ", others"))),
            match["title"], match["venue"], match["year"],
        )
        for match in _WORK.finditer(source)
    ]  # fmt: skip


def citation(design: Design) -> str:
    """Return the BibTeX entries of the software, and of the methods that a study used."""
    components = (*design.datasets, *design.selectors, *design.searches)
    problem, *tools = WORKS.values()
    sources = [problem, *(one.source for one in components), *tools]
    works = dict.fromkeys(work for source in sources for work in works_in(source))
    software = _entry(
        "software", "altfs", author="{The altfs developers}",
        title="{altfs: alternative feature selection at scale}", version=__version__, year="2026",
    )  # fmt: skip
    return "\n\n".join([software, *(work.bibtex for work in works)]) + "\n"


def cited(*sources: str) -> str:
    """Return the publications that sources name, as in a text."""
    works = [work.short for source in sources for work in works_in(source)]
    return f" ({'; '.join(works)})" if works else ""


def _entry(kind: str, key: str, **fields: str) -> str:
    lines = [f"  {name} = {{{text}}}," for name, text in fields.items() if text]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])
