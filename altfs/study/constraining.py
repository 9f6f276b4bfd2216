"""Constraints on feature sets in ``config.yaml``, which name features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from pydantic import Field, model_validator

from altfs.errors import AltfsError, ConfigError
from altfs.problem import NO_CONSTRAINTS, Constraints

_Places = list[str] | None
#: Keys of an entry that select a part of a study.
PLACES = ("datasets", "selectors", "searches")


class ConstraintsEntry(Constraints):
    """Constraints on feature sets, and the parts of a study that they apply to."""

    datasets: _Places = Field(default=None, description="For these only; else for all.")
    selectors: _Places = Field(default=None, description="For these only; else for all.")
    searches: _Places = Field(default=None, description="For these only; else for all.")

    @model_validator(mode="after")
    def _has_names(self) -> Self:
        for key in ("costs", "information"):
            if isinstance(listed := getattr(self, key), tuple):
                raise AltfsError(key, f"{list(listed)} is not allowed", "use keys with values")
        for key, features in self.features().items():
            for feature in features:
                if not isinstance(feature, str):
                    raise AltfsError.of_value(key, feature, "use text")
        return self

    def applies(self, *place: str) -> bool:
        """Return True if the entry applies to a dataset, or to a dataset, selector and search."""
        chosen = zip(place, (getattr(self, key) for key in PLACES), strict=False)
        return all(names is None or name in names for name, names in chosen)


def combined(entries: Sequence[ConstraintsEntry], *place: str) -> Constraints | None:
    """Return the constraints of a shard, or None without constraints.

    `place` is its dataset, selector and search; without it, every entry applies. Two entries must
    not give it a budget each, or a floor.
    """
    chosen: dict[str, Any] = {}
    for entry in entries:
        for key in Constraints.model_fields if entry.applies(*place) else ():
            value = getattr(entry, key)
            if isinstance(value, tuple):
                listed = chosen.get(key, ())
                chosen[key] = (*listed, *(v for v in value if v not in listed))
            elif value != Constraints.model_fields[key].default:
                if key in chosen:
                    kinds = ("dataset", "selector", "search")
                    to = ", ".join(f"{kind} '{p}'" for kind, p in zip(kinds, place, strict=False))
                    reason = f"two entries give {key}{to and f' to {to}'}"
                    raise ConfigError("constraints", reason, "leave one of them out")
                chosen[key] = value
    constraints = Constraints(**chosen)
    return None if constraints == NO_CONSTRAINTS else constraints
