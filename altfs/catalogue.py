"""The catalogues of tables and figures of a study.

A module of ``altfs.evaluation.tables`` or ``altfs.evaluation.figures`` adds its function with the
decorator of its catalogue. The first sentence of the module is the caption. The plan, the rules and
the page take names, order and inputs from here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from altfs.registry import Members

if TYPE_CHECKING:
    from altfs.study.config import StudyConfig

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class CatalogueEntry:
    """A table or a figure."""

    #: The name of the function, the files, and the anchor on the page.
    name: str
    #: A sentence for readers: the first one of the module's docstring.
    caption: str
    #: Position in the order of the report.
    place: int
    #: Called with the results of a study; a figure's also with the tables that it needs.
    make: Callable[..., Any]
    #: Names of the tables that a figure reads.
    needs: tuple[str, ...] = ()
    #: True for a table of the whole study, even if it has classification and regression.
    whole: bool = False
    #: Returns True for the configurations of studies that have it; by default all.
    applies: Callable[[StudyConfig], bool] | None = None
    #: True for a figure with a panel or a box for each size; it shows a few of many sizes.
    per_size: bool = False


def names_solvers(config: StudyConfig) -> bool:
    """Return True if a search of the study names its solver."""
    return any(search.solver is not None for search in config.searches)


def has_sizes(config: StudyConfig) -> bool:
    """Return True if a study has sets of several sizes."""
    return len(config.n_features) > 1


def knows_truth(config: StudyConfig) -> bool:
    """Return True if the relevant features of a dataset of the study are known."""
    told = ("relevant", "inject")
    return any(d.type == "synthetic" or any(map(d.options.get, told)) for d in config.datasets)


class Catalogue(Members[CatalogueEntry]):
    """Components in the order of the report.

    Examples
    --------
    >>> tables.order()[:3]
    ['overview', 'datasets', 'missing']
    >>> figures.get("critical_difference").needs
    ('friedman', 'overview', 'pairwise')
    """

    def add(
        self,
        *,
        place: int,
        needs: tuple[str, ...] = (),
        whole: bool = False,
        applies: Callable[[StudyConfig], bool] | None = None,
        per_size: bool = False,
    ) -> Callable[[F], F]:
        """Return a decorator that adds a function under its own name."""

        def decorate(make: F) -> F:
            name = make.__name__
            caption = (sys.modules[make.__module__].__doc__ or "").partition("\n\n")[0]
            component = CatalogueEntry(name, caption, place, make, needs, whole, applies, per_size)
            self._add(name, component)
            return make

        return decorate

    def _module_of(self, member: CatalogueEntry) -> str:
        return member.make.__module__

    def order(self, config: StudyConfig | None = None) -> list[str]:
        """Return the names of a study, by default all, in the order of the report."""
        return [
            c.name
            for c in sorted(self, key=lambda c: (c.place, c.name))
            if config is None or c.applies is None or c.applies(config)
        ]


tables = Catalogue("altfs.evaluation.tables", "table")
figures = Catalogue("altfs.evaluation.figures", "figure")
