"""Amounts of examples of Hypothesis, and the marks of exhaustive cases."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings


def examples(number: int, **more: Any) -> settings:
    """Return Hypothesis settings of so many examples, or of the profile's share of them."""
    share = settings.default.max_examples / 100
    return settings(max_examples=max(5, round(number * share)), **more)


def exhaustive(*values: Any) -> list[Any]:
    """Mark values of a parameter as exhaustive. A tuple has the values of several parameters."""
    several = [value if isinstance(value, tuple) else (value,) for value in values]
    return [pytest.param(*value, marks=pytest.mark.exhaustive) for value in several]
