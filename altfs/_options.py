"""The base of all sections of a configuration and of the options of components."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator


class StrictModel(BaseModel):
    """A model that refuses unknown keys, and true or false for a number.

    >>> class Options(StrictModel):
    ...     repeats: int
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
        entries = value if isinstance(value, list | tuple) else [value]
        if isinstance(value, Mapping):
            entries = list(value.values())
        # A component's own model checks its options.
        of_truths = "bool" in annotation or "Any" in annotation
        if not of_truths and any(isinstance(entry, bool) for entry in entries):
            raise ValueError(f"{value!r} is not allowed, true and false mean nothing here")
        return value
