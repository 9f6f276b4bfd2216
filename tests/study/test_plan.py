import subprocess
import sys

import pytest
from audit import hashes
from ordinary import SELECTORS
from studies import SMALL

from altfs.study.fingerprint import reached
from altfs.study.plan import Plan, load_plan
from altfs.study.session import check_study
from altfs.study.task import Place

pytestmark = pytest.mark.usefixtures("elsewhere")


def plan_of(**changes):
    return check_study({**SMALL, "selectors": SELECTORS, **changes})


def test_every_combination_is_one_shard():
    plan = plan_of()
    keys = list(plan.places())
    assert len(keys) == len(set(keys)) == 1 * 2 * len(SELECTORS) * 3 * 2
    assert len({plan.search_task(key).path for key in keys}) == len(keys)
    assert plan.search_task(Place("wine", 0, "fcbf", "1", "sequential")).path.endswith(
        "shards/dataset=wine/fold=0/selector=fcbf/tau=1/search=sequential.parquet"
    )


@pytest.mark.exhaustive
def test_planning_imports_nothing_that_only_tasks_need():
    # Seconds before the first job, in every run.
    code = (
        "import sys; from altfs.study.session import check_study; from altfs.study import plan; "
        f"made = check_study({SMALL!r}); made.evaluation; made.evaluation_paths(); "
        "[made.search_task(key).hash for key in made.places()]; "
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
    again = load_plan(tmp_path)
    assert again.config == plan.config
    assert hashes(again) == hashes(plan)
    assert again.hash == plan.hash


def test_tasks_are_the_same_after_json():
    plan = plan_of(selectors=["mutual_information", "mrmr", "greedy_wrapper"])
    for task in plan.tasks.values():
        again = type(task).model_validate_json(task.model_dump_json())
        assert (again, again.path, again.hash) == (task, task.path, task.hash)


def test_each_task_follows_those_whose_files_it_reads():
    plan = plan_of(selectors=["mrmr", "fcbf", "greedy_wrapper"])
    places = {path: i for i, path in enumerate(plan.tasks)}
    for path, task in plan.tasks.items():
        assert all(places[needed] < places[path] for needed in task.inputs(plan))
        assert set(task.needs()) <= set(task.inputs(plan))
        assert all(plan.tasks[needed].hash == hash_ for needed, hash_ in task.needs().items())


def test_a_hash_does_not_depend_on_where_results_are():
    assert {t.hash for t in plan_of().tasks.values()} == {
        t.hash for t in plan_of(results="elsewhere").tasks.values()
    }


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
    assert plan.evaluation and hashes(plan)
    monkeypatch.setattr(fingerprint, "_folder", lambda package: tmp_path)
    for file, text in (("code.py", "x = 2"), ("page.css", "body {color: red}")):
        fingerprint.files_hash.cache_clear()
        plan = Plan(plan.config, plan.facts)
        found.append((plan.evaluation["page"], hashes(plan)))
        (tmp_path / file).write_text(text)
    fingerprint.files_hash.cache_clear()
    plan = Plan(plan.config, plan.facts)
    found.append((plan.evaluation["page"], hashes(plan)))
    fingerprint.files_hash.cache_clear()
    pages, shards = zip(*found, strict=True)
    assert pages[0] == pages[1] != pages[2]
    assert shards[0] == shards[1] == shards[2]
