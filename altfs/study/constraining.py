"""Constraints on feature sets in ``config.yaml``: by name there, by index in a search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Annotated, Any

from pydantic import Field, model_serializer, model_validator

from altfs._numbers import is_number
from altfs.constraints import Constraints, Group, check_named
from altfs.dissimilarity import Tau, pair_overlap
from altfs.errors import AltfsError, ConfigError
from altfs.quality import Quality
from altfs.registry import did_you_mean
from altfs.searches._floor import with_floor
from altfs.solvers.base import Limits
from altfs.study.section import Section

_Features = Annotated[list[str], Field(min_length=1)]
_Places = list[str] | None


class GroupSection(Section):
    """Features of which every set holds a certain number."""

    features: _Features = Field(description="Names of features.")
    at_least: int = Field(default=0, ge=0, description="So many of them every set holds.")
    at_most: int | None = Field(default=None, ge=0, description="More of them no set holds.")
    all_or_none: bool = Field(
        default=False, description="Whether a set that holds one of them holds them all."
    )

    @model_validator(mode="after")
    def _says_something(self) -> GroupSection:
        if self.at_least == 0 and self.at_most is None and not self.all_or_none:
            raise ValueError("a group needs at_least, at_most or all_or_none")
        return self

    @model_serializer(mode="wrap")
    def _without_what_is_new(self, serialize: Any) -> dict[str, Any]:
        # A group is stored, and hashed, as before there was this key.
        content: dict[str, Any] = serialize(self)
        if not self.all_or_none:
            del content["all_or_none"]
        return content


class FloorSection(Section):
    """The lowest quality of a set; a number in short."""

    absolute: float | None = Field(default=None, allow_inf_nan=False, description="The quality.")
    relative: float | None = Field(
        default=None, ge=0, le=1, description="Share of the best set's, from 0 to 1."
    )

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        if isinstance(value, Mapping):
            if len(value) != 1:
                raise ValueError("give one of absolute and relative")
            return value
        if not is_number(value):
            raise ValueError(f"{value!r} is not allowed, use a number or 'relative: SHARE'")
        return {"absolute": value}

    @model_serializer
    def _as_given(self) -> dict[str, float]:
        if self.relative is not None:
            return {"relative": self.relative}
        return {"absolute": float(self.absolute or 0.0)}


class ConstraintsEntry(Section):
    """What feature sets have to satisfy, and where."""

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
        default_factory=list, description="Sets from which every set differs by tau, too."
    )
    costs: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] | None = Field(
        default=None, description="Costs of features; those that are not named cost nothing."
    )
    budget: float | None = Field(
        default=None, ge=0, allow_inf_nan=False, description="What a set may cost."
    )
    quality_floor: FloorSection | None = Field(
        default=None, description="The lowest quality on the training part."
    )

    def says_something(self) -> bool:
        """Whether it asks for anything."""
        asked = set(type(self).model_fields) - {"datasets", "selectors", "searches"}
        return any(getattr(self, key) not in (None, []) for key in asked)

    def applies(self, dataset: str, selector: str | None, search: str | None) -> bool:
        """Whether it is meant for them; None stands for any."""
        named = ((dataset, self.datasets), (selector, self.selectors), (search, self.searches))
        return all(name is None or names is None or name in names for name, names in named)


def combined(
    entries: Sequence[ConstraintsEntry], dataset: str, selector: str, search: str
) -> dict[str, Any] | None:
    """All that holds for a shard as one JSON object; None if nothing does.

    Raises
    ------
    ConfigError
        If two entries give it a budget, or a floor.
    """
    chosen: dict[str, Any] = {}
    for entry in entries:
        if not entry.applies(dataset, selector, search):
            continue
        content = entry.model_dump(mode="json", exclude={"datasets", "selectors", "searches"})
        for key, value in content.items():
            if isinstance(value, list):
                known = chosen.get(key, [])
                chosen[key] = known + [v for v in value if v not in known]
            elif value is not None:
                if key in chosen:
                    raise ConfigError(
                        f"constraints: two entries give {key} to dataset '{dataset}', selector "
                        f"'{selector}' and search '{search}', leave one of them out."
                    )
                chosen[key] = value
    return {key: value for key, value in chosen.items() if value != []} or None


def check_places(
    entries: Sequence[ConstraintsEntry],
    datasets: Sequence[str],
    selectors: Sequence[str],
    searches: Sequence[str],
) -> None:
    """Refuse entries for datasets, selectors or searches that a study does not have.

    Raises
    ------
    ConfigError
        In one sentence; also if one of them is given two budgets, or two floors.
    """
    for i, entry in enumerate(entries):
        places = (("datasets", datasets), ("selectors", selectors), ("searches", searches))
        for key, known in places:
            for name in getattr(entry, key) or ():
                if name not in known:
                    near = did_you_mean(name, list(known))
                    raise ConfigError(
                        f"constraints[{i}].{key}: '{name}' is none of the study's {key}"
                        f"{near or ','} allowed are: {', '.join(known)}."
                    )
    for names in product(datasets, selectors, searches) if entries else ():
        combined(entries, *names)


def check_features(
    entries: Sequence[ConstraintsEntry],
    dataset: str,
    names: Sequence[str],
    selectors: Sequence[str],
    searches: Sequence[str],
    smallest: int,
) -> None:
    """Refuse constraints that make no sense for a dataset.

    Parameters
    ----------
    entries : sequence of ConstraintsEntry
    dataset : str
    names : sequence of str
        Its features.
    selectors, searches : sequence of str
        Names of the study's.
    smallest : int
        Number of features of the smallest sets.

    Raises
    ------
    ConfigError
        In one sentence.
    """
    for i, entry in enumerate(entries):
        if not entry.applies(dataset, None, None):
            continue
        for key, feature in _named(entry):
            if feature not in names:
                near = did_you_mean(feature, list(names))
                raise ConfigError(
                    f"constraints[{i}].{key}: '{feature}' is no feature of dataset '{dataset}'"
                    f"{near or ','} use its column names, or say in 'datasets' which are meant."
                )
    for selector, search in product(selectors, searches) if entries else ():
        wanted = combined(entries, dataset, selector, search) or {}
        if len(wanted.get("include", ())) > smallest:
            raise ConfigError(
                f"constraints: include has {len(wanted['include'])} features, sets of {smallest} "
                f"cannot hold them, include fewer or leave n_features {smallest} out."
            )
        try:
            check_named(with_indices(wanted, names, None), names)
        except AltfsError as error:
            text = str(error).rstrip(".")
            raise ConfigError(f"constraints: {text} (dataset '{dataset}').") from None


def with_indices(
    wanted: Mapping[str, Any],
    names: Sequence[str],
    quality_floor: float | None,
    shape: tuple[Tau, int] | None = None,
) -> Constraints:
    """Constraints of a search: names become indices, a floor is put in their place.

    `shape` has tau and the number of features, for sets that are given.
    """
    place = {name: j for j, name in enumerate(names)}
    groups = [
        Group(
            tuple(place[f] for f in g["features"]),
            g["at_least"],
            g["at_most"],
            g.get("all_or_none", False),
        )
        for g in wanted.get("groups", ())
    ]
    groups += [Group((place[a], place[b]), at_most=1) for a, b in wanted.get("exclusive", ())]
    if shape is not None:
        known = [tuple(place[f] for f in features) for features in wanted.get("given", ())]
        groups += [Group(one, at_most=pair_overlap(*shape, len(one))) for one in known]
    costs = wanted.get("costs")
    return Constraints(
        include=tuple(place[f] for f in wanted.get("include", ())),
        exclude=tuple(place[f] for f in wanted.get("exclude", ())),
        groups=tuple(groups),
        costs=None if costs is None else tuple(float(costs.get(f, 0.0)) for f in names),
        budget=wanted.get("budget"),
        quality_floor=quality_floor,
    )


def constraints_for(
    wanted: Mapping[str, Any],
    names: Sequence[str],
    quality: Quality,
    n_features: int,
    limits: Limits,
    tau: Tau = 0,
) -> Constraints:
    """The constraints of a run at some tau, a relative floor made absolute.

    Sets that are given become groups: a set holds no more of them than tau allows.

    Raises
    ------
    AltfsError
        If the floor is relative to a best set that cannot be had.
    """
    floor = wanted.get("quality_floor") or {}
    shape = (tau, n_features)
    if "relative" not in floor:
        return with_indices(wanted, names, floor.get("absolute"), shape)
    others = with_indices(wanted, names, None, shape)
    try:
        return with_floor(
            quality, n_features, replace(others, relative_floor=floor["relative"]), limits
        )
    except AltfsError as error:
        raise AltfsError(
            str(error)
            .replace("relative_floor:", "quality_floor.relative:")
            .replace("raise it or", "raise limits.work or")
            .replace("number as quality_floor", "number as floor")
        ) from None


def _named(entry: ConstraintsEntry) -> Iterator[tuple[str, str]]:
    for key, features in (("include", entry.include), ("exclude", entry.exclude)):
        yield from ((key, feature) for feature in features)
    for i, group in enumerate(entry.groups):
        yield from ((f"groups[{i}].features", feature) for feature in group.features)
    for i, pair in enumerate(entry.exclusive):
        yield from ((f"exclusive[{i}]", feature) for feature in pair)
    for i, known in enumerate(entry.given):
        yield from ((f"given[{i}]", feature) for feature in known)
    yield from (("costs", feature) for feature in entry.costs or ())
