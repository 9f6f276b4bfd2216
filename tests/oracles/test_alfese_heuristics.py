"""The author's own greedy heuristics."""

import alfese
import numpy as np
import pytest

from altfs.problem import Problem
from altfs.quality import Linear
from altfs.searches import searches
from altfs.solvers import Limits


@pytest.mark.parametrize("name", ["greedy_replacement", "greedy_balancing"])
@pytest.mark.parametrize("k", [1, 3, 5, 8])
@pytest.mark.parametrize("n_alternatives", [0, 1, 4, 9])
@pytest.mark.parametrize("n_total", [8, 13, 30])
def test_heuristics_find_the_sets_of_alfese(name, k, n_alternatives, n_total):
    found = 0
    for tau_abs in range(1, k + 1):
        values = np.random.default_rng(tau_abs).random(n_total)
        peer = alfese.ManualQualityUnivariateSelector()
        peer.set_data(values)
        theirs = getattr(peer, f"search_{name}")(
            k=k, num_alternatives=n_alternatives, tau_abs=tau_abs
        )
        problem = Problem(Linear(values), k, k - tau_abs, n_alternatives + 1)
        ours = searches.get(name)().search(problem, Limits())
        assert [list(s) for s in ours.sets] == theirs["selected_idxs"].tolist()
        assert ours.objectives == pytest.approx(theirs["train_objective"].tolist(), nan_ok=True)
        found += sum(map(bool, ours.sets))
    assert found > 0 or name == "greedy_balancing"
