"""The score of the original set in random folds."""

import numpy as np
import pandas as pd
import pytest

from altfs import AlternativeFeatures
from altfs.library.answers.random_folds import random_fold_score

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(120, 4)), columns=list("abcd"))


@pytest.mark.parametrize("n_rows", [120, 90])
def test_it_is_the_score_of_folds_without_groups(n_rows):
    y, person = (X["a"] + RNG.normal(size=120) > 0).to_numpy(), np.repeat(np.arange(30), 4)
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=0)
    alone = afs.fit(X, y).evaluate("decision_tree", nested=False, max_rows=n_rows)
    afs.fit(X, y, groups=person)
    evaluation = afs.evaluate("decision_tree", max_rows=n_rows)
    score = random_fold_score(afs, evaluation, "decision_tree", 5, n_rows)
    assert score == pytest.approx(alone.table["score"].iloc[0])
    assert score != evaluation.table["score"].iloc[0]
