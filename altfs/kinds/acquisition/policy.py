"""A policy written out as a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from altfs._numbers import IntArray
from altfs.kinds.acquisition.base import Method, Verdict, difference
from altfs.kinds.acquisition.task import State


class PolicyNode(NamedTuple):
    """A state of a policy, and what is done there; `state` has the values of its first row."""

    parent: int | None
    depth: int
    condition: str
    state: State
    rows: IntArray
    verdict: Verdict


@dataclass(frozen=True)
class Labels:
    """The names of actions and features, the classes, and the texts of codes of features."""

    actions: Sequence[str]
    features: Sequence[str]
    classes: Sequence[Any]
    texts: Mapping[int, Sequence[str]]


class Policy:
    """The measurements of a row, each depending on those before it: a tree.

    Attributes
    ----------
    nodes : list of PolicyNode
        The root first, and parents before their children. Rows are those of the fit.
    """

    def __init__(self, nodes: list[PolicyNode], labels: Labels) -> None:
        self.nodes, self._labels = nodes, labels

    def __len__(self) -> int:
        return len(self.nodes)

    def __str__(self) -> str:
        frame, lines = self.to_frame(), []
        for node, row in zip(self.nodes, frame.itertuples(), strict=True):
            then = f"answer {row.answer} ({row.certainty:.0%} sure)"
            if isinstance(row.measure, str):
                then = f"measure {row.measure}"
                if isinstance(row.instead, str):
                    then += f", or {row.instead} for {row.switch:.3g} more"
            where = f"{node.condition}: " if node.condition else ""
            rows = "1 row" if row.rows == 1 else f"{row.rows} rows"
            lines.append(f"{'  ' * node.depth}{where}{then} [{rows}]")
        return "\n".join(lines)

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each node.

        Returns
        -------
        DataFrame
            The columns are node, parent, depth, condition, rows (of the fit), measure (None:
            stop), answer, certainty, value, instead (the best other measurement) and switch (its
            price).
        """
        rows = []
        for i, node in enumerate(self.nodes):
            said, names = node.verdict, self._labels.actions
            others = [c for c in said.choices if c[0] != said.best]
            going = said.best is not None
            rows.append((
                i, node.parent, node.depth, node.condition, len(node.rows),
                names[said.best] if said.best is not None else None,
                self._labels.classes[said.answer], said.certainty, said.value,
                names[others[0][0]] if going and others else None,
                difference(others[0][1], said.value) if going and others else np.nan,
            ))  # fmt: skip
        columns = ["node", "parent", "depth", "condition", "rows", "measure", "answer",
                   "certainty", "value", "instead", "switch"]  # fmt: skip
        return pd.DataFrame(rows, columns=columns).astype({"parent": "Int64"})

    def plot(self) -> Any:
        """Draw the tree as an altair.Chart."""
        from altfs.kinds.acquisition.plots import tree

        return tree(self.to_frame())


def grow(method: Method, labels: Labels, first: int = 0) -> Policy:
    """Return the policy of a method with codes, which may begin with another measurement."""
    task, nodes = method.task, list[PolicyNode]()

    def add(
        parent: int | None, depth: int, words: str, state: State, rows: IntArray, place: int
    ) -> None:
        said = method.judge(state)
        if place and place < len(said.choices):
            best, value = said.choices[place]
            said = said._replace(best=best, value=value)
        nodes.append(PolicyNode(parent, depth, words, state, rows, said))
        if said.best is not None:
            split(len(nodes) - 1, depth, state, rows, task.actions[said.best].features, 0)

    def split(
        parent: int | None, depth: int, state: State, rows: IntArray, features: Sequence[int],
        place: int,
    ) -> None:  # fmt: skip
        codes = method.coding.codes[rows][:, list(features)]
        for values in np.unique(codes, axis=0):
            there = rows[(codes == values).all(axis=1)]
            words = " and ".join(
                f"{labels.features[j]} {method.coding.words(j, code, labels.texts.get(j, ()))}"
                for j, code in zip(features, values, strict=True)
            )
            known = state.told(features, task.X[there[0], list(features)])
            add(parent, depth + 1 if parent is not None else 0, words, known, there, place)

    rows = np.arange(len(task.y))
    if task.given:
        split(None, 0, task.start, rows, task.given, first)
    else:
        add(None, 0, "", task.start, rows, first)
    return Policy(nodes, labels)
