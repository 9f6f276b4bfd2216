"""The judge of qualities with pair costs: all families of feature sets, in exact integers."""

from itertools import combinations

from brute_force import valid_sets

from altfs.quality import Ratio


def integer_value(problem, chosen):
    quality = problem.quality
    if isinstance(quality, Ratio):
        return int(quality.exact_values([chosen])[0])
    gains, costs = quality.integers(problem.n_features)
    return int(gains[list(chosen)].sum()) - sum(int(costs[p]) for p in combinations(chosen, 2))


def best(problem):
    sets = valid_sets(problem)
    values = {s: integer_value(problem, s) for s in sets}
    found, top = None, None
    aggregate = min if problem.aggregation == "min" else sum

    def extend(start, chosen):
        nonlocal found, top
        if len(chosen) == problem.n_sets:
            value = aggregate(values[s] for s in chosen)
            if found is None or value > top:
                found, top = tuple(chosen), value
            return
        again = 0 if problem.max_overlap == problem.n_features else 1
        for i in range(start, len(sets)):
            if all(len(set(sets[i]) & set(s)) <= problem.max_overlap for s in chosen):
                extend(i + again, [*chosen, sets[i]])

    extend(0, [])
    return found
