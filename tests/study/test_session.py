import fcntl
import os
import subprocess
import sys
import threading

import pytest
from studies import SMALL

from altfs.errors import ConfigError
from altfs.study.session import begin_study, check_study, join_study

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_children_see_the_plan_of_the_main_process():
    plan = check_study(SMALL)
    begin_study(plan)
    assert join_study(SMALL).hash == plan.hash


@pytest.mark.exhaustive
def test_two_runs_in_one_folder_are_refused_and_a_killed_one_leaves_no_lock():
    code = (
        "from altfs.study.session import begin_study, check_study\n"
        f"begin_study(check_study({SMALL!r}))\n"
        "print('open', flush=True)\nimport time\ntime.sleep(60)\n"
    )
    other = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout.readline() == "open\n"
        with pytest.raises(ConfigError, match=f"another run \\(process {other.pid}\\)"):
            begin_study(check_study(SMALL))
    finally:
        other.kill()
        other.wait()
    begin_study(check_study(SMALL))


def test_who_only_looks_whether_a_run_is_at_work_does_not_keep_one_from_starting(tmp_path):
    plan = check_study(SMALL)
    lock = tmp_path / plan.results / ".lock"
    lock.parent.mkdir(parents=True)
    lock.write_text("1234567\n")
    looking = lock.open()
    fcntl.flock(looking, fcntl.LOCK_SH)
    end = threading.Timer(0.1, looking.close)
    end.start()
    try:
        begin_study(plan)
    finally:
        end.join()
    assert lock.read_text() == f"{os.getpid()}\n"


def test_a_check_writes_nothing(tmp_path):
    check_study(SMALL)
    assert list(tmp_path.iterdir()) == []
