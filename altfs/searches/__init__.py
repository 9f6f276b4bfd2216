"""Searches for alternatives, one file each."""

from altfs.searches.base import Search, SeededSearch, family_result, listed_result, searches

__all__ = ["Search", "SeededSearch", "family_result", "listed_result", "searches"]
