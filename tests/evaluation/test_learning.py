"""What selectors cost before any search."""

from pathlib import Path

import pandas as pd
import pytest
from audit import score_task, table

from altfs.study.collect import learning_seconds
from altfs.study.store import read_metadata, read_table, write_table


def seconds_of(paths):
    return sum(read_metadata(path)["cpu_seconds"] for path in paths)


def test_a_selector_costs_its_qualities_and_every_part_of_its_scores(reported_results):
    files = [p.relative_to(reported_results) for p in reported_results.rglob("*.parquet")]
    own = [
        reported_results / p for p in files if p.parts[0] == "qualities" and p.stem.endswith("fcbf")
    ]
    # FCBF alone needs conflicts; both filters need relevance.
    scores = [reported_results / p for p in files if p.parts[0] == "scores"]
    shared = [p for p in scores if p.stem.startswith("relevance")]
    assert own and shared and len(scores) > len(shared)
    costs = table(reported_results, "effort").groupby("selector")["learning_seconds"].unique()
    [fcbf], [information], [wrapper] = (
        costs[name] for name in ("fcbf", "mutual_information", "greedy_wrapper")
    )
    assert fcbf == pytest.approx(seconds_of([*own, *scores]))
    assert seconds_of(shared) < information < fcbf
    assert pd.isna(wrapper)


def test_seconds_that_are_not_stored_are_not_nothing(finished):
    whole = learning_seconds(finished, "wine")
    assert whole["greedy_wrapper"] is None
    part = Path(score_task(finished, "wine", 1, "conflicts", 0).path)
    values, metadata = read_table(part)
    write_table(part, values, {k: v for k, v in metadata.items() if k != "cpu_seconds"})
    assert learning_seconds(finished, "wine") == {**whole, "fcbf": None}
    Path(finished.quality_task("wine", 0, "mutual_information").path).unlink()
    assert set(learning_seconds(finished, "wine").values()) == {None}
