"""The section ``assessments`` of ``config.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from altfs._options import StrictModel
from altfs.errors import AltfsError


class AssessmentsSection(StrictModel):
    """Assessments of feature sets: sets nearly as good, equivalent sets, a sensitive attribute."""

    near: float | None = Field(
        default=None,
        ge=0,
        lt=1,
        allow_inf_nan=False,
        description="Count the sets within this share of the best quality.",
    )
    equivalents: float | None = Field(
        default=None,
        gt=0,
        lt=1,
        allow_inf_nan=False,
        description="Find statistically equivalent sets (MMPC and SES) by tests at this level.",
    )
    max_conditioning: int = Field(
        default=3, ge=0, description="The largest number of features that a test is given."
    )
    sensitive: str | dict[str, str] | None = Field(
        default=None,
        description="The column of a sensitive attribute, which is no feature; or datasets and "
        "their columns. Say what sets tell about it.",
    )

    def column(self, dataset: str) -> str | None:
        """Return the sensitive attribute of a dataset, or None."""
        columns = self.sensitive
        return columns.get(dataset) if isinstance(columns, Mapping) else columns


def section_of(config: Any) -> AssessmentsSection | None:
    """Return the section of a configuration; None without one.

    A study whose constraints have prices has an empty one, as its sets are assessed, too.
    """
    section: AssessmentsSection | None = config.assessments
    has_prices = any(one.wishes or one.share_price for one in config.constraints)
    return AssessmentsSection() if section is None and has_prices else section


def is_assessed(search: Any) -> bool:
    """Return True if the sets of the entry of a search are assessed; streams and fronts are not."""
    return not search.streams and search.make().kind == "sets"


def check_section(config: Any) -> None:
    """Check that the datasets of the section are those of the study, else an AltfsError."""
    section: AssessmentsSection | None = config.assessments
    if section is None:
        return
    if (section.near, section.equivalents, section.sensitive) == (None, None, None):
        reason, advice = "it asks for nothing", "name near, equivalents or sensitive"
        raise AltfsError("assessments", reason, advice)
    if not any(is_assessed(search) for search in config.searches):
        reason = "no search of the study has sets that are compared with others"
        raise AltfsError("assessments", reason, "add the search sequential, or leave it out")
    names = [entry.name for entry in config.datasets]
    columns = section.sensitive if isinstance(section.sensitive, dict) else {}
    for name in columns:
        if name not in names:
            reason = f"'{name}' is not one of the study's datasets"
            raise AltfsError.of_name("assessments.sensitive", reason, name, names)
