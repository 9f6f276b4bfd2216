"""The tasks of every study: datasets, scores, qualities, shards and predictions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from zlib import crc32

from pydantic import BaseModel, ConfigDict

from altfs.errors import StaleResultError
from altfs.kinds.base import kinds
from altfs.scores.base import ScoreKey, scores
from altfs.study.task import Component, FoldTask, RunsTask, Task

if TYPE_CHECKING:
    import pyarrow as pa

    from altfs.study.plan import Plan
    from altfs.study.state import Ledger, State
    from altfs.study.store import Result

# The measured share of different sets among the feature sets that are searched for.
_DISTINCT_SHARE = 0.42
# The number of shuffled targets of the qualities in the table of times.
_SHUFFLES = 20

# Bytes of Parquet files on a disk with blocks of this size, fitted to studies that were run.
_BLOCK = 4_096
# A shard with its folder; a set in the file of a model's predictions; the file of a selector's
# qualities without its values.
_SHARD, _PREDICTION, _QUALITY = 12_000, 25, 3_000
# Each value of a dataset, compressed: from a bit (classes) to nearly nine bytes (measurements).
_VALUE = 2
# A score of single features: the file, and each feature in it. A score of pairs: each column, and
# each value unless the score is sparse.
_SCORE, _FEATURE = 1_800, 16
_COLUMN, _PAIR = 200, 9


class DataTask(Task):
    """The dataset as the study uses it."""

    rule = "data"
    files = "datasets"
    word = "dataset"
    pattern = "datasets/{dataset}.parquet"
    kind = "dataset"
    evaluated = True
    needs_plan = True
    other = "does not hold the data that the study was planned with"

    #: SHA-256 of the values and of the texts of codes.
    identity: str

    @cached_property
    def hash(self) -> str:
        """The identity, as datasets are compared by their values."""
        return self.identity

    def inputs(self, plan: Plan) -> list[str]:
        return []

    def bytes(self, plan: Plan) -> float:
        facts = plan.facts[self.dataset]
        return on_blocks(_VALUE * facts.n_rows * facts.n_total)

    def run(self, plan: Plan | None = None) -> None:
        from altfs._clock import cpu_clock
        from altfs.study.facts import attributes_of, load_dataset
        from altfs.study.folds import save_dataset

        assert plan is not None
        before = cpu_clock()
        config = plan.config
        entry = next(e for e in config.datasets if e.name == self.dataset)
        dataset = load_dataset(
            entry, config.pmlb_cache, f"dataset '{entry.name}'", config.folds,
            attributes_of(config, entry.name),
        )  # fmt: skip
        if dataset.identity != self.identity:
            raise StaleResultError(
                f"dataset '{entry.name}' has changed since the run began, start the run again"
            )
        for column in dataset.info["constant"]:
            print(f"column '{column}' is constant; it is kept")
        for column, same in dataset.info["duplicated"].items():
            print(f"column '{column}' has the values of '{same}'; it is kept")
        save_dataset(Path(self.path), dataset, cpu_clock() - before)


class StoredScore(BaseModel):
    """A score of one fold: of both of its parts, or of pairs on one part."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str
    variant: str
    #: The part of the fold. A score of single features has one file for both, as many selectors
    #: need both; few need pairs on the test part.
    side: Literal["train", "test"] = "train"
    #: The task hash of the file.
    hash: str = ""

    @property
    def key(self) -> ScoreKey:
        """The score itself."""
        return ScoreKey(self.kind, self.variant)

    @property
    def name(self) -> str:
        """The name of the file.

        >>> StoredScore(kind="redundancy", variant="auto", side="test").name
        'redundancy.test'
        """
        return f"{self.key}.test" if self.side == "test" else str(self.key)

    @property
    def bytes_of_pair(self) -> int:
        """The bytes of each value of a score of pairs; 0 for others."""
        component = scores.get(self.kind)
        return _PAIR if component.of_pairs and not component.sparse else 0


class ScoreTask(FoldTask):
    """A score of a fold that selectors share."""

    rule = "score"
    files = "scores"
    word = "score"
    pattern = "scores/dataset={dataset}/fold={fold}/{score}.parquet"
    kind = "score"

    of: StoredScore
    #: The number of parts in which the columns of pairs are computed; 0 for single features.
    n_parts: int = 0

    @property
    def score(self) -> str:
        """The name of the score's file."""
        return self.of.name

    def columns(self) -> list[ScorePartTask]:
        """Return the tasks that compute the columns of pairs; none for single features."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return [ScorePartTask.model_construct(**fields, part=i) for i in range(self.n_parts)]

    def needs(self) -> Mapping[str, str]:
        return {part.path: part.hash for part in self.columns()}

    @property
    def work(self) -> tuple[str, ...]:
        # The columns of pairs are only joined.
        return ("join",) if self.n_parts else (self.rule, self.of.kind, self.of.variant)

    def bytes(self, plan: Plan) -> float:
        n_total = plan.facts[self.dataset].n_total
        if not self.n_parts:
            return on_blocks(_SCORE + _FEATURE * n_total)
        return on_blocks(n_total * (_COLUMN + self.of.bytes_of_pair * n_total))

    def make(self) -> Result:
        from altfs.study.scoring import make_score

        return make_score(self)


class ScorePartTask(ScoreTask):
    """Some columns of a score of pairs."""

    rule = "score_part"
    files = "parts of scores"
    word = "part of a score"
    pattern = "scores/dataset={dataset}/fold={fold}/{score}/part={part}.parquet"

    part: int

    def columns(self) -> list[ScorePartTask]:
        return []

    @property
    def work(self) -> tuple[str, ...]:
        return self.rule, self.of.kind, self.of.variant

    def bytes(self, plan: Plan) -> float:
        n_total = plan.facts[self.dataset].n_total
        columns = n_total / self.n_parts
        return on_blocks(columns * (_COLUMN + self.of.bytes_of_pair * n_total))

    def make(self) -> Result:
        from altfs.study.scoring import make_columns

        return make_columns(self)


class QualityTask(FoldTask):
    """The qualities that a selector learns on a fold."""

    rule = "quality"
    files = "qualities"
    word = "quality"
    pattern = "qualities/dataset={dataset}/fold={fold}/selector={selector}.parquet"
    kind = "quality"

    component: Component
    scores: tuple[StoredScore, ...]
    #: The number of shuffled targets that give the floors, and the sizes of sets that have one.
    n_shuffles: int = 0
    sizes: tuple[int | str, ...] = ()

    @property
    def selector(self) -> str:
        """The name of the selector."""
        return self.component.name

    def score_paths(self) -> dict[StoredScore, str]:
        """Return the file of each score that it reads."""
        folder = f"{self.results}/scores/dataset={self.dataset}/fold={self.fold}"
        return {score: f"{folder}/{score.name}.parquet" for score in self.scores}

    def needs(self) -> Mapping[str, str]:
        return {path: score.hash for score, path in self.score_paths().items()}

    @property
    def work(self) -> tuple[str, ...]:
        kind, *options = self.component.work
        # Those of shuffled targets take nearly all of the time, if the selector has floors.
        return (self.rule, kind, *(["floors"] if self.n_shuffles else []), *options)

    def units(self, plan: Plan) -> float:
        return self.units_in(0)

    def units_in(self, n_rows: int) -> float:
        return self.n_shuffles / _SHUFFLES or 1.0

    def bytes(self, plan: Plan) -> float:
        n_total = plan.facts[self.dataset].n_total
        matrices = sum(score.bytes_of_pair > 0 for score in self.scores)
        return on_blocks(_QUALITY + (_FEATURE + matrices * _PAIR * n_total) * n_total)

    def make(self) -> Result:
        from altfs.study.floors import with_floors
        from altfs.study.qualities import learn, qualities_table

        return qualities_table(with_floors(learn(self), self), self)


class SearchTask(RunsTask):
    """A shard: the feature sets of one search at one tau with the qualities of one selector."""

    rule = "search"
    files = "shards"
    word = "shard"
    pattern = (
        "shards/dataset={dataset}/fold={fold}/selector={selector}/tau={tau}/search={search}.parquet"
    )
    kind = "shard"
    evaluated = True
    locations = frozenset({"results", "stored"})

    #: How the qualities are learned, whether they are stored or not.
    learning: QualityTask
    #: True if the qualities are in a file.
    stored: bool

    @property
    def component(self) -> Component:
        """The selector."""
        return self.learning.component

    def needs(self) -> Mapping[str, str]:
        return {self.learning.path: self.learning.hash} if self.stored else self.learning.needs()

    def units(self, plan: Plan) -> float:
        return self.units_in(0)

    def units_in(self, n_rows: int) -> float:
        # A front has more rows than were planned, and no planned set is without a row.
        return sum(n_alternatives + 1 for _, n_alternatives, _ in self.runs())

    def bytes(self, plan: Plan) -> float:
        return _SHARD

    def make(self) -> Result:
        from altfs.study.sharding import make_shard

        return make_shard(self)

    def columns_of_file(self) -> pa.Schema:
        from altfs.study.sharding import search_of, shard_schema

        return shard_schema(search_of(self))


class SearchesTask(FoldTask):
    """All shards of a selector on a fold, for studies with too many shards for a job each."""

    # Its file notes that they were whole when it was written.
    rule = "searches"
    files = "groups of shards"
    word = "group of shards"
    pattern = "searches/dataset={dataset}/fold={fold}/selector={selector}.json"
    kind = "searches"
    evaluated = True
    needs_plan = True
    locations = frozenset({"results", "stored"})

    #: Hash of the settings of all searches.
    settings: str
    learning: QualityTask
    stored: bool

    @property
    def selector(self) -> str:
        """The name of the selector."""
        return self.learning.selector

    def needs(self) -> Mapping[str, str]:
        return {self.learning.path: self.learning.hash} if self.stored else self.learning.needs()

    def members(self, plan: Plan) -> Iterable[SearchTask]:
        return plan.shards(self.dataset, self.fold, self.selector)

    def works(self, plan: Plan) -> Mapping[tuple[str, ...], float]:
        return plan.works_of_searches(self.dataset, self.selector)

    def units(self, plan: Plan) -> float:
        return sum(self.works(plan).values())

    def bytes(self, plan: Plan) -> float:
        return _SHARD * sum(1 for _ in plan.places(self.dataset, self.fold, self.selector))

    def state(self, plan: Plan, ledger: Ledger) -> State:
        from altfs.study.group import state_of_group

        return state_of_group(self, plan, ledger)

    def run(self, plan: Plan | None = None) -> None:
        from altfs.study.group import run_group

        assert plan is not None
        run_group(self, list(self.members(plan)))


class ModelTask(FoldTask):
    """A task that scores one model on distinct feature sets of a fold."""

    kind = "predictions"
    needs_plan = True

    component: Component
    metrics: tuple[str, ...]
    #: The number of parts in which the sets are trained.
    n_parts: int = 1

    @property
    def model(self) -> str:
        """The name of the model."""
        return self.component.name

    @property
    def work(self) -> tuple[str, ...]:
        return "predict", *self.component.work

    def units(self, plan: Plan) -> float:
        return _DISTINCT_SHARE * plan.n_sets(self.dataset) / self.n_parts

    def units_in(self, n_rows: int) -> float:
        return n_rows / len(self.metrics)

    def bytes(self, plan: Plan) -> float:
        return _PREDICTION * self.units(plan)

    def sets(self, plan: Plan) -> list[tuple[int, ...]]:
        """Return the feature sets of the fold's shards, from their files."""
        from altfs.study.store import read_shard

        read = (read_shard(Path(s.path), s.hash) for s in plan.shards(self.dataset, self.fold))
        return [tuple(s) for table, _ in read for s in table["selected"].to_pylist() if s]

    def n_alike(self, plan: Plan) -> int:
        """Return how many tasks of the study count for compiling the trees of the model.

        It is a quarter of them: those of two classes and of more are compiled apart, and the other
        workers wait meanwhile.
        """
        return max(self.n_parts * plan.config.folds.number * len(plan.facts) // 4, 1)

    def search_paths(self, plan: Plan) -> list[str]:
        """Return the files of the tasks that make the fold's shards."""
        return [task.path for task in plan.searching(self.dataset, self.fold)]


class PredictTask(ModelTask):
    """The scores of one model on every distinct feature set of a fold."""

    rule = "predict"
    files = "predictions"
    word = "prediction"
    pattern = "predictions/dataset={dataset}/fold={fold}/model={model}.parquet"
    evaluated = True
    locations = frozenset({"results", "n_parts"})

    def pieces(self) -> list[PredictPartTask]:
        """Return the tasks that train parts of the sets; none if this one trains all of them."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        numbers = range(self.n_parts if self.n_parts > 1 else 0)
        return [PredictPartTask.model_construct(**fields, part=i) for i in numbers]

    def inputs(self, plan: Plan) -> list[str]:
        parts = [part.path for part in self.pieces()]
        return [*(parts or self.search_paths(plan)), *super().inputs(plan)]

    @property
    def work(self) -> tuple[str, ...]:
        return ("join",) if self.n_parts > 1 else super().work

    def units(self, plan: Plan) -> float:
        return 1.0 if self.n_parts > 1 else super().units(plan)

    def bytes(self, plan: Plan) -> float:
        return _PREDICTION * super().units(plan) * self.n_parts

    def columns_of_file(self) -> pa.Schema:
        from altfs.study.store import PREDICTION_SCHEMA

        return PREDICTION_SCHEMA

    def run(self, plan: Plan | None = None) -> None:
        from altfs.study.predicting import join_predictions, make_predictions

        assert plan is not None
        if parts := self.pieces():
            join_predictions(self, parts)
        else:
            make_predictions(self, self.sets(plan), self.n_alike(plan))


class PredictPartTask(ModelTask):
    """The scores of one model on some of the distinct feature sets of a fold."""

    rule = "predict_part"
    files = "parts of predictions"
    word = "part of a prediction"
    pattern = "predictions/dataset={dataset}/fold={fold}/model={model}/part={part}.parquet"

    part: int

    def inputs(self, plan: Plan) -> list[str]:
        return [*self.search_paths(plan), *super().inputs(plan)]

    def whole(self) -> PredictTask:
        """Return the task that joins the parts."""
        fields = {name: getattr(self, name) for name in PredictTask.model_fields}
        return PredictTask.model_construct(**fields)

    def run(self, plan: Plan | None = None) -> None:
        from altfs.study.predicting import make_predictions

        assert plan is not None
        # A set stays in its part when others join the study.
        own = [s for s in self.sets(plan) if crc32(repr(s).encode()) % self.n_parts == self.part]
        make_predictions(self, own, self.n_alike(plan), self.whole())


def task_types() -> list[type[Task]]:
    """Return the types of the tasks of all studies, in the order in which they depend."""
    of_kinds = [one for kind in kinds.all() for one in kind.task_types()]
    before: list[type[Task]] = [
        DataTask, ScoreTask, ScorePartTask, QualityTask, SearchTask, SearchesTask
    ]  # fmt: skip
    return [*before, *of_kinds, PredictPartTask, PredictTask]


def on_blocks(size: float) -> float:
    """Return the bytes that a file takes on a disk."""
    return _BLOCK * -(-size // _BLOCK)
