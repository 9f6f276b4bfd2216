"""The most relevant columns of a wide table, among which sets are searched for."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import issparse

from altfs._memory import memory, size_of
from altfs.errors import AltfsError, DataError, DataWarning
from altfs.problem.results import FeatureSet, SearchResult
from altfs.searches.request import Request
from altfs.selectors import Part, ScoreKey, Selector
from altfs.selectors.correlation import Correlation

# Less memory than this is not worth a sentence.
_MUCH = 2 * 10**9


@dataclass(frozen=True)
class Screen:
    """The columns that a prescreen kept, ascending, of those with some names."""

    kept: tuple[int, ...]
    names: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """The number of features that the search saw, in words."""
        return (
            f"The search saw the {len(self.kept):,} most relevant of {len(self.names):,} features "
            "(prescreen), and what is proven is proven among these."
        )

    def shown(self, features: FeatureSet) -> FeatureSet:
        """Return a set of kept columns as one of all columns."""
        indices = self.originals(features.indices)
        return replace(features, indices=indices, n_total=len(self.names), among=len(self.kept))

    def request(self, request: Request) -> Request:
        """Return a request in the numbers of the kept columns, which hold those that it names."""
        place = {j: i for i, j in enumerate(self.kept)}
        constraints = request.constraints

        def inner(_: str, features: Iterable[int]) -> tuple[int, ...]:
            return tuple(place[j] for j in features if j in place)

        def values(key: str) -> tuple[float, ...] | None:
            listed = getattr(constraints, key)
            return None if listed is None else tuple(listed[j] for j in self.kept)

        return replace(request, constraints=constraints.mapped(inner, values))

    def originals(self, features: Iterable[int]) -> tuple[int, ...]:
        """Return the numbers of kept columns among all columns."""
        return tuple(self.kept[j] for j in features)

    def of_result(self, result: SearchResult) -> SearchResult:
        """Return the result of a search in the numbers of all columns."""
        return replace(
            result,
            feature_sets=tuple(replace(s, indices=self.originals(s.indices)) for s in result),
        )

    def inner(self, argument: str, features: Iterable[int]) -> tuple[int, ...]:
        """Return the places of columns among the kept ones; an AltfsError if one is not kept."""
        place = {j: i for i, j in enumerate(self.kept)}
        chosen = list(features)
        for j in chosen:
            if j not in place:
                raise AltfsError(
                    argument,
                    f"'{self.names[j]}' is not among the {len(self.kept):,} features of the "
                    "prescreen, so no set holds it",
                    "leave it out",
                )
        return tuple(place[j] for j in chosen)


def screened(
    part: Part, selector: Selector, prescreen: int, names: tuple[str, ...], request: Request
) -> tuple[Part, Screen | None]:
    """Return the part with the most relevant columns alone, and which these are.

    The relevance is that of the selector, else mutual information; of a sparse table of
    numbers it is the correlation. The first column counts among equals. Excluded columns do not
    count, and those that constraints or given sets name are kept as well.
    """
    n_total = part.X.shape[1]
    if prescreen >= n_total:
        return part, None
    key = next((k for k in selector.train_scores if k.kind == "relevance"), ScoreKey("relevance"))
    by_score = not issparse(part.X) or bool(part.categorical.all())
    values = part.score(key) if by_score else Correlation().values(part)
    constraints = request.constraints
    open_to_all = np.ones(n_total, dtype=bool)
    open_to_all[list(constraints.exclude)] = False
    ranked = [int(j) for j in np.argsort(-values, kind="stable") if open_to_all[j]]
    named = constraints.features()
    kept = {*ranked[:prescreen]}.union(*(named[key] for key in {*named} - {"exclude"}))
    screen = Screen(tuple(sorted(kept)), names)
    return part.with_columns(screen.kept), screen


def check_columns_at_once(selector: Selector, part: Part) -> None:
    """Check that a selector takes a table of this kind, and as many columns.

    It is an AltfsError if scores of pairs need more memory than the machine has. If they need
    much, it is a DataWarning.
    """
    n_total = part.X.shape[1]
    name = getattr(selector, "name", "")
    if issparse(part.X) and not selector.takes_sparse:
        raise DataError(
            "X",
            f"the selector '{name}' does not take sparse tables",
            "use correlation, f_statistic, model_gain, a `prescreen` such as 1000, or "
            f"X.toarray() ({size_of(8 * n_total * part.X.shape[0])})",
        )
    needed = n_total**2 * max((k.score.bytes_per_pair for k in selector.train_scores), default=0)
    if needed < _MUCH:
        return
    said = (
        f"'{name}' compares {n_total:,} features in pairs, which needs about "
        f"{size_of(needed)} of memory"
    )
    advice = "set `prescreen`, for example to 1000, to search the most relevant features alone"
    if needed > (there := memory()):
        raise AltfsError("selector", f"{said}, this machine has {size_of(there)}", advice)
    warnings.warn(f"selector: {said}, if this is too much, {advice}.", DataWarning, stacklevel=4)
