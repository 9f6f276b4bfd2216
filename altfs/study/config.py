"""``config.yaml``: what a study is. One class a section, unknown keys refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    field_validator,
    model_serializer,
    model_validator,
)

from altfs._numbers import MOST_ALTERNATIVES
from altfs.datasets import sources
from altfs.datasets.base import at_home
from altfs.dissimilarity import attainable_taus, canonical_tau
from altfs.errors import AltfsError, ConfigError
from altfs.prediction import models
from altfs.registry import Registry
from altfs.searches import searches
from altfs.selectors import selectors
from altfs.solvers.base import MOST_WORK
from altfs.study.constraining import ConstraintsEntry, check_places
from altfs.study.section import Section, sentence

# Names become folders: '.' and '..' are folders that are there already.
_NAME = re.compile(r"(?!\.+$)[a-z0-9_.-]+", re.IGNORECASE)
Name = Annotated[str, Field(description="Letters, digits and _ . - only; becomes a folder's name.")]


class Entry(Section):
    """A component: its name in the study, its type, and its options."""

    name: Name
    type: str = Field(description="Which component; the name, if left out.")
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
            source = sources.get(kind)
            options = source.shorthand(rest)
            if options is None:
                raise ValueError(f"a dataset of type '{kind}' needs name, type and options")
            return {"name": rest, "type": kind, "options": options}
        if isinstance(value, Mapping) and "type" in value and "options" not in value:
            kind = str(value["type"])
            source = sources.get(kind)
            return {**value, "options": source.shorthand(str(value.get("name"))) or {}}
        return value


class SelectorEntry(Entry):
    """A selector: mutual_information, fcbf, model_gain or greedy_wrapper."""


class SearchEntry(Entry):
    """A search, with how many alternatives it looks for."""

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


class LimitsSection(Section):
    """How much work one search may do; counts, never seconds."""

    work: float = Field(
        default=20.0,
        gt=0,
        le=MOST_WORK,
        allow_inf_nan=False,
        description="Deterministic work units of the exact solver per call.",
    )


class StudyConfig(Section):
    """The study that ``snakemake`` runs."""

    name: Name
    results: Path = Field(description="Folder for everything the study writes; one per study.")
    datasets: list[DatasetEntry] = Field(min_length=1, description="What is studied.")
    folds: int = Field(ge=2, description="Folds of the (stratified) cross-validation.")
    seed: int = Field(ge=0, lt=2**32, description="Random state of everything random.")
    selectors: list[SelectorEntry] = Field(min_length=1, description="What makes a set good.")
    n_features: list[Annotated[int, Field(ge=1)]] = Field(
        min_length=1, description="Sizes of the feature sets."
    )
    taus: Literal["attainable"] | list[float | str] = Field(
        description="Dissimilarity thresholds from 0 to 1, or every one that makes a difference."
    )
    searches: list[SearchEntry] = Field(min_length=1, description="How alternatives are found.")
    models: list[str] = Field(min_length=1, description="Prediction models to train on every set.")
    limits: LimitsSection = Field(default_factory=LimitsSection)
    constraints: list[ConstraintsEntry] = Field(
        default_factory=list, description="What feature sets have to satisfy besides."
    )
    pmlb_cache: Path | None = Field(
        default=None,
        description="Folder of PMLB files (NAME/NAME.tsv.gz); else ALTFS_PMLB_CACHE is asked.",
    )

    @field_validator("results", "pmlb_cache", mode="after")
    @classmethod
    def _home(cls, value: Path | None) -> Path | None:
        return None if value is None else at_home(value)

    @field_validator("n_features", "models", mode="before")
    @classmethod
    def _one_or_many(cls, value: Any) -> Any:
        return [value] if isinstance(value, int | str) else value

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
                verb = "needs" if aggregates else "does not take"
                raise ValueError(
                    f"searches[{i}].aggregation: search '{search.name}' {verb} an aggregation"
                    + (", allowed are: sum, min" if aggregates else ", leave it out")
                )
        for i, model in enumerate(self.models):
            models.get(model, f"models[{i}]")
        for key in ("n_features", "models", "taus"):
            _check_repeats(key, getattr(self, key))
        for i, search in enumerate(self.searches):
            _check_repeats(f"searches[{i}].n_alternatives", search.n_alternatives)
            _check_repeats(f"searches[{i}].aggregation", search.aggregation)
        listed = (self.datasets, self.selectors, self.searches)
        check_places(self.constraints, *([entry.name for entry in part] for part in listed))
        for i, constraint in enumerate(self.constraints):
            if not constraint.says_something():
                raise ValueError(
                    f"constraints[{i}]: this entry asks for nothing, name what feature sets have "
                    "to satisfy or leave it out"
                )
        return self

    @model_serializer(mode="wrap")
    def _without_idle(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # A study without constraints is stored, and hashed, as if there was no such key.
        content: dict[str, Any] = handler(self)
        if not self.constraints:
            content.pop("constraints", None)
        return content

    def sizes_by_tau(self) -> dict[str, list[int]]:
        """The sizes of feature sets that each tau is used for, smallest tau first."""
        if self.taus == "attainable":
            sizes: dict[str, list[int]] = {}
            for k in self.n_features:
                for tau in attainable_taus(k):
                    sizes.setdefault(tau, []).append(k)
        else:
            sizes = {str(tau): list(self.n_features) for tau in self.taus}
        return {tau: sizes[tau] for tau in sorted(sizes, key=float)}


def _check_repeats(key: str, values: Any) -> None:
    seen = set()
    for value in [] if isinstance(values, str) else values:
        if value in seen:
            raise ValueError(f"{key}: '{value}' is listed twice, leave one out")
        seen.add(value)


def _check_entries(key: str, entries: list[Any], registry: Registry[Any]) -> None:
    seen: dict[str, int] = {}
    for i, entry in enumerate(entries):
        if not _NAME.fullmatch(entry.name):
            raise ValueError(
                f"{key}[{i}].name: '{entry.name}' is not allowed, use letters, digits and _ . -"
            )
        # Some file systems do not tell capitals from small letters.
        if (low := entry.name.lower()) in seen:
            raise ValueError(
                f"{key}[{i}].name: '{entry.name}' is also the name of {key}[{seen[low]}], "
                "give one of the two another name"
            )
        seen[low] = i
        component = registry.get(entry.type, f"{key}[{i}].type")
        model = getattr(component, "Options", None)
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
        One sentence about the first thing that is wrong.
    """
    try:
        return StudyConfig.model_validate(dict(raw))
    except ValidationError as error:
        raise ConfigError(sentence(error, StudyConfig)) from None


def config_schema() -> dict[str, Any]:
    """The JSON schema of ``config.yaml``."""
    schema = StudyConfig.model_json_schema()
    short = {"type": "string", "description": "In short: its name, or type:name for a dataset."}
    for key in ("DatasetEntry", "SelectorEntry"):
        schema["$defs"][key].setdefault("required", ["name"])
        schema["$defs"][key]["required"] = ["name"]
        schema["$defs"][key] = {"anyOf": [short, schema["$defs"][key]]}
    floor = {"type": "number", "description": "In short: the quality itself."}
    schema["$defs"]["FloorSection"] = {"anyOf": [floor, schema["$defs"]["FloorSection"]]}
    schema["$defs"]["SearchEntry"]["required"] = ["name", "n_alternatives"]
    for key in ("n_alternatives", "aggregation"):
        many = schema["$defs"]["SearchEntry"]["properties"][key]
        schema["$defs"]["SearchEntry"]["properties"][key] = {
            "anyOf": [many, many["items"]],
            "description": many["description"],
        }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
