"""Tasks that a shell command runs."""

import re
import signal
import subprocess
import sys

TOLD = r"began\nRan from (\d+\.\d{3}) to (\d+\.\d{3}), CPU time: \d+\.\d{3} s\n"
TASK = """
import time
def task(seconds):
    print("began")
    time.sleep(seconds)
"""
COMPILED = """
from numba import njit
@njit
def total(number):
    return number + 1.0
def task():
    total(0.0)
    print("began", flush=True)
    while True:
        total(0.0)
"""


def command(function, arguments="{}"):
    return [sys.executable, "-m", "altfs.study.run", function, arguments]


def test_the_times_of_a_log_say_how_long_the_task_took(tmp_path):
    (tmp_path / "slow.py").write_text(TASK)
    log = tmp_path / "slow.log"
    with log.open("w") as output:
        slow = command("slow:task", '{"seconds": 0.2}')
        subprocess.run(slow, stdout=output, cwd=tmp_path, check=True)
    times = re.fullmatch(TOLD, log.read_text())
    # Times are written in milliseconds.
    assert 0.199 < float(times[2]) - float(times[1]) < 20


def test_a_task_runs_without_a_log(tmp_path):
    (tmp_path / "slow.py").write_text(TASK)
    slow = command("slow:task", '{"seconds": 0}')
    done = subprocess.run(slow, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert re.fullmatch(TOLD, done.stdout)


def test_ctrl_c_in_a_compiled_function_leaves_no_traceback(tmp_path):
    (tmp_path / "compiled.py").write_text(COMPILED)
    with subprocess.Popen(
        command("compiled:task"),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout.readline() == "began\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == ""
    assert process.returncode == -signal.SIGINT
