"""What a model says to a part of a row, against a plain loop."""

import numpy as np

from altfs.kinds.rows import sufficiency
from altfs.kinds.rows.sufficiency import Answers


def test_the_mean_answer_is_that_of_a_plain_loop(monkeypatch):
    rng = np.random.default_rng(0)
    X, background = rng.standard_normal((5, 4)), rng.standard_normal((7, 4))
    sets = np.array([[[0, 3], [1, 2]]] * 4 + [[[2, -1], [-1, -1]]])

    def answers(rows):
        return np.column_stack([rows[:, 0] * rows[:, 3], np.sin(rows).sum(axis=1)])

    expected = np.full((5, 2, 2), np.nan)
    for i in range(5):
        for t in range(2):
            chosen = [j for j in sets[i, t] if j >= 0]
            if chosen:
                single = []
                for other in background:
                    mixed = other.copy()
                    mixed[chosen] = X[i, chosen]
                    single.append(answers(mixed[None])[0])
                expected[i, t] = np.mean(single, axis=0)
    np.testing.assert_allclose(Answers.of(answers, X, sets, background).alone, expected)
    monkeypatch.setattr(sufficiency, "_AT_ONCE", 60)
    answers_of_rows = Answers.of(answers, X, sets, background)
    np.testing.assert_allclose(answers_of_rows.alone, expected)
    np.testing.assert_allclose(answers_of_rows.whole, answers(X))
    np.testing.assert_allclose(
        answers_of_rows.without, np.mean([answers(b[None])[0] for b in background], 0)
    )
