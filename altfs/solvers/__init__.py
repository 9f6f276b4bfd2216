"""Solvers: how one optimisation problem is solved, one file each."""

from altfs.solvers.base import Limits, Solution, Solver, solve, solvers, solvers_for

__all__ = ["Limits", "Solution", "Solver", "solve", "solvers", "solvers_for"]
