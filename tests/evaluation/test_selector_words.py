"""The answers about single selectors, against tables that one can compute in one's head."""

from itertools import product

import pandas as pd
import pytest

from altfs.evaluation.report.answer import Answer
from altfs.evaluation.report.words import answers

TOPIC = "Who finds the relevant features"
# What each selector finds of the relevant features, for sets of one to four features.
HITS = {"mic": [1, 2, 3, 3], "rar": [0, 1, 1, 2]}


def truth(datasets, n_relevant=3, **changes):
    rows = [
        {"dataset": dataset, "sets": "all rows", "selector": selector, "search": "sequential",
         "aggregation": "none", "n_features": k, "n_alternatives": 1, "tau": tau, "set_index": rank,
         "n_relevant": n_relevant, "n": 3, "hits": float(hits[k - 1] - rank),
         "gain": (hits[k - 1] - rank) / min(k, n_relevant)}
        for dataset, (selector, hits), k, tau, rank in product(
            datasets, HITS.items(), range(1, 5), ["0.5", "1"], [0, 1])
    ]  # fmt: skip
    return {"truth": pd.DataFrame(rows).assign(**changes)}


def told(tables, topic, sizes=None) -> list[Answer]:
    return [one for one in answers(tables, sizes) if one.topic == topic]


def test_original_sets_of_as_many_features_as_are_relevant_are_compared():
    first, own = told(truth(["a"]), TOPIC)
    assert first.first and not own.first
    assert first.text == (
        "Where the relevant features are known, original sets hold 33 % (rar, a) to 100 % (mic, a) "
        "of them."
    )
    assert own.text == ("a, k = 3: of 3 relevant features, original sets hold 3 (mic) and 1 (rar).")
    assert own.numbers == {"a mic hits": 3, "a rar hits": 1}


def test_sets_that_are_smaller_than_the_truth_are_compared_with_what_they_can_hold():
    first, own = told(truth(["a"], n_relevant=20), TOPIC)
    assert "k = 4: of 20 relevant features, original sets hold 3 (mic) and 2 (rar)" in own.text
    assert first.numbers == {"a mic gain": 0.75, "a rar gain": 0.5}


def test_many_datasets_are_medians():
    first, *own = told(truth(list("abcdef")), TOPIC)
    assert "33 % (rar) to 100 % (mic)" in first.text and "medians over 6 datasets" in first.basis
    assert len(own) == 6


@pytest.mark.parametrize(
    ("changes", "sizes"),
    [({"sets": "single rows"}, {}), ({"set_index": 1}, {}), ({"aggregation": "sum"}, {}),
     ({}, {k: f"1-{k}" for k in range(1, 5)})],
)  # fmt: skip
def test_other_sets_are_not_compared(changes, sizes):
    assert not told(truth(["a"], **changes), TOPIC, sizes)


def test_random_sets_are_not_compared():
    floor = pd.DataFrame({"floor": ["random"], "measure": [""], "model": [""]})
    drawn = truth(["a"], search="random")
    assert not told({**drawn, "controls": floor}, TOPIC)


def curves(n_datasets):
    rows = [
        {"dataset": f"d{i}", "selector": selector, "search": search, "model": "nearest_neighbours",
         "metric": metric, "best_score": score + i / 100, "best_size": size + i % 2, "n_sizes": 5,
         "n": 3}
        for metric, (selector, search, score, size), i in product(
            ["mcc", "f1_macro"],
            [("rar", "sequential", 0.5, 2), ("rar", "later", 0.9, 9), ("mic", "forward", 0.25, 4)],
            range(n_datasets))
    ]  # fmt: skip
    return {"by_size": pd.DataFrame(rows)}


def test_best_sizes_of_few_datasets_are_said_one_by_one():
    first, second = told(curves(2), "How many features")
    assert first.text == (
        "d0: the best test MCC over sizes of nearest neighbours, and its size: 0.5 at 2 with rar "
        "and 0.25 at 4 with mic."
    )
    assert "d1: " in second.text and "0.51 at 3 with rar" in second.text


def test_best_sizes_of_many_datasets_are_medians():
    (only,) = told(curves(7), "How many features")
    assert "0.53 at 2 with rar and 0.28 at 4 with mic (medians over 7 datasets)" in only.text
    assert not told(curves(7), "How many features", {2: "1-2"})


def test_selectors_with_few_datasets_each_are_said_one_by_one():
    rows = curves(6)["by_size"]
    rows = rows[(rows["dataset"] < "d3") == (rows["selector"] == "rar")]
    said = told({"by_size": rows}, "How many features")
    assert len(said) == 6 and "medians" not in " ".join(one.text for one in said)


def kept(n_datasets):
    rows = [
        {"dataset": f"d{i}", "selector": selector, "search": "sequential", "n_features": 4,
         "tau": tau, "set_index": 1, "max_overlap": 2, "n_planned": 3, "n_answered": 3,
         "n_infeasible": 0, "n": 3, "measure": measure, "model": model, "original": 0.5,
         "alternative": 0.5 * share + i / 100, "random": None, "share": share + i / 100}
        for tau, (measure, model), (selector, share), i in product(
            ["0.5"], [("train_objective", ""), ("test_mcc", "decision_tree")],
            [("rar", 0.9), ("mic", 0.8)], range(n_datasets))
    ]  # fmt: skip
    return {"kept": pd.DataFrame(rows)}


def test_costs_are_said_by_selector_if_datasets_are_enough():
    said = [one.text for one in told(kept(7), "What alternatives cost") if ":" in one.text]
    assert said == [
        "With at least 2 of 4 features different, the first alternative keeps of the original's "
        "quality: 93 % with rar and 83 % with mic (medians over 7 datasets).",
        "With at least 2 of 4 features different, the first alternative changes the test MCC of a "
        "decision tree by: −0.02 with rar and −0.07 with mic (medians over 7 datasets).",
    ]
    assert not [one for one in told(kept(3), "What alternatives cost") if ":" in one.text]
