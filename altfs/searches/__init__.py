"""Searches: how alternatives are looked for, one file each."""

from altfs.searches.base import Search, searches

__all__ = ["Search", "searches"]
