"""What `altfs find` says of columns with missing values."""

import json

import numpy as np
import pandas as pd

from altfs.commands.find_columns import missing_words
from altfs.commands.main import main

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(RNG.normal(size=(60, 3)), columns=["Lab", "b", "c"])
FAST = ("-k", "1", "-a", "0", "--selector", "mutual_information", "--evaluate", "none")


def test_missing_values_do_not_stop_a_search_and_are_named(tmp_path, capsys):
    table, output = tmp_path / "table.csv", tmp_path / "sets.json"
    frame = FRAME.assign(y=FRAME["b"] > 0)
    for lab, missing in ((frame["Lab"], "refuse"), (frame["Lab"].mask(frame.index < 6), "impute")):
        frame.assign(Lab=lab).to_csv(table, index=False)
        assert main(["find", str(table), "-t", "y", *FAST, "-o", str(output)]) == 0
        said = capsys.readouterr().out
        named = "Column 'Lab' (10.0% of the rows) has missing values. Trees learn from the gaps, "
        assert (named in said) == (missing == "impute")
        assert json.loads(output.read_text())["missing"] == missing
    assert main(["find", str(table), "-t", "y", *FAST, "--missing", "refuse"]) == 2
    assert main(["find", str(table), "-t", "y", *FAST, "--missing", "as_category"]) == 0
    assert "Trees learn" not in capsys.readouterr().out


def test_gaps_of_columns_that_no_set_holds_are_not_named():
    gaps = FRAME.assign(Lab=np.nan)
    assert missing_words(gaps, ("Lab",)) == ""
    assert missing_words(gaps, ()).startswith("Column 'Lab' (100.0% of the rows) has missing")
