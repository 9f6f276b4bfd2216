"""Figures of this kind of answer."""
