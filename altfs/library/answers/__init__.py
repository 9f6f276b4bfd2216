"""Answers: what is behind the sets that a search found, from the same exact solvers."""
