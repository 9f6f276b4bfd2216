"""Searches of this kind of answer."""
