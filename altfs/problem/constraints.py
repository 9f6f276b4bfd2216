"""Constraints on feature sets besides their size, as data.

Which solvers can honour which kind of constraint is declared by the solvers;
:meth:`Constraints.kinds` names the kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from pydantic import Field, field_validator, model_validator

from altfs._numbers import FloatArray, is_collection, is_number, is_whole
from altfs.errors import AltfsError
from altfs.problem.conditions import (
    Condition,
    Costs,
    Feature,
    Features,
    Group,
    Implication,
    Inequality,
    Record,
    WeightedSum,
    Wish,
    feature_of,
    in_whole_numbers,
    weight_of,
)

if TYPE_CHECKING:
    from altfs.quality import Quality

#: The kinds of constraint, in the words of error messages.
KINDS = (
    "include", "exclude", "at_most", "at_least", "all_or_none", "budget", "implications", "sums",
    "quality_floor", "given",
)  # fmt: skip


class Constraints(Record):
    """Constraints on every feature set of a problem.

    In Python, in ``config.yaml`` and in the files of ``altfs find`` the keys are the same.
    Features are column numbers or names.

    Parameters
    ----------
    include : tuple of int or str, default=()
        Features that every set has to hold.
    exclude : tuple of int or str, default=()
        Features that no set may hold.
    groups : tuple of Group, default=()
        Numbers of features that may, or have to, be selected together.
    costs : sequence, dict or Series of float, optional
        Cost of each feature, at least 0; needs a `budget`. Features that are missing from a
        dict or Series cost 0.
    budget : float, optional
        The largest total cost of a set.
    sensitive : int or str, optional
        The column of a sensitive attribute, such as sex: 2 to 20 groups. No set holds it.
    most_information : float, optional
        The most that a set may tell about it: the largest sum of the `information` of its
        features, in bits.
    information : sequence, dict or Series of float, optional
        What each feature tells about the attribute in bits, at least 0, to six decimals; by
        default its mutual information with `sensitive` in the rows that are learned from.
    quality_floor : float, optional
        The lowest allowed quality of a set. With a linear quality a set may be worse by less
        than the rounding of the exact solvers (:meth:`altfs.quality.Linear.scaled_floor`).
    relative_floor : float, optional
        The floor as a share, from 0 to 1, of the quality of the best set that satisfies the
        other constraints. For a negative quality q, share s is ``q - (1 - s) |q|``. It is
        for linear qualities, in place of `quality_floor`.
    prescreen : int or float, optional
        Only the most relevant features can be selected: so many of them, from 1, or, below 1,
        those with this share of the largest relevance. Relevance is the value of a single feature,
        which black boxes do not have. Features that another constraint names are kept as well.
        Excluded ones do not count.
    exclusive : tuple of pairs of int or str, default=()
        Pairs of features of which a set may hold one at most.
    implications : tuple of Implication, default=()
        Features that a set has to hold if it holds others.
    sums : tuple of WeightedSum, default=()
        Limits of sums of weights: further budgets, shared costs, numbers of groups in use.
    wishes : tuple of Wish, default=()
        Conditions that a set may violate at a price, which is taken off its quality.
    share_price : float, default=0
        What each feature costs that a set has in common with a set before it, or with a given
        one, in the unit of the quality.
    given : tuple of tuple of int or str, default=()
        Sets of any size that exist already. Every set has to differ from them as well.

    Examples
    --------
    >>> Constraints(include=(0,), groups=(Group((1, 2), at_most=1),)).kinds()
    ('include', 'at_most')
    >>> Constraints(exclusive=(("age", "sex"),)).resolved(["age", "sex"]).groups
    (Group(features=(0, 1), at_least=0, at_most=1, all_or_none=False),)
    """

    include: Features = Field(default=(), description="Features of every set.")
    exclude: Features = Field(default=(), description="Features of no set.")
    groups: tuple[Group, ...] = Field(default=(), description="Numbers of features.")
    costs: Costs | None = Field(
        default=None, description="Costs of features; those that are not named cost nothing."
    )
    budget: float | None = Field(
        default=None, ge=0, allow_inf_nan=False, description="The largest cost of a set."
    )
    sensitive: Feature | None = Field(
        default=None, description="The column of a sensitive attribute, which is in no set."
    )
    most_information: float | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="The most bits about it that the features of a set may have together.",
    )
    information: Costs | None = Field(
        default=None,
        description="Bits of each feature about it; by default those of the rows.",
    )
    quality_floor: float | None = Field(
        default=None, allow_inf_nan=False, description="The lowest quality on the training part."
    )
    relative_floor: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="The same as a share, from 0 to 1, of the quality of the best set.",
    )
    prescreen: int | float | None = Field(
        default=None,
        gt=0,
        description="Only so many of the most relevant features, or, below 1, those with this "
        "share of the largest relevance.",
    )
    exclusive: tuple[Annotated[Features, Field(min_length=2, max_length=2)], ...] = Field(
        default=(), description="Pairs of features that exclude each other."
    )
    implications: tuple[Implication, ...] = Field(
        default=(), description="Features that a set holds if it holds others."
    )
    sums: tuple[WeightedSum, ...] = Field(default=(), description="Limits of sums of weights.")
    wishes: tuple[Wish, ...] = Field(default=(), description="Conditions that have a price.")
    share_price: float = Field(
        default=0.0, ge=0, allow_inf_nan=False, description="The price of a shared feature."
    )
    given: tuple[Annotated[Features, Field(min_length=1)], ...] = Field(
        default=(),
        description="Sets that exist already; every set differs from them by tau, too.",
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            include: Collection[int | str] = (),
            exclude: Collection[int | str] = (),
            groups: Collection[Group] = (),
            costs: Sequence[float] | Mapping[str, float] | Mapping[int, float] | None = None,
            budget: float | None = None,
            sensitive: int | str | None = None,
            most_information: float | None = None,
            information: Sequence[float] | Mapping[str, float] | Mapping[int, float] | None = None,
            quality_floor: float | None = None,
            relative_floor: float | None = None,
            prescreen: float | None = None,
            exclusive: Collection[Collection[int | str]] = (),
            implications: Collection[Implication] = (),
            sums: Collection[WeightedSum] = (),
            wishes: Collection[Wish] = (),
            share_price: float = 0.0,
            given: Collection[Collection[int | str]] = (),
        ) -> None:
            """Accept names as well, and any collection."""

    @field_validator(
        "costs",
        "information",
        mode="plain",
        json_schema_input_type=dict[str, Annotated[float, Field(ge=0)]] | None,
    )
    @classmethod
    def _check_costs(cls, value: Any) -> dict[int | str, float] | tuple[float, ...] | None:
        # The index of a Series has the features.
        value = value.to_dict() if hasattr(value, "to_dict") else value
        if value is None:
            return None
        if isinstance(value, Mapping):
            return {feature_of(key): weight_of(cost, key, 0) for key, cost in value.items()}
        if isinstance(value, Set) or not is_collection(value):
            raise ValueError(f"{value!r} is not allowed, use one for each feature")
        return tuple(weight_of(cost, None, 0) for cost in value)

    @field_validator("prescreen", mode="before")
    @classmethod
    def _check_prescreen(cls, value: Any) -> Any:
        if value is None:
            return value
        if not is_number(value) or not (0 < value < 1 or (value >= 1 and value == int(value))):
            raise ValueError(
                f"{value!r} is not allowed, use a number of features from 1, or a share of the "
                "largest relevance between 0 and 1"
            )
        return int(value) if value >= 1 else value

    @model_validator(mode="before")
    @classmethod
    def _read_short_form(cls, value: Any) -> Any:
        floor = value.get("quality_floor") if isinstance(value, Mapping) else None
        if (
            isinstance(floor, Mapping)
            and [*floor] == ["relative"]
            and "relative_floor" not in value
        ):
            # In short: {relative: SHARE}.
            value = {**value, "quality_floor": None, "relative_floor": floor["relative"]}
        return value

    @model_validator(mode="after")
    def _has_one_floor(self) -> Self:
        if self.quality_floor is not None and self.relative_floor is not None:
            raise AltfsError("quality_floor, relative_floor", "give one of the two")
        return self

    def kinds(self) -> tuple[str, ...]:
        """Return the kinds of constraint in use."""
        used = {
            "include": self.include,
            "exclude": self.exclude,
            "at_most": self.exclusive or any(g.at_most is not None for g in self.groups),
            "at_least": any(g.at_least > 0 for g in self.groups),
            "all_or_none": any(g.all_or_none for g in self.groups),
            "budget": (self.budget, self.most_information) != (None, None),
            "implications": self.implications,
            "sums": self.sums,
            "quality_floor": (self.quality_floor, self.relative_floor) != (None, None),
            "given": self.given,
        }
        return tuple(kind for kind in KINDS if used[kind])

    def features(self) -> dict[str, Features]:
        """Return the features that the constraints name, by their keys; no costs of a sequence."""
        return {
            "include": self.include,
            "exclude": self.exclude,
            **({} if self.sensitive is None else {"sensitive": (self.sensitive,)}),
            **{k: v for key, condition in self._conditions() for k, v in _named(key, condition)},
            **{f"exclusive[{i}]": pair for i, pair in enumerate(self.exclusive)},
            **{f"given[{i}]": features for i, features in enumerate(self.given)},
            **{
                key: tuple(values)
                for key in ("costs", "information")
                if isinstance(values := getattr(self, key), Mapping)
            },
        }

    def _conditions(self) -> Iterator[tuple[str, Condition]]:
        """Yield the conditions of groups, implications, sums and wishes by their keys."""
        for key in ("groups", "implications", "sums"):
            yield from ((f"{key}[{i}]", one) for i, one in enumerate(getattr(self, key)))
        yield from ((f"wishes[{i}].{w.kind}", w.condition) for i, w in enumerate(self.wishes))

    def mapped(
        self, other: Callable[[str, Any], tuple[Any, ...]], values: Callable[[str], Any]
    ) -> Constraints:
        """Return the constraints with other features, and with other costs and information.

        A function of a key and its features returns the former, one of a key the latter.
        """
        to = {key: other(key, features) for key, features in self.features().items()}
        changed = {key: _with_features(key, one, to, other) for key, one in self._conditions()}
        update: dict[str, Any] = {
            key: tuple(changed[f"{key}[{i}]"] for i in range(len(getattr(self, key))))
            for key in ("groups", "implications", "sums")
        }
        wishes = (
            wish.model_copy(update={wish.kind: changed[f"wishes[{i}].{wish.kind}"]})
            for i, wish in enumerate(self.wishes)
        )
        return self.model_copy(
            update={
                **update,
                "include": to["include"],
                "exclude": to["exclude"],
                "sensitive": next(iter(to.get("sensitive", ())), None),
                "costs": values("costs"),
                "information": values("information"),
                "exclusive": tuple(to[f"exclusive[{i}]"] for i in range(len(self.exclusive))),
                "wishes": tuple(wishes),
                "given": tuple(to[f"given[{i}]"] for i in range(len(self.given))),
            }
        )

    def resolved(self, names: Sequence[int | str], *, by_label: bool = False) -> Constraints:
        """Return the constraints with column numbers as features, for all features of a table.

        Exclusive pairs become groups, and there is one cost for each feature. With `by_label`,
        numbers are names.

        Raises
        ------
        AltfsError
            If a constraint does not fit the features.

        Examples
        --------
        >>> Constraints(include=("b",)).resolved(["a", "b"]).include
        (1,)
        >>> Constraints(include=(1,), exclude=("sex",)).resolved(["age", "sex"])
        Traceback (most recent call last):
        ...
        altfs.errors.AltfsError: include, exclude: feature 'sex' is in both, use one of the two.
        """
        if self is NO_CONSTRAINTS:
            return self

        def columns(key: str, features: Iterable[int | str]) -> tuple[int, ...]:
            return as_indices(key, features, names, by_label=by_label)

        def values(key: str) -> tuple[float, ...] | None:
            listed: Any = getattr(self, key)
            if isinstance(listed, Mapping):
                by_column = {columns(key, (name,))[0]: value for name, value in listed.items()}
                return tuple(by_column.get(j, 0.0) for j in range(len(names)))
            if listed is not None and len(listed) != len(names):
                raise AltfsError(key, f"{len(listed)} values", f"use one for each of {len(names)}")
            return tuple(listed) if listed is not None else None

        # Weights of six decimals are added exactly.
        information = values("information")
        rounded = information and tuple(round(value, 6) for value in information)
        if (self.costs is None) != (self.budget is None):
            raise AltfsError("costs, budget", "give both or neither")
        if self.most_information is not None and (self.sensitive, self.information) == (None, None):
            raise AltfsError(
                "most_information", "there is no sensitive attribute", "name the column `sensitive`"
            )
        resolved = self.mapped(columns, lambda key: values(key) if key == "costs" else rounded)
        if resolved.sensitive is not None:
            excluded = tuple(sorted({*resolved.exclude, resolved.sensitive}))
            resolved = resolved.model_copy(update={"exclude": excluded})
        for j in sorted({*resolved.include} & {*resolved.exclude})[:1]:
            raise AltfsError(
                "include, exclude", f"feature {names[j]!r} is in both", "use one of the two"
            )
        pairs = tuple(Group(pair, at_most=1) for pair in resolved.exclusive)
        return resolved.model_copy(update={"groups": (*resolved.groups, *pairs), "exclusive": ()})

    def screened(self, relevance: FloatArray | None) -> Constraints:
        """Return resolved constraints that exclude the features which `prescreen` leaves out.

        Parameters
        ----------
        relevance : ndarray of shape (n_total,) or None
            Of equally relevant features the first ones are kept.

        Raises
        ------
        AltfsError
            If there is a `prescreen` and no relevance.

        Examples
        --------
        >>> Constraints(prescreen=2, exclude=(0,)).screened(np.array([5.0, 1, 3, 2])).exclude
        (0, 1)
        >>> Constraints(prescreen=0.5).screened(np.array([5.0, 1, 3, 2])).exclude
        (1, 3)
        """
        if self.prescreen is None:
            return self
        if relevance is None:
            reason = "a black box has no relevance of single features"
            raise AltfsError("prescreen", reason, "leave it out, or exclude features by name")
        ranked = [int(j) for j in np.argsort(-relevance, kind="stable") if j not in self.exclude]
        if self.prescreen >= 1:
            kept = set(ranked[: int(self.prescreen)])
        else:
            # The most relevant feature stays, also if it tells less than by chance.
            largest = max(relevance[ranked], default=0.0)
            least = largest * self.prescreen if largest > 0 else largest
            kept = {j for j in ranked if relevance[j] >= least}
        named = self.features()
        kept.update(*(named[key] for key in {*named} - {"exclude", "sensitive"}))
        gone = tuple(j for j in range(len(relevance)) if j not in kept)
        return self.model_copy(update={"exclude": gone, "prescreen": None})

    def with_names(self, names: Sequence[str]) -> Constraints:
        """Return resolved constraints with names as features, and without costs of 0.

        Examples
        --------
        >>> Constraints(include=(1,), relative_floor=0.5).with_names(["a", "b"]).model_dump()
        {'include': ('b',), 'relative_floor': 0.5}
        """

        def values(key: str) -> dict[str, float] | None:
            listed = getattr(self, key)
            if listed is None:
                return None
            # A budget needs costs, also if every feature is free.
            return {name: value for name, value in zip(names, listed, strict=True) if value}

        return self.mapped(lambda _, features: tuple(names[j] for j in features), values)

    def informed(self, information: FloatArray) -> Constraints:
        """Return resolved constraints with what each feature tells about the sensitive attribute.

        Parameters
        ----------
        information : ndarray of shape (n_total,)
            In bits. They are rounded to a millionth, so that sums are exact. Values that the
            constraints have are kept.

        Examples
        --------
        >>> rules = Constraints(sensitive=1, most_information=0.5).resolved(["age", "sex"])
        >>> rules.informed(np.array([0.25, 1.0])).information
        (0.25, 1.0)
        """
        if self.information is not None:
            return self
        return self.model_copy(update={"information": tuple(np.round(information, 6).tolist())})

    def inequalities(self, groups: bool = True) -> Iterator[Inequality]:
        """Yield the conditions of resolved constraints as limits of sums in whole numbers.

        These are all constraints but `include`, `exclude`, `given` and the floors.

        Examples
        --------
        >>> [limit] = Constraints(costs=(0.5, 0.25), budget=0.5).inequalities()
        >>> limit.key, limit.weights, limit.most
        ('budget', {0: 2, 1: 1}, 2)
        """
        for i, group in enumerate(self.groups if groups else ()):
            yield from group.inequalities(f"groups[{i}]")
        if self.costs is not None and self.budget is not None:
            weights = tuple(enumerate(self.costs))
            yield in_whole_numbers("budget", weights, (), None, self.budget)
        if self.information is not None and self.most_information is not None:
            weights = tuple(enumerate(self.information))
            yield in_whole_numbers("most_information", weights, (), None, self.most_information)
        for i, rule in enumerate(self.implications):
            yield from rule.inequalities(f"implications[{i}]")
        for i, limit in enumerate(self.sums):
            yield from limit.inequalities(f"sums[{i}]")

    def numbers_at_most(self) -> Iterator[tuple[frozenset[int], int]]:
        """Yield the features of which a set may hold a number at most, by `groups` and `sums`.

        Examples
        --------
        >>> sums = WeightedSum({0: 1, 1: 1}, at_most=1), WeightedSum({0: 1, 1: 2}, at_most=1)
        >>> [*Constraints(groups=(Group((1, 2), at_most=0),), sums=sums).numbers_at_most()]
        [(frozenset({1, 2}), 0), (frozenset({0, 1}), 1)]
        """
        for group in self.groups:
            if group.at_most is not None:
                yield frozenset(group.features), group.at_most
        for limit in self.inequalities(groups=False):
            if limit.counts_at_most and limit.most is not None:
                yield frozenset(limit.weights), limit.most

    def violation(self, chosen: Sequence[int], quality: Quality) -> str | None:
        """Return why a feature set violates a constraint, or None if it does not."""
        held = set(chosen)
        if missing := sorted(set(self.include) - held):
            return f"set {tuple(chosen)} lacks feature {missing[0]}, which has to be included"
        if extra := sorted(set(self.exclude) & held):
            return f"set {tuple(chosen)} holds feature {extra[0]}, which is excluded"
        for group in self.groups:
            if not group.admits(held):
                count = len(set(group.features) & held)
                return f"set {tuple(chosen)} holds {count} features of group {group.features}"
        for limit in self.inequalities(groups=False):
            if not limit.admits(held):
                return f"set {tuple(chosen)} {limit.breach(held)}"
        if self.quality_floor is None:
            return None
        reaches = quality.under(self.include, self.exclude).reaches(chosen, self.quality_floor)
        return None if reaches else f"set {tuple(chosen)} is worse than {self.quality_floor}"


NO_CONSTRAINTS = Constraints()


def _named(key: str, condition: Condition) -> Iterator[tuple[str, Features]]:
    """Yield the features of a condition by their keys."""
    if isinstance(condition, Group):
        yield f"{key}.features", condition.features
    elif isinstance(condition, Implication):
        yield from ((f"{key}.{part}", getattr(condition, part)) for part in ("when", "then"))
    else:
        yield f"{key}.weights", tuple(condition.weights)
        for p, shared in enumerate(condition.shared):
            yield f"{key}.shared[{p}].features", shared.features


def _with_features(
    key: str,
    condition: Condition,
    to: Mapping[str, Features],
    other: Callable[[str, Any], tuple[Any, ...]],
) -> Condition:
    """Return a condition with other features, which are in `to` by their keys."""
    if isinstance(condition, Group):
        return condition.model_copy(update={"features": to[f"{key}.features"]})
    if isinstance(condition, Implication):
        parts = {part: to[f"{key}.{part}"] for part in ("when", "then")}
        return condition.model_copy(update=parts)
    shared = (
        part.model_copy(update={"features": to[f"{key}.shared[{p}].features"]})
        for p, part in enumerate(condition.shared)
    )
    # A feature that is not there any more has no weight.
    place = f"{key}.weights"
    weights = {j: w for f, w in condition.weights.items() for j in other(place, (f,))}
    if len(weights) < len(condition.weights) == len(to[place]):
        reason = "a feature is there by name and by number"
        raise AltfsError(place, reason, "use every feature once")
    return condition.model_copy(update={"weights": weights, "shared": tuple(shared)})


def as_indices(
    key: str,
    features: Iterable[int | str],
    names: Sequence[int | str],
    *,
    by_label: bool = False,
) -> tuple[int, ...]:
    """Return the ascending column numbers of features given by number or name.

    With `by_label`, numbers are names.

    >>> as_indices("include", ["b", 0], ["a", "b"])
    (0, 1)
    """
    if isinstance(features, str):
        raise AltfsError(key, f"{features!r} is one name", "put it in a list")
    if not is_collection(features):
        raise AltfsError.of_value(key, features, "put it in a list")
    indices: list[int] = []
    place: dict[int | str, int] = {}
    unknown: list[str] = []
    for feature in features:
        if by_label and is_whole(feature):
            feature = str(feature)
        if isinstance(feature, str):
            place = place or {name: j for j, name in enumerate(names)}
            if feature in place:
                indices.append(place[feature])
            else:
                unknown.append(feature)
        elif not is_whole(feature):
            raise AltfsError(
                key, f"{feature!r} is not a feature", "use the name or the number of a column"
            )
        elif not 0 <= feature < len(names):
            raise AltfsError(
                key,
                f"{feature} is not a feature",
                f"use indices from 0 to {len(names) - 1}, each once",
            )
        else:
            indices.append(int(feature))
    if len(unknown) > 1:
        named = ", ".join(f"'{name}'" for name in unknown)
        raise AltfsError(key, f"there are no features {named}", "use names of columns")
    for feature in unknown:
        reason, advice = f"there is no feature '{feature}'", "use names of columns"
        raise AltfsError.of_name(key, reason, feature, names, advice)
    for j in indices if len(set(indices)) < len(indices) else ():
        if indices.count(j) > 1:
            raise AltfsError(key, f"feature {names[j]!r} is a duplicate", "use every feature once")
    return tuple(sorted(indices))
