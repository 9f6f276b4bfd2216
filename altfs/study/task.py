"""The base of tasks: each makes one file of a study."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pydantic import BaseModel, ConfigDict

from altfs.problem import Constraints
from altfs.problem.overlap import Dissimilarity
from altfs.study.cross_validation import Folds
from altfs.study.layout import data_path

if TYPE_CHECKING:
    import pyarrow as pa

    from altfs.datasets import Dataset
    from altfs.scores.base import Part
    from altfs.scores.row_groups import Split
    from altfs.study.plan import Plan
    from altfs.study.state import Ledger, State
    from altfs.study.store import Result


class Place(NamedTuple):
    """The place of a shard in a study."""

    dataset: str
    fold: int
    selector: str
    tau: str
    search: str


class Component(BaseModel):
    """A component with its name in the study, its type and its options."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    type: str
    options: dict[str, Any] = {}

    @property
    def work(self) -> tuple[str, ...]:
        """The type and the options that are not default, which decide how long its tasks take."""
        options = json.dumps(self.options, sort_keys=True)
        return (self.type, options) if self.options else (self.type,)


class Task(BaseModel):
    """One file of a study: what it is made from, and the function that makes it.

    A task is data. Snakemake passes it as JSON to the worker that runs it.

    Attributes
    ----------
    rule : str
        The name of its rule.
    files, word : str
        What its files are called in messages, and one of them or its content.
    pattern : str
        The path of the file in the results folder, with wildcards in braces, which are fields or
        properties of the task.
    kind : str
        The kind of its file, in the file's metadata.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: ClassVar[str]
    files: ClassVar[str]
    word: ClassVar[str]
    pattern: ClassVar[str]
    kind: ClassVar[str]
    #: True if the evaluation reads the file.
    evaluated: ClassVar[bool] = False
    #: True if it runs with the plan of the study, which is read from the results folder.
    needs_plan: ClassVar[bool] = False
    #: What is wrong with a whole file that another task made.
    other: ClassVar[str] = "was made with other settings, data or code than the study has now"
    # Fields on which the file's content does not depend.
    locations: ClassVar[frozenset[str]] = frozenset({"results"})

    #: Results folder.
    results: str
    dataset: str

    @cached_property
    def path(self) -> str:
        """The file that it makes."""
        inside = self.pattern.format(**{name: getattr(self, name) for name in self.wildcards})
        return f"{self.results}/{inside}"

    @property
    def wildcards(self) -> list[str]:
        """The names in the pattern."""
        return [name for _, name, _, _ in Formatter().parse(self.pattern) if name]

    @cached_property
    def log(self) -> str:
        """The file with what it prints."""
        return log_of(self.results, self.path)

    @cached_property
    def content(self) -> dict[str, Any]:
        """Everything on which the content of the file depends, as plain data."""
        fields = {n: getattr(self, n) for n in type(self).model_fields if n not in self.locations}
        return dict(json.loads(json.dumps(fields, default=_plain)))

    @cached_property
    def hash(self) -> str:
        """Hash of the content, which the file has in its metadata."""
        return hash_of(self.content)

    @property
    def fold_number(self) -> int:
        """The fold; -1 for a dataset itself."""
        return getattr(self, "fold", -1)

    @property
    def detail(self) -> str:
        """The score, the selector or the model; empty for a dataset."""
        names = ("score", "selector", "model")
        return next((getattr(self, name) for name in names if hasattr(self, name)), "")

    def inputs(self, plan: Plan) -> list[str]:
        """Return the files that it reads, first the dataset."""
        return [data_path(self.results, self.dataset), *self.needs()]

    def needs(self) -> Mapping[str, str]:
        """Return the hash that each of its input files must have, of those that have one."""
        return {}

    @property
    def work(self) -> tuple[str, ...]:
        """Its kind of work: the rule, and what else decides how long it takes on a dataset."""
        return (self.rule,)

    def units(self, plan: Plan) -> float:
        """Return the expected units of work, such as feature sets."""
        return 1.0

    def units_in(self, n_rows: int) -> float:
        """Return the units of work that a file with so many rows took."""
        return 1.0

    def bytes(self, plan: Plan) -> float:
        """Estimate the size of its file."""
        raise NotImplementedError

    def members(self, plan: Plan) -> Iterable[Task]:
        """Return the tasks that it runs: itself, or those of a group."""
        return (self,)

    def works(self, plan: Plan) -> Mapping[tuple[str, ...], float]:
        """Return the expected units of each kind of its work."""
        return {self.work: self.units(plan)}

    def state(self, plan: Plan, ledger: Ledger) -> State:
        """Return the state of its file."""
        return ledger.state(self.path, self.hash)

    def make(self) -> Result:
        """Return the table of the file, and its metadata."""
        raise NotImplementedError

    def columns_of_file(self) -> pa.Schema | None:
        """Return the columns of the file; None if they depend on the data."""
        return None

    def audit(self, table: pa.Table, metadata: Mapping[str, Any], recompute: bool) -> Iterator[str]:
        """Yield the errors in a whole file of this task; if `recompute`, make it again."""
        return iter(())

    def run(self, plan: Plan | None = None) -> None:
        """Make the file, unless it holds exactly this result.

        The plan is there if :attr:`needs_plan` is true.

        Snakemake does not notice the finished results of a killed run. It takes a file that was
        only touched for a new one.
        """
        from altfs._clock import cpu_clock
        from altfs.study.store import read_current, read_metadata, stale, write_result

        if read_current(Path(self.path), self.hash) is not None:
            print(f"{self.path} is whole and up to date")
            return
        for path, expected in self.needs().items():
            if read_metadata(Path(path)).get("task_hash") != expected:
                raise stale(path, self.other)
        before = cpu_clock()
        result = self.make()
        write_result(Path(self.path), self.kind, self.hash, result, cpu_clock() - before)

    def __hash__(self) -> int:
        return hash(self.path)


class FoldTask(Task):
    """A task on one fold of a dataset."""

    #: SHA-256 of the dataset's values.
    digest: str
    fold: int
    folds: Folds
    seed: int
    #: Hash of the code that makes the file.
    code: str

    @property
    def data(self) -> Dataset:
        """The dataset; it has to be the one with which the study was planned."""
        from altfs.study.folds import load_planned_dataset

        return load_planned_dataset(data_path(self.results, self.dataset), self.digest)

    def parts(self) -> tuple[Part, Part]:
        """Return training and test part of the fold."""
        from altfs.study.folds import fold_parts

        place = data_path(self.results, self.dataset), self.digest
        return fold_parts(*place, self.fold, self.folds, self.seed)

    def sides(self) -> Split:
        """Return the numbers of training and test rows of the fold."""
        from altfs.study.folds import split_rows

        place = data_path(self.results, self.dataset), self.digest
        return split_rows(*place, self.folds, self.seed)[self.fold]


class RunsTask(FoldTask):
    """A task that runs a search at one tau, with each of its sizes and numbers of alternatives."""

    tau: str
    #: The entry of the search in the configuration.
    entry: dict[str, Any]
    n_features: tuple[int | str, ...]
    dissimilarity: Dissimilarity
    limits: dict[str, float]
    constraints: Constraints | None

    @property
    def component(self) -> Component:
        """The selector."""
        raise NotImplementedError

    @property
    def selector(self) -> str:
        """The name of the selector."""
        return self.component.name

    @property
    def search(self) -> str:
        """The name of the search."""
        return str(self.entry["name"])

    @property
    def work(self) -> tuple[str, ...]:
        kind, *options = self.component.work
        solver = self.entry.get("solver")
        by = [solver["type"]] if solver else []
        # The worst set of several is harder to prove than their sum.
        worst = ["min"] if "min" in (self.entry["aggregation"] or ()) else []
        return (self.rule, kind, self.entry["type"], *by, *options, *worst)

    def units_in(self, n_rows: int) -> float:
        return n_rows

    @property
    def place(self) -> Place:
        """The values of the wildcards."""
        return Place(self.dataset, self.fold, self.selector, self.tau, self.search)

    def runs(self) -> list[tuple[int | str, int, str]]:
        """Return size, number of alternatives and aggregation of each run of the search."""
        aggregations = self.entry["aggregation"] or ["sum"]
        return list(product(self.n_features, self.entry["n_alternatives"], aggregations))


def log_of(results: str, path: str) -> str:
    """Return the log of the task that makes a file of the results folder."""
    inside = path.removeprefix(f"{results}/").rpartition(".")[0]
    return f"{results}/logs/{inside}.log"


def hash_of(content: Mapping[str, Any]) -> str:
    """Return the hash of the content of a task."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


def _plain(value: Any) -> Any:
    """Return a model as plain data."""
    return value.content if isinstance(value, Task) else value.model_dump(mode="json")
