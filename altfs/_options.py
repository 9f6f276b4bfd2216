"""Sections of a configuration and options of components, and messages about mistakes in them."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator

from altfs.errors import AltfsError

M = TypeVar("M", bound=BaseModel)

# What is allowed, by the kinds of pydantic's errors.
_WHOLE, _NUMBER = "use a whole number", "use a number"
_ALLOWED = {
    "greater_than_equal": "the least is {ge}",
    "greater_than": "use more than {gt}",
    "less_than_equal": "the largest is {le}",
    "less_than": "use less than {lt}",
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": "use a finite number",
    "bool_type": "use true or false",
    "bool_parsing": "use true or false",
    "string_type": "use text",
    "path_type": "use the path of a file or folder as text",
    "list_type": "use a list",
    "tuple_type": "use a list",
    "dict_type": "use keys with values",
    "model_type": "use keys with values",
    "too_short": "give at least {min_length}",
    "too_long": "give at most {max_length}",
    "literal_error": "use {expected}",
}


class StrictModel(BaseModel):
    """A model that refuses unknown keys, and true or false for a number.

    Made in Python, it raises an AltfsError with one sentence. ``model_validate`` raises
    pydantic's error, as the sections of a configuration add their keys to it.

    >>> class Options(StrictModel):
    ...     repeats: int
    >>> Options(repeats=True)
    Traceback (most recent call last):
    ...
    altfs.errors.AltfsError: repeats: True is not allowed, true and false mean nothing here.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    def __init__(self, /, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise mistake(error, type(self)) from None

    # As in pydantic's own subclasses: model_validate does not call this method.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

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


def type_and_options(component: Any, key: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the options of a component, from its name or a mapping of both.

    Parameters
    ----------
    component : object
        A name, or ``{"type": ..., "options": {...}}``.
    key : str
        The kind of component, which is also the argument or key in messages.

    Raises
    ------
    AltfsError
        If it is neither, or has other keys.

    Examples
    --------
    >>> type_and_options("forward", "solver")
    ('forward', {})
    """
    content: Any = {"type": component} if isinstance(component, str) else component
    if not isinstance(content, Mapping) or not isinstance(content.get("type"), str):
        raise AltfsError.of_value(key, component, "use a name, or a mapping with type and options")
    for name in content:
        if name not in ("type", "options"):
            raise AltfsError.of_name(
                f"{key}.{name}", "this key is unknown", name, ["type", "options"]
            )
    options = content.get("options") or {}
    if not isinstance(options, Mapping):
        raise AltfsError.of_value(f"{key}.options", options, "use a mapping of options")
    return content["type"], dict(options)


def finite_or_named(value: Any) -> Any:
    """Return the value of an option; numbers that JSON does not have are their names.

    >>> finite_or_named(float("inf")), finite_or_named(2.5), finite_or_named("up_to")
    ('inf', 2.5, 'up_to')
    """
    return str(float(value)) if isinstance(value, float) and not isfinite(value) else value


def checked_options(model: type[M], options: Mapping[str, Any], key: str) -> M:
    """Return options as their model; AltfsError with one sentence if one is not allowed."""
    try:
        return model.model_validate(dict(options))
    except ValidationError as error:
        raise mistake(error, model, f"{key}.options.") from None


def mistake(error: ValidationError, model: type[BaseModel], prefix: str = "") -> AltfsError:
    """Return the first mistake that a validation found; its key begins with the prefix."""
    first = error.errors()[0]
    location, kind = first["loc"], first["type"]
    key, last = (prefix + _key(location)).rstrip("."), str(location[-1]) if location else ""
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, AltfsError) and cause.key and ", " not in cause.key:
        # It names the option that is wrong.
        return AltfsError(cause.key if location else prefix + cause.key, *cause.args[1:])
    if isinstance(cause, AltfsError):
        return AltfsError(*cause.at(key).args)
    if isinstance(cause, ValueError) and kind == "value_error":
        return AltfsError(key, str(cause))
    fields = _section(model, location).model_fields
    if kind == "extra_forbidden" and not fields:
        return AltfsError(key, "this key is unknown, as there are no options", "leave it out")
    if kind == "extra_forbidden":
        return AltfsError.of_name(key, "this key is unknown", last, fields)
    if kind == "missing":
        meaning = fields[last].description if last in fields else None
        said = f" ({meaning.rstrip('.')})" if meaning else ""
        return AltfsError(key, "this key is missing", f"add it{said}")
    advice = first["msg"][0].lower() + first["msg"][1:]
    if kind in _ALLOWED:
        advice = _ALLOWED[kind].format(**first.get("ctx", {}))
        # A word may be allowed in place of a number.
        words = [e for e in error.errors()[1:] if e["loc"][:-1] == location[:-1]]
        if advice == _WHOLE and words and words[0]["type"] == "literal_error":
            advice += f" or {words[0]['ctx']['expected']}"
    return AltfsError.of_value(key, first["input"], advice)


# What pydantic names an alternative of a union.
_PLAIN = ("bool", "float", "int", "str")
_KINDS = ("list[", "dict[", "literal[", "function-", "constrained-")


def _key(location: tuple[int | str, ...]) -> str:
    text = ""
    for step in location:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step not in _PLAIN and not step.startswith(_KINDS):
            text += f".{step}" if text else step
    return text


def _section(model: type[BaseModel], location: tuple[int | str, ...]) -> type[BaseModel]:
    for step in location[:-1]:
        if isinstance(step, str) and step in model.model_fields:
            annotation = model.model_fields[step].annotation
            for inner in (annotation, *getattr(annotation, "__args__", ())):
                if isinstance(inner, type) and issubclass(inner, BaseModel):
                    model = inner
                    break
    return model
