"""The base of all sections of a configuration and of the options of components."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator


class StrictModel(BaseModel):
    """Keys that it does not know are refused, and so is true or false for a number.

    Examples
    --------
    >>> class Options(StrictModel):
    ...     repeats: int
    >>> Options(repeats=3).repeats
    3
    >>> Options(repeats=True)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    pydantic_core._pydantic_core.ValidationError: 1 validation error for Options
    ...
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _truth_is_no_number(cls, value: Any, info: ValidationInfo) -> Any:
        # YAML reads yes, no, on and off as true and false, which Python takes for 1 and 0.
        annotation = str(cls.model_fields[str(info.field_name)].annotation)
        # Options of a component are judged by its own model.
        if not ("bool" in annotation or "Any" in annotation) and _has_truth(value):
            raise ValueError(f"{value!r} is not allowed, true and false mean nothing here")
        return value


def _has_truth(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(isinstance(inner, bool) for inner in value.values())
    if isinstance(value, list | tuple):
        return any(isinstance(inner, bool) for inner in value)
    return isinstance(value, bool)
