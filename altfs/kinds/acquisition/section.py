"""The section ``acquisition`` of ``config.yaml``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from altfs._options import StrictModel, type_and_options
from altfs.datasets import Dataset
from altfs.errors import AltfsError, ConfigError
from altfs.kinds.acquisition.base import methods, subset_models
from altfs.study.task import Component

_ALL = ("static", "greedy", "stopping", "plan", "exact")
#: The price of a study with budgets: it keeps measurements from being spent on noise.
SMALL_PRICE = 0.0001


class AcquisitionSection(StrictModel):
    """Measurements of rows of test parts, one value after the other."""

    methods: list[str | dict[str, Any]] = Field(
        default=list(_ALL),
        min_length=1,
        description="The methods: names, or mappings of name, type and options; by default all.",
    )
    budgets: list[Annotated[float, Field(gt=0)]] = Field(
        default=[1, 2, 3, 5], description="The most that a row may cost, a run for each."
    )
    prices: list[Annotated[float, Field(gt=0)]] = Field(
        default=[], description="What a unit of cost has to save, a run for each."
    )
    costs: Literal["unit", "random"] | dict[str, Annotated[float, Field(ge=0)]] = Field(
        default="unit",
        description="The cost of each feature: 1, a whole number from 1 to 5 that is drawn, or by "
        "name.",
    )
    rows: int = Field(default=500, ge=1, description="Largest number of measured rows, drawn.")
    model: str | dict[str, Any] = Field(
        default="naive_bayes", description="What predicts from the known features."
    )

    @field_validator("methods", mode="after")
    @classmethod
    def _check_methods(cls, value: list[Any]) -> list[Any]:
        names = [component_of(entry).name for entry in value]
        for i, entry in enumerate(value):
            component = component_of(entry)
            methods.make(component.type, component.options, f"acquisition.methods[{i}]")
            if names.index(component.name) < i:
                reason = f"'{component.name}' is listed twice"
                raise AltfsError(f"acquisition.methods[{i}]", reason, "give it another name")
        return value

    @field_validator("model", mode="after")
    @classmethod
    def _check_model(cls, value: Any) -> Any:
        subset_models.make(*type_and_options(value, "model"), "acquisition.model")
        return value

    @model_validator(mode="after")
    def _has_limits(self) -> Self:
        if not (self.budgets or self.prices):
            raise ValueError("there are neither budgets nor prices, give one of them")
        for i, entry in enumerate(self.methods):
            if self.prices and methods.get(component_of(entry).type).needs_budget:
                reason = f"'{component_of(entry).name}' stops by a budget alone, there are prices"
                raise AltfsError(f"acquisition.methods[{i}]", reason, "leave one of them out")
        return self

    def limits(self) -> list[str]:
        """Return the limits as text, such as "budget-3"."""
        budgets = [f"budget-{number:g}" for number in dict.fromkeys(self.budgets)]
        return budgets + [f"price-{number:g}" for number in dict.fromkeys(self.prices)]


def component_of(entry: Any) -> Component:
    """Return the method of an entry, with its name in the study."""
    name = entry.get("name") if isinstance(entry, Mapping) else None
    plain = {k: v for k, v in entry.items() if k != "name"} if name is not None else entry
    kind, options = type_and_options(plain, "method")
    return Component(name=str(name or kind), type=kind, options=options)


def section_of(config: Any) -> AcquisitionSection | None:
    """Return the section of a configuration; None without one."""
    section: AcquisitionSection | None = config.acquisition
    return section


def libraries(config: Any) -> set[str]:
    """Return the extras that the methods of a section need."""
    section = section_of(config)
    entries = section.methods if section is not None else []
    return {methods.get(component_of(entry).type).extra for entry in entries} - {""}


def complaints(config: Any, dataset: Dataset) -> Iterator[ConfigError]:
    """Yield the reasons for which a dataset cannot be measured."""
    section = section_of(config)
    if section is None:
        return
    where = f"dataset '{dataset.name}'"
    if config.folds.type != "stratified":
        reason = f"its methods hold rows out one by one, which folds of type {config.folds.type} "
        yield ConfigError("acquisition", f"{reason}do not allow", "use stratified folds")
    if dataset.target_type == "regression":
        reason = "its target has numbers, and acquisition is for classes"
        yield ConfigError("acquisition", reason, f"leave it out ({where})")
    if isinstance(section.costs, Mapping):
        for name in dataset.feature_names:
            if name not in section.costs:
                advice = f"give one for every feature ({where})"
                yield ConfigError("acquisition.costs", f"'{name}' has none", advice)
                return
