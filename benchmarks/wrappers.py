"""Comparison of what named solvers find.

    python benchmarks/wrappers.py greedy
    python benchmarks/wrappers.py search
    python benchmarks/wrappers.py together
    python benchmarks/wrappers.py embedded
    python benchmarks/wrappers.py speed

`greedy` compares greedy solvers with the proven optimum on mRMR and CFS. `search` compares
solvers with hill climbing on the Greedy Wrapper: training objectives on the first of three folds.
`together` compares families, found at once and one after the other, with those of local search
after as many evaluations of sets: means over six seeds.
`embedded` trains trees on the sets of Model Gain and of embedded search: MCC on ten test folds.
`speed` compares forward selection with that of mlxtend and scikit-learn on the same folds: seconds
of CPU, and the share of the search itself. Run it with one thread (OMP_NUM_THREADS=1).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from time import process_time

import mlxtend.feature_selection as mlxtend
import numpy as np
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.model_selection import StratifiedKFold

from altfs import quality, search_sequentially
from altfs.datasets import make_dataset, sources
from altfs.datasets.pmlb import default_cache
from altfs.prediction.decision_tree import DecisionTree
from altfs.prediction.metrics import score_by
from altfs.problem import Problem
from altfs.scores import Part
from altfs.searches.local_search import LocalSearch
from altfs.searches.simultaneous import Simultaneous
from altfs.selectors import selectors
from altfs.selectors._inner_folds import inner_folds
from altfs.selectors.wrapper import Wrapper, WrapperOptions
from altfs.solvers import Limits
from altfs.solvers.named import named_solver

DATASETS = ("ionosphere", "sonar", "wdbc", "spectf", "spambase")
GREEDY = ("forward", "backward", "floating_forward", "floating_backward", "stepwise")
EMBEDDED = ("ionosphere", "sonar", "spectf", "wdbc", "clean1", "tokyo1", "spect", "credit_g")
# Families at once and one after the other.
TOGETHER = ("ionosphere", "sonar", "spectf", "wdbc", "clean1")
SEEDS = (1, 2, 3, 4, 5, 25)
ASKED = {"n_features": 5, "n_alternatives": 3, "max_overlap": 1}


def part_of(name: str, cache: Path) -> Part:
    source = sources.get("pmlb")
    dataset = make_dataset(name, source(name, source.Options(dataset=name), cache).load())
    return Part(dataset.X, dataset.y, dataset.target_type, 0)


def greedy() -> None:
    for selector in ("mrmr", "cfs"):
        for name in DATASETS:
            known = selectors.get(selector)().quality(part_of(name, default_cache()))
            best = search_sequentially(known, **ASKED).objectives
            cells = [f"{best[0]:.3f}, {np.mean(best):.3f}"]
            for solver in GREEDY:
                found = search_sequentially(known, solver=solver, **ASKED).objectives
                loss, mean = best[0] - found[0], np.mean(best) - np.mean(found)
                cells.append(f"{loss:.3f}, {mean:.3f}")
            print("|", " | ".join([f"`{selector}`", name, *cells]), "|", flush=True)


def first_fold(name: str) -> Part:
    """Return the training rows of the first of three folds."""
    whole = part_of(name, default_cache())
    folds = StratifiedKFold(3, shuffle=True, random_state=25)
    rows = next(folds.split(whole.X, whole.y))[0]
    return Part(whole.X[rows], whole.y[rows], whole.target_type, 25)


def search() -> None:
    for name in ("ionosphere", "sonar", "spectf"):
        box = selectors.get("greedy_wrapper")().quality(first_fold(name))
        for overlap in (1, 3):
            asked = {**ASKED, "max_overlap": overlap}
            cells = []
            for solver in (None, "forward", "floating_forward", "evolution", "annealing"):
                found = search_sequentially(box, solver=solver, **asked)
                cells.append(
                    f"{np.mean(found.objectives):.3f} ({np.mean([one.work for one in found]):.0f})"
                )
            print("|", " | ".join([name, str(overlap), *cells]), "|", flush=True)


def together() -> None:
    for name, overlap in product(TOGETHER, (1, 3)):
        part = first_fold(name)
        held_out = selectors.get("greedy_wrapper")().quality(part).function
        n_total, rows = part.X.shape[1], []
        for seed in SEEDS:
            problem = Problem(quality.BlackBox(held_out, n_total, 1.0), 5, overlap, 4)
            box, counted = counting(problem.quality)
            climbed = LocalSearch(seed).search(replace(problem, quality=box), Limits())
            rows.append([len(counted), np.mean(climbed.objectives)])
            asked = {**ASKED, "max_overlap": overlap, "random_state": seed}
            for solver in ("evolution", "annealing"):
                few = quality.BlackBox(held_out, n_total, 1.0, max_iterations=len(counted))
                whole = replace(problem, quality=few)
                found = Simultaneous(named_solver(solver, seed)).search(whole, Limits())
                few = quality.BlackBox(held_out, n_total, 1.0, max_iterations=len(counted) // 4)
                one_by_one = search_sequentially(few, solver=solver, **asked)
                rows[-1] += [np.mean(found.objectives), np.mean(one_by_one.objectives)]
        counts, *means = np.mean(rows, axis=0)
        cells = [name, str(overlap), f"{counts:.0f}", *(f"{mean:.3f}" for mean in means)]
        print("|", " | ".join(cells), "|", flush=True)


def counting(box: quality.BlackBox) -> tuple[quality.BlackBox, set[tuple[int, ...]]]:
    """Return the same quality, and the different sets that it will have evaluated."""
    known: set[tuple[int, ...]] = set()

    def evaluate(chosen: tuple[int, ...]) -> float:
        known.add(chosen)
        return box.function(chosen)

    return quality.BlackBox(evaluate, box.n_total, 1.0), known


def embedded() -> None:
    means: list[list[float]] = []
    for name in EMBEDDED:
        whole = part_of(name, default_cache())
        folds = StratifiedKFold(10, shuffle=True, random_state=25)
        scores: dict[tuple[str, int, bool], list[float]] = {}
        for train, test in folds.split(whole.X, whole.y):
            part = Part(whole.X[train], whole.y[train], whole.target_type, 25)
            for selector, solver in (("model_gain", None), ("tree_training", "embedded_tree")):
                learned = selectors.get(selector)().quality(part)
                for overlap in (0, 2):
                    asked = {**ASKED, "max_overlap": overlap}
                    found = search_sequentially(learned, solver=solver, **asked)
                    for i, chosen in enumerate(found.sets):
                        tree = DecisionTree().estimator(part.target_type, 25)
                        tree.fit(part.X[:, chosen], part.y)
                        score = score_by(
                            "mcc", whole.y[test], tree.predict(whole.X[test][:, chosen])
                        )
                        scores.setdefault((selector, overlap, i > 0), []).append(score)
        means.append([float(np.mean(scores[key])) for key in sorted(scores)])
        print("|", " | ".join([name, *(f"{mean:.3f}" for mean in means[-1])]), "|", flush=True)
    print("| mean |", " | ".join(f"{mean:.3f}" for mean in np.mean(means, axis=0)), "|")


def seconds(call: Callable[..., object], *arguments: object) -> float:
    start = process_time()
    call(*arguments)
    return process_time() - start


def speed() -> None:
    forward = partial(search_sequentially, solver="forward", n_features=5, n_alternatives=0, tau=0)
    models = ("nearest_neighbours", "decision_tree")
    for model, name in product(models, ("ionosphere", "sonar", "wdbc")):
        part = part_of(name, default_cache())
        wrapper = Wrapper(WrapperOptions(model=model))
        folds = inner_folds(part, 5)
        shared = {"cv": folds, "scoring": "matthews_corrcoef"}
        estimator = wrapper.learner.estimator(part.target_type, part.seed)
        # Compiling and imports are not measured.
        forward(wrapper.quality(part))
        box = wrapper.quality(part)
        ours = seconds(forward, box)
        # All qualities are known now, so that only the search is left.
        alone = seconds(forward, box)
        peers = (
            mlxtend.SequentialFeatureSelector(estimator, 5, **shared),
            SequentialFeatureSelector(estimator, n_features_to_select=5, **shared),
        )
        cells = [f"{seconds(peer.fit, part.X, part.y) / ours:.1f}" for peer in peers]
        row = [model, name, f"{ours:.2f} s", *cells, f"{alone / ours:.1%}"]
        print("|", " | ".join(row), "|", flush=True)


if __name__ == "__main__":
    {
        "greedy": greedy,
        "search": search,
        "together": together,
        "embedded": embedded,
        "speed": speed,
    }[sys.argv[1]]()
