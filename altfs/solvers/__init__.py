"""Solvers of optimisation problems, one file each."""

from altfs.solvers.base import Limits, Solution, Solver, solve, solvers, solvers_for

__all__ = ["Limits", "Solution", "Solver", "solve", "solvers", "solvers_for"]
