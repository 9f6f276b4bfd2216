"""The front that pymoo's NSGA-II finds: its loop and ranks, with the operators of the paper."""

import numpy as np
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling
from pymoo.core.survival import Survival
from pymoo.operators.selection.tournament import TournamentSelection
from pymoo.optimize import minimize
from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

from altfs.kinds.fronts._curves import compared


class Curves(Problem):
    """The curves of sets as objectives; a set is evaluated once."""

    def __init__(self, quality, most):
        super().__init__(n_var=quality.n_total, n_obj=quality.n_positive, xl=0, xu=1, vtype=bool)
        self.quality, self.most, self.known = quality, most, {}

    def _evaluate(self, x, out, *args, **kwargs):
        sets = [tuple(map(int, np.flatnonzero(row))) for row in x]
        for chosen in sets:
            if chosen not in self.known:
                self.known[chosen] = self.quality.levels(chosen)
        out["F"] = np.array([self.known[chosen] for chosen in sets])


class Draw(Sampling):
    def _do(self, problem, n_samples, *args, random_state=None, **kwargs):
        drawn = np.zeros((n_samples, problem.n_var), dtype=bool)
        for row in drawn:
            size = random_state.integers(1, problem.most + 1)
            row[random_state.choice(problem.n_var, size, replace=False)] = True
        return drawn


class Mix(Crossover):
    """Uniform crossover; random features leave a set that has too many."""

    def __init__(self):
        super().__init__(2, 2, prob=0.8)

    def _do(self, problem, X, *args, random_state=None, **kwargs):
        swapped = random_state.random(X.shape[1:]) < 0.5
        mixed = np.ascontiguousarray(np.where(swapped, X[::-1], X), dtype=bool)
        for row in mixed.reshape(-1, problem.n_var):
            held = np.flatnonzero(row)
            if len(held) > problem.most:
                row[random_state.choice(held, len(held) - problem.most, replace=False)] = False
            if not len(held):
                row[random_state.integers(problem.n_var)] = True
        return mixed


class Change(Mutation):
    """Add, remove or swap a feature, equally likely where possible."""

    def __init__(self):
        super().__init__(prob=0.2)

    def _do(self, problem, X, *args, random_state=None, **kwargs):
        changed = X.astype(bool)
        for row in changed:
            held, free = np.flatnonzero(row), np.flatnonzero(~row)
            moves = [(1, 0)] * (len(held) < problem.most) + [(0, 1)] * (len(held) > 1) + [(1, 1)]
            comes, goes = moves[random_state.integers(len(moves))]
            if comes:
                row[random_state.choice(free)] = True
            if goes:
                row[random_state.choice(held)] = False
        return changed


class Dominator:
    def __init__(self, rule):
        self.rule = rule

    def calc_domination_matrix(self, F):
        beats = compared(F.astype(np.int64), self.rule.numbers)[0].astype(int)
        return beats - beats.T


class Ranks(Survival):
    """Ranks by pymoo, then the distance to the nearest curve of the same rank."""

    def __init__(self, rule):
        super().__init__(filter_infeasible=False)
        self.rule, self.sorting = rule, NonDominatedSorting(dominator=Dominator(rule))

    def _do(self, problem, pop, *args, n_survive=None, **kwargs):
        levels, survivors = pop.get("F").astype(np.int64), []
        for rank, members in enumerate(self.sorting.do(levels, n_stop_if_ranked=n_survive)):
            apart = compared(levels[members], self.rule.numbers)[1].astype(float)
            np.fill_diagonal(apart, np.inf)
            nearest = apart.min(axis=1)
            for i, distance in zip(members, nearest, strict=True):
                pop[i].set("rank", rank)
                pop[i].set("crowding", distance)
            order = members[np.argsort(-nearest, kind="stable")]
            survivors += order[: n_survive - len(survivors)].tolist()
        return pop[survivors]


def better(pop, pairs, **kwargs):
    """Return the better one of each pair: by rank, then by distance."""
    rank, distance = pop.get("rank"), pop.get("crowding")
    return np.array([[min(pair, key=lambda i: (rank[i], -distance[i]))] for pair in pairs])


def evolved(quality, most, rule, generations, seed):
    """Return the curves of all sets that pymoo evaluates."""
    problem = Curves(quality, most)
    algorithm = NSGA2(
        pop_size=100, sampling=Draw(), selection=TournamentSelection(better), crossover=Mix(),
        mutation=Change(), survival=Ranks(rule),
    )  # fmt: skip
    minimize(problem, algorithm, ("n_gen", generations + 1), seed=seed)
    return problem.known


def unbeaten(known, rule):
    """Return the sets whose curve no other one dominates, by plain comparison."""
    kept = []
    for chosen in sorted(known, key=lambda one: -known[one].sum()):
        if not any(rule.dominating(known[other], known[chosen]) for other in kept):
            kept.append(chosen)
    return kept
