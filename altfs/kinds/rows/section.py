"""The section ``explanations`` of ``config.yaml``."""

from __future__ import annotations

from typing import Any

from pydantic import Field, field_validator

from altfs._options import StrictModel
from altfs.errors import AltfsError
from altfs.prediction import models
from altfs.selectors import selectors
from altfs.selectors.row_wise import BACKGROUND_ROWS, RowWise


class ExplanationsSection(StrictModel):
    """Explanations of single rows of test parts, with alternatives."""

    selectors: list[str] | None = Field(
        default=None,
        min_length=1,
        description="The selectors with values for single rows, by name; by default all of these.",
    )
    searches: list[str] | None = Field(
        default=None,
        min_length=1,
        description="The searches for the sets of a row, by name; by default all.",
    )
    rows: int = Field(
        default=200, ge=1, description="Largest number of explained rows of a fold, drawn."
    )
    model: str = Field(
        default="random_forest",
        description="The model that is explained; it learns on the training part of the fold.",
    )
    background: int = Field(
        default=BACKGROUND_ROWS,
        ge=1,
        description="Training rows whose values take the place of unknown ones, drawn.",
    )

    @field_validator("model", mode="after")
    @classmethod
    def _has_probabilities(cls, value: str) -> str:
        model = models.get(value, "explanations.model")()
        if "classification" in model.tasks and not hasattr(
            model.estimator("binary", 0), "predict_proba"
        ):
            raise ValueError(f"'{value}' has no probabilities, use a model such as random_forest")
        return value


def section_of(config: Any) -> ExplanationsSection | None:
    """Return the section of a configuration; None without one."""
    section: ExplanationsSection | None = config.explanations
    return section


def check_section(config: Any) -> None:
    """Check that the names of the section are those of partners in the study, else a ValueError."""
    section = section_of(config)
    if section is None:
        return
    for key in ("selectors", "searches"):
        entries = {entry.name: entry for entry in getattr(config, key)}
        chosen = getattr(section, key) or []
        for i, name in enumerate(chosen):
            place = f"explanations.{key}[{i}]"
            if name not in entries:
                reason = f"'{name}' is not one of the study's {key}"
                raise AltfsError.of_name(place, reason, name, entries)
            if name in chosen[:i]:
                raise AltfsError(place, f"'{name}' is listed twice", "leave one out")
            if key == "selectors" and not explains(entries[name]):
                raise AltfsError(
                    place, f"'{name}' has no values for single rows", f"use {row_wise_names()}"
                )
    if not any(
        is_explained(config, selector, search)
        for selector in config.selectors
        for search in config.searches
    ):
        raise AltfsError(
            "explanations",
            "no selector with a search of the study has values for single rows",
            f"add {row_wise_names()}, or leave the section out",
        )


def explains(selector: Any) -> bool:
    """Return True if the entry of a selector has values for single rows."""
    return issubclass(selectors.get(selector.type), RowWise)


def is_explained(config: Any, selector: Any, search: Any) -> bool:
    """Return True if a study explains rows with the entries of a selector and a search."""
    section = section_of(config)
    if section is None or not (explains(selector) and config.pairs(selector, search)):
        return False
    chosen = ((section.selectors, selector.name), (section.searches, search.name))
    return all(names is None or name in names for names, name in chosen)


def row_wise_names() -> str:
    """Return the names of the selectors with values for single rows, for a sentence."""
    return " or ".join(f"'{kind.name}'" for kind in selectors if issubclass(kind, RowWise))
