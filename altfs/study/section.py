"""Base of all parts of ``config.yaml``, and messages about mistakes in them."""

from __future__ import annotations

import re

from pydantic import BaseModel, ValidationError

from altfs._options import StrictModel
from altfs.errors import AltfsError
from altfs.registry import did_you_mean


class Section(StrictModel):
    """A part of the configuration, which refuses unknown keys."""


def sentence(error: ValidationError, model: type[BaseModel], prefix: str = "") -> str:
    """Return the first complaint of a validation as one sentence."""
    details = error.errors()
    first = details[0]
    key = prefix + _key(first["loc"])
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, AltfsError | ValueError) and first["type"] == "value_error":
        text = str(cause).rstrip(".")
        named = bool(re.match(r"[a-z_]+(\[\d+\])?[.\w\[\]]*:", text))
        return f"{text}." if named or not key else f"{key}: {text}."
    if first["type"] == "extra_forbidden":
        section = _section(model, first["loc"])
        name = str(first["loc"][-1])
        allowed = list(section.model_fields)
        near = did_you_mean(name, allowed)
        return f"{key}: this key is unknown{near or ','} allowed are: {', '.join(allowed)}."
    if first["type"] == "missing":
        section = _section(model, first["loc"])
        info = section.model_fields.get(str(first["loc"][-1]))
        meaning = f" ({info.description.rstrip('.')})" if info and info.description else ""
        return f"{key}: this key is missing, add it{meaning}."
    reason = first["msg"][0].lower() + first["msg"][1:]
    return f"{key}: {first['input']!r} is not allowed, {reason}."


def _key(location: tuple[int | str, ...]) -> str:
    text = ""
    for step in location:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step.startswith(("list[", "literal[", "function-", "constrained-")):
            continue
        else:
            text += f".{step}" if text else step
    return text


def _section(model: type[BaseModel], location: tuple[int | str, ...]) -> type[BaseModel]:
    for step in location[:-1]:
        if isinstance(step, str) and step in model.model_fields:
            annotation = model.model_fields[step].annotation
            inner = [annotation, *getattr(annotation, "__args__", ())]
            nested = [a for a in inner if isinstance(a, type) and issubclass(a, BaseModel)]
            if nested:
                model = nested[0]
    return model
