"""Constraints on feature sets in ``config.yaml``, which name features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field, ValidationError, model_validator

from altfs._options import StrictModel, sentence
from altfs.errors import ConfigError
from altfs.problem import Family
from altfs.problem.constraints import Constraints, Group

_Features = Annotated[list[str], Field(min_length=1)]
_Places = list[str] | None
#: Keys of an entry that select a part of a study.
PLACES = ("datasets", "selectors", "searches")


class GroupSection(StrictModel):
    """Features, and the number of them in every set."""

    features: _Features = Field(description="Names of features.")
    at_least: int = Field(default=0, ge=0, description="The smallest number in a set.")
    at_most: int | None = Field(default=None, ge=0, description="The largest number in a set.")
    all_or_none: bool = Field(
        default=False, description="True if a set with one of them has all of them."
    )

    @model_validator(mode="after")
    def _says_something(self) -> GroupSection:
        if self.at_least == 0 and self.at_most is None and not self.all_or_none:
            raise ValueError("a group needs at_least, at_most or all_or_none")
        return self


class ConstraintsEntry(StrictModel):
    """Constraints on feature sets, and the parts of a study that they apply to."""

    datasets: _Places = Field(default=None, description="For these only; else for all.")
    selectors: _Places = Field(default=None, description="For these only; else for all.")
    searches: _Places = Field(default=None, description="For these only; else for all.")
    include: list[str] = Field(default_factory=list, description="Features of every set.")
    exclude: list[str] = Field(default_factory=list, description="Features of no set.")
    groups: list[GroupSection] = Field(default_factory=list, description="Numbers of features.")
    exclusive: list[Annotated[list[str], Field(min_length=2, max_length=2)]] = Field(
        default_factory=list, description="Pairs of features that exclude each other."
    )
    given: list[_Features] = Field(
        default_factory=list,
        description="Sets that exist already; every set differs from them by tau, too.",
    )
    costs: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] | None = Field(
        default=None, description="Costs of features; those that are not named cost nothing."
    )
    budget: float | None = Field(
        default=None, ge=0, allow_inf_nan=False, description="The largest cost of a set."
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

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
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
    def _one_floor(self) -> ConstraintsEntry:
        if self.quality_floor is not None and self.relative_floor is not None:
            raise ValueError("quality_floor, relative_floor: give one of the two")
        return self

    def named(self) -> Iterator[tuple[str, str]]:
        """Return the features of the entry, each with its key."""
        lists: dict[str, Iterable[str]] = {
            "include": self.include,
            "exclude": self.exclude,
            **{f"groups[{i}].features": group.features for i, group in enumerate(self.groups)},
            **{f"exclusive[{i}]": pair for i, pair in enumerate(self.exclusive)},
            **{f"given[{i}]": features for i, features in enumerate(self.given)},
            "costs": self.costs or (),
        }
        return ((key, feature) for key, features in lists.items() for feature in features)

    def says_something(self) -> bool:
        """Return True if there is at least one constraint."""
        keys = set(type(self).model_fields) - set(PLACES)
        return any(getattr(self, key) not in (None, []) for key in keys)

    def applies(self, *place: str) -> bool:
        """Return True if the entry applies to a dataset, or to a dataset, selector and search."""
        chosen = zip(place, (getattr(self, key) for key in PLACES), strict=False)
        return all(names is None or name in names for name, names in chosen)


def read_entry(content: Mapping[str, Any], name: str, prefix: str) -> ConstraintsEntry:
    """Return an entry for one table; messages call it `name`, and its keys have the `prefix`.

    Raises
    ------
    ConfigError
        If a key or value is not allowed, or selects a part of a study.
    """
    for key in PLACES:
        if key in content:
            raise ConfigError(
                f"{name}.{key}: it selects a part of a study, which one table does not have, "
                "leave it out."
            )
    try:
        return ConstraintsEntry.model_validate(dict(content))
    except ValidationError as error:
        raise ConfigError(sentence(error, ConstraintsEntry, prefix)) from None


def combined(entries: Sequence[ConstraintsEntry], *place: str) -> dict[str, Any] | None:
    """Return the constraints of a shard as one JSON object, or None without constraints.

    `place` is its dataset, selector and search; without it, every entry applies. Two entries must
    not give it a budget each, or a floor.
    """
    chosen: dict[str, Any] = {}
    for entry in entries:
        if not entry.applies(*place):
            continue
        for key, value in entry.model_dump(mode="json", exclude=set(PLACES)).items():
            if isinstance(value, list):
                listed = chosen.setdefault(key, [])
                listed += [v for v in value if v not in listed]
            elif value is not None:
                if key in chosen:
                    kinds = ("dataset", "selector", "search")
                    to = ", ".join(f"{kind} '{p}'" for kind, p in zip(kinds, place, strict=False))
                    raise ConfigError(
                        f"constraints: two entries give {key}{to and f' to {to}'}, leave one of "
                        "them out."
                    )
                chosen[key] = value
    return {key: value for key, value in chosen.items() if value != []} or None


def constraints_of(content: Mapping[str, Any], names: Sequence[str] | None = None) -> Constraints:
    """Return the constraints of a search; given the names of all features, with indices.

    Examples
    --------
    >>> wanted = {"include": ["b"], "relative_floor": 0.5}
    >>> constraints_of(wanted).include, constraints_of(wanted, ["a", "b"]).include
    (('b',), (1,))
    """
    place = {} if names is None else {name: j for j, name in enumerate(names)}

    def indices(features: Sequence[str]) -> tuple[Any, ...]:
        return tuple(place.get(feature, feature) for feature in features)

    costs = content.get("costs")
    if costs is not None and names is not None:
        costs = tuple(float(costs.get(name, 0.0)) for name in names)
    return Constraints(
        include=indices(content.get("include", ())),
        exclude=indices(content.get("exclude", ())),
        groups=tuple(
            Group(**{**group, "features": indices(group["features"])})
            for group in content.get("groups", ())
        ),
        costs=costs,
        budget=content.get("budget"),
        quality_floor=content.get("quality_floor"),
        relative_floor=content.get("relative_floor"),
        exclusive=tuple(map(indices, content.get("exclusive", ()))),
    )


def content_of(constraints: Constraints, names: Sequence[str]) -> dict[str, Any]:
    """Return constraints with indices in the words of ``config.yaml``, without empty ones.

    Examples
    --------
    >>> content_of(Constraints(include=(1,), relative_floor=0.5), ["a", "b"])
    {'include': ['b'], 'relative_floor': 0.5}
    """

    def named(features: Sequence[int]) -> list[str]:
        return [names[j] for j in features]

    costs = {name: float(cost) for name, cost in zip(names, constraints.costs or (), strict=False)}
    entry = ConstraintsEntry(
        include=named(constraints.include),
        exclude=named(constraints.exclude),
        groups=[
            GroupSection(**{**vars(group), "features": named(group.features)})
            for group in constraints.groups
        ],
        # A budget needs costs, also if every feature is free.
        costs=None
        if constraints.budget is None
        else {n: cost for n, cost in costs.items() if cost},
        budget=constraints.budget,
        quality_floor=constraints.quality_floor,
        relative_floor=constraints.relative_floor,
    )
    return entry.model_dump(exclude_defaults=True)


def given_sets(content: Mapping[str, Any], names: Sequence[str]) -> Family:
    """Return the given sets of a search, as indices.

    Examples
    --------
    >>> given_sets({"given": [["b", "a"]]}, ["a", "b"])
    ((0, 1),)
    """
    place = {name: j for j, name in enumerate(names)}
    return tuple(tuple(sorted(place[f] for f in features)) for features in content.get("given", ()))
