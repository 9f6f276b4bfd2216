"""Solvers: how one optimisation problem is solved, one file each."""

from altfs.solvers.base import Limits, Solution, Solver, solver_for, solvers

__all__ = ["Limits", "Solution", "Solver", "solver_for", "solvers"]
