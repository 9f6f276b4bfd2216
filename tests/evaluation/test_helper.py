"""The second process of an evaluation: what it does, and what happens to it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from altfs.errors import AltfsError
from altfs.evaluation import helper
from altfs.evaluation.helper import Helper, Here, place_for


@pytest.fixture(scope="module")
def other():
    with Helper() as started:
        yield started


def own_process(number):
    """Which process answers; the pause lets the other one have its turn."""
    time.sleep(0.01)
    return number, os.getpid()


def refuse(number):
    if number > 2:
        raise AltfsError(f"{number} is refused")
    return number


def test_both_processes_answer_in_order(other):
    other.submit(int).result()
    answers = list(other.map(own_process, range(40)))
    assert [number for number, _ in answers] == list(range(40))
    assert len({process for _, process in answers}) == 2
    assert list(Here().map(abs, [-1, -2])) == [1, 2]
    assert Here().submit(abs, -1).result() == 1


def test_the_first_error_is_raised_wherever_it_was_made(other):
    with pytest.raises(AltfsError, match="7 is refused") as caught:
        other.submit(refuse, 7).result()
    assert "in refuse" in caught.value.__notes__[0]
    for _ in range(3):
        answers = other.map(refuse, range(20))
        assert [next(answers) for _ in range(3)] == [0, 1, 2]
        with pytest.raises(AltfsError, match="3 is refused"):
            next(answers)
    assert other.submit(abs, -3).result() == 3


def test_what_is_printed_there_is_no_answer(capfd):
    with Helper() as other:
        assert other.submit(print, "heard").result() is None
        assert other.submit(os.system, "echo native").result() == 0
    assert capfd.readouterr().err == "heard\nnative\n"


def test_a_process_that_was_killed_is_told():
    with Helper() as lost, pytest.raises(AltfsError, match="was killed, perhaps for want of mem"):
        lost.submit(os._exit, 1).result()


def alive(process):
    try:
        # A process that has ended and that nobody has asked for its end is no longer alive.
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def ended(process):
    return any(not alive(process) or time.sleep(0.05) for _ in range(200))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
def test_it_ends_with_the_first_process_even_if_it_is_busy():
    with Helper() as busy:
        process = busy.submit(os.getpid).result()
        busy.submit(time.sleep, 600)
    assert not alive(process)
    code = (
        "import os, time\nfrom altfs.evaluation.helper import Helper\n"
        "other = Helper()\nprint(other.submit(os.getpid).result(), flush=True)\n"
        "other.submit(time.sleep, 600)\ntime.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as first:
        process = int(first.stdout.readline())
        assert alive(process)
        first.send_signal(signal.SIGKILL)
    assert ended(process)


@pytest.mark.parametrize(("files", "cores", "kind"), [(9, 2, Here), (10, 2, Helper), (10, 1, Here)])
def test_small_studies_and_single_cores_need_no_second_process(monkeypatch, files, cores, kind):
    monkeypatch.setattr(helper, "MANY_FILES", 10)
    monkeypatch.setattr("joblib.cpu_count", lambda: cores)
    with place_for(files) as place:
        assert type(place) is kind
