"""Embedded search: a tree chooses the features while it grows."""

from __future__ import annotations

from altfs.problem import Family, Problem
from altfs.quality import TreeTraining
from altfs.solvers.base import Limits, solvers
from altfs.solvers.by_name._completions import Completions, bits_of, indices_of
from altfs.solvers.by_name._evaluations import Evaluations, NamedSolver
from altfs.solvers.by_name._growing import GrowingTree


@solvers.register("embedded_tree")
class EmbeddedTree(NamedSolver):
    """A tree that takes up a new feature only if its features can still become a valid set.

    It grows best first: of all leaves and features the split with the largest gain is next.
    The features of the tree are the set. If these are too few, the features that split all
    rows best by themselves fill it up. One set is evaluated.
    """

    qualities = (TreeTraining,)

    def handles(self, problem: Problem) -> bool:
        return problem.n_sets == 1

    def best(
        self, problem: Problem, first: Family, evaluations: Evaluations, limits: Limits
    ) -> Family:
        completions = Completions(problem, first[0], limits)
        tree = GrowingTree(problem.quality_as(TreeTraining))

        def may_enter(feature: int) -> bool:
            return completions.exists(bits_of(tree.used) | 1 << feature, completions.allowed)

        tree.grow(may_enter, problem.sizes[-1])
        held = bits_of(tree.used) | completions.include
        for j in sorted(range(problem.quality.n_total), key=lambda j: -tree.alone[j]):
            if completions.is_valid(held):
                break
            if not held >> j & 1 and completions.exists(held | 1 << j, completions.allowed):
                held |= 1 << j
        chosen = indices_of(held)
        evaluations(chosen)
        return (chosen,)
