import subprocess
import sys

import pytest
from conftest import SMALL

from altfs.errors import ConfigError
from altfs.study.session import join_study, open_study


def test_children_see_the_plan_of_the_main_process(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert open_study(SMALL).hash == join_study(SMALL).hash


def test_two_runs_in_one_folder_are_refused_and_a_killed_one_leaves_no_lock(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = (
        f"from altfs.study.session import open_study\nopen_study({SMALL!r})\n"
        "print('open', flush=True)\nimport time\ntime.sleep(60)\n"
    )
    other = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout.readline() == "open\n"
        with pytest.raises(ConfigError, match=f"another run \\(process {other.pid}\\)"):
            open_study(SMALL)
    finally:
        other.kill()
        other.wait()
    open_study(SMALL)


def test_a_dry_run_writes_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    open_study(SMALL, write=False)
    assert list(tmp_path.iterdir()) == []
