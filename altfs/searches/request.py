"""The arguments of a search, checked, and the problem that they describe."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Literal, TypedDict, cast, get_args

from altfs._numbers import MOST_ALTERNATIVES, check_whole, check_word, is_collection, is_whole
from altfs.errors import AltfsError
from altfs.problem import Aggregation, Constraints, Overlap, Problem
from altfs.problem.constraints import NO_CONSTRAINTS, as_indices
from altfs.problem.overlap import Dissimilarity, Tau
from altfs.problem.problem import check_quality
from altfs.problem.results import SearchResult
from altfs.quality import Quality
from altfs.searches.base import Search
from altfs.solvers import Limits

#: One size, or the smallest and the largest one: (1, 3) or "1-3".
Sizes = int | str | tuple[int, int]

#: The overlap of each pair of sets is limited, or the mean of all pairs.
OverlapKind = Literal["pairwise", "average"]
OVERLAPS: tuple[str, ...] = get_args(OverlapKind)

#: Sets of any size, of streams alone. Results are stored with size 0.
UNLIMITED = "unlimited"

_RANGE = re.compile(r"\s*(\d+)\s*-\s*(\d+)\s*")


class _Needed(TypedDict):
    n_features: Sizes
    n_alternatives: int


class Arguments(_Needed, total=False):
    """The arguments that all public functions of searches take, see `search_sequentially`."""

    tau: Tau | None
    max_overlap: int | None
    overlap: OverlapKind
    dissimilarity: Dissimilarity
    given: Sequence[Sequence[int]]
    constraints: Constraints


@dataclass(frozen=True, kw_only=True)
class Request:
    """The arguments of a search, in the words of the public functions.

    Parameters
    ----------
    n_features : int, str, (int, int) or None
        The size of every set, at least 1. A range such as ``"1-3"``, or the pair
        ``(1, 3)``, allows any size from the smallest to the largest one. None leaves it
        open. A `problem` needs a size.
    n_alternatives : int
        The number of sets beyond the first, from 0 to 1,000,000.
    tau, max_overlap, dissimilarity
        See :class:`altfs.problem.Overlap`.
    overlap : {"pairwise", "average"}, default="pairwise"
        "average" limits the mean of all pairs, not each.
    aggregation : {"sum", "min"}, default="sum"
    given : sequence of sequence of int, default=()
        Sets of any size that already exist.
    constraints : Constraints, optional
    search : Search, optional
        The search that `run` calls. The sizes and the kind of overlap have to fit it.
    limits : Limits, optional
        The work that it may do.

    Raises
    ------
    AltfsError
        If a number or the dissimilarity is not allowed. `problem` checks the rest.

    Examples
    --------
    >>> from altfs.quality import Linear
    >>> request = Request(n_features="2-3", n_alternatives=1, tau=0.5)
    >>> problem = request.problem(Linear([0.4, 0.3, 0.2, 0.1]))
    >>> problem.sizes, problem.n_sets, problem.overlap(2, 3)
    ((2, 3), 2, 1)
    """

    n_features: Sizes | None
    n_alternatives: int
    tau: Tau | None = None
    max_overlap: int | None = None
    overlap: OverlapKind = "pairwise"
    dissimilarity: Dissimilarity = "dice"
    aggregation: str = "sum"
    given: Sequence[Sequence[int]] = ()
    constraints: Constraints = NO_CONSTRAINTS
    search: Search | None = None
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        sizes = None if self.n_features is None else self.sizes
        check_whole("n_alternatives", self.n_alternatives, 0, MOST_ALTERNATIVES)
        Overlap(self.tau, self.max_overlap, self.dissimilarity)
        check_word("overlap", self.overlap, OVERLAPS)
        if self.search is not None:
            if sizes is not None:
                self.search.check_sizes(sizes)
            self.search.check_overlap(self.averages)

    @property
    def averages(self) -> bool:
        """True if only the mean overlap is limited."""
        return self.overlap == "average"

    @property
    def sizes(self) -> range:
        """The sizes that a set may have."""
        return sizes_of(self.n_features)

    @property
    def is_range(self) -> bool:
        """True if sets may have several sizes."""
        return len(self.sizes) > 1

    @property
    def n_sets(self) -> int:
        """The requested number of sets."""
        return int(self.n_alternatives) + 1

    def of_size(self, size: int) -> Request:
        """Return the request for sets of one size."""
        # An overlap above the size is not allowed.
        overlap = None if self.max_overlap is None else min(int(self.max_overlap), size)
        return replace(self, n_features=size, max_overlap=overlap)

    def run(self, quality: Quality) -> SearchResult:
        """Search for the sets of largest quality."""
        assert self.search is not None
        return self.search.search(self.problem(quality), self.limits)

    def problem(self, quality: Quality) -> Problem:
        """Return the problem for a quality.

        Raises
        ------
        AltfsError
            If an argument does not fit the quality or its number of features.
        """
        if not is_collection(self.given):
            raise AltfsError.of_value("given", self.given, "use a list of sets of indices")
        check_quality(quality)
        given = tuple(as_indices("given", s, range(quality.n_total)) for s in self.given)
        if () in given:
            raise AltfsError("given", "a set without features is not allowed", "leave it out")
        return Problem(
            quality,
            self.sizes,
            Overlap(self.tau, self.max_overlap, self.dissimilarity),
            self.n_sets,
            cast(Aggregation, self.aggregation),
            given,
            self.constraints,
            self.averages,
        )


def sizes_of(n_features: object) -> range:
    """Return the sizes that an argument `n_features` allows.

    Raises
    ------
    AltfsError
        If it is not a size and not a range.

    Examples
    --------
    >>> sizes_of(3), sizes_of("1-3"), sizes_of((1, 3))
    (range(3, 4), range(1, 4), range(1, 4))
    """
    bounds: object = n_features
    if isinstance(n_features, str) and (match := _RANGE.fullmatch(n_features)):
        bounds = (int(match[1]), int(match[2]))
    if is_collection(bounds) or isinstance(bounds, str):
        pair = cast(tuple[int, int], bounds)
        whole = isinstance(bounds, tuple) and len(pair) == 2 and all(map(is_whole, pair))
        if not whole or not 1 <= pair[0] <= pair[1]:
            raise AltfsError.of_value(
                "n_features",
                n_features,
                "use a whole number from 1, or a range such as '1-3', the smallest and the "
                "largest size",
            )
        return range(int(pair[0]), int(pair[1]) + 1)
    check_whole("n_features", n_features, 1)
    size = int(cast(Integral, n_features))
    return range(size, size + 1)


def stored_size(n_features: int | str) -> int:
    """Return the size under which results are stored: the largest one, 0 for "unlimited".

    >>> stored_size(3), stored_size("1-3"), stored_size("unlimited")
    (3, 3, 0)
    """
    return 0 if n_features == UNLIMITED else sizes_of(n_features)[-1]


def request_of(
    arguments: Arguments, aggregation: str = "sum", further: tuple[str, ...] = ()
) -> Request:
    """Return the request of a public function, which may have `further` arguments."""
    allowed = [*Arguments.__annotations__, "limits", *further]
    for name in arguments:
        if name not in allowed:
            raise AltfsError.of_name(name, "this argument is not known", name, allowed)
    for name in sorted(Arguments.__required_keys__.difference(arguments)):
        raise AltfsError(name, "this argument is missing", "give a value")
    return Request(**arguments, aggregation=aggregation)


def checked_limits(limits: Limits | None) -> Limits:
    """Return the limits, the default ones for None."""
    if limits is not None and not isinstance(limits, Limits):
        raise AltfsError.of_value("limits", limits, "use altfs.solvers.Limits(work)")
    return limits or Limits()
