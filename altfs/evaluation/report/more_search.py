"""The answer what more search buys: more evaluations of feature sets, on training and test part."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from altfs.evaluation.names import METRICS, OBJECTIVES, in_words, selector_name, size_name
from altfs.evaluation.report.answer import Answer
from altfs.evaluation.report.phrases import listed, number
from altfs.evaluation.tables import Tables, rows_of


def more_search(tables: Tables, sizes: Mapping[int, str]) -> Iterator[Answer]:
    """Compare the search of the best training objective with that of the fewest evaluations."""
    rows = rows_of(tables, "solvers")
    rows = rows[rows["evaluations"] > 0] if len(rows) else rows
    groups: Any = rows.groupby(["n_features", "n_alternatives"]) if len(rows) else ()
    for (k, a), own in groups:
        gains = {str(name): _gains(one) for name, one in own.groupby("selector", sort=False)}
        gains = {name: one for name, one in gains.items() if one}
        if not gains:
            continue
        measures = dict.fromkeys(name for one in gains.values() for name in one)
        said = []
        for measure in measures:
            found = {name: one[measure] for name, one in gains.items() if measure in one}
            said.append(f"{measure} {_between(found)}")
        evaluations, *others = said
        many = f"{own['n_datasets'].max()} datasets" if own["n_datasets"].max() > 1 else "a dataset"
        yield Answer(
            "What more search buys",
            f"{size_name(k, sizes)}, a = {a}: from the search with the fewest evaluations of sets "
            f"to the one with the best training objective of a selector, {evaluations}; changes of "
            f"the mean over the cases of {many}: {listed(others)}.",
            "solvers",
            {f"{measure} {name}": value for name, one in gains.items()
             for measure, value in one.items()},
        )  # fmt: skip


def _gains(rows: pd.DataFrame) -> dict[str, float]:
    """Return by measure what the best search of a selector has more than the cheapest one.

    The ratio of their evaluations comes first. It is empty if they are the same search.
    """
    trained = rows[rows["measure"] == "train_objective"].set_index("search")
    best = str(trained["value"].idxmax())
    count = {str(name): float(n) for name, n in trained["evaluations"].items()}
    # Of equally many evaluations, those of the best count.
    least = min(count, key=lambda name: (count[name], name != best))
    if least == best:
        return {}
    found = {"evaluations grow by the factor": count[best] / count[least]}
    for (measure, model), own in rows.groupby(["measure", "model"], sort=False, dropna=False):
        value = own.set_index("search")["value"].to_dict()
        if best in value and least in value:
            found[_name(str(measure), model)] = value[best] - value[least]
    return found


def _name(measure: str, model: Any) -> str:
    if measure in OBJECTIVES:
        return OBJECTIVES[measure].lower()
    metric = measure.removeprefix("test_")
    return f"test {METRICS.get(metric, metric)} ({in_words(model).lower()})"


def _between(values: Mapping[str, float]) -> str:
    """Write the smallest and the largest value with their selectors."""
    ordered = sorted(values, key=lambda name: values[name])
    ends = dict.fromkeys((ordered[0], ordered[-1]))
    return " to ".join(f"{number(values[name])} ({selector_name(name)})" for name in ends)
