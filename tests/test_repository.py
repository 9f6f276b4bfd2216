"""What is committed beside the code stays in step with it."""

import ast
import re
import subprocess
import sys
from importlib.metadata import distribution, packages_distributions, version
from pathlib import Path

import pandas as pd
import pytest
import yaml
from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCK = ROOT / "envs" / "requirements.txt"
OWN_PLUGINS = {path.name for path in (ROOT / "workflow" / "plugins").glob("snakemake_*")}


def locked() -> dict[str, list[Requirement]]:
    pins: dict[str, list[Requirement]] = {}
    for line in LOCK.read_text().splitlines():
        if line and not line.startswith(("#", " ")):
            requirement = Requirement(line.split(" #")[0])
            pins.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return pins


def test_the_lock_pins_everything_that_is_needed_and_fits():
    pins = locked()
    pending, seen = [Requirement("altfs[docs,shap,slurm,test]")], set()
    while pending:
        requirement = pending.pop()
        name = canonicalize_name(requirement.name)
        for line in distribution(name).requires or []:
            needed = Requirement(line)
            extras = requirement.extras or {""}
            if needed.marker and not any(needed.marker.evaluate({"extra": e}) for e in extras):
                continue
            other = canonicalize_name(needed.name)
            assert other in pins, f"{other} (needed by {name}) is not in the lock"
            here = [p for p in pins[other] if p.marker is None or p.marker.evaluate()]
            assert len(here) == 1
            pinned = next(iter(here[0].specifier)).version
            assert needed.specifier.contains(pinned, prereleases=True), f"{name} needs {line}"
            key = (other, frozenset(needed.extras))
            if key not in seen:
                seen.add(key)
                pending.append(needed)


def test_what_is_installed_is_what_is_locked():
    for name, requirements in locked().items():
        for requirement in requirements:
            if requirement.marker is None or requirement.marker.evaluate():
                assert requirement.specifier.contains(version(name), prereleases=True), name


def test_every_library_that_is_imported_is_declared():
    # One that only another package brings along is there until that package changes its mind.
    own = distribution("altfs")
    declared = {canonicalize_name(Requirement(line).name) for line in own.requires or []}
    providers = packages_distributions()
    for path in [*ROOT.glob("altfs/**/*.py"), *ROOT.glob("workflow/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            else:
                continue
            for name in {name.partition(".")[0] for name in names} - sys.stdlib_module_names:
                found = {canonicalize_name(d) for d in providers.get(name, [])}
                assert name == "altfs" or name in OWN_PLUGINS or found & declared, f"{path}: {name}"


def test_the_lock_names_no_host():
    assert "://" not in LOCK.read_text()


def test_the_version_is_one():
    import altfs

    assert version("altfs") == altfs.__version__
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == altfs.__version__
    assert f"## [{altfs.__version__}]" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("study", sorted((ROOT / "workflow" / "studies").glob("*.yaml")))
def test_every_study_is_valid(study):
    from altfs.study.config import parse_config

    config = parse_config(yaml.safe_load(study.read_text()))
    assert config.name == study.stem


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


def test_the_evaluation_makes_what_the_plan_declares():
    from altfs.evaluation import captions, figures, tables
    from altfs.study.evaluation_names import FIGURES, TABLES

    def listed(module):
        return tuple(re.findall(r'^        "(\w+)": ', Path(module.__file__).read_text(), re.M))

    # In two halves, put into this order afterwards.
    assert sorted(listed(tables)) == sorted(TABLES)
    assert listed(figures) == FIGURES
    assert set(captions.CAPTIONS) == {*TABLES, *FIGURES}
    described = (ROOT / "docs" / "tables.md").read_text()
    assert all(f"## {name}\n" in described for name in TABLES)


def test_every_column_of_a_table_is_described():
    import made_up

    from altfs.evaluation.tables import make_tables

    described = (ROOT / "docs" / "tables.md").read_text()
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


@pytest.mark.parametrize(
    "layer", ["problem", "sized_problem", "quality", "dissimilarity", "results"]
)
def test_the_mathematics_imports_nothing_from_above(layer):
    text = (ROOT / "altfs" / f"{layer}.py").read_text()
    above = r"altfs\.(study|evaluation|selectors|searches|solvers|datasets|prediction|cli)"
    assert not re.search(above, text)


def test_no_library_prints_but_the_command_line_and_the_tasks():
    for path in (ROOT / "altfs").rglob("*.py"):
        if path.name not in ("cli.py", "tasks.py", "predicting.py"):
            assert not re.search(r"^\s*print\(", path.read_text(), re.M), path
