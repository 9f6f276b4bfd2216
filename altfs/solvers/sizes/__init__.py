"""Solvers of problems whose sets may have several sizes."""
