"""What `snakemake --report` shows of a study: which files, under what words.

Snakemake reads captions from files. Those in `workflow/report/` are written from
the captions of the page (:data:`altfs.evaluation.captions.CAPTIONS`) by

    python -m altfs.evaluation.report.for_snakemake workflow/report

and a test holds them in step.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from altfs.evaluation.captions import CAPTIONS

_CATEGORIES = {
    ("figures", "svg"): "Figures",
    ("figures", "pdf"): "Figures",
    ("tables", "csv"): "Tables",
}
_PAGE = (
    "The whole study on one page: what was run, answers in words, interactive figures, tables, "
    "and every dataset's feature sets by name."
)


class Shown(NamedTuple):
    """A file of the evaluation as Snakemake's report shows it.

    Attributes
    ----------
    caption : str
        Name of a file in ``workflow/report/``.
    category : str
    labels : dict of str to str
    """

    caption: str
    category: str
    labels: dict[str, str]


def shown_as(path: str) -> Shown | None:
    """How a file of the evaluation is shown; None if it is not.

    Examples
    --------
    >>> shown_as("results/x/figures/solver_time.pdf").labels
    {'name': 'Solver time', 'format': 'PDF'}
    >>> shown_as("results/x/tables/quality.parquet") is None
    True
    """
    file = PurePosixPath(path)
    if file.name == "report.html":
        return Shown("report.rst", "Report", {"name": "Report", "format": "HTML"})
    kind = file.suffix[1:]
    category = _CATEGORIES.get((file.parent.name, kind))
    if category is None:
        return None
    words = file.stem.replace("_", " ").capitalize()
    return Shown(f"{file.stem}.rst", category, {"name": words, "format": kind.upper()})


def caption_files() -> dict[str, str]:
    """The files in ``workflow/report/`` by name."""
    return {f"{n}.rst": _as_rst(text) for n, text in {**CAPTIONS, "report": _PAGE}.items()}


def _as_rst(text: str) -> str:
    # Snakemake fills captions in as templates, and docutils reads marks in them.
    return re.sub(r"([\\*`|_{}])", r"\\\1", text) + "\n"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.rst"):
        old.unlink()
    for name, text in caption_files().items():
        (folder / name).write_text(text, "utf-8")
