"""Every column of every table of a study has a heading and a meaning."""

import pandas as pd
import pytest

from altfs.evaluation.report.columns import described


def test_the_columns_of_a_finished_study(reported_results):
    files = sorted((reported_results / "tables").glob("*.csv"))
    assert len(files) > 20
    for file in files:
        for column in described(file.stem, pd.read_csv(file)):
            assert column.meaning, (file.stem, column.name)


@pytest.mark.parametrize(
    ("table", "name", "heading", "meaning"),
    [
        ("kept", "n", "Folds", "Folds that have the alternative and the original."),
        ("quality", "n", "n", "Number of values that exist."),
        ("status", "share_optimal", "Optimal, share", "Share of those proven best."),
        (
            "effort", "median_low", "Median, lower end",
            "Lower end of the 95 % interval; the smallest of fewer datasets than six, or of folds.",
        ),
        (
            "controls", "above_floor_q25", "Above floor, 25 %",
            "Lower quartile of the value minus the floor.",
        ),
        ("made_up", "unknown_to_all", "unknown_to_all", ""),
    ],
)  # fmt: skip
def test_columns_have_headings_and_meanings(table, name, heading, meaning):
    assert described(table, pd.DataFrame(columns=[name])) == [(name, heading, meaning)]
