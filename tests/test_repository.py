"""Files beside the code stay in step with it."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from importlib.metadata import distribution, packages_distributions, version
from itertools import chain
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from marks import WITHOUT_QUICK_TESTS
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from workspaces import ROOT

from altfs import errors
from altfs.kinds.fronts.schema import FRONT_SCHEMA

ENVS = ROOT / "envs"
PLUGINS = ROOT / "workflow" / "plugins"
#: The folder of the distribution that is developed here beside altfs.
EXECUTOR = PLUGINS / "snakemake-executor-plugin-dask"


def project_of(folder: Path) -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    return project


PROJECT = project_of(ROOT)
EXTRAS = PROJECT["optional-dependencies"]
#: Each lock and the extras of altfs that it pins.
LOCKS = {
    "run": ["study"],
    "test": ["export", "lime", "shap", "study", "test"],
    # A test reads a workbook with openpyxl or says that it is missing; models are installed by one.
    "develop": sorted({*EXTRAS} - {"torch", "excel", "models"}),
}


def declared(extras: Iterable[str], project: dict[str, Any] = PROJECT) -> list[Requirement]:
    of_extras = (project["optional-dependencies"][extra] for extra in extras)
    lines = [*project["dependencies"], *chain.from_iterable(of_extras)]
    return [Requirement(line) for line in lines]


def lines_of(lock: str) -> list[str]:
    return (ENVS / f"{lock}.txt").read_text().splitlines()


def locked(lock: str) -> dict[str, list[Requirement]]:
    pins: dict[str, list[Requirement]] = {}
    for line in lines_of(lock):
        requirement = Requirement(line)
        pins.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return pins


@pytest.fixture(params=LOCKS)
def lock(request):
    """The name of a lock whose packages are installed."""
    if request.param == "develop" and not {"sphinx", "ruff"} <= set(packages_distributions()):
        pytest.skip("the packages of envs/develop.txt are not installed")
    return request.param


def test_the_lock_pins_everything_that_is_needed_and_fits(lock):
    pins = locked(lock)
    pending, seen = [("altfs", needed) for needed in declared(LOCKS[lock])], set()
    while pending:
        name, needed = pending.pop()
        other = canonicalize_name(needed.name)
        if other == EXECUTOR.name:
            # It is installed from its folder.
            pinned = project_of(EXECUTOR)["version"]
        else:
            assert other in pins, f"{other} (needed by {name}) is not in the lock"
            here = [p for p in pins[other] if p.marker is None or p.marker.evaluate()]
            assert len(here) == 1
            pinned = next(iter(here[0].specifier)).version
        assert needed.specifier.contains(pinned, prereleases=True), f"{name} needs {needed}"
        extras = frozenset(needed.extras or [""])
        if (other, extras) not in seen:
            seen.add((other, extras))
            for line in distribution(other).requires or []:
                next_one = Requirement(line)
                marker = next_one.marker
                if marker is None or any(marker.evaluate({"extra": e}) for e in extras):
                    pending.append((other, next_one))


def test_what_is_installed_is_what_is_locked(lock):
    for name, requirements in locked(lock).items():
        for requirement in requirements:
            if requirement.marker is None or requirement.marker.evaluate():
                assert requirement.specifier.contains(version(name), prereleases=True), name


def test_a_larger_lock_holds_the_lines_of_a_smaller_one():
    run, test, develop = (set(lines_of(lock)) for lock in LOCKS)
    assert run < test < develop


def test_the_library_alone_brings_nothing_of_the_study():
    plain = {r.name for r in declared([])}
    assert plain.isdisjoint(r.name for lines in EXTRAS.values() for r in map(Requirement, lines))
    assert plain.isdisjoint({"dask", "distributed", "duckdb", "pmlb", "snakemake"})
    assert "numpy" in plain


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("distribution", "packages"),
    [
        (ROOT, [ROOT / "altfs", PLUGINS / "snakemake_logger_plugin_altfs"]),
        (EXECUTOR, [EXECUTOR / "snakemake_executor_plugin_dask"]),
    ],
    ids=["altfs", "executor"],
)
def test_every_library_that_is_imported_is_declared(distribution, packages):
    # One that only another package brings along is there until that package changes its mind.
    project = project_of(distribution)
    needed = declared(project["optional-dependencies"], project)
    known = {canonicalize_name(requirement.name) for requirement in needed}
    providers = packages_distributions()
    own = {package.name for package in packages}
    for path in chain.from_iterable(package.rglob("*.py") for package in packages):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            else:
                continue
            for name in {name.partition(".")[0] for name in names} - sys.stdlib_module_names:
                found = {canonicalize_name(d) for d in (*providers.get(name, []), name)}
                assert name in own or found & known, f"{path}: {name}"


def test_the_locks_name_no_host():
    # The tests in tests/networks/ compare that of the extra torch with what is installed.
    every = {*LOCKS, "torch"}
    assert {path.stem for path in ENVS.glob("*.txt")} == every
    assert all("://" not in line for lock in every for line in lines_of(lock))


def test_the_version_is_one():
    import altfs

    assert version("altfs") == altfs.__version__
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == altfs.__version__
    assert f"## [{altfs.__version__}]" in (ROOT / "CHANGELOG.md").read_text()


def test_the_executor_has_a_version_of_its_own():
    project = project_of(EXECUTOR)
    assert version(project["name"]) == project["version"]
    assert f"## [{project['version']}]" in (EXECUTOR / "CHANGELOG.md").read_text()
    assert (EXECUTOR / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


@pytest.mark.parametrize("study", sorted((ROOT / "workflow" / "studies").glob("*.yaml")))
def test_every_study_is_valid(study):
    from altfs.study.config import parse_config
    from altfs.study.plan import Plan

    config = parse_config(yaml.safe_load(study.read_text()))
    assert config.name == study.stem
    # A run stores the configuration, from which others make the same study.
    assert parse_config(yaml.safe_load(Plan(config, {}).configuration())) == config


def test_every_configuration_key_is_documented():
    from altfs.study.config import StudyConfig

    text = (ROOT / "docs" / "configuration.md").read_text()
    for key in StudyConfig.model_fields:
        assert f"`{key}`" in text, key


def test_importing_altfs_is_cheap():
    code = (
        "import sys, altfs\n"
        "print([m for m in ('pandas', 'sklearn', 'ortools', 'numba') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def described_tables():
    """Return the text of the pages that describe tables."""
    pages = ("tables.md", "particular_tables.md")
    return "".join((ROOT / "docs" / page).read_text() for page in pages)


def test_every_table_is_described():
    from altfs.catalogue import figures, tables

    described = described_tables()
    assert all(f"## {name}\n" in described for name in tables.names())
    for catalogue in (tables, figures):
        assert len({component.place for component in catalogue}) == len(catalogue.names())
        assert all(component.caption.endswith(".") for component in catalogue)
        # One file each, called as what is in it.
        assert {c.make.__module__: c.name for c in catalogue} == {
            module: module.rpartition(".")[2] for module in catalogue.modules()
        }


def test_every_column_of_a_shard_is_described():
    words = set(re.findall(r"\w+", (ROOT / "docs" / "results.md").read_text()))
    assert [name for name in FRONT_SCHEMA.names if name not in words] == []


@pytest.mark.exhaustive
def test_every_column_of_a_table_is_described():
    import made_up
    from made_up import make_tables

    described = described_tables()
    words = set(re.findall(r"\w+", described))
    # Of a value, a table has statistics: the dictionary names the prefix and the statistic.
    prefixes = tuple(word for word in words if word.endswith("_"))

    def known(column):
        rest = [column.removeprefix(p) for p in prefixes if column.startswith(p)]
        return column in words or any(part in words for part in rest)

    sets = made_up.sets()
    drawn = sets[sets["set_index"] < 2].assign(search="random", n_alternatives=1)
    other = pd.concat([sets, drawn], ignore_index=True)
    tables = make_tables(
        made_up.results(pd.concat([other, other.assign(selector="t")], ignore_index=True))
    )
    assert all(len(table.columns) for table in tables.values())
    columns = [(name, c) for name, table in tables.items() for c in table.columns]
    assert [pair for pair in columns if not known(pair[1])] == []


def test_imports_keep_to_the_contracts():
    # Layers, circles, and what may not be imported: [tool.importlinter] in pyproject.toml.
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [str(lint), "--no-cache", "--no-logo"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


# The modules of tasks, whose output is a log.
TASKS = ("task.py", "tasks.py", "group.py", "run.py", "predicting.py")


def test_no_library_prints_but_the_command_line_and_the_tasks():
    for path in (ROOT / "altfs").rglob("*.py"):
        if path.parent.name != "commands" and path.name not in TASKS:
            assert not re.search(r"^\s*print\(", path.read_text(), re.M), path


def test_no_two_test_files_of_a_run_have_one_name():
    """Pytest stops at the second one; the tests on SLURM and in a browser are runs of their own."""
    apart = {"slurm", "browser", "networks"}
    files = chain((ROOT / "tests").rglob("test_*.py"), EXECUTOR.rglob("test_*.py"))
    names = Counter(path.name for path in files if path.parent.name not in apart)
    assert [name for name, n in names.items() if n > 1] == []


def test_every_test_file_has_a_quick_test():
    # Of the files that were collected with this one: in a run of everything, of all. Each test of
    # these runs a study or a workflow for more than five seconds.
    runs = {
        *("test_interruptions.py", "test_mixed.py", "test_job_shapes.py", "test_readme.py"),
        *("test_snakemake_suite.py", "test_worker_faults.py"),
    }
    assert {path.name for path in WITHOUT_QUICK_TESTS} <= runs


def test_the_named_tasks_are_those_of_the_makefile():
    tasks = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    workflow = ".github/workflows/test.yml"
    for page in (".ci/run", workflow, "CONTRIBUTING.md", "README.md", "docs/how_to/release.md"):
        named = re.findall(r"(?:^|`|run: )make((?: [a-z]+)+)", (ROOT / page).read_text(), re.M)
        assert set(" ".join(named).split()) <= tasks, page
        assert named, page
    jobs = yaml.safe_load((ROOT / workflow).read_text())["jobs"]
    oldest = jobs["test"]["strategy"]["matrix"]["python"][0]
    assert PROJECT["requires-python"] == f">={oldest}"


def test_the_hooks_are_local_and_run_what_make_lint_runs():
    recipe = re.search(r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.M)[1]
    programs = set(re.findall(r"^\t\$\(BIN\)(\S+)", recipe, re.M))
    [repo] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert repo["repo"] == "local"
    assert all(hook["language"] == "system" for hook in repo["hooks"])
    # `snakemake --lint` needs the study that config.yaml names, which a commit need not have.
    assert {hook["entry"].split()[0] for hook in repo["hooks"]} == programs - {"snakemake"}


@pytest.mark.exhaustive
def test_every_error_has_its_key_apart():
    # Each door puts its own word for a key, so a sentence that is one text names none.
    classes = {name for name in vars(errors) if name.endswith("Error")}
    for path in (ROOT / "altfs").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in classes and node.args:
                text = ast.unparse(node.args[0]).lstrip("f'\"")
                assert not re.match(r"[\w.\[\]{}]+(, [\w.\[\]{}]+)*: \S", text), (
                    f"{path.name}: {text}"
                )


@pytest.mark.exhaustive
def test_functions_and_packages_keep_to_their_limits():
    # Constructors that users call and compiled functions, which take arrays, may take more.
    for path in chain((ROOT / "altfs").rglob("*.py"), (ROOT / "workflow").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef) or node.name == "__init__":
                continue
            if any("compiled" in ast.unparse(decorator) for decorator in node.decorator_list):
                continue
            given = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            asked = [argument.arg for argument in given if argument.arg not in ("self", "cls")]
            assert len(asked) <= 7, f"{path.name}: {node.name} takes {len(asked)} arguments"
    for package in (ROOT / "altfs").rglob("__init__.py"):
        private = [*package.parent.glob("_[!_]*.py")]
        assert len(private) <= 8, f"{package.parent.name} has {len(private)} private modules"
