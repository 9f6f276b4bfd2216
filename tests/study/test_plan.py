import json
import subprocess
import sys

import pytest
from ordinary import SELECTORS
from studies import SMALL

from altfs.selectors import selectors
from altfs.study.fingerprint import code_hash, members_of, reached
from altfs.study.layout import ShardKey
from altfs.study.plan import load_plan, shard_hash
from altfs.study.session import check_study


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def plan_of(**changes):
    return check_study({**SMALL, "selectors": SELECTORS, **changes})


def hashes(plan):
    return {key: shard_hash(plan, key) for key in plan.shard_keys()}


def test_every_combination_is_one_shard():
    plan = plan_of()
    keys = list(plan.shard_keys())
    assert len(keys) == len(set(keys)) == 1 * 2 * len(SELECTORS) * 3 * 2
    assert len({plan.shard_path(key) for key in keys}) == len(keys)
    assert plan.shard_path(ShardKey("wine", 0, "fcbf", "1", "sequential")).endswith(
        "shards/dataset=wine/fold=0/selector=fcbf/tau=1/search=sequential.parquet"
    )


@pytest.mark.exhaustive
def test_planning_imports_nothing_that_only_tasks_need():
    # Seconds before the first job, in every run.
    code = (
        "import sys; from altfs.study.session import check_study; from altfs.study import plan; "
        f"made = check_study({SMALL!r}); made.evaluate_arguments(); made.evaluation_paths(); "
        "[plan.shard_hash(made, key) for key in made.shard_keys()]; "
        "print(sorted({'numba', 'altair', 'ortools', 'highspy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_adding_to_a_study_leaves_its_shards_as_they_are():
    before = hashes(plan_of())
    for changes in (
        {"datasets": ["sklearn:wine", "sklearn:breast_cancer"]},
        {"models": ["decision_tree", "random_forest"]},
        {"results": "elsewhere"},
        {
            "searches": [
                *SMALL["searches"],
                {"name": "more", "type": "sequential", "n_alternatives": 5},
            ]
        },
        {"searches": [*SMALL["searches"], {"name": "random", "n_alternatives": 2}]},
        {"selectors": [*SELECTORS, {"name": "mi2", "type": "mutual_information"}]},
    ):
        after = hashes(plan_of(**changes))
        assert {key: after[key] for key in before} == before


@pytest.mark.parametrize(
    "changes", [{"seed": 1}, {"folds": 3}, {"limits": {"work": 1}}, {"n_features": 2}]
)
def test_what_a_shard_depends_on_changes_its_hash(changes):
    before, after = hashes(plan_of()), hashes(plan_of(**changes))
    assert all(before[key] != after[key] for key in before if key in after)


def test_an_option_of_a_selector_changes_only_its_shards():
    option = {"name": "greedy_wrapper", "options": {"max_iterations": 7}}
    others = [name for name in SELECTORS if name != "greedy_wrapper"]
    before, after = hashes(plan_of()), hashes(plan_of(selectors=[*others, option]))
    changed = {key.selector for key in before if before[key] != after[key]}
    assert changed == {"greedy_wrapper"}


def test_plans_are_read_as_they_were_written(tmp_path):
    plan = plan_of()
    (tmp_path / "study.json").write_text(plan.dump())
    again = load_plan(tmp_path / "study.json")
    assert again.config == plan.config
    assert hashes(again) == hashes(plan)
    assert again.hash == plan.hash


def test_arguments_are_json():
    plan = plan_of()
    key = next(plan.shard_keys())
    for arguments in (
        plan.data_arguments("wine"),
        plan.score_arguments("wine", 0, "relevance"),
        plan.score_arguments("wine", 0, "redundancy.test", 0),
        plan.score_arguments("wine", 0, "conflicts"),
        plan.search_arguments(key),
        plan.predict_arguments("wine", 0, "decision_tree"),
        plan.evaluate_arguments(),
    ):
        assert json.loads(json.dumps(arguments)) == arguments


def test_the_code_of_one_selector_is_no_others(tmp_path):
    codes = {name: code_hash(selectors.get(name).__module__) for name in selectors.names()}
    assert len(set(codes.values())) == len(codes)
    # FCBF builds on mutual information, so it changes with it; the others do not.
    assert "altfs.solvers.cp_sat.cp_sat" in members_of("altfs.solvers")


def test_a_shard_depends_on_its_own_search_only():
    modules = reached("altfs.study.sharding")
    shared = {"altfs.searches.base", "altfs.searches.request"}
    assert {name for name in modules if name.startswith("altfs.searches.")} == shared
    assert not [name for name in modules if name.startswith("altfs.solvers.by_name.")]


def test_the_look_of_the_page_belongs_to_the_last_task_only(tmp_path, monkeypatch):
    from altfs.study import fingerprint

    (tmp_path / "page.css").write_text("body {}")
    (tmp_path / "code.py").write_text("x = 1")
    plan, found = plan_of(), []
    # The modules of the packages are listed before another folder takes the place of theirs.
    assert plan.evaluate_arguments() and hashes(plan)
    monkeypatch.setattr(fingerprint, "_folder", lambda package: tmp_path)
    for file, text in (("code.py", "x = 2"), ("page.css", "body {color: red}")):
        fingerprint.files_hash.cache_clear()
        found.append((plan.evaluate_arguments()["page"], hashes(plan)))
        (tmp_path / file).write_text(text)
    fingerprint.files_hash.cache_clear()
    found.append((plan.evaluate_arguments()["page"], hashes(plan)))
    fingerprint.files_hash.cache_clear()
    pages, shards = zip(*found, strict=True)
    assert pages[0] == pages[1] != pages[2]
    assert shards[0] == shards[1] == shards[2]


def test_comments_and_docstrings_are_no_code(tmp_path, monkeypatch):
    from altfs.study import fingerprint

    file = tmp_path / "module.py"
    spec = type("Spec", (), {"origin": str(file)})
    monkeypatch.setattr(fingerprint.importlib.util, "find_spec", lambda name: spec)
    found = []
    for text in (
        '"""Doc."""\nx = 1\n',
        '"""Other."""\n# why\nx = 1\n',
        '"""Other."""\nx = 2\n',
    ):
        file.write_text(text)
        fingerprint._parse.cache_clear()
        found.append(fingerprint._parse("module")[0])
    fingerprint._parse.cache_clear()
    assert found[0] == found[1] != found[2]
