"""Explanations of single rows: the sets of each explained row of a fold's test part."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.datasets.row_designs import truth_of_rows
from altfs.errors import AltfsError
from altfs.kinds.rows.batches import search_rows
from altfs.kinds.rows.explanations import Explanations
from altfs.kinds.rows.schema import EXPLANATION_SCHEMA
from altfs.kinds.rows.sufficiency import Answers
from altfs.prediction.base import models
from altfs.scores.base import Part
from altfs.searches.request import stored_size
from altfs.selectors.base import selectors
from altfs.selectors.row_wise import RowWise, answers_of, drawn_places, drawn_rows
from altfs.solvers.base import Limits
from altfs.study.cross_validation import Folds
from altfs.study.folds import fold_parts, load_planned_dataset, split_rows
from altfs.study.layout import data_path
from altfs.study.sharding import WORDS, request_of, search_of
from altfs.study.store import Result, library_versions

if TYPE_CHECKING:
    from altfs.kinds.rows.task import ExplainTask


class ExplainedFold(NamedTuple):
    """The explained rows of a fold, with what the model and a selector say of them."""

    model: Any
    train: Part
    #: Shape (n_rows,). Their numbers in the dataset.
    rows: IntArray
    #: Shape (n_rows, n_total). The rows.
    X: FloatArray
    #: Shape (n_background, n_total).
    background: FloatArray
    #: Shape (n_rows, n_total). The relevant features of each row, if they are known.
    truth: BoolArray | None
    #: The wall time of the model and the values.
    seconds: float
    #: Shape (n_rows, n_total). What each feature is worth for the rows; zeros before any selector.
    values: FloatArray

    @property
    def worth(self) -> BoolArray:
        """True for rows for which any feature is worth something."""
        return np.asarray(self.values.sum(axis=1) > 0)


def make_explanations(task: ExplainTask) -> Result:
    """Explain rows of the test part of a fold."""
    nothing = int((~attributed(task).worth).sum())
    note = f"no feature is worth anything for {nothing} of the rows" if nothing else ""
    return explanation_table(task), {
        "task": task.content,
        "versions": library_versions(),
        "notes": {"share": note} if note else {},
    }


def attributed(task: ExplainTask) -> ExplainedFold:
    """Return the values of the features for the explained rows of a fold."""
    # Tasks of a fold share what does not depend on the search.
    fold = (
        data_path(task.results, task.dataset), task.digest, task.fold, task.folds, task.seed,
        json.dumps(task.explained, sort_keys=True), task.design,
    )  # fmt: skip
    options = json.dumps(task.component.options, sort_keys=True)
    return _with_values(fold, task.component.type, options)


# The path and the digest of the data, the fold, all folds, the seed, the section of the
# configuration as JSON, and the design: what determines the model and the rows.
_Fold = tuple[str, str, int, Folds, int, str, str | None]


# The jobs of a fold share the model, which takes most of the memory.
@lru_cache(maxsize=2)
def _with_model(fold: _Fold) -> ExplainedFold:
    start = perf_counter()
    path, digest, number, folds, seed, section, design = fold
    train, test = fold_parts(path, digest, number, folds, seed)
    dataset, options = load_planned_dataset(path, digest), json.loads(section)
    of_test = split_rows(path, digest, folds, seed)[number][1]
    places = drawn_places(len(of_test), options["rows"], train.seed)
    X = test.X[places]
    model = models.make(options["model"]).estimator(train.target_type, train.seed)
    model.fit(train.X, train.y)
    background = drawn_rows(train.X, options["background"], train.seed)
    truth = truth_of(design, dataset.feature_names, dataset.categorical, X)
    seconds = perf_counter() - start
    return ExplainedFold(
        model, train, of_test[places], X, background, truth, seconds, np.zeros(X.shape)
    )


# The jobs of a fold and selector share them. They come in any order, and networks take minutes.
@lru_cache(maxsize=256)
def _with_values(fold: _Fold, selector_type: str, options: str) -> ExplainedFold:
    explained = _with_model(fold)
    model, train, _, X, background, *_ = explained
    start = perf_counter()
    selector = selectors.make(selector_type, json.loads(options))
    assert isinstance(selector, RowWise)
    values = selector.explained(model, background, train, X)
    seconds = explained.seconds + perf_counter() - start
    return explained._replace(values=values, seconds=seconds)


def truth_of(
    design: str | None, names: Sequence[str], categorical: BoolArray, X: FloatArray
) -> BoolArray | None:
    """Return the relevant features of rows; None if they, or the columns, are not the design's.

    >>> names = [f"x{j}" for j in range(1, 11)]
    >>> truth_of("xor", names, np.zeros(10, bool), np.zeros((1, 10))).sum()
    np.int64(2)
    >>> truth_of("xor", ["x1", "x3"], np.zeros(2, bool), np.zeros((1, 2))) is None
    True
    """
    numbered = [f"x{j + 1}" for j in range(len(names))]
    if design is None or list(names) != numbered or categorical.any():
        return None
    return truth_of_rows(design, X)


def explanation_table(task: ExplainTask) -> pa.Table:
    """Explain rows with every (n_features, n_alternatives, aggregation); return a row per set."""
    explained, names, search = attributed(task), task.data.feature_names, search_of(task)
    answers = answers_of(explained.model, explained.train.target_type)
    limits, worth = Limits(**task.limits), explained.worth
    is_numeric = explained.train.target_type == "regression"
    classes = None if is_numeric else np.asarray(explained.model.classes_)
    tables = []
    for run in task.runs():
        start = perf_counter()
        request = request_of(task, names, run)
        try:
            sets = search_rows(explained.values[worth], request, search, limits)
        except AltfsError as error:
            raise error.in_words(WORDS) from None
        sets = sets.among(worth)
        seconds = explained.seconds + perf_counter() - start
        said = Answers.of(answers, explained.X, sets.sets, explained.background)
        explanations = Explanations(explained.values, tuple(names), sets, said, classes)
        frame = explanations.to_frame()
        if explained.truth is not None:
            frame = frame.assign(**explanations.truth_columns(explained.truth))
        frame = frame.assign(
            row=explained.rows[frame["row"]],
            **task.place._asdict(),
            n_features=stored_size(run[0]),
            n_alternatives=run[1],
            aggregation=run[2] if task.entry["aggregation"] else "none",
            max_overlap=sets.problem.max_overlap if len(sets.problem.sizes) == 1 else None,
            seconds=seconds / sets.status.size,
        ).reindex(columns=EXPLANATION_SCHEMA.names)
        tables.append(pa.Table.from_pandas(frame, EXPLANATION_SCHEMA, preserve_index=False))
    return pa.concat_tables(tables).replace_schema_metadata()
