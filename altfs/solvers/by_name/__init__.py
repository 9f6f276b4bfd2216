"""Solvers that are asked by their name only: any quality, evaluated set by set."""
