"""Kinds of answers, and their registry.

A room ``altfs/kinds/NAME/`` has all that belongs to one kind of answer. Its module ``kind.py``
registers a :class:`Kind`, which says what the study, the evaluation and the library do for it.
Its folders ``selectors``, ``searches``, ``solvers``, ``tables``, ``figures`` and ``commands`` have
components that the registries of these names find. Nothing outside a room imports it: the others
call all kinds in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from altfs.registry import Registry, rooms_of_kinds

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from altfs._options import StrictModel
    from altfs.datasets import Dataset
    from altfs.errors import ConfigError
    from altfs.evaluation.results import Results
    from altfs.solvers import Limits
    from altfs.study.config import StudyConfig
    from altfs.study.plan import Plan
    from altfs.study.task import Task


class Kind:
    """A kind of answer; every method does nothing by default.

    Attributes
    ----------
    name : str
        Set by the registry.
    section : str
        The key of its section in ``config.yaml``; empty without one.
    table : str
        The name of the table with all of its rows, which the evaluation stores and hands to
        tables and figures; empty without one.
    first_tables : tuple of str
        The names of the tables that the report's first screen shows.
    """

    name: ClassVar[str]
    section: ClassVar[str] = ""
    table: ClassVar[str] = ""
    first_tables: ClassVar[tuple[str, ...]] = ()

    # In a study.

    def applies(self, config: StudyConfig) -> bool:
        """Return True if a study has answers of this kind."""
        return False

    def section_model(self) -> type[StrictModel]:
        """Return the model of its section, whose docstring describes it."""
        raise NotImplementedError

    def check(self, config: StudyConfig) -> None:
        """Check its section and its components; ValueError with a sentence if one is wrong."""
        return

    def libraries(self, config: StudyConfig) -> set[str]:
        """Return the extras that its section needs; a library has the name of its extra."""
        return set()

    def complaints(
        self, config: StudyConfig, dataset: Dataset, n_rows: int
    ) -> Iterator[ConfigError]:
        """Yield the reasons for which it refuses a dataset with so many rows to train on."""
        return iter(())

    def attributes(self, config: StudyConfig, dataset: str) -> Mapping[str, str]:
        """Return the columns of a dataset that it reads and that are no features, by their keys."""
        return {}

    def task_types(self) -> tuple[type[Task], ...]:
        """Return the types of its tasks, each of which is a rule of the workflow."""
        return ()

    def tasks(self, plan: Plan, dataset: str, fold: int) -> Iterator[Task]:
        """Yield its tasks on one fold of a dataset."""
        return iter(())

    def columns(self) -> list[pa.Field]:
        """Return the columns that its searches add to a shard.

        Rows of a shard that have a value in the first of them are no feature sets of a run.
        """
        return []

    def audit_shard(
        self,
        runs: Sequence[Any],
        rows: pa.Table,
        metadata: Mapping[str, Any],
        limits: Limits | None,
    ) -> Iterator[str]:
        """Yield the errors of the further rows of a shard of one of its searches.

        Parameters
        ----------
        runs : sequence of altfs.study.verify.rows.StoredRun
        rows : Table
            The rows with a value in the first of :meth:`columns`.
        metadata : mapping
            Those of the file.
        limits : Limits or None
            The limits of a second solver; None if claims are not judged.
        """
        return iter(())

    # In the evaluation.

    def table_schema(self) -> pa.Schema:
        """Return the columns of :attr:`table`."""
        raise NotImplementedError

    def headings(self) -> Mapping[str, tuple[str, str]]:
        """Return heading and meaning of the columns that only its tables have.

        A column that means something else in one of them is ``"table.column"``.
        """
        return {}

    def sentences(self, table: pd.DataFrame, results: Results) -> Iterator[str]:
        """Yield what its first table says, in sentences of at most twenty words."""
        return iter(())

    def truth(self, results: Results) -> Iterator[pd.DataFrame]:
        """Yield its rows of the table ``truth``, in data whose relevant features are known."""
        return iter(())

    # In the library.

    def mixins(self) -> tuple[type, ...]:
        """Return classes that give `AlternativeFeatures` further attributes."""
        return ()

    def plots(self) -> Mapping[str, Callable[[Any], Any]]:
        """Return functions that draw a fitted request, by their names."""
        return {}


class _Kinds(Registry[Kind]):
    """The kinds by name, each in the module ``kind.py`` of its room."""

    def modules(self) -> list[str]:
        return [f"{room}.kind" for room in rooms_of_kinds()]

    def all(self) -> list[Kind]:
        """Return one object of each kind."""
        return [kind() for kind in self]


kinds = _Kinds("altfs.kinds", "kind")
