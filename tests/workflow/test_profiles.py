"""The profiles of the workflow."""

import os
import subprocess
import sys

import pytest
import yaml
from marks import exhaustive
from workspaces import ROOT


def test_the_profiles_keep_what_the_default_profile_sets():
    default = yaml.safe_load((ROOT / "profiles" / "default" / "config.yaml").read_text())
    here = next(value for key, value in default.items() if key.startswith("?if"))
    # What is true of the study wherever it runs.
    common = {"keep-going", "rerun-incomplete", "keep-incomplete", "nolock", "logger", "scheduler"}
    for name in ("slurm", "slurm-dask"):
        path = ROOT / "workflow" / "profiles" / name / "config.yaml"
        profile = yaml.safe_load(path.read_text())
        assert {key: profile[key] for key in common} == {key: here[key] for key in common}
        assert path.read_text().startswith(f"# snakemake --profile workflow/profiles/{name}\n")


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("words", "environment", "expected"),
    [
        ([], {}, "dask None {}"),
        ([], {"SNAKEMAKE_PROFILE": "workflow/profiles/slurm-dask"}, "dask 16 {}"),
        *exhaustive(
            (["--profile", "workflow/profiles/slurm-dask"], {}, "dask 16 {}"),
            (["--profile", "workflow/profiles/slurm"], {},
             "slurm None {'{dataset}-{fold}': 100000}"),
        ),
    ],
)  # fmt: skip
def test_the_default_profile_steps_aside(words, environment, expected):
    # In a process of its own, as the profile looks at the words of its command line.
    code = (
        "from snakemake.cli import parse_args\n"
        "parsed = parse_args(None)[1]\n"
        "workers = parsed.dask_slurm_workers\n"
        "workers = workers if isinstance(workers, int) else None\n"
        "print(parsed.executor, workers, parsed.group_components)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == expected
