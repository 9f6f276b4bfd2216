"""The layout that Snakemake's catalogue of workflows checks, and what its rules say."""

import re
from itertools import chain

import pytest
import yaml
from snakemake_runs import output_of, start_snakemake
from workspaces import ROOT

from altfs.study.config import parse_config
from altfs.study.tasks import task_types


def test_the_catalogue_finds_what_it_looks_for():
    # The workflow is listed as one of standard usage if it has these files.
    assert (ROOT / "workflow" / "Snakefile").is_file()
    assert (ROOT / "config" / "README.md").read_text().startswith("# ")
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert usage["report"] and usage.keys() >= {"mandatory-flags", "software-stack-deployment"}
    assert all(path.suffix == ".smk" for path in (ROOT / "workflow" / "rules").iterdir())


def test_the_example_of_the_configuration_is_a_study():
    [example] = re.findall(r"```yaml\n(.*?)```", (ROOT / "config" / "README.md").read_text(), re.S)
    assert parse_config(yaml.safe_load(example)).name == "mine"


def test_every_rule_has_threads_and_resources():
    files = [ROOT / "workflow" / "Snakefile", *(ROOT / "workflow" / "rules").glob("*.smk")]
    # `use rule` takes what it does not say from the other rule.
    parts = [re.split(r"^ *(?:use )?rule\b", path.read_text(), flags=re.M)[1:] for path in files]
    rules = [rule for rule in chain.from_iterable(parts) if "shell:" in rule]
    assert len(rules) == 2
    for rule in rules:
        assert "threads: 1" in rule and "mem_mb=MEMORY" in rule, rule


@pytest.mark.exhaustive
@pytest.mark.study
def test_every_rule_says_what_it_does(workspace):
    work = workspace()
    listed = output_of(start_snakemake(work.folder, "--list-rules"), ok=True)
    described = dict(re.findall(r"^(\w+) \((.+)\)$", listed, re.M))
    names = {"all", "collect", "combine", "tables", "figures", "report"}
    assert described.keys() == names | {one.rule for one in task_types()}
    assert all(text.endswith(".") for text in described.values())
