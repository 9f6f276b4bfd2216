"""Searches that need a seed, from the plan to the audit."""

from pathlib import Path

import pytest
from audit import edit, verify
from conftest import SMALL

from altfs.study import tasks
from altfs.study.layout import ShardKey
from altfs.study.plan import shard_hash
from altfs.study.session import begin_study, check_study
from altfs.study.special_shards import draw_seed
from altfs.study.store import content_digest, read_table

CONFIG = {
    **SMALL,
    "selectors": ["mutual_information", "model_gain"],
    "taus": ["0.3", "1"],
    "searches": [
        {"name": "sequential", "n_alternatives": 1},
        {"name": "random", "n_alternatives": [1, 4]},
    ],
}


def make_study(plan):
    begin_study(plan)
    for name in plan.facts:
        tasks.data(**plan.data_arguments(name))
        for fold in range(2):
            for score in plan.scores():
                if not score.startswith("conflicts"):
                    tasks.score(**plan.score_arguments(name, fold, score))
                    continue
                for part in range(plan.n_parts(name)):
                    tasks.score_part(**plan.score_part_arguments(name, fold, score, part))
                tasks.score_join(**plan.score_join_arguments(name, fold, score))
            for key in plan.shard_keys(name, fold):
                tasks.search(**plan.search_arguments(key))
            tasks.predict(**plan.predict_arguments(name, fold, "decision_tree"))


@pytest.fixture
def plan(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return check_study(CONFIG)


def test_a_study_with_random_sets_repeats_itself_and_passes_its_audit(plan, capsys):
    make_study(plan)
    # 4 disjoint sets of 3 out of 13 features exist, 5 do not.
    key = ShardKey("wine", 0, "mutual_information", "1", "random")
    path = Path(plan.shard_path(key))
    table, _ = read_table(path)
    assert table["status"].to_pylist() == ["feasible"] * 6 + ["infeasible"]
    assert verify(capsys, plan, "--full")[0] == 0
    gone = {"selected": [], "feature_names": [], "train_objective": None, "test_objective": None}
    edit(path, lambda rows: rows[5].update(gone, bound=None, status="infeasible"))
    code, said = verify(capsys, plan, "--sample", "100")
    assert code == 1
    assert "n_alternatives 4, set_index 3: status is infeasible, but there is" in said
    path.unlink()
    tasks.search(**plan.search_arguments(key))
    assert content_digest(read_table(path)[0]) == content_digest(table)


def test_selectors_are_given_the_same_draws_and_folds_their_own(plan):
    def seed(**changes):
        key = ShardKey("wine", 0, "mutual_information", "1", "random")._replace(**changes)
        return draw_seed(plan.search_arguments(key))

    assert seed() == seed(selector="model_gain")
    assert len({seed(), seed(fold=1), seed(tau="0.3")}) == 3
    other = check_study({**CONFIG, "seed": 26})
    assert draw_seed(other.search_arguments(next(other.shard_keys()))) != seed()


def test_the_code_of_special_shards_is_part_of_no_other_hash(plan, monkeypatch):
    from altfs.study import fingerprint

    before = {key: shard_hash(plan, key) for key in plan.shard_keys()}
    parse = fingerprint._parse

    def parse_changed(module):
        text, imported = parse(module)
        return text + ("changed" if module == "altfs.study.special_shards" else ""), imported

    monkeypatch.setattr(fingerprint, "_parse", parse_changed)
    fingerprint.code_hash.cache_clear()
    after = {key: shard_hash(plan, key) for key in plan.shard_keys()}
    fingerprint.code_hash.cache_clear()
    assert {key.search for key in before if before[key] != after[key]} == {"random"}
