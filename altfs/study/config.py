"""Sections of ``config.yaml``, one class each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    create_model,
    field_validator,
    model_serializer,
    model_validator,
)

from altfs._numbers import MOST_ALTERNATIVES
from altfs._options import StrictModel, checked_options, finite_or_named, mistake
from altfs.datasets import sources
from altfs.datasets.base import at_home
from altfs.errors import AltfsError
from altfs.kinds.base import kinds
from altfs.prediction import Model, models
from altfs.prediction.metrics import METRICS
from altfs.problem.overlap import Dissimilarity, attainable_taus, canonical_tau
from altfs.registry import Registry
from altfs.searches import Search, searches
from altfs.searches.base import make_search
from altfs.searches.request import UNLIMITED, OverlapKind, sizes_of, stored_size
from altfs.selectors import Selector, selectors
from altfs.solvers.base import MOST_WORK, Solver
from altfs.solvers.named import named_solver
from altfs.study.constraining import PLACES, ConstraintsEntry, combined
from altfs.study.cross_validation import Folds
from altfs.study.parts import PARTS, canonical_size, check_name, check_parts
from altfs.study.task import Component

# Names become folders; '.' and '..' exist already.
_NAME = re.compile(r"(?!\.+$)[a-z0-9_.-]{1,100}", re.IGNORECASE)
Name = Annotated[str, Field(description="Letters, digits and _ . - only; becomes a folder's name.")]


class Section(StrictModel):
    """A part of a configuration."""

    @model_serializer(mode="wrap")
    def _without_defaults(self, dump: SerializerFunctionWrapHandler) -> Any:
        # Hashes of searches and plans without a key stay as they were before there was one.
        return {key: value for key, value in dump(self).items() if (key, value) not in _LATER}


class Entry(Section):
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

    @property
    def component(self) -> Component:
        """The entry as tasks carry it."""
        return Component(name=self.name, type=self.type, options=self.options)

    @field_validator("options")
    @classmethod
    def _with_names(cls, value: dict[str, Any]) -> dict[str, Any]:
        # A plan is JSON, which has no infinity.
        return {key: finite_or_named(option) for key, option in value.items()}


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


def _distinct(values: Any) -> Any:
    seen = set()
    for value in () if values is None or isinstance(values, str) else values:
        if str(value) in seen:
            raise ValueError(f"'{value}' is listed twice, leave one out")
        seen.add(str(value))
    return values


class PartEntry(Entry):
    """A component that may be for a part of the datasets."""

    datasets: list[str] | None = Field(
        default=None, description="The datasets that it is for, by name; by default all."
    )

    @field_validator("datasets")
    @classmethod
    def _different_datasets(cls, value: list[str] | None) -> Any:
        return None if value is None else _distinct(value)

    def is_for(self, dataset: str) -> bool:
        """Return True if it is for a dataset."""
        return self.datasets is None or dataset in self.datasets


class SelectorEntry(PartEntry):
    """A selector, and the datasets that it is for."""

    @property
    def streams(self) -> bool:
        """True if features or rows arrive one by one."""
        return selectors.get(self.type).one_pass

    @property
    def unlimited(self) -> bool:
        """True if its sets may be of any size."""
        return not selectors.get(self.type).needs_size

    def make(self) -> Selector:
        """Return the selector."""
        return selectors.make(self.type, self.options)


class ModelEntry(Entry):
    """A prediction model; a study stores an entry that is only a name as that name."""

    def make(self) -> Model:
        """Return the model."""
        return models.make(self.type, self.options)

    @property
    def variant(self) -> dict[str, Any]:
        """The type and the options of an entry that has more than a name; else empty."""
        if self.name == self.type and not self.options:
            return {}
        return {"type": self.type, "options": self.options}

    @model_serializer
    def _as_short_as_possible(self) -> Any:
        return {"name": self.name, **self.variant} if self.variant else self.name


def _one_or_many(value: Any) -> Any:
    return value if value is None or isinstance(value, list | tuple) else [value]


class SolverEntry(StrictModel):
    """A solver that is asked by its name; ``solver: forward`` in short."""

    type: str = Field(description="The solver.")
    options: dict[str, Any] = Field(default_factory=dict, description="Options of the type.")

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        return {"type": value} if isinstance(value, str) else value


class SearchEntry(PartEntry):
    """A search with its numbers of alternatives."""

    n_alternatives: list[Annotated[int, Field(ge=0, le=MOST_ALTERNATIVES)]] = Field(
        min_length=1,
        description="Sets beyond the first; a list makes a run of its own for each number.",
    )
    aggregation: list[Literal["sum", "min"]] = Field(
        default_factory=list,
        description="Simultaneous and Pareto search: maximise the sum or the smallest of the "
        "qualities.",
    )
    selectors: list[str] | None = Field(
        default=None, description="The selectors that it is for, by name; by default all."
    )
    n_features: list[Annotated[int, Field(ge=1)] | str] | None = Field(
        default=None,
        description="Those of the study's n_features that it is for; by default all.",
    )
    overlap: OverlapKind = Field(
        default="pairwise",
        description="Sequential and simultaneous search: limit the overlap of each pair of sets, "
        "or the mean of all pairs.",
    )
    solver: SolverEntry | None = Field(
        default=None,
        description="Sequential and simultaneous search: the solver to ask, in place of the "
        "preferred ones.",
    )

    _listed = field_validator("n_alternatives", "aggregation", "n_features", mode="before")(
        _one_or_many
    )

    @field_validator("selectors", "n_features", "n_alternatives", "aggregation")
    @classmethod
    def _different(cls, value: Any) -> Any:
        return None if value is None else _distinct(value)

    @property
    def streams(self) -> bool:
        """True if it is for streams."""
        return searches.get(self.type).one_pass

    def make(self) -> Search:
        """Return the search with the seed 0, its options and the solver that it names."""
        return make_search(searches.get(self.type), 0, self.make_solver(), self.options)

    def make_solver(self, key: str = "solver") -> Solver | None:
        """Return the solver that it names, or None."""
        solver = None if self.solver is None else self.solver.model_dump()
        return named_solver(solver, 0, key)


# Keys that came later, with their defaults.
_LATER = [
    ("solver", None),
    ("overlap", "pairwise"),
    ("n_shuffles", 20),
    *(
        (key, None)
        for key in (*PARTS, "metrics", *(kind.section for kind in kinds.all() if kind.section))
    ),
]


class LimitsSection(StrictModel):
    """Limits of one search, in counts, never in seconds."""

    work: float = Field(
        default=20.0,
        gt=0,
        le=MOST_WORK,
        allow_inf_nan=False,
        description="Deterministic work units of the exact solver per call.",
    )


# The sections of kinds of answers.
_sections: dict[str, Any] = {
    kind.section: (
        kind.section_model() | None,
        Field(default=None, description=f"{kind.section_model().__doc__} By default none."),
    )
    for kind in kinds.all()
    if kind.section
}
_Sections = create_model("_Sections", __base__=Section, **_sections)


class StudyConfig(_Sections):
    """Study that ``snakemake`` runs."""

    name: Name
    results: Path = Field(description="Folder for everything the study writes; one per study.")
    datasets: list[DatasetEntry] = Field(min_length=1, description="What is studied.")
    folds: Folds = Field(description="Folds of the cross-validation.")
    seed: int = Field(ge=0, lt=2**32, description="Random state of everything random.")
    selectors: list[SelectorEntry] = Field(min_length=1, description="What makes a set good.")
    n_features: list[Annotated[int, Field(ge=1)] | str] = Field(
        min_length=1,
        description="Sizes of the feature sets, a run for each; '3-5' allows any size from 3 to 5. "
        "For streams the largest size; 'unlimited' is for them alone.",
    )
    dissimilarity: Dissimilarity = Field(
        default="dice", description="What tau refers to: the Dice or the Jaccard dissimilarity."
    )
    taus: Literal["attainable"] | list[float | str] = Field(
        description="Dissimilarity thresholds from 0 to 1, or every one that makes a difference."
    )
    searches: list[SearchEntry] = Field(min_length=1, description="How alternatives are found.")
    models: list[ModelEntry] = Field(
        min_length=1, description="Prediction models to train on every set."
    )
    metrics: list[str] | None = Field(
        default=None,
        description="Metrics of the predictions; by default mcc for classes and r2 for numbers. "
        "Tables compare sets by the first one that fits the target.",
    )
    n_shuffles: Annotated[int, Field(ge=0, le=1000)] = Field(
        default=20,
        description="Shuffled targets whose best sets give the floor of a quality; 0 for none.",
    )
    limits: LimitsSection = Field(default_factory=LimitsSection)
    shards_per_job: Literal["one", "all"] = Field(
        default="one",
        description="Shards that one job makes: one, or all of a selector on a fold, for studies "
        "of more than about 50,000 shards.",
    )
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

    _listed = field_validator("n_features", "models", mode="before")(_one_or_many)

    @field_validator("n_features", mode="after")
    @classmethod
    def _canonical_sizes(cls, value: list[int | str]) -> list[int | str]:
        canonical = [canonical_size(entry) for entry in value]
        by_largest: dict[int, int | str] = {}
        for i, size in enumerate(canonical):
            try:
                largest = stored_size(size)
            except AltfsError as error:
                raise error.at(f"n_features[{i}]", of="n_features") from None
            # Results are stored by the largest size.
            if (other := by_largest.setdefault(largest, size)) != size:
                reason = f"'{size}' has the same largest size as '{other}'"
                raise AltfsError(f"n_features[{i}]", reason, "leave one of them out")
        return canonical

    _distinct = field_validator("n_features", "taus", "metrics")(_distinct)

    @field_validator("metrics", mode="after")
    @classmethod
    def _metric_names(cls, value: list[str] | None) -> list[str] | None:
        if value == []:
            raise ValueError(f"give at least one of {', '.join(METRICS)}, or leave the key out")
        for i, name in enumerate(value or ()):
            check_name(f"metrics[{i}]", name, [*METRICS], "a metric")
        return value

    @field_validator("n_shuffles", mode="after")
    @classmethod
    def _spread(cls, value: int) -> int:
        if value == 1:
            raise ValueError("1 target has no spread, use 0 or a number from 2")
        return value

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
                raise error.at(f"taus[{i}]", of="tau") from None
        return taus

    @model_validator(mode="after")
    def _components(self) -> StudyConfig:
        if not _NAME.fullmatch(self.name):
            raise AltfsError(
                "name", f"'{self.name}' is not allowed", "use up to 100 letters, digits and _ . -"
            )
        if set("{}") & set(str(self.results)):
            raise AltfsError("results", f"'{self.results}' is not allowed", "leave out { and }")
        _check_entries("datasets", self.datasets, sources)
        _check_entries("selectors", self.selectors, selectors)
        _check_entries("searches", self.searches, searches)
        _check_entries("models", self.models, models)
        for i, search in enumerate(self.searches):
            aggregates = searches.get(search.type).aggregations != ("none",)
            if aggregates != bool(search.aggregation):
                said = "needs an aggregation, allowed are: sum, min"
                if not aggregates:
                    said = "does not take an aggregation, leave it out"
                raise AltfsError(f"searches[{i}].aggregation", f"search '{search.name}' {said}")
            search.make_solver(f"searches[{i}].solver")
            try:
                search.make().check_overlap(search.overlap == "average")
            except AltfsError as error:
                raise AltfsError(f"searches[{i}].{error.key}", *error.args[1:]) from None
        named = [entry.name for entry in self.datasets]
        for key in ("column", "test"):
            of_datasets = getattr(self.folds, key)
            for name in of_datasets if isinstance(of_datasets, dict) else ():
                check_name(f"folds.{key}", name, named, "one of the study's datasets")
        self._check_pairs()
        self._check_constraints()
        for kind in kinds.all():
            kind.check(self)
        return self

    def pairs(
        self, selector: SelectorEntry, search: SearchEntry, dataset: str | None = None
    ) -> bool:
        """Return True if a search finds sets of a selector, on a dataset if one is given.

        The search is for all selectors or names this one, both are for the dataset, and both
        stream, or neither does.
        """
        named = search.selectors is None or selector.name in search.selectors
        both = dataset is None or (selector.is_for(dataset) and search.is_for(dataset))
        return named and both and selector.streams == search.streams

    def uses(self, selector: SelectorEntry, dataset: str) -> bool:
        """Return True if a search finds sets of a selector on a dataset."""
        return any(self.pairs(selector, search, dataset) for search in self.searches)

    def sizes(self, search: SearchEntry) -> list[int | str]:
        """Return the entries of `n_features` that a search is for."""
        if search.n_features is None:
            return [*self.n_features]
        named = [canonical_size(size) for size in search.n_features]
        return [size for size in self.n_features if size in named]

    def _check_pairs(self) -> None:
        """Check that streams, other selectors and sizes have partners."""
        names = {key: [one.name for one in getattr(self, key)] for key in ("datasets", "selectors")}
        check_parts("selectors", self.selectors, "selector", {"datasets": names["datasets"]})
        check_parts("searches", self.searches, "search", {**names, "n_features": self.n_features})
        pairs = ("selectors", "search", self.searches), ("searches", "selector", self.selectors)
        for key, partner, others in pairs:
            for i, one in enumerate(getattr(self, key)):
                if all(other.streams != one.streams for other in others):
                    kind = "a streaming" if one.streams else "another"
                    raise AltfsError(
                        f"{key}[{i}]",
                        f"'{one.name}' has no partner, as streaming selectors are for the search "
                        "'streaming' alone",
                        f"add {kind} {partner} or leave it out",
                    )
        for i, search in enumerate(self.searches):
            if not any(self.pairs(selector, search) for selector in self.selectors):
                raise AltfsError(
                    f"searches[{i}].selectors",
                    f"'{search.name}' cannot use any of these, as streaming selectors are for the "
                    "search 'streaming' alone",
                    "name others",
                )
        self._check_partners()
        ordinary = [entry for entry in self.selectors if not entry.unlimited]
        sizes = [k for k in self.n_features if k != UNLIMITED]
        if ordinary and not sizes:
            reason = f"'unlimited' is for streaming selectors, '{ordinary[0].name}' needs a number"
            raise AltfsError("n_features", reason, "add one or leave the selector out")
        if len(sizes) < len(self.n_features):
            if len(ordinary) == len(self.selectors):
                reason = "'unlimited' is for streaming selectors"
                raise AltfsError("n_features", reason, "use numbers or add one such as 'saola'")
            if self.taus == "attainable":
                raise AltfsError(
                    "taus",
                    "'attainable' needs sets of known sizes, list thresholds or leave "
                    "'unlimited' out of n_features",
                )
        for k in sizes if any(entry.streams for entry in self.selectors) else ():
            if len(sizes_of(k)) > 1:
                reason = f"'{k}' is a range, which the search 'streaming' does not take"
                raise AltfsError("n_features", reason, f"use {stored_size(k)}, the largest size")

    def _check_partners(self) -> None:
        """Check that each dataset, selector and search has partners for the same datasets."""
        lacking = {
            "datasets": "no selector with a search",
            "selectors": "no search on its datasets",
            "searches": "no selector on its datasets",
        }
        used = [
            {"datasets": dataset.name, "selectors": selector.name, "searches": search.name}
            for dataset, selector, search in product(self.datasets, self.selectors, self.searches)
            if self.pairs(selector, search, dataset.name)
        ]
        for key, what in lacking.items():
            names = {one[key] for one in used}
            for i, entry in enumerate(getattr(self, key)):
                if entry.name not in names:
                    reason = f"'{entry.name}' has {what}"
                    raise AltfsError(f"{key}[{i}]", reason, "name further datasets or leave it out")

    def _check_constraints(self) -> None:
        names = {key: [entry.name for entry in getattr(self, key)] for key in PLACES}
        for i, constraint in enumerate(self.constraints):
            for key, listed in names.items():
                for name in getattr(constraint, key) or ():
                    check_name(f"constraints[{i}].{key}", name, listed, f"one of the study's {key}")
        for place in product(*names.values()) if self.constraints else ():
            combined(self.constraints, *place)
        for i, constraint in enumerate(self.constraints):
            if constraint.model_copy(update=dict.fromkeys(PLACES)) == ConstraintsEntry():
                advice = "name what feature sets have to satisfy or leave it out"
                raise AltfsError(f"constraints[{i}]", "this entry asks for nothing", advice)

    def sizes_by_tau(self) -> dict[str, list[int | str]]:
        """Return the sizes of feature sets that each tau is used for, smallest tau first."""
        sizes: dict[str, list[int | str]] = {}
        for k in self.n_features:
            taus: Iterable[object] = self.taus
            if taus == "attainable":
                # A range has the taus of its largest size.
                taus = attainable_taus(stored_size(k), self.dissimilarity)
            for tau in taus:
                sizes.setdefault(str(tau), []).append(k)
        return {tau: sizes[tau] for tau in sorted(sizes, key=float)}


def _check_entries(key: str, entries: list[Any], registry: Registry[Any]) -> None:
    seen: dict[str, int] = {}
    for i, entry in enumerate(entries):
        if not _NAME.fullmatch(entry.name):
            reason = f"'{entry.name}' is not allowed"
            raise AltfsError(f"{key}[{i}].name", reason, "use up to 100 letters, digits and _ . -")
        # Some file systems do not distinguish upper and lower case.
        if (low := entry.name.lower()) in seen:
            reason = f"'{entry.name}' is also the name of {key}[{seen[low]}]"
            raise AltfsError(f"{key}[{i}].name", reason, "give one of the two another name")
        seen[low] = i
        model = getattr(registry.get(entry.type, f"{key}[{i}].type"), "Options", None)
        if model is None and entry.options:
            raise AltfsError(f"{key}[{i}].options", f"'{entry.type}' has none", "leave them out")
        if model is not None:
            checked_options(model, entry.options, f"{key}[{i}]")


def parse_config(raw: Mapping[str, Any]) -> StudyConfig:
    """Validate a configuration; a ConfigError says its first mistake in one sentence."""
    try:
        return StudyConfig.model_validate(dict(raw))
    except ValidationError as error:
        raise mistake(error, StudyConfig).at("") from None


def config_schema() -> dict[str, Any]:
    """Return the JSON schema of ``config.yaml``."""
    schema = StudyConfig.model_json_schema()
    sections = schema["$defs"]
    for key in ("DatasetEntry", "SelectorEntry", "ModelEntry"):
        sections[key]["required"] = ["name"]
    sections["SearchEntry"]["required"] = ["name", "n_alternatives"]
    name = {"type": "string", "description": "In short: its name, or type:name for a dataset."}
    short: dict[str, dict[str, Any]]
    short = dict.fromkeys(("DatasetEntry", "SelectorEntry", "ModelEntry"), name)
    short["SolverEntry"] = {**name, "description": "In short: its name."}
    said = "In short: the number of folds, which are stratified."
    short["Folds"] = {"type": "integer", "minimum": 2, "description": said}
    for key, form in short.items():
        sections[key] = {"anyOf": [form, sections[key]]}
    share: dict[str, Any] = {"type": "object", "properties": {"relative": {"type": "number"}}}
    share |= {"required": ["relative"], "additionalProperties": False}
    sections["ConstraintsEntry"]["properties"]["quality_floor"]["anyOf"].append(share)
    fields = sections["SearchEntry"]["properties"]
    for key in ("n_alternatives", "aggregation"):
        many = fields[key]
        fields[key] = {"anyOf": [many, many["items"]], "description": many["description"]}
    sizes = fields["n_features"]["anyOf"]
    sizes += sizes[0]["items"]["anyOf"]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
