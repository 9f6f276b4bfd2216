"""Conditions on one feature set, as data: numbers of a group, implications, limits of sums.

Every condition is a sum with bounds: weights of the features that a set holds, and weights
that count once if it holds any of some features. :class:`Inequality` is this form in whole
numbers, which solvers read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import inf, lcm
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import (
    Field,
    PlainValidator,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from altfs._numbers import is_finite, is_whole
from altfs._options import StrictModel
from altfs.errors import AltfsError

# Compiled solvers add smaller sums exactly.
_MOST = 1 << 60


def feature_of(value: Any) -> int | str:
    """Return the name or the number of a feature; a ValueError if the value is neither."""
    if isinstance(value, str):
        return value
    if not is_whole(value):
        raise ValueError(f"{value!r} is not a feature, use the name or the number of a column")
    return int(value)


def weight_of(value: Any, feature: Any = None, least: float = -inf) -> float:
    """Return the weight or cost of a feature; a ValueError if it is not a number from `least`."""
    if not (is_finite(value) and value >= least):
        of = "" if feature is None else f" for {feature!r}"
        numbers = "finite numbers" if least == -inf else f"finite numbers from {least:g}"
        raise ValueError(f"{value!r}{of} is not allowed, use {numbers}")
    return float(value)


if TYPE_CHECKING:
    # Solvers get column numbers, see `Constraints.resolved`.
    Feature = int
    Features = tuple[int, ...]
    Costs = tuple[float, ...]
    Weights = dict[int, float]
else:
    Feature = Annotated[int | str, PlainValidator(feature_of, json_schema_input_type=str)]
    Features = tuple[Feature, ...]
    Costs = tuple[float, ...] | dict[int | str, float]
    Weights = dict[int | str, float]


class Record(StrictModel):
    """A model with positional arguments, which stores the fields that are not the default."""

    def __init__(self, /, *positional: Any, **values: Any) -> None:
        fields = islice(type(self).model_fields, len(positional))
        super().__init__(**dict(zip(fields, positional, strict=True)), **values)

    # As in StrictModel.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @model_serializer(mode="wrap")
    def _without_defaults(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields = type(self).model_fields
        return {k: v for k, v in plain(self).items() if getattr(self, k) != fields[k].default}


class Group(Record):
    """A number of features of which every set holds a certain number.

    Parameters
    ----------
    features : tuple of int or str
        The names or column numbers of the group's features.
    at_least : int, default=0
        The smallest number of them in a set.
    at_most : int, optional
        The largest number of them in a set; any number by default.
    all_or_none : bool, default=False
        True if a set that holds one of them has to hold them all.
    """

    features: Features = Field(min_length=1, description="Names of features.")
    at_least: int = Field(default=0, ge=0, description="The smallest number in a set.")
    at_most: int | None = Field(default=None, ge=0, description="The largest number in a set.")
    all_or_none: bool = Field(
        default=False, description="True if a set with one of them has all of them."
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            features: Collection[int | str],
            at_least: int = 0,
            at_most: int | None = None,
            all_or_none: bool = False,
        ) -> None:
            """Accept names as well, and any collection."""

    @model_validator(mode="after")
    def _has_limits(self) -> Self:
        if self.at_least == 0 and self.at_most is None and not self.all_or_none:
            raise ValueError("a group needs at_least, at_most or all_or_none")
        if self.at_least > (len(self.features) if self.at_most is None else self.at_most):
            at_most = "" if self.at_most is None else f" and at_most {self.at_most}"
            raise ValueError(
                f"at_least {self.at_least}{at_most} of {len(self.features)} features is not "
                "allowed, use 0 <= at_least <= at_most <= their number"
            )
        return self

    def admits(self, chosen: Iterable[int]) -> bool:
        """Return True if a set holds an allowed number of the group's features.

        Examples
        --------
        >>> Group((0, 1), all_or_none=True).admits((1, 2))
        False
        """
        count = len(set(self.features).intersection(chosen))
        most = count if self.at_most is None else self.at_most
        partly = self.all_or_none and 0 < count < len(self.features)
        return self.at_least <= count <= most and not partly

    def inequalities(self, key: str) -> Iterator[Inequality]:
        """Yield the conditions of the group in whole numbers."""
        ones = dict.fromkeys(self.features, 1)
        if self.at_least > 0 or self.at_most is not None:
            yield Inequality(key, ones, (), self.at_least or None, self.at_most)
        if self.all_or_none:
            together = (frozenset(self.features), -len(self.features))
            yield Inequality(key, ones, (together,), 0, None)


class Implication(Record):
    """Features that a set has to hold if it holds all of some others.

    Parameters
    ----------
    when : tuple of int or str
        The features of the condition. All of them together count.
    then : tuple of int or str
        The features that such a set holds as well.
    at_least : int, optional
        The number of features of `then` that are enough, from 1; all of them by default.

    Examples
    --------
    >>> Implication(when=("insulin",), then=("glucose",)).model_dump()
    {'when': ('insulin',), 'then': ('glucose',)}
    """

    when: Features = Field(min_length=1, description="Features of the condition, together.")
    then: Features = Field(min_length=1, description="Features that a set then holds, too.")
    at_least: int | None = Field(
        default=None, ge=1, description="So many of `then` are enough; by default all."
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            when: Collection[int | str],
            then: Collection[int | str],
            at_least: int | None = None,
        ) -> None:
            """Accept names as well, and any collection."""

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        if (self.at_least or 1) > len(self.then):
            reason = f"{self.at_least} of {len(self.then)} features is not allowed"
            raise AltfsError("at_least", reason, f"use 1 to {len(self.then)}")
        if len({*self.then} & {*self.when}) >= (self.at_least or len(self.then)):
            reason = "every set satisfies it, as the features of `when` are enough"
            raise AltfsError("then", reason, "name other features")
        return self

    def inequalities(self, key: str) -> Iterator[Inequality]:
        """Yield the condition in whole numbers."""
        need = len(self.then) if self.at_least is None else self.at_least
        weights = dict.fromkeys(self.then, 1)
        for j in self.when:
            weights[j] = weights.get(j, 0) - need
        yield Inequality(key, weights, (), need * (1 - len(self.when)), None)


class SharedWeight(Record):
    """A weight that counts once for a set that holds any of some features.

    Parameters
    ----------
    features : tuple of int or str
    weight : float, default=1
    """

    features: Features = Field(min_length=1, description="Names of features.")
    weight: float = Field(
        default=1.0, allow_inf_nan=False, description="It counts once, if any of them is held."
    )

    if TYPE_CHECKING:

        def __init__(self, features: Collection[int | str], weight: float = 1.0) -> None:
            """Accept names as well, and any collection."""


class WeightedSum(Record):
    """Limits of a sum of weights, such as a further budget or a number of groups in use.

    Sums are exact in decimals.

    Parameters
    ----------
    weights : dict or Series of float, default={}
        The weight of each feature, which may be negative. Others weigh 0.
    shared : tuple of SharedWeight, default=()
        Weights that count once for several features.
    at_least, at_most : float, optional
        The limits of the sum over the features of a set; at least one of the two.

    Examples
    --------
    One blood sample serves two values, and a set may cost 12:

    >>> sample = SharedWeight(("glucose", "insulin"), 10)
    >>> WeightedSum({"age": 1, "glucose": 1}, shared=(sample,), at_most=12).model_dump()
    ... # doctest: +NORMALIZE_WHITESPACE
    {'weights': {'age': 1.0, 'glucose': 1.0},
     'shared': ({'features': ('glucose', 'insulin'), 'weight': 10.0},), 'at_most': 12.0}
    """

    weights: Weights = Field(
        default_factory=dict, description="Weights of features; those that are not named weigh 0."
    )
    shared: tuple[SharedWeight, ...] = Field(
        default=(), description="Weights that count once for several features."
    )
    at_least: float | None = Field(
        default=None, allow_inf_nan=False, description="The smallest sum of a set."
    )
    at_most: float | None = Field(
        default=None, allow_inf_nan=False, description="The largest sum of a set."
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            weights: Mapping[str, float] | Mapping[int, float] | None = None,
            shared: Collection[SharedWeight] = (),
            at_least: float | None = None,
            at_most: float | None = None,
        ) -> None:
            """Accept names as well, and any collection."""

    @field_validator("weights", mode="plain", json_schema_input_type=dict[str, float])
    @classmethod
    def _check_weights(cls, value: Any) -> dict[int | str, float]:
        # The index of a Series has the features.
        value = value.to_dict() if hasattr(value, "to_dict") else value
        if not isinstance(value, Mapping):
            raise ValueError(f"{value!r} is not allowed, use keys with values")
        return {feature_of(key): weight_of(weight, key) for key, weight in value.items()}

    @model_validator(mode="after")
    def _has_limits(self) -> Self:
        if self.at_least is None and self.at_most is None:
            raise ValueError("a sum needs at_least or at_most")
        if not self.weights and not self.shared:
            raise ValueError("a sum needs weights or shared")
        if None not in (self.at_least, self.at_most) and self.at_least > self.at_most:  # type: ignore[operator]
            reason = f"{self.at_least:g} to at_most {self.at_most:g} is not allowed"
            raise AltfsError("at_least", reason, "use at_least <= at_most")
        return self

    def inequalities(self, key: str) -> Iterator[Inequality]:
        """Yield the limits in whole numbers."""
        shared = tuple((frozenset(s.features), s.weight) for s in self.shared)
        weights = tuple(self.weights.items())
        yield in_whole_numbers(key, weights, shared, self.at_least, self.at_most)


#: What a set has to satisfy, or to pay for.
Condition = Group | Implication | WeightedSum


class Wish(Record):
    """A condition that a set may violate, at a price.

    Parameters
    ----------
    price : float
        What a violation costs, in the unit of the quality; above 0.
    group : Group, optional
    implication : Implication, optional
    sum : WeightedSum, optional
        The condition: one of the three.

    Examples
    --------
    >>> Wish(0.05, group=Group(("scan",), at_most=0)).model_dump()
    {'price': 0.05, 'group': {'features': ('scan',), 'at_most': 0}}
    """

    price: float = Field(gt=0, allow_inf_nan=False, description="What a violation costs.")
    group: Group | None = Field(default=None, description="A number of features.")
    implication: Implication | None = Field(default=None, description="A feature needs others.")
    sum: WeightedSum | None = Field(default=None, description="Limits of a sum of weights.")

    if TYPE_CHECKING:

        def __init__(
            self,
            price: float,
            group: Group | None = None,
            implication: Implication | None = None,
            sum: WeightedSum | None = None,
        ) -> None:
            """Accept positional arguments as well."""

    @model_validator(mode="after")
    def _has_one_condition(self) -> Self:
        if [self.group, self.implication, self.sum].count(None) != 2:
            raise ValueError("a wish needs one of group, implication and sum")
        return self

    @property
    def kind(self) -> str:
        """The field of the condition."""
        return next(k for k in ("group", "implication", "sum") if getattr(self, k) is not None)

    @property
    def condition(self) -> Condition:
        """The condition."""
        condition: Condition = getattr(self, self.kind)
        return condition


@dataclass(frozen=True)
class Inequality:
    """A condition on the sum of some weights of a set, in whole numbers.

    Attributes
    ----------
    key : str
        The constraint that it comes from, for messages.
    weights : dict of int to int
        By feature.
    shared : tuple of tuple of (frozenset of int, int)
        Features, and the weight that counts once if a set holds any of them.
    least, most : int or None
        The limits of the sum.
    unit : int, optional
        What a weight of 1 is in whole numbers, if its user gave weights.
    """

    key: str
    weights: Mapping[int, int]
    shared: tuple[tuple[frozenset[int], int], ...]
    least: int | None
    most: int | None
    unit: int | None = None

    def total(self, held: Set[int]) -> int:
        """Return the sum of a set.

        Examples
        --------
        >>> Inequality("sums[0]", {0: 2, 1: 1}, ((frozenset({1, 2}), 5),), None, 7).total({0, 2})
        7
        """
        single = sum(self.weights.get(j, 0) for j in held)
        return single + sum(weight for some, weight in self.shared if not some.isdisjoint(held))

    @property
    def counts_at_most(self) -> bool:
        """True if it limits the number of some features from above, and nothing else."""
        return (
            self.most is not None
            and self.least is None
            and not self.shared
            and {*self.weights.values()} == {1}
        )

    def in_64_bits(self) -> Inequality:
        """Return it, or raise an AltfsError if its sums have more than 64 bits."""
        terms = [*self.weights.values(), *(weight for _, weight in self.shared)]
        limits = [limit for limit in (self.least, self.most) if limit is not None]
        if sum(map(abs, [*terms, *limits])) >= _MOST:
            reason = "the numbers have too many digits to be added exactly"
            raise AltfsError(self.key, reason, "round them to 9 digits")
        return self

    def admits(self, held: Set[int]) -> bool:
        """Return True if the sum of a set is within the limits."""
        total = self.total(held)
        return (self.least is None or self.least <= total) and (
            self.most is None or total <= self.most
        )

    def breach(self, held: Set[int]) -> str:
        """Return how a set that it does not admit breaks it.

        Examples
        --------
        >>> in_whole_numbers("budget", ((0, 0.1), (1, 0.25)), (), None, 0.3).breach({0, 1})
        'does not satisfy budget: its sum is 0.35, at most 0.3 is allowed'
        """
        said = f"does not satisfy {self.key}"
        if self.unit is None:
            return said
        total = self.total(held)
        above = self.most is not None and total > self.most
        end, limit = ("most", self.most) if above else ("least", self.least)
        allowed = f"at {end} {(limit or 0) / self.unit:.12g} is allowed"
        return f"{said}: its sum is {total / self.unit:.12g}, {allowed}"


@lru_cache(maxsize=256)
def in_whole_numbers(
    key: str,
    weights: tuple[tuple[int, float], ...],
    shared: tuple[tuple[frozenset[int], float], ...],
    least: float | None,
    most: float | None,
) -> Inequality:
    """Return limits of a sum of decimals as those of whole numbers, which allow the same sets.

    Examples
    --------
    >>> limit = in_whole_numbers("budget", ((0, 0.1), (1, 0.25)), (), None, 0.3)
    >>> limit.weights, limit.most
    ({0: 2, 1: 5}, 6)
    """
    limits = [value for value in (least, most) if value is not None]
    values = [*(w for _, w in weights), *(w for _, w in shared), *limits]
    exact = {value: Fraction(repr(float(value))) for value in values}
    unit = lcm(*(value.denominator for value in exact.values()))
    whole = {value: int(number * unit) for value, number in exact.items()}
    return Inequality(
        key,
        {j: whole[weight] for j, weight in weights},
        tuple((features, whole[weight]) for features, weight in shared),
        None if least is None else whole[least],
        None if most is None else whole[most],
        unit,
    )
