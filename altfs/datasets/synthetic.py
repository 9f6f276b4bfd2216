"""Synthetic data whose relevant features are known."""

from __future__ import annotations

import hashlib
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from altfs._numbers import FloatArray
from altfs.datasets.base import RawTable, Source, SourceOptions, sources
from altfs.datasets.context_designs import RELEVANT, draw_in_context
from altfs.datasets.row_designs import DESIGNS, draw_rows, relevant_columns
from altfs.errors import DataError


class _Design(NamedTuple):
    """The defaults of a design."""

    rows: int
    informative: int
    combinations: int
    noise: int
    categorical_share: float
    wrong_labels: float


_DESIGNS = {
    "madelon": _Design(2000, 5, 15, 480, 0.0, 0.01),
    "mixed": _Design(2000, 5, 5, 40, 0.5, 0.0),
}
# Half of an edge of the hypercube, in units of the spread of a cluster's columns.
_REACH = 2.0
# Labels of corners agree with a coordinate in half of the corners, more or less by this share.
_AGREEMENT = 1 / 16


class SyntheticOptions(SourceOptions):
    """Options of synthetic data; all but `design` have the defaults of the design.

    design: madelon or mixed; one whose rows have truths of their own, such as syn4; or one in which
    a value decides which others count, such as xor_context. rows: their
    number. informative, combinations, noise: numbers of columns of each kind. features: the
    number of all columns of a design with truths of rows. categorical_share: of all columns.
    categories: of each of them. wrong_labels: share of the rows. seed: of the random numbers.
    """

    design: Literal[
        "madelon", "mixed", "orange_skin", "xor", "nonlinear_additive", "switch",
        "syn1", "syn2", "syn3", "syn4", "syn5", "syn6", "xor_context", "xor_decoys", "cube",
    ]  # fmt: skip
    rows: int | None = Field(default=None, ge=20, le=10_000_000)
    informative: int | None = Field(default=None, ge=2, le=12)
    combinations: int | None = Field(default=None, ge=0)
    noise: int | None = Field(default=None, ge=0)
    categorical_share: float | None = Field(default=None, ge=0, le=1)
    features: int | None = Field(default=None, ge=10, le=100_000)
    categories: int = Field(default=5, ge=2)
    wrong_labels: float | None = Field(default=None, ge=0, lt=0.5)
    seed: int = Field(default=0, ge=0, lt=2**32)

    @model_validator(mode="after")
    def _check_design(self) -> Self:
        """Check that the options are those of the design."""
        of_clusters = (*_Design._fields[1:], "categories")
        others: tuple[str, ...] = () if self.design in DESIGNS else ("features",)
        if self.design in DESIGNS or self.design in RELEVANT:
            others += of_clusters
        for name in others:
            # A default that is not given is not in the set.
            if name in self.model_fields_set and getattr(self, name) is not None:
                raise ValueError(
                    f"{name} is not an option of the design {self.design}, leave it out"
                )
        return self


@sources.register("synthetic")
class Synthetic(Source):
    """Two classes of normal clusters on the corners of a hypercube, and columns without use.

    Half of the corners, drawn at random, are of each class. Labels of corners are drawn until
    no coordinate tells much: each agrees with them in 7 to 9 of 16 corners. Each cluster has a
    covariance of its own. The columns ``informative`` are the coordinates, ``combination``
    random linear combinations of them, and ``noise`` is independent of the class. All have mean
    0 and variance 1, in a random order. Then the drawn columns become categories of equally
    many rows, and the labels of drawn rows are wrong. The columns of the first two kinds are
    stored as relevant.

    `madelon` has 2000 rows, 5 informative columns, 15 combinations, 480 of noise and 1 % wrong
    labels (Guyon, *Design of experiments for the NIPS 2003 variable selection benchmark*).
    `mixed` has 2000 rows, 5, 5 and 40 columns, half of which are categories, as in
    Shekar et al., ECML PKDD 2017, Section 5.1.

    In `xor_context`, `xor_decoys` and `cube` a value decides which others tell something
    (:mod:`altfs.datasets.context_designs`).

    Of the other designs, each row has relevant features of its own, a function of its values
    (:mod:`altfs.datasets.row_designs`). Their columns x1, x2, ... are normal. The features that
    are true for any row are stored as relevant.
    """

    Options = SyntheticOptions

    @classmethod
    def shorthand(cls, text: str) -> dict[str, Any] | None:
        return {"design": text} if text in (*_DESIGNS, *DESIGNS, *RELEVANT) else None

    def load(self) -> RawTable:
        import pandas as pd

        options = self.options
        if options.design in DESIGNS or options.design in RELEVANT:
            return self._numbered_columns()
        defaults = _DESIGNS[options.design]._asdict()
        design = _Design(
            **{k: v if (x := getattr(options, k)) is None else x for k, v in defaults.items()}
        )
        if options.categories * 2 > design.rows:
            reason = f"{options.categories} is too many for {design.rows} rows"
            raise DataError("categories", reason, f"use at most {design.rows // 2}")
        random = np.random.RandomState(options.seed)
        X, y = _clusters(design, random)
        kinds = {
            "informative": X,
            "combination": X @ random.uniform(-1, 1, (design.informative, design.combinations)),
            "noise": random.standard_normal((design.rows, design.noise)),
        }
        names = [f"{kind}{i + 1}" for kind, part in kinds.items() for i in range(part.shape[1])]
        relevant = tuple(n for n in names if not n.startswith("noise"))
        X = np.hstack(list(kinds.values()))
        # The last digits of sums differ between machines.
        X = ((X - X.mean(axis=0)) / X.std(axis=0)).round(9)
        order = random.permutation(len(names))
        X, names = X[:, order], [names[j] for j in order]
        columns: dict[str, Any] = {name: X[:, j] for j, name in enumerate(names)}
        n_cut = round(design.categorical_share * len(names))
        for j in random.permutation(len(names))[:n_cut]:
            columns[names[j]] = _categories(X[:, j], options.categories, random)
        wrong = random.permutation(design.rows)[: round(design.wrong_labels * design.rows)]
        y[wrong] = 1 - y[wrong]
        frame = pd.DataFrame({**columns, "class": y})
        content = f"{options.design} {design} {options.categories} {options.seed}"
        digest = hashlib.sha256(content.encode()).hexdigest()
        return RawTable(
            frame, "class", "classification", f"synthetic: {options.design}", digest, relevant
        )

    def _numbered_columns(self) -> RawTable:
        """Return a table with the columns x1, x2, ... of a design."""
        import pandas as pd

        options = self.options
        if options.design in RELEVANT:
            X, y = draw_in_context(options.design, options.rows, options.seed)
            columns = list(range(RELEVANT[options.design]))
        else:
            X, y = draw_rows(options.design, options.rows, options.features, options.seed)
            columns = relevant_columns(options.design)
        names = [f"x{j + 1}" for j in range(X.shape[1])]
        frame = pd.DataFrame(X, columns=names).assign(**{"class": y})
        content = f"{options.design} {X.shape} {options.seed}"
        digest = hashlib.sha256(content.encode()).hexdigest()
        relevant = tuple(names[j] for j in columns)
        return RawTable(
            frame, "class", "classification", f"synthetic: {options.design}", digest, relevant
        )


def _clusters(
    design: _Design, random: np.random.RandomState
) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Return the coordinates of rows in clusters on the corners of a hypercube, and classes."""
    n = design.informative
    corners = np.arange(2**n)[:, None] >> np.arange(n) & 1
    labels = _labels(corners, random)
    of_row = random.permutation(np.arange(design.rows) % 2**n)
    X = np.empty((design.rows, n))
    for corner in range(2**n):
        rows = of_row == corner
        covariance = random.uniform(-1, 1, (n, n))
        X[rows] = random.standard_normal((int(rows.sum()), n)) @ covariance
    return X + _REACH * (2 * corners[of_row] - 1), labels[of_row]


def _labels(corners: npt.NDArray[np.int64], random: np.random.RandomState) -> npt.NDArray[np.int64]:
    """Draw the classes of corners, half of each, until no coordinate tells much about them."""
    n = len(corners)
    while True:
        labels = random.permutation(np.arange(n) % 2)
        agreement = (corners == labels[:, None]).mean(axis=0)
        if (np.abs(agreement - 0.5) <= _AGREEMENT).all():
            return labels


def _categories(values: FloatArray, n_categories: int, random: np.random.RandomState) -> list[str]:
    """Return categories of equally many rows, whose names have a random order."""
    ranks = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    names = random.permutation(n_categories)
    width = len(str(n_categories))
    return [f"c{names[g]:0{width}}" for g in ranks * n_categories // len(values)]
