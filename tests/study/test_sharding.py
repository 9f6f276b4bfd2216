"""Searches that need a seed, from the plan to the audit."""

from pathlib import Path

import pytest
from audit import edit, run_tasks, verify
from studies import SMALL

from altfs.study.session import check_study
from altfs.study.sharding import draw_seed
from altfs.study.store import content_digest, read_table
from altfs.study.task import Place

CONFIG = {
    **SMALL,
    "selectors": ["mutual_information", "model_gain"],
    "taus": ["0.3", "1"],
    "searches": [
        {"name": "sequential", "n_alternatives": 1},
        {"name": "random", "n_alternatives": [1, 4]},
    ],
}


@pytest.fixture
def plan(elsewhere):
    return check_study(CONFIG)


@pytest.mark.exhaustive
def test_a_study_with_random_sets_repeats_itself_and_passes_its_audit(plan, capsys):
    run_tasks(plan)
    # 4 disjoint sets of 3 out of 13 features exist, 5 do not.
    key = Place("wine", 0, "mutual_information", "1", "random")
    path = Path(plan.search_task(key).path)
    table, _ = read_table(path)
    assert table["status"].to_pylist() == ["feasible"] * 6 + ["infeasible"]
    code, said = verify(capsys, plan, "--full")
    assert code == 0, said
    gone = {"selected": [], "feature_names": [], "train_objective": None, "test_objective": None}
    edit(path, lambda rows: rows[5].update(gone, bound=None, status="infeasible"))
    code, said = verify(capsys, plan, "--sample", "100")
    assert code == 1
    assert "n_alternatives 4, set_index 3: status is infeasible, but there is" in said
    path.unlink()
    plan.search_task(key).run()
    assert content_digest(read_table(path)[0]) == content_digest(table)


def test_selectors_are_given_the_same_draws_and_folds_their_own(plan):
    def seed(**changes):
        key = Place("wine", 0, "mutual_information", "1", "random")._replace(**changes)
        return draw_seed(plan.search_task(key))

    assert seed() == seed(selector="model_gain")
    assert len({seed(), seed(fold=1), seed(tau="0.3")}) == 3
    other = check_study({**CONFIG, "seed": 26})
    assert draw_seed(other.search_task(next(other.places()))) != seed()
