"""Columns whose missing values are associated with the target."""

import numpy as np
import pandas as pd
import pytest

from altfs import AlternativeFeatures
from altfs.library.missing_indicators import gap_scores
from altfs.scores.base import Part

N = 400
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, N)
X = pd.DataFrame(RNG.normal(size=(N, 3)), columns=["lab", "dose", "age"])
GAPS = {"lab": RNG.random(N) < 0.2 + 0.3 * Y, "dose": RNG.random(N) < 0.3}
GAPPY = X.assign(**{name: X[name].mask(gap) for name, gap in GAPS.items()})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("missing", ["impute", "as_category"])
def test_gaps_that_tell_of_the_target_have_a_note(missing):
    afs = AlternativeFeatures("mutual_information", n_features=1, missing=missing, n_shuffles=0)
    for excluded, named in (((), [("lab",)]), (("lab",), [])):
        afs.set_params(constraints={"exclude": excluded}).fit(GAPPY, Y)
        notes = [note for note in afs.notes_ if note.kind == "gaps"]
        assert [note.features for note in notes] == named
    numbers = afs.set_params(constraints=None).fit(GAPPY, Y + RNG.normal(size=N) / 2).notes_
    note = next(note for note in numbers if note.kind == "gaps")
    assert note.sentence.startswith("Missing values of 'lab' alone tell of the target (rank corr")


def test_few_of_many_tables_of_chance_have_such_gaps():
    gaps = np.column_stack([RNG.random(N) < share for share in (0.01, 0.05, 0.2, 0.5, 0.9)] * 4)
    targets = {
        "binary": lambda: RNG.random(N) < 0.1,
        "multiclass": lambda: RNG.integers(0, 5, N),
        "regression": lambda: np.exp(RNG.normal(size=N)),
    }
    for kind, draw in targets.items():
        drawn = (Part(np.zeros((N, 20)), draw() + 0, kind, 0) for _ in range(100))
        assert sum(bool(gap_scores(part, gaps)) for part in drawn) <= 4


def test_rows_of_a_group_count_as_one():
    patient = np.repeat(np.arange(10), N // 10)
    y, gaps = (patient < 5).astype(int), (patient % 5 < 2 + (patient < 5))[:, None]
    parts = (Part(np.zeros((N, 1)), y, "binary", 0, groups=groups) for groups in (None, patient))
    assert [bool(gap_scores(part, gaps)) for part in parts] == [True, False]
