"""Explanations of single rows: the search for all rows at once, and what the model says to sets."""
