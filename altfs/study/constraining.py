"""Constraints on feature sets in ``config.yaml``, which name features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field, ValidationError, model_serializer, model_validator

from altfs._numbers import is_number
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


class FloorSection(StrictModel):
    """Lowest quality of a set; in short, a number."""

    absolute: float | None = Field(default=None, allow_inf_nan=False, description="The quality.")
    relative: float | None = Field(
        default=None, ge=0, le=1, description="Share of the best set's, from 0 to 1."
    )

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        if isinstance(value, Mapping):
            if len(value) != 1 or None in value.values():
                raise ValueError("give one of absolute and relative")
            return value
        if not is_number(value):
            raise ValueError(f"{value!r} is not allowed, use a number or 'relative: SHARE'")
        return {"absolute": value}

    @model_serializer
    def _as_given(self) -> dict[str, float]:
        if self.relative is not None:
            return {"relative": self.relative}
        assert self.absolute is not None
        return {"absolute": self.absolute}


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
    quality_floor: FloorSection | None = Field(
        default=None, description="The lowest quality on the training part."
    )

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


def combined(
    entries: Sequence[ConstraintsEntry], dataset: str, selector: str, search: str
) -> dict[str, Any] | None:
    """Return the constraints of a shard as one JSON object, or None without constraints.

    Two entries must not give it a budget each, or a floor.
    """
    chosen: dict[str, Any] = {}
    for entry in entries:
        if not entry.applies(dataset, selector, search):
            continue
        for key, value in entry.model_dump(mode="json", exclude=set(PLACES)).items():
            if isinstance(value, list):
                listed = chosen.setdefault(key, [])
                listed += [v for v in value if v not in listed]
            elif value is not None:
                if key in chosen:
                    raise ConfigError(
                        f"constraints: two entries give {key} to dataset '{dataset}', selector "
                        f"'{selector}' and search '{search}', leave one of them out."
                    )
                chosen[key] = value
    return {key: value for key, value in chosen.items() if value != []} or None


def constraints_of(content: Mapping[str, Any], names: Sequence[str] | None = None) -> Constraints:
    """Return the constraints of a search; given the names of all features, with indices.

    Examples
    --------
    >>> wanted = {"include": ["b"], "quality_floor": {"relative": 0.5}}
    >>> constraints_of(wanted).include, constraints_of(wanted, ["a", "b"]).include
    (('b',), (1,))
    """
    place = {} if names is None else {name: j for j, name in enumerate(names)}

    def indices(features: Sequence[str]) -> tuple[Any, ...]:
        return tuple(place.get(feature, feature) for feature in features)

    costs, floor = content.get("costs"), content.get("quality_floor") or {}
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
        quality_floor=floor.get("absolute"),
        relative_floor=floor.get("relative"),
        exclusive=tuple(map(indices, content.get("exclusive", ()))),
    )


def content_of(constraints: Constraints, names: Sequence[str]) -> dict[str, Any]:
    """Return constraints with indices in the words of ``config.yaml``, without empty ones.

    Examples
    --------
    >>> content_of(Constraints(include=(1,), relative_floor=0.5), ["a", "b"])
    {'include': ['b'], 'quality_floor': {'relative': 0.5}}
    """

    def named(features: Sequence[int]) -> list[str]:
        return [names[j] for j in features]

    groups = []
    for group in constraints.groups:
        limits = {"at_least": group.at_least, "at_most": group.at_most}
        kept = {key: value for key, value in limits.items() if value not in (None, 0)}
        if group.at_most == 0:
            kept["at_most"] = 0
        if group.all_or_none:
            kept["all_or_none"] = True
        groups.append({"features": named(group.features), **kept})
    costs = {name: float(cost) for name, cost in zip(names, constraints.costs or (), strict=False)}
    floors = {"absolute": constraints.quality_floor, "relative": constraints.relative_floor}
    content = {
        "include": named(constraints.include),
        "exclude": named(constraints.exclude),
        "groups": groups,
        "costs": {name: cost for name, cost in costs.items() if cost},
        "quality_floor": {key: value for key, value in floors.items() if value is not None},
    }
    entries: dict[str, Any] = {key: value for key, value in content.items() if value}
    # A budget needs costs, also if every feature is free.
    return (
        entries
        if constraints.budget is None
        else entries
        | {
            "costs": content["costs"],
            "budget": float(constraints.budget),
        }
    )


def given_sets(content: Mapping[str, Any], names: Sequence[str]) -> Family:
    """Return the given sets of a search, as indices.

    Examples
    --------
    >>> given_sets({"given": [["b", "a"]]}, ["a", "b"])
    ((0, 1),)
    """
    place = {name: j for j, name in enumerate(names)}
    return tuple(tuple(sorted(place[f] for f in features)) for features in content.get("given", ()))
