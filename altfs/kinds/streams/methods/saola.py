"""SAOLA: pairs of features, one of which makes the other one redundant.

Source: Yu, Wu, Ding, Pei, *Scalable and Accurate Online Feature Selection for Big Data*,
ACM Transactions on Knowledge Discovery from Data 11, 2016 (Algorithm 1).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs.kinds.streams.base import Column, Decision, Group, State
from altfs.kinds.streams.measures import FisherZ, SymmetricUncertainty
from altfs.kinds.streams.methods.singly import Filtered


class Saola(Filtered):
    """SAOLA.

    Parameters
    ----------
    measure : FisherZ or SymmetricUncertainty
    slides : bool, default=False
        True for Algorithm 1 as it is written; else as in the public code.
    """

    measure: FisherZ | SymmetricUncertainty

    def __init__(self, measure: FisherZ | SymmetricUncertainty, slides: bool = False) -> None:
        super().__init__(measure)
        self.slides = slides

    def state(self) -> State:
        return SaolaState(self.measure, self.measure.equal_loses and not self.slides, self.slides)


class SaolaState(State):
    """One set of SAOLA.

    Parameters
    ----------
    measure : FisherZ or SymmetricUncertainty
    equal_loses : bool
        True if an old feature of equal dependence on the target can make a new one redundant.
    touching : bool
        True if a dependence between two features that equals one on the target is enough.
    """

    def __init__(
        self, measure: FisherZ | SymmetricUncertainty, equal_loses: bool, touching: bool
    ) -> None:
        super().__init__()
        self.equal_loses, self.touching = equal_loses, touching
        self.shelf = measure.shelf()
        self._relevance = np.empty(8)

    @property
    def relevance(self) -> npt.NDArray[np.float64]:
        """The dependence of each member on the target."""
        return self._relevance[: len(self.columns)]

    def offer(self, group: Group) -> Decision:
        (new,) = group
        found = self.shelf.judge(new, self.relevance, self.equal_loses, self.touching)
        self.tests += found.compared
        gone: list[Group] = [(self.columns[i],) for i in found.lost]
        for i in reversed(found.lost):
            self.remove(i)
        if found.redundant:
            return Decision([], [*gone, group])
        self.append(new)
        return Decision([new], gone)

    def append(self, new: Column) -> None:
        """Add a last member."""
        n = len(self.columns)
        if n == len(self._relevance):
            self._relevance = np.concatenate([self._relevance, np.empty(n)])
        self._relevance[n] = new.dependence
        self.columns.append(new)
        self.shelf.add(new)

    def remove(self, place: int) -> None:
        """Remove the member in a place."""
        n = len(self.columns)
        self._relevance[place : n - 1] = self._relevance[place + 1 : n]
        self.columns.pop(place)
        self.shelf.remove(place)

    def leave(self, column: Column) -> None:
        self.remove(self.place(column))
