"""Amounts of examples of Hypothesis, and the marks of exhaustive cases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import settings
from snakemake_runs import exhaustive

__all__ = ["WITHOUT_QUICK_TESTS", "examples", "exhaustive"]

#: Files with exhaustive tests alone, of those that were collected.
WITHOUT_QUICK_TESTS: set[Path] = set()


def examples(number: int, **more: Any) -> settings:
    """Return Hypothesis settings of so many examples, or of the profile's share of them."""
    share = settings.default.max_examples / 100
    return settings(max_examples=max(5, round(number * share)), **more)
