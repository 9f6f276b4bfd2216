"""Bad input, wherever it comes from, is refused in one sentence and changes nothing on disk.

Every row of the table is one place where input is refused, with the ways that lead there: the
library, the command line (``altfs find``, unless the row names another command), and the
configuration of a study.
"""

import re
import subprocess
import sys
from copy import deepcopy
from io import StringIO

import numpy as np
import pandas as pd
import pytest
import yaml
from studies import SMALL

from altfs import (
    AlternativeFeatures,
    Constraints,
    explain_feasibility,
    quality,
    search_randomly,
    search_sequentially,
    search_simultaneously,
)
from altfs.commands.main import main
from altfs.errors import AltfsError
from altfs.solvers import Limits

VALUES = [0.5, 0.4, 0.3, 0.2, 0.1, 0.05]
NAMES = list("abcdef")
LINEAR = quality.Linear(VALUES)
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(RNG.random((40, 6)).round(3), columns=NAMES)
TARGET = np.arange(40) % 2
WORDS = np.array(["u", "v"] * 20)
NAN, INF = float("nan"), float("inf")


def fit(selector=VALUES, **parameters):
    return lambda: AlternativeFeatures(selector, **parameters).fit(FRAME, TARGET)


def limited(**constraints):
    return lambda: fit(n_features=2, constraints=Constraints(**constraints))()


def search(function=search_sequentially, what=LINEAR, **arguments):
    asked = {"n_features": 2, "n_alternatives": 1, "tau": 0.5, **arguments}
    return lambda: function(what, **asked)


def dataset(**options):
    return {"datasets": [{"name": "d", "type": "file", "options": options}]}


def one_constraint(**entry):
    return {"constraints": [entry]}


def in_file(text, name="c.yaml"):
    """Constraints in a file of their own, for the command line alone."""
    return {"files": {name: text}, "cli": ["--constraints", name]}


SEQUENTIAL = {"name": "sequential", "n_alternatives": 1}
SIMULTANEOUS = {"name": "simultaneous", "n_alternatives": 1, "aggregation": "sum"}


# It has the quality that most requests are about, and is faster than the default selector.
FILTER = ["--selector", "mutual_information"]


def solver(asked, together=False):
    """A solver by its name, on all three ways."""
    name = "simultaneous" if together else "sequential"
    options = [f"--solver-option={k}={v}" for k, v in asked.get("options", {}).items()]
    one = SIMULTANEOUS if together else SEQUENTIAL
    return {"library": fit(search=name, solver=asked, n_features=2),
            "cli": ["--search", name, "-k", "2", *FILTER, "--solver", asked["type"], *options],
            "config": {"searches": [{**one, "solver": asked}], "n_features": 2}}  # fmt: skip


def selected(name, search="sequential", **options):
    """A selector with options, on all three ways."""
    given = [f"--selector-option={k}={v}" for k, v in options.items()]
    asked = {"type": name, "options": options}
    return {"library": fit(asked, search=search, n_features=2),
            "cli": ["--selector", name, *given, "--search", search, "-k", "2"],
            "config": {"selectors": [{"name": name, **asked}], "n_features": 2,
                       "searches": [{**SEQUENTIAL, "name": search}]}}  # fmt: skip


def front(name, options=None, selector=None, **more):
    """A search for a front, with its options and those of its selector, on all three ways."""
    selector = selector or ("mutual_information" if name == "pareto" else "naive_bayes_curve")
    words = [f"--search-option={k}={v}" for k, v in (options or {}).items()]
    words += [f"--selector-option={k}={v}" for k, v in more.items()]
    entry = {"name": "front", "type": name, "n_alternatives": 1, "options": options or {}}
    if name == "pareto":
        entry["aggregation"] = "sum"
    library = fit({"type": selector, "options": more}, n_features=2,
                  search={"type": name, "options": options or {}})  # fmt: skip
    return {"library": library,
            "cli": ["--search", name, "-k", "2", "--selector", selector, *words],
            "config": {"searches": [entry], "selectors": [
                {"name": "s", "type": selector, "options": more}]}}  # fmt: skip


def of_target(table):
    """A search for a front of curves with a target of another kind, on all three ways."""
    asked = front("many_objective")
    values = pd.read_csv(StringIO(table))["y"]
    estimator = AlternativeFeatures("naive_bayes_curve", "many_objective", n_features=1)
    return {"table": table,
            "library": lambda: estimator.fit(values.to_frame("a"), values),
            "cli": ["find", "t.csv", "--target", "y", *asked["cli"]],
            "config": {**asked["config"], **dataset(path="t.csv", target="y")}}  # fmt: skip


def average(selector, **more):
    """A limit of the mean overlap, on all three ways."""
    words = [word for key, value in more.items() for word in (f"--{key}", value)]
    return {"library": fit(selector, overlap="average", n_features=2, **more),
            "cli": ["--selector", selector, "--overlap", "average", "-k", "2", *words],
            "config": {"selectors": [selector], "n_features": 2, "searches": [
                {**SEQUENTIAL, "overlap": "average", **more}]}}  # fmt: skip


def table(text, target="y", options=()):
    """A table's content, for the command line and for a configuration alike."""
    return {"table": text, "cli": ["find", "t.csv", "--target", target, *options],
            "config": dataset(path="t.csv", target=target)}  # fmt: skip


# What is wrong -> what the sentence says, and the ways that lead there.
REFUSED = {
    # -- how many, and how different
    "no features": ("n_features.*: 0 is not allowed", {
        "library": fit(n_features=0), "cli": ["-k", "0"], "config": {"n_features": 0}}),
    "size that is no whole number": ("n_features.*2.5", {
        "library": fit(n_features=2.5), "config": {"n_features": 2.5}}),
    "truth for a size": ("n_features.*True", {
        "library": fit(n_features=True), "config": {"n_features": True}}),
    "more features than there are": ("n_features: 7 is", {
        "library": fit(n_features=7), "cli": ["-k", "7"], "config": {"n_features": 7}}),
    "a largest size above the number of features": (r"n_features: \(2, 7\) is not allowed", {
        "library": fit(n_features=(2, 7)), "cli": ["-k", "2-7"]}),
    "sizes in the wrong order": (r"n_features.*: ('3-2'|\(3, 2\)) is not allowed", {
        "library": fit(n_features=(3, 2)), "cli": ["-k", "3-2"], "config": {"n_features": "3-2"}}),
    "a list of sizes": (r"n_features.*: (\[2, 3\]|'2,3') is not allowed", {
        "library": fit(n_features=[2, 3]), "cli": ["-k", "2,3"], "config": {"n_features": "2,3"}}),
    "negative number of alternatives": ("n_alternatives.*: -1 is not allowed", {
        "library": fit(n_alternatives=-1), "cli": ["-a", "-1"],
        "config": {"searches": [{**SEQUENTIAL, "n_alternatives": -1}]}}),
    "truth for a number of alternatives": ("n_alternatives.*True", {
        "library": fit(n_alternatives=True),
        "config": {"searches": [{**SEQUENTIAL, "n_alternatives": True}]}}),
    "tau above one": ("tau.*: (1.5|2) is outside the allowed range", {
        "library": fit(tau=1.5), "cli": ["--tau", "2"], "config": {"taus": [1.5]}}),
    "tau below zero": ("tau.*-0.5 is outside the allowed range", {
        "library": fit(tau=-0.5), "cli": ["--tau=-0.5"], "config": {"taus": [-0.5]}}),
    "tau that is no number": ("tau.*'high' is not a number", {
        "library": fit(tau="high"), "cli": ["--tau", "high"], "config": {"taus": ["high"]}}),
    "tau that is NaN": ("tau.*nan.*(0 to 1|not a number)", {
        "library": fit(tau=NAN), "cli": ["--tau", "nan"], "config": {"taus": [NAN]}}),
    "truth for tau": ("tau.*True", {"library": fit(tau=True), "config": {"taus": [True]}}),
    "tau and max_overlap": ("tau, max_overlap: give exactly one", {
        "library": fit(tau=0.5, max_overlap=1), "cli": ["--tau", "0.5", "--max-overlap", "1"]}),
    "neither tau nor max_overlap": ("tau, max_overlap: give exactly one", {
        "library": search(search_simultaneously, tau=None)}),
    "negative overlap": ("max_overlap: -1 is not allowed", {
        "library": fit(n_features=2, max_overlap=-1), "cli": ["--max-overlap", "-1"]}),
    "overlap above the size": ("max_overlap: 3 is not allowed", {
        "library": fit(n_features=2, max_overlap=3),
        "cli": ["-k", "2", "--max-overlap", "3"]}),
    "unknown dissimilarity": ("dissimilarity: 'cosine' is unknown", {
        "library": fit(dissimilarity="cosine"), "cli": ["--dissimilarity", "cosine"]}),
    "list of dissimilarities": (r"dissimilarity: array.* is unknown", {
        "library": fit(dissimilarity=np.array(["dice", "jaccard"]))}),
    "list of aggregations": ("aggregation: array.* is not allowed", {
        "library": fit(search="simultaneous", aggregation=np.array(["sum", "min"]))}),
    "tau in bytes": ("tau: b'0.5' is not a number", {"library": fit(tau=b"0.5")}),
    "truth of numpy for tau": ("tau: .*True.* is not a number", {
        "library": fit(tau=np.bool_(True))}),
    # -- solvers by name
    "unknown solver": (r"solver: 'forwrad' is not a known solver, did you mean 'forward'\?",
        solver({"type": "forwrad"})),
    "another solver's option": (r"solver.options.limit: this key is unknown.* step",
        solver({"type": "forward", "options": {"limit": 3}})),
    "step of nothing": (r"solver.options.step: 0 is not allowed",
        solver({"type": "backward", "options": {"step": 0}})),
    "step above the size": (r"solver.options.step: 3 is more than the size 2",
        solver({"type": "forward", "options": {"step": 3}})),
    "share of moves above one": (r"solver.options.candidates: 1.5 is not allowed",
        solver({"type": "stepwise", "options": {"candidates": 1.5}})),
    "no parents": (r"solver.options.parents: 0 is not allowed",
        solver({"type": "evolution", "options": {"parents": 0}})),
    "no offspring": (r"solver.options.offspring: 0 is not allowed",
        solver({"type": "evolution", "options": {"offspring": 0}})),
    "rate above one": (r"solver.options.mutation: 1.5 is not allowed",
        solver({"type": "evolution", "options": {"mutation": 1.5}})),
    "rate below zero": (r"solver.options.crossover: -0.5 is not allowed",
        solver({"type": "evolution", "options": {"crossover": -0.5}})),
    "unknown way with the invalid": (r"solver.options.invalid: 'repairs' is not allowed",
        solver({"type": "evolution", "options": {"invalid": "repairs"}})),
    "end above the start": (r"solver.options.end: 2.0 is above the start 1.0",
        solver({"type": "annealing", "options": {"start": 1, "end": 2}})),
    "solver of one set for families": (r"'forward' (cannot handle \d sets at once)",
        solver({"type": "forward"}, together=True)),
    "solver of another quality": (r"'hill_climbing' cannot handle one set of a Linear quality",
        solver({"type": "hill_climbing"})),
    "solver for a search that asks none": ("solver: the search 'random' asks none", {
        "library": fit(search="random", solver="forward"),
        "cli": ["--search", "random", "--solver", "forward"],
        "config": {"searches": [{"name": "random", "n_alternatives": 1, "solver": "forward"}]}}),
    "solver as a number": ("solver: 3 is not allowed", {"library": fit(solver=3)}),
    "solver of another quality than trees": (
        r"'embedded_tree' cannot handle one set of a Pairwise quality", {
            "library": fit("mrmr", solver="embedded_tree", n_features=2),
            "cli": ["--selector", "mrmr", "--solver", "embedded_tree", "-k", "2"],
            "config": {"selectors": ["mrmr"],
                       "searches": [{**SEQUENTIAL, "solver": "embedded_tree"}]}}),
    "mean overlap that no solver honours": (
        "'average' is solved for sums and pairs, not for BlackBox, use", average("wrapper")),
    "mean overlap of neither kind": ("overlap: 'mean' is (unknown|not allowed)", {
        "library": fit(overlap="mean"), "cli": ["--overlap", "mean"],
        "config": {"searches": [{**SEQUENTIAL, "overlap": "mean"}]}}),
    # -- selectors with options
    "folds above the rarest class": ("folds: 30 is more than the [12]0 rows of the rarest class",
        selected("wrapper", folds=30)),
    "means of a selector without numbers": ("of: 'forest' has no numbers of features or pairs",
        selected("resampled", of="forest")),
    "metric of another target": ("metric: 'r2' is for regression, use one for classification",
        selected("wrapper", metric="r2")),
    "model of another target": ("model: 'linear_regression' is for regression, use one for",
        selected("wrapper", model="linear_regression")),
    "unknown model of a selector": ("model: 'naive_bays' .* did you mean 'naive_bayes'",
        selected("wrapper", model="naive_bays")),
    "option of a model without any": ("neighbours: this key is unknown, as there are no options",
        selected("wrapper", model="naive_bayes", model_options={"neighbours": 3})),
    "option of a selector without a value": ("selector_option: 'folds' is not allowed, write", {
        "cli": ["--selector-option", "folds"]}),
    "option of a selector that is no YAML": ("selector_option: 'folds=.' is not allowed, write", {
        "cli": ["--selector-option", "folds=["]}),
    "feature in two groups": ("groups: feature 'b' is in two groups, name it once",
        selected("group_saola", "streaming", groups=[["a", "b"], ["b", "c"]])),
    "group of a missing feature": ("groups: 'age' is not a feature, use the names of columns",
        selected("group_saola", "streaming", groups=[["a", "age"]])),
    "streaming selector with another search": ("'s(equential|aola)' (is not for|has no partner)",
        selected("saola")),
    "ordinary selector with a streaming search": ("'(streaming|mrmr)' (is for|has no partner)",
        selected("mrmr", "streaming")),
    "no limit for an ordinary selector": ("n_features: .unlimited. is (not|for streaming)", {
        "library": fit("mrmr", n_features="unlimited"),
        "cli": ["--selector", "mrmr", "-k", "unlimited"],
        "config": {"selectors": ["mrmr"], "n_features": ["unlimited"]}}),
    "no limit for a stream of rows": ("n_features: .unlimited. is for .* 'ofs' needs a number", {
        "library": fit("ofs", n_features="unlimited"),
        "cli": ["--selector", "ofs", "-k", "unlimited"],
        "config": {"selectors": ["ofs"], "searches": [{"name": "streaming", "n_alternatives": 1}],
                   "n_features": ["unlimited"]}}),
    "option of no solver": ("solver_option: 'step=2' belongs to no solver", {
        "cli": ["--solver-option", "step=2"]}),
    "option without a value": ("solver_option: 'step' is not allowed, write KEY=VALUE", {
        "cli": ["--solver", "forward", "--solver-option", "step"]}),
    # -- fronts
    "factor of dominance below one": ("dominance_factor: 0.5 is not allowed, use a number from 1",
        front("many_objective", {"dominance_factor": 0.5})),
    "factor of dominance in words": ("dominance_factor: 'big' is not allowed, use a number from 1",
        front("many_objective", {"dominance_factor": "big"})),
    "population of three": ("population: 3 is not allowed, the least is 4",
        front("many_objective", {"population": 3})),
    "population of three for families": ("population: 3 is not allowed, the least is 4",
        front("pareto", {"population": 3})),
    "no generations": ("generations: 0 is not allowed, the least is 1",
        front("many_objective", {"generations": 0})),
    "share of crossed sets above one": ("crossover: 1.5 is not allowed, the largest is 1",
        front("many_objective", {"crossover": 1.5})),
    "share of mutated sets below zero": ("mutation: -1 is not allowed, the least is 0",
        front("many_objective", {"mutation": -1})),
    "unknown word for sizes": ("sizes: 'any' is not allowed, use 'up_to' or 'exact'",
        front("many_objective", {"sizes": "any"})),
    "unknown dissimilarity of families": (
        "dissimilarity: 'mean' is not allowed, use 'average' or 'smallest'",
        front("pareto", {"dissimilarity": "mean"})),
    "unknown option of a search": (r"size: this key is unknown, did you mean 'sizes'\? allowed are",
        front("many_objective", {"size": 2})),
    "option of a search without any": ("options?: 'random' has none, leave them out",
        front("random", {"population": 9})),
    "option of no search": ("search_option: 'population=9' belongs to no search, name one", {
        "cli": ["--search-option", "population=9"]}),
    "option of a search without a value": ("search_option: 'sizes' is not allowed, write", {
        "cli": ["--search", "pareto", "--search-option", "sizes"]}),
    "front of a quality without a curve": (
        "'many_objective' cannot handle a Pairwise, .* 'naive_bayes_curve' .* search 'pareto'",
        front("many_objective", selector="mrmr")),
    "curve of one bin": ("bins: 1 is not allowed, the least is 2",
        front("many_objective", bins=1)),
    "class of interest that is none": ("positive: 7 is not a class, use 0 or 1",
        front("many_objective", positive=7)),
    "more folds of a curve than rows": ("folds: 30 is more than the [12]0 rows of the rarest class",
        front("many_objective", folds=30)),
    "curve of three classes": ("needs two classes, the target has 3 classes", of_target(
        "a,b,y\n1,0,u\n2,1,v\n3,2,w\n1,2,u\n2,2,v\n2,2,w\n")),
    "curve of a target of numbers": ("needs two classes, the target has numbers", of_target(
        "a,b,y\n" + "".join(f"{i % 3},{i},{i / 7}\n" for i in range(30)))),
    # -- components
    "unknown selector": (r"'mrrm' is not a known selector, did you mean 'mrmr'\?", {
        "library": fit("mrrm"), "cli": ["--selector", "mrrm"],
        "config": {"selectors": ["mrrm"]}}),
    "unknown search": (r"'sequence' is not a known search, did you mean 'sequential'\?", {
        "library": fit(search="sequence"), "cli": ["--search", "sequence"],
        "config": {"searches": [{"name": "sequence", "n_alternatives": 1}]}}),
    "unknown aggregation": ("aggregation.*max", {
        "library": fit(search="simultaneous", aggregation="max"),
        "cli": ["--search", "simultaneous", "--aggregation", "max"],
        "config": {"searches": [{**SIMULTANEOUS, "aggregation": "max"}]}}),
    "aggregation of a sequential search": ("aggregation", {
        "library": fit(aggregation="sum"), "cli": ["--aggregation", "sum"],
        "config": {"searches": [{**SEQUENTIAL, "aggregation": "sum"}]}}),
    "unknown option of a selector": (r"max_iteration: .*did you mean 'max_iterations'\?", {
        "config": {"selectors": [{"name": "greedy_wrapper", "options": {"max_iteration": 3}}]}}),
    "truth for an option": ("n_repeats: True is not allowed", {"config": {
        "selectors": [{"name": "permutation_importance", "options": {"n_repeats": True}}]}}),
    "unknown model": (r"'tree' is not a known", {"config": {"models": ["tree"]}}),
    "no selector at all": ("selector: 5 is not allowed", {"library": fit(5)}),
    "an estimator that is a class": ("estimator: .* is not allowed", {
        "library": fit("model_gain", estimator=AlternativeFeatures)}),
    "an estimator that nobody uses": ("estimator: the selector 'fcbf' uses none", {
        "library": lambda: fit("fcbf", estimator=_tree())()}),
    # -- limits, seeds, processes
    "no work": ("work: 0(.0)? is not allowed", {
        "library": fit(work=0), "cli": ["--work", "0"], "config": {"limits": {"work": 0}}}),
    "endless work": ("work: inf is not allowed", {
        "library": fit(work=INF), "cli": ["--work", "inf"], "config": {"limits": {"work": INF}}}),
    "work that is text": ("work: '5s?' is not allowed", {
        "library": fit(work="5"), "config": {"limits": {"work": "5s"}}}),
    "limits that are none": ("limits: 5 is not allowed", {"library": search(limits=5)}),
    "negative seed": ("(seed|random_state): -1 is not allowed", {
        "library": search(search_randomly, random_state=-1), "cli": ["--seed", "-1"],
        "config": {"seed": -1}}),
    "negative seed of an estimator": ("random_state: -1 is not allowed", {
        "library": fit(random_state=-1)}),
    "seed beyond 32 bits": ("(seed|random_state): 4294967296 is not allowed", {
        "library": fit(random_state=2**32),
        "cli": ["--seed", "4294967296"], "config": {"seed": 2**32}}),
    "seed as text": ("(seed|random_state): 'x' is not allowed", {
        "library": fit(random_state="x"), "config": {"seed": "x"}}),
    "fraction for a seed": ("(seed|random_state): 1.5 is not allowed", {
        "library": fit(random_state=1.5), "config": {"seed": 1.5}}),
    "truth for a seed": ("(seed|random_state): True is not allowed", {
        "library": fit(random_state=True), "config": {"seed": True}}),
    "truth for the seed of a sample": ("random_state: True is not allowed", {
        "library": search(search_randomly, random_state=True)}),
    "no processes": ("jobs: 0 is not allowed", {
        "library": fit("mrmr", n_jobs=0), "cli": ["verify", ".", "--jobs", "0"]}),
    "no threads where none are needed": ("(n_)?jobs: 0 is not allowed", {
        "library": fit(n_jobs=0), "cli": ["--jobs", "0"]}),
    "how loud, in words": ("verbose: 'loud' is not allowed", {"library": fit(verbose="loud")}),
    "less than silent": ("verbose: -1 is not allowed", {"library": fit(verbose=-1)}),
    "processes as text": ("n_jobs: '2' is not allowed", {"library": fit("fcbf", n_jobs="2")}),
    "sample below zero": ("sample: -1 is not allowed", {"cli": ["verify", ".", "--sample", "-1"]}),
    "one fold": ("folds: 1 is not allowed", {
        "cli": ["check", "d.csv", "--target", "y", "--folds", "1"], "config": {"folds": 1}}),
    "truth for folds": ("folds: True is not allowed", {"config": {"folds": True}}),
    # -- constraints
    "feature that is not there": (r"include: (there is no feature )?'aa'", {
        "library": limited(include=("aa",)), "cli": ["--include", "aa"],
        "config": one_constraint(include=["aa"])}),
    "feature beyond the last": ("exclude: 6 is not a feature", {
        "library": search(constraints=Constraints(exclude=(6,)))}),
    "truth for a feature": ("include: .*True.* is not allowed", {
        "library": limited(include=(True,))}),
    "fraction for a feature": (r"include\[0\]: 0.5 is not a feature", {
        "library": limited(include=(0.5,))}),
    "one name in place of a list": ("include: 'a' is", {
        "library": limited(include="a"), **in_file("include: a"),
        "config": one_constraint(include="a")}),
    "feature named twice": ("include.* duplicate", {
        "library": limited(include=("a", "a")), "cli": ["--include", "a", "--include", "a"],
        "config": one_constraint(include=["a", "a"])}),
    "included and excluded": ("feature .* is in both", {
        "library": limited(include=("a",), exclude=("a",)),
        "cli": ["--include", "a", "--exclude", "a"],
        "config": one_constraint(include=["a"], exclude=["a"])}),
    "more included than a set holds": ("include has 3 features", {
        "config": one_constraint(include=["a", "b", "c"])}),
    "group that asks for nothing": ("a group needs at_least, at_most or all_or_none", {
        "library": limited(groups=({"features": (0, 1)},)),
        **in_file('{"groups": [{"features": ["a", "b"]}]}', "c.json"),
        "config": one_constraint(groups=[{"features": ["a", "b"]}])}),
    "group without features": ("group|at_most: .. is not", {
        "library": limited(groups=({"features": (), "at_most": 1},)), "cli": ["--at-most", "1"],
        "config": one_constraint(groups=[{"features": [], "at_most": 1}])}),
    "group that cannot be met": ("at_least 2 and at_most 1", {
        "library": limited(groups=({"features": (0, 1), "at_least": 2, "at_most": 1},)),
        **in_file("groups: [{features: [a, b], at_least: 2, at_most: 1}]"),
        "config": one_constraint(groups=[{"features": ["a", "b"], "at_least": 2, "at_most": 1}])}),
    "group of which more is asked than it has": ("at_least 3 of 2 features", {
        "library": limited(groups=({"features": (0, 1), "at_least": 3},)),
        "cli": ["--at-least", "3", "a", "b"],
        "config": one_constraint(groups=[{"features": ["a", "b"], "at_least": 3}])}),
    "group with less than nothing": ("at_most.*-1", {
        "library": limited(groups=({"features": (0, 1), "at_most": -1},)),
        "cli": ["--at-most", "-1", "a", "b"],
        "config": one_constraint(groups=[{"features": ["a", "b"], "at_most": -1}])}),
    "group without its number": ("at_most: 'a' is not allowed", {"cli": ["--at-most", "a", "b"]}),
    "group with a feature that is not there": ("groups.*'aa'", {
        "library": limited(groups=({"features": ("a", "aa"), "all_or_none": True},)),
        "cli": ["--all-or-none", "a", "aa"],
        "config": one_constraint(groups=[{"features": ["a", "aa"], "all_or_none": True}])}),
    "group with a feature twice": (r"groups\[0\].features: feature 'a' is a duplicate", {
        "library": limited(groups=({"features": ("a", "a"), "at_least": 1},)),
        "cli": ["--at-least", "1", "a", "a"],
        "config": one_constraint(groups=[{"features": ["a", "a"], "at_least": 1}])}),
    "group with a fraction": ("at_most.*1.5", {
        "library": limited(groups=({"features": (0, 1), "at_most": 1.5},)),
        "cli": ["--at-most", "1.5", "a", "b"],
        "config": one_constraint(groups=[{"features": ["a", "b"], "at_most": 1.5}])}),
    "group that is none": ("groups.*is not allowed", {
        "library": limited(groups=((0, 1),)), **in_file("groups: [[a, b]]"),
        "config": one_constraint(groups=[["a", "b"]])}),
    "costs without a budget": ("costs?, budget: give both", {
        "library": limited(costs=(1,) * 6), "cli": ["--cost", "a=1"],
        "config": one_constraint(costs={"a": 1})}),
    "budget without costs": ("costs?, budget: give both", {
        "library": limited(budget=1), "cli": ["--budget", "1"],
        "config": one_constraint(budget=1)}),
    "budget that is no number": ("budget.*'low' is not allowed", {
        "library": limited(costs=(1,) * 6, budget="low"),
        "cli": ["--cost", "a=1", "--budget", "low"],
        "config": one_constraint(costs={"a": 1}, budget="low")}),
    "endless budget": ("budget.*inf is not allowed", {
        "library": limited(costs=(1,) * 6, budget=INF),
        "cli": ["--cost", "a=1", "--budget", "inf"],
        "config": one_constraint(costs={"a": 1}, budget=INF)}),
    "two budgets": ("two entries give (costs|budget)( to dataset 'd'|, leave)", {
        "files": {"c.yaml": "costs: {a: 1}\nbudget: 1\n"},
        "cli": ["--constraints", "c.yaml", "--cost", "a=2", "--budget", "2"],
        "config": {"constraints": [{"costs": {"a": 1}, "budget": 1}] * 2}}),
    "cost of what is not there": ("costs?.*'aa'", {
        "library": limited(costs={"aa": 1.0}, budget=1),
        "cli": ["--cost", "aa=1", "--budget", "1"],
        "config": one_constraint(costs={"aa": 1}, budget=1)}),
    "cost without a number": ("cost: 'a' is not allowed, write COLUMN=NUMBER", {
        "cli": ["--cost", "a", "--budget", "1"]}),
    "cost without a column": ("cost: '=1' is not allowed, write COLUMN=NUMBER", {
        "cli": ["--cost", "=1", "--budget", "1"]}),
    "cost that is a duplicate": ("'a' (is there )?twice", {
        "files": {"c.json": '{"costs": {"a": 1, "a": 2}, "budget": 1}'},
        "cli": ["--cost", "a=1", "--cost", "a=2", "--budget", "1"]}),
    "negative costs": ("costs?.*-1", {
        "library": limited(costs=(-1.0,) * 6, budget=1), "cli": ["--cost", "a=-1", "--budget", "1"],
        "config": one_constraint(costs={"a": -1}, budget=1)}),
    "costs as text": ("costs?.*'(1|much)'", {
        "library": limited(costs=("1",) * 6, budget=1),
        "cli": ["--cost", "a=much", "--budget", "1"],
        "config": one_constraint(costs={"a": "much"}, budget=1)}),
    "truth for a budget": ("budget: True is not allowed", {
        "library": limited(costs=(1,) * 6, budget=True),
        **in_file("{costs: {a: 1}, budget: yes}"),
        "config": one_constraint(costs={"a": 1}, budget=True)}),
    "too few costs": ("costs: 2 values", {
        "library": limited(costs=(1, 2), budget=1)}),
    "floor that is no number": ("quality_floor.*'high' is not allowed", {
        "library": limited(quality_floor="high"), "cli": ["--quality-floor", "high"],
        "config": one_constraint(quality_floor="high")}),
    "floor that is NaN": ("quality_floor", {
        "library": limited(quality_floor=NAN), "cli": ["--quality-floor", "nan"],
        "config": one_constraint(quality_floor=NAN)}),
    "floor that no float can hold": ("quality_floor", {
        "library": limited(quality_floor=10**400),
        **in_file('{"quality_floor": 1' + "0" * 400 + "}", "c.json"),
        "config": one_constraint(quality_floor=10**400)}),
    "two floors": ("quality_floor, relative_floor: give one", {
        "library": limited(quality_floor=0.1, relative_floor=0.5),
        "cli": ["--quality-floor", "0.1", "--relative-floor", "0.5"],
        "config": one_constraint(quality_floor=0.1, relative_floor=0.5)}),
    "two floors in a dict": ("^constraints: quality_floor, relative_floor: give one", {
        "library": fit(constraints={"quality_floor": 0.1, "relative_floor": 0.5})}),
    "relative floor above one": (r"relative(_floor)?: 2(\.0)? is not allowed", {
        "library": limited(relative_floor=2), "cli": ["--relative-floor", "2"],
        "config": one_constraint(quality_floor={"relative": 2})}),
    "pairs that are none": ("exclusive: 5 is not allowed", {
        "library": lambda: Constraints(exclusive=5), **in_file("exclusive: 5"),
        "config": one_constraint(exclusive=5)}),
    "pair that is none": ("exclusive.*5", {
        "library": lambda: Constraints(exclusive=(5,)), **in_file("exclusive: [5]"),
        "config": one_constraint(exclusive=[5])}),
    "pair of one feature with itself": (r"exclusive\[0\]: feature 'a' is a duplicate", {
        "library": limited(exclusive=(("a", "a"),)), "cli": ["--exclusive", "a", "a"],
        "config": one_constraint(exclusive=[["a", "a"]])}),
    "pair with a feature that is not there": ("(groups|exclusive).*'aa'", {
        "library": limited(exclusive=(("a", "aa"),)), "cli": ["--exclusive", "a", "aa"],
        "config": one_constraint(exclusive=[["a", "aa"]])}),
    "groups that are none": ("groups: 5 is not allowed", {
        "library": lambda: Constraints(groups=5), **in_file("groups: 5"),
        "config": one_constraint(groups=5)}),
    "group without a list": (r"groups\[0\].features: 3 is not allowed", {
        "library": limited(groups=({"features": 3, "at_most": 1},))}),
    "feature that is an array": ("include: array.* is not allowed", {
        "library": limited(include=np.array(0))}),
    "costs that are an array of no axis": ("costs: array.* is not allowed", {
        "library": limited(costs=np.array(1.0), budget=1)}),
    "constraints that are none": ("constraints.*is not allowed|constraints: ", {
        "library": fit(constraints=["include"]), **in_file("include"),
        "config": {"constraints": {"include": ["a"]}}}),
    "constraint that asks for nothing": (r"constraints\[0\]: .* entry .*asks for nothing", {
        **in_file("- {}"),
        "config": one_constraint(datasets=["d"])}),
    "given sets that are none": ("given: ", {"library": search(given=[0, 1])}),
    "given sets of an estimator that are none": ("given: 3 is not allowed", {
        "library": fit(given=3)}),
    "given set that is none": ("given: 3 is not a set of features", {"library": fit(given=[3])}),
    "given set without features": ("given.*(without features|not allowed)", {
        "library": fit(given=[[]]), **in_file("given: [[]]"),
        "config": one_constraint(given=[[]])}),
    "given sets that can be read once": ("given: <generator .* is not allowed", {
        "library": lambda: fit(given=(one for one in [["a"]]))()}),
    "given sets by name": ("given: {'a': 'b'} is not allowed", {
        "library": fit(given={"a": "b"})}),
    "given feature that is not there": ("given.*'z'", {
        "library": fit(given=[["a", "z"]]), "cli": ["--given", "a", "z"],
        "config": one_constraint(given=[["a", "z"]])}),
    "constraints in a file that is not there": ("constraints: 'no.yaml' cannot be read", {
        "cli": ["--constraints", "no.yaml"]}),
    "constraints in a folder": ("constraints: 'full' cannot be read", {
        "cli": ["--constraints", "full"]}),
    "constraints in a file that is not a YAML file": (
        "constraints: 'c.yaml' is not a YAML file", in_file("include: [a")),
    "constraints in a file that is not JSON": (
        "constraints: 'c.json' is not a JSON file .line 1", in_file("include: [a]", "c.json")),
    "constraints in a file of deep brackets": (
        "constraints: 'c.json' has a value that cannot be read", in_file("[" * 10**5, "c.json")),
    "constraints in a file with a key twice": (
        "'include' in line 1 and again in line 2", in_file("include: [a]\ninclude: [b]\n")),
    "constraints in a JSON file with a key twice": (
        "the key 'include' twice", in_file('{"include": ["a"], "include": ["b"]}', "c.json")),
    "constraints in an empty file": ("is not an entry", in_file("")),
    "empty list of constraints": ("'c.json' has no entry", in_file("[]", "c.json")),
    "constraints in a file with an unknown key": (
        "includes: this key is unknown, did you mean 'include'", in_file("includes: [a]")),
    "constraints in a file for a part of a study": (
        r"constraints\[0\].searches: .* leave it out", in_file("[{searches: [x], include: [a]}]")),
    "implication of too many": ("at_least: 2 of 1 features is not allowed, use 1 to 1", {
        "library": fit(constraints={
            "implications": [{"when": ["a"], "then": ["b"], "at_least": 2}]}),
        "config": one_constraint(implications=[{"when": ["a"], "then": ["b"], "at_least": 2}])}),
    "implication without its consequence": ("(then|implies).*: .*give at least 1", {
        "library": fit(constraints={"implications": [{"when": ["a"], "then": []}]}),
        "cli": ["--implies", "a"],
        "config": one_constraint(implications=[{"when": ["a"], "then": []}])}),
    "sum without a limit": ("sums.*a sum needs at_least or at_most", {
        "library": fit(constraints={"sums": [{"weights": {"a": 1}}]}),
        "config": one_constraint(sums=[{"weights": {"a": 1}}])}),
    "sum of an unknown column": ("there is no feature 'z'|'z' is not a feature", {
        "library": fit(constraints={"sums": [{"weights": {"z": 1}, "at_most": 1}]}),
        "cli": ["--sum-at-most", "1", "z=1"],
        "config": one_constraint(sums=[{"weights": {"z": 1}, "at_most": 1}])}),
    "given set with a fraction": ("given: 0.5 is not a feature", {
        "library": search(given=[[0.5, 1]])}),
    "given set with a feature twice": ("given.*: .*duplicate", {
        "library": search(given=[[0, 0]]), "cli": ["--given", "a", "a"]}),
    # -- qualities
    "quality that is none": ("quality: a list is not allowed", {
        "library": search(what=VALUES)}),
    "value that no float can hold": ("values: only numbers are allowed", {
        "library": lambda: quality.Linear([10**400, 1])}),
    "values that are too large to add": (r"values: 1.5e\+308 as the largest", {
        "library": lambda: quality.Linear([1e308, 1.5e308])}),
    "values that are too small to tell apart": ("relevance: 3e-313 as the largest", {
        "library": lambda: quality.Pairwise([1e-313, 3e-313], np.zeros((2, 2)))}),
    "values that are masked": ("values: only numbers are allowed", {
        "library": lambda: quality.Linear(np.ma.array([1.0, 2.0], mask=[0, 1]))}),
    "values that are times": ("values: only numbers are allowed", {
        "library": lambda: quality.Linear(np.array(["2020-01-01", "2021-01-01"], "M8[D]"))}),
    "diagonal that is neither": ("diagonal: 'no' is not allowed", {
        "library": lambda: quality.Pairwise([1, 2], np.zeros((2, 2)), diagonal="no")}),
    "feasibility of no quality": ("quality: a list is not allowed", {
        "library": search(explain_feasibility, VALUES)}),
    "value that is NaN": ("values: entry 1 is nan", {"library": fit([1, NAN, 3, 4, 5, 6])}),
    "value that is infinite": ("values: entry 0 is inf", {"library": fit([INF, 1, 3, 4, 5, 6])}),
    "values that are text": ("values: only numbers are allowed", {"library": fit(["1"] * 6)}),
    "values that are complex": ("values: only numbers are allowed", {"library": fit([1j] * 6)}),
    "too few values": ("selector: it has values for 2 features", {"library": fit([1, 2])}),
    "function with too few values": ("the function '<lambda>' returned something of shape", {
        "library": fit(lambda X, y: [1, 2])}),
    "conflicts that are shares": ("conflicts: only true and false", {
        "library": lambda: quality.Linear([1, 2], [[0, 0.3], [0.3, 0]])}),
    "conflicts of another shape": (r"conflicts: shape \(1, 1\) is not allowed", {
        "library": lambda: quality.Linear([1, 2], [[1]])}),
    "redundancy of another shape": (r"redundancy: shape \(1, 3\) is not allowed", {
        "library": lambda: quality.Pairwise([1, 2], [[1, 2, 3]])}),
    "black box that cannot be called": ("function: 5 is not allowed", {
        "library": lambda: quality.BlackBox(5, 6)}),
    "black box without features": ("n_total: 0 is not allowed", {
        "library": lambda: quality.BlackBox(len, 0)}),
    "black box above its bound": ("above its upper_bound 1.0", {
        "library": search(what=quality.BlackBox(lambda s: 5.0, 6, 1.0))}),
    "black box that says NaN": ("is nan, numbers are needed", {
        "library": search(what=quality.BlackBox(lambda s: NAN, 6))}),
    "aggregation of a search function": ("aggregation: 'mean' is unknown", {
        "library": search(search_simultaneously, aggregation="mean")}),
    "argument that no search has": (r"^taus: .*, did you mean 'tau'\? allowed are: n_features, ", {
        "library": search(taus=0.5)}),
    "argument that another search has": ("^aggregation: this argument is not known", {
        "library": search(aggregation="min")}),
    "argument that a search lacks": ("^n_features: this argument is missing", {
        "library": lambda: search_randomly(LINEAR, n_alternatives=1, tau=0.5)}),
    "limits of a solver": ("work: nan is not allowed", {"library": lambda: Limits(NAN)}),
    # -- tables
    "target that is not there": (r"no target column 'z'", table("a,y\n1,0\n2,1\n" * 1, "z")),
    "missing value": (
        r"column 'a' \(NaN in 50.0% of the rows, first in row 2\) has missing values",
        table("a,b,y\n1,1,0\n,2,1\n", options=["--missing", "refuse"])),
    "infinite value": ("column 'a' has an infinite value in row 2", table("a,y\n1,0\ninf,1\n")),
    "number beyond 32 bits": (r"column 'a' has the number 1e\+39", table("a,y\n1,0\n1e39,1\n")),
    "numbers and text": (
        "column 'a' mixes numbers and text.*'x' in row 2", table("a,y\n1,0\nx,1\n")),
    "two columns of one name": ("two columns called 'a'", table("a,a,y\n1,2,0\n2,3,1\n")),
    "column without a name": ("column 1 of the table has no name", table(",y\n5,0\n7,1\n")),
    "table that is no UTF-8 text": ("byte 0xe9 in line 2 is not utf-8, name the `?encoding", {
        "files": {"t.csv": "a,y\n1,\xe9\n2,u\n".encode("latin-1")},
        "cli": ["find", "t.csv", "--target", "y"],
        "config": dataset(path="t.csv", target="y")}),
    "more values than names": ("more values than its first line has names", table("a,y\n1,0,5\n")),
    "no rows": ("has 0 rows", table("a,y\n")),
    "one class": ("has only one value", table("a,y\n1,1\n2,1\n")),
    "no features in a table": ("0 features", table("y\n1\n2\n")),
    "file that is not there": ("there is no file 'no.csv'", {
        "cli": ["find", "no.csv", "--target", "y"], "config": dataset(path="no.csv", target="y")}),
    "file of another kind": ("ends in '.xls', allowed are", {
        "cli": ["find", "d.xls", "--target", "y"], "config": dataset(path="d.xls", target="y")}),
    "unknown task of known values": ("task: 'ranking' is unknown", {
        "library": fit(task="ranking")}),
    "unknown task": ("task", {
        "library": fit("fcbf", task="ranking"),
        "config": dataset(path="d.csv", target="y", task="ranking")}),
    "text as regression": ("is text, set its task to classification", {
        "library": lambda: AlternativeFeatures(task="regression").fit(FRAME, WORDS),
        "table": "a,y\n1,u\n2,v\n",
        "cli": ["find", "t.csv", "--target", "y", "--task", "regression"],
        "config": dataset(path="t.csv", target="y", task="regression")}),
    "too many folds for a class": ("folds: 21 is more than the 20 rows of class", {
        "config": {"folds": 21}}),
    # -- places
    "output of another kind": ("output: 's.csv' ends in '.csv'", {"cli": ["-o", "s.csv"]}),
    "output in a folder that is not there": ("output: 'no/s.json' cannot be written", {
        "cli": ["-o", "no/s.json"]}),
    "table without a target": ("target: 'd.csv' is a table", {"cli": ["check", "d.csv"]}),
    "folder without a study": ("holds no study", {"cli": ["verify", "."]}),
    "report of nothing": ("holds no study", {"cli": ["report", "."]}),
    "name that is a path": ("name: 'a/b' is not allowed", {"config": {"name": "a/b"}}),
    "name that is a folder already": (r"name: '\.\.' is not allowed", {
        "config": {"selectors": [{"name": "..", "type": "fcbf"}]}}),
    "results in somebody's folder": ("is not empty and holds no study", {
        "config": {"results": "full"}}),
    "results in a file": ("results: 'd.csv' is a file", {"config": {"results": "d.csv"}}),
    "unknown key": (r"selector: this key is unknown, did you mean 'selectors'\?", {
        "config": {"selector": "fcbf"}}),
    "missing alternative number": ("n_alternatives: this key is missing", {
        "config": {"searches": ["sequential"]}}),
    "dataset without a type": ("write 'type:name'", {"config": {"datasets": ["wine"]}}),
    "alternative that is not there": ("alternative: 9 is not allowed|alternative.*9", {
        "library": lambda: fit(n_features=2)().transform(FRAME, alternative=9)}),
}  # fmt: skip
# What the ways need, and is none.
NEEDED = ("table", "files")
WAYS = [(case, way) for case, (_, ways) in REFUSED.items() for way in ways if way not in NEEDED]
ADVICE = re.compile(
    r"\b(use|give|allowed|name|leave|did you mean|make|fill|write|set|rename|put|needed|needs|"
    r"need|add|only|nothing|cannot|there (is|are)|twice|exist|holds)\b"
)


def _tree():
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FRAME.assign(y=TARGET).to_csv("d.csv", index=False)
    (tmp_path / "d.xls").write_text("a,y\n1,0\n2,1\n")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").touch()
    return tmp_path


def contents(folder):
    return {path: path.is_file() and path.read_bytes() for path in folder.rglob("*")}


def is_one_sentence(text):
    return (
        "\n" not in text
        and 15 < len(text) < 600
        and text.endswith((".", "?"))
        and "Traceback" not in text
        and ADVICE.search(text) is not None
    )


def configuration(changes):
    base = {**deepcopy(SMALL), **dataset(path="d.csv", target="y"), "n_features": 2}
    return yaml.safe_dump({**base, **changes})


@pytest.mark.parametrize(("case", "way"), WAYS, ids=[f"{case}-{way}" for case, way in WAYS])
def test_it_is_refused_in_one_sentence_and_nothing_is_written(folder, capsys, case, way):
    pattern, ways = REFUSED[case]
    if "table" in ways:
        (folder / "t.csv").write_text(ways["table"])
    for name, text in ways.get("files", {}).items():
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    if way == "config":
        (folder / "study.yaml").write_text(configuration(ways[way]))
    before = contents(folder)
    if way == "library":
        with pytest.raises(AltfsError) as caught:
            ways[way]()
        said = str(caught.value)
    else:
        arguments = ["check", "study.yaml"] if way == "config" else list(ways[way])
        if arguments[0].startswith("-"):
            arguments = ["find", "d.csv", "--target", "y", *arguments]
        if arguments[0] == "find" and "-o" not in arguments:
            arguments += ["-o", "sets.json"]
        assert main(arguments) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.startswith("altfs: ") and printed.err.endswith("\n")
        said = printed.err.removeprefix("altfs: ").removesuffix("\n")
        if way == "cli":
            # The pattern has the keys of the library.
            said = re.sub("--([a-z-]+)", lambda m: m[1].replace("-", "_"), said)
            said = said.replace("_option ", ".options.")
    assert is_one_sentence(said), said
    assert re.search(pattern, said), said
    assert contents(folder) == before


def test_the_table_is_as_long_as_it_says():
    assert len(REFUSED) >= 40
    # Places that can be reached in several ways are.
    assert sum(len([w for w in ways if w not in NEEDED]) > 1 for _, ways in REFUSED.values()) >= 40


def test_without_these_mistakes_everything_is_taken(folder, capsys):
    assert len(fit(n_features=2)().feature_sets_) == 2
    assert main(["find", "d.csv", "--target", "y", *FILTER, "--evaluate", "none"]) == 0
    (folder / "study.yaml").write_text(configuration({}))
    assert main(["check", "study.yaml"]) == 0
    assert search()().status[0] == "optimal"


def test_a_key_that_is_there_twice(folder, capsys):
    (folder / "study.yaml").write_text(configuration({}) + "folds: 9\n")
    assert main(["check", "study.yaml"]) == 2
    assert "has the key 'folds' in line" in capsys.readouterr().err


@pytest.mark.exhaustive
def test_a_refusal_in_a_process_of_its_own_shows_no_traceback(folder):
    code = "import sys; from altfs.commands.main import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, "find", "d.csv", "--target", "z"],
        capture_output=True, text=True, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert is_one_sentence(done.stderr.strip())
