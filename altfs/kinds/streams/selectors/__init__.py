"""Selectors of this kind of answer."""
