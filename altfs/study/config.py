"""Sections of ``config.yaml``, one class each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, field_validator, model_validator

from altfs._numbers import MOST_ALTERNATIVES
from altfs._options import StrictModel
from altfs.datasets import sources
from altfs.datasets.base import at_home
from altfs.errors import AltfsError, ConfigError
from altfs.prediction import models
from altfs.problem.overlap import Dissimilarity, attainable_taus, canonical_tau
from altfs.registry import Registry, did_you_mean
from altfs.searches import searches
from altfs.searches.request import sizes_of
from altfs.selectors import Selector, selectors
from altfs.solvers.base import MOST_WORK
from altfs.study.constraining import PLACES, ConstraintsEntry, combined
from altfs.study.settings import sentence

# Names become folders; '.' and '..' exist already.
_NAME = re.compile(r"(?!\.+$)[a-z0-9_.-]+", re.IGNORECASE)
Name = Annotated[str, Field(description="Letters, digits and _ . - only; becomes a folder's name.")]


class Entry(StrictModel):
    """A component with its name in the study, its type and its options."""

    name: Name
    type: str = Field(description="The component; by default the name.")
    options: dict[str, Any] = Field(default_factory=dict, description="Options of the type.")

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"name": value, "type": value}
        if isinstance(value, Mapping) and "name" in value and "type" not in value:
            return {**value, "type": value["name"]}
        return value


class DatasetEntry(Entry):
    """A dataset: ``type:name`` in short, or name, type and options."""

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        if isinstance(value, str):
            kind, colon, rest = value.partition(":")
            if not colon:
                raise ValueError(
                    "write 'type:name' (sklearn:wine, pmlb:ionosphere), "
                    "or name, type and options for a file"
                )
            options = sources.get(kind).shorthand(rest)
            if options is None:
                raise ValueError(f"a dataset of type '{kind}' needs name, type and options")
            return {"name": rest, "type": kind, "options": options}
        if isinstance(value, Mapping) and "type" in value and "options" not in value:
            source = sources.get(str(value["type"]))
            return {**value, "options": source.shorthand(str(value.get("name"))) or {}}
        return value


class SelectorEntry(Entry):
    """A selector: mutual_information, fcbf, model_gain or greedy_wrapper."""

    def make(self) -> Selector:
        """Return the selector."""
        component = selectors.get(self.type)
        return component(component.Options.model_validate(self.options))


def _distinct(values: Any) -> Any:
    for i, value in enumerate(() if isinstance(values, str) else values):
        if value in values[:i]:
            raise ValueError(f"'{value}' is listed twice, leave one out")
    return values


class SearchEntry(Entry):
    """A search with its numbers of alternatives."""

    n_alternatives: list[Annotated[int, Field(ge=0, le=MOST_ALTERNATIVES)]] = Field(
        min_length=1,
        description="Sets beyond the first; a list makes a run of its own for each number.",
    )
    aggregation: list[Literal["sum", "min"]] = Field(
        default_factory=list,
        description="Simultaneous search: maximise the sum or the smallest of the qualities.",
    )

    @field_validator("n_alternatives", "aggregation", mode="before")
    @classmethod
    def _one_or_many(cls, value: Any) -> Any:
        return value if isinstance(value, list | tuple) else [value]

    _distinct = field_validator("n_alternatives", "aggregation")(_distinct)


class LimitsSection(StrictModel):
    """Limits of one search, in counts, never in seconds."""

    work: float = Field(
        default=20.0,
        gt=0,
        le=MOST_WORK,
        allow_inf_nan=False,
        description="Deterministic work units of the exact solver per call.",
    )


class StudyConfig(StrictModel):
    """Study that ``snakemake`` runs."""

    name: Name
    results: Path = Field(description="Folder for everything the study writes; one per study.")
    datasets: list[DatasetEntry] = Field(min_length=1, description="What is studied.")
    folds: int = Field(ge=2, description="Folds of the (stratified) cross-validation.")
    seed: int = Field(ge=0, lt=2**32, description="Random state of everything random.")
    selectors: list[SelectorEntry] = Field(min_length=1, description="What makes a set good.")
    n_features: list[Annotated[int, Field(ge=1)] | str] = Field(
        min_length=1,
        description="Sizes of the feature sets, a run for each; '3-5' allows any size from 3 to 5.",
    )
    dissimilarity: Dissimilarity = Field(
        default="dice", description="What tau refers to: the Dice or the Jaccard dissimilarity."
    )
    taus: Literal["attainable"] | list[float | str] = Field(
        description="Dissimilarity thresholds from 0 to 1, or every one that makes a difference."
    )
    searches: list[SearchEntry] = Field(min_length=1, description="How alternatives are found.")
    models: list[str] = Field(min_length=1, description="Prediction models to train on every set.")
    limits: LimitsSection = Field(default_factory=LimitsSection)
    constraints: list[ConstraintsEntry] = Field(
        default_factory=list, description="Constraints on the feature sets."
    )
    pmlb_cache: Path | None = Field(
        default=None,
        description="Folder of PMLB files (NAME/NAME.tsv.gz); by default ALTFS_PMLB_CACHE.",
    )

    @field_validator("results", "pmlb_cache", mode="after")
    @classmethod
    def _home(cls, value: Path | None) -> Path | None:
        return None if value is None else at_home(value)

    @field_validator("n_features", "models", mode="before")
    @classmethod
    def _one_or_many(cls, value: Any) -> Any:
        return [value] if isinstance(value, int | str) else value

    @field_validator("n_features", mode="after")
    @classmethod
    def _canonical_sizes(cls, value: list[int | str]) -> list[int | str]:
        canonical: list[int | str] = []
        by_largest: dict[int, int | str] = {}
        for i, entry in enumerate(value):
            try:
                sizes = sizes_of(entry)
            except AltfsError as error:
                text = str(error).replace("n_features:", f"n_features[{i}]:", 1)
                raise ValueError(text) from None
            one = sizes[0] if len(sizes) == 1 else f"{sizes[0]}-{sizes[-1]}"
            # Results are stored by the largest size.
            if (known := by_largest.setdefault(sizes[-1], one)) != one:
                raise ValueError(
                    f"n_features[{i}]: '{entry}' has the same largest size as '{known}', leave one "
                    "of them out"
                )
            canonical.append(one)
        return canonical

    _distinct = field_validator("n_features", "models", "taus")(_distinct)

    @field_validator("taus", mode="before")
    @classmethod
    def _canonical_taus(cls, value: Any) -> Any:
        if value == "attainable":
            return value
        if isinstance(value, str) and not value.replace(".", "", 1).isdigit():
            raise ValueError(f"use a list of numbers from 0 to 1, or 'attainable', not '{value}'")
        listed = value if isinstance(value, list | tuple) else [value]
        if not listed:
            raise ValueError("give at least one number from 0 to 1, or 'attainable'")
        taus = []
        for i, tau in enumerate(listed):
            try:
                taus.append(canonical_tau(tau))
            except AltfsError as error:
                raise ValueError(str(error).replace("tau:", f"taus[{i}]:", 1)) from None
        return taus

    @model_validator(mode="after")
    def _components(self) -> StudyConfig:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"name: '{self.name}' is not allowed, use letters, digits and _ . -")
        if set("{}") & set(str(self.results)):
            raise ValueError(f"results: '{self.results}' is not allowed, leave out {{ and }}")
        _check_entries("datasets", self.datasets, sources)
        _check_entries("selectors", self.selectors, selectors)
        _check_entries("searches", self.searches, searches)
        for i, search in enumerate(self.searches):
            aggregates = searches.get(search.type).aggregations != ("none",)
            if aggregates != bool(search.aggregation):
                said = "needs an aggregation, allowed are: sum, min"
                if not aggregates:
                    said = "does not take an aggregation, leave it out"
                raise ValueError(f"searches[{i}].aggregation: search '{search.name}' {said}")
        for i, model in enumerate(self.models):
            models.get(model, f"models[{i}]")
        self._check_constraints()
        return self

    def _check_constraints(self) -> None:
        names = {key: [entry.name for entry in getattr(self, key)] for key in PLACES}
        for i, constraint in enumerate(self.constraints):
            for key, known in names.items():
                for name in getattr(constraint, key) or ():
                    if name not in known:
                        near = did_you_mean(name, known)
                        raise ValueError(
                            f"constraints[{i}].{key}: '{name}' is not one of the study's {key}"
                            f"{near or ','} allowed are: {', '.join(known)}"
                        )
        for place in product(*names.values()) if self.constraints else ():
            combined(self.constraints, *place)
        for i, constraint in enumerate(self.constraints):
            if not constraint.says_something():
                raise ValueError(
                    f"constraints[{i}]: this entry asks for nothing, name what feature sets have "
                    "to satisfy or leave it out"
                )

    def sizes_by_tau(self) -> dict[str, list[int | str]]:
        """Return the sizes of feature sets that each tau is used for, smallest tau first."""
        sizes: dict[str, list[int | str]] = {}
        for k in self.n_features:
            taus: Iterable[object] = self.taus
            if taus == "attainable":
                # A range has the taus of its largest size.
                taus = attainable_taus(sizes_of(k)[-1], self.dissimilarity)
            for tau in taus:
                sizes.setdefault(str(tau), []).append(k)
        return {tau: sizes[tau] for tau in sorted(sizes, key=float)}


def _check_entries(key: str, entries: list[Any], registry: Registry[Any]) -> None:
    seen: dict[str, int] = {}
    for i, entry in enumerate(entries):
        if not _NAME.fullmatch(entry.name):
            raise ValueError(
                f"{key}[{i}].name: '{entry.name}' is not allowed, use letters, digits and _ . -"
            )
        # Some file systems do not distinguish upper and lower case.
        if (low := entry.name.lower()) in seen:
            raise ValueError(
                f"{key}[{i}].name: '{entry.name}' is also the name of {key}[{seen[low]}], "
                "give one of the two another name"
            )
        seen[low] = i
        model = getattr(registry.get(entry.type, f"{key}[{i}].type"), "Options", None)
        if model is None:
            if entry.options:
                raise ValueError(f"{key}[{i}].options: '{entry.type}' has none, leave them out")
            continue
        try:
            model.model_validate(entry.options)
        except ValidationError as error:
            raise ConfigError(sentence(error, model, f"{key}[{i}].options.")) from None


def parse_config(raw: Mapping[str, Any]) -> StudyConfig:
    """Validate a configuration.

    Raises
    ------
    ConfigError
        One sentence about the first mistake.
    """
    try:
        return StudyConfig.model_validate(dict(raw))
    except ValidationError as error:
        raise ConfigError(sentence(error, StudyConfig)) from None


def config_schema() -> dict[str, Any]:
    """Return the JSON schema of ``config.yaml``."""
    schema = StudyConfig.model_json_schema()
    sections = schema["$defs"]
    for key in ("DatasetEntry", "SelectorEntry"):
        sections[key]["required"] = ["name"]
    sections["SearchEntry"]["required"] = ["name", "n_alternatives"]
    name = {"type": "string", "description": "In short: its name, or type:name for a dataset."}
    floor = {"type": "number", "description": "In short: the quality itself."}
    short = {"DatasetEntry": name, "SelectorEntry": name, "FloorSection": floor}
    for key, form in short.items():
        sections[key] = {"anyOf": [form, sections[key]]}
    fields = sections["SearchEntry"]["properties"]
    for key in ("n_alternatives", "aggregation"):
        many = fields[key]
        fields[key] = {"anyOf": [many, many["items"]], "description": many["description"]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
