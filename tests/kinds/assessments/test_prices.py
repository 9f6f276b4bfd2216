"""Wishes and shared features with a price in a study, judged by all sets.

They take about two seconds of CPU.
"""

from itertools import combinations
from pathlib import Path

import pytest
from audit import verify
from studies import SMALL

from altfs.errors import ConfigError
from altfs.study.qualities import qualities_of
from altfs.study.session import check_study
from altfs.study.store import read_table

PRICES = {"wishes": [{"price": 0.04, "group": {"features": ["flavanoids"], "at_most": 0}}],
          "share_price": 0.03}  # fmt: skip
CONFIG = {
    **SMALL, "results": "results/priced", "selectors": ["mutual_information", "mrmr"],
    "searches": [{"name": "sequential", "n_alternatives": 2}], "taus": ["0.3"],
    "constraints": [PRICES],
}  # fmt: skip


@pytest.mark.exhaustive
def test_each_set_is_the_best_less_what_it_pays(plan, capsys):
    assert verify(capsys, plan, "--full")[0] == 0
    paid = set()
    for task in (task for task in plan.tasks.values() if task.rule == "assess"):
        rows, shard = (
            read_table(Path(path))[0].to_pylist() for path in (task.path, task.shard.path)
        )
        qualities, earlier = qualities_of(task.shard), []
        wished = task.data.feature_names.index("flavanoids")

        def price(chosen, earlier=earlier, wished=wished):
            shared = sum(len({*chosen} & {*other}) for other in earlier)
            return 0.04 * (wished in chosen) + 0.03 * shared

        for row, found in zip(rows, shard, strict=True):
            sets = [
                s for s in combinations(range(qualities.train.n_total), 3)
                if all(len({*s} & {*other}) <= found["max_overlap"] for other in earlier)
            ]  # fmt: skip
            chosen = found["selected"]
            best = max(qualities.train.evaluate(s) - price(s) for s in sets)
            assert found["train_objective"] == pytest.approx(best)
            tested = qualities.test.evaluate(chosen) - price(chosen)
            assert found["test_objective"] == pytest.approx(tested)
            assert found["status"] == "optimal" and found["floor"] is None
            assert row["price"] == pytest.approx(price(chosen))
            paid.add(round(row["price"], 2))
            earlier.append(chosen)
    assert len(paid) > 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"selectors": ["greedy_wrapper"]}, "'greedy_wrapper' is not possible"),
        ({"searches": SMALL["searches"][1:]}, "search 'simultaneous' .* is not possible"),
        ({"constraints": [{"share_price": -1}]}, r"constraints\[0\]\.share_price"),
        ({"constraints": [{"wishes": [{"price": 1, "group": {"features": ["no"], "at_most": 0}}]}]},
         "'no' is not a"),
    ],
)  # fmt: skip
def test_what_prices_cannot_do_is_refused(changes, said):
    with pytest.raises(ConfigError, match=said):
        check_study({**CONFIG, **changes})
