"""Runs a command and ends it, with all that it started, when its starter asks or is gone.

    python -I -S watch.py COMMAND ARGUMENT...

The starter holds the other end of standard input. Should it be killed, it can end nothing
any more, but the pipe closes, and the command is killed at once: the job will be run again
elsewhere. SIGTERM ends the command in order. A program of its own that needs nothing but
Python, as it has to be there before the command starts.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

# For a child Snakemake to stop its rule and remove what is half written.
SECONDS_TO_END = 5


class Watched:
    """A command in a process group of its own."""

    def __init__(self, command: list[str]) -> None:
        self._group = 0
        self._asked = False
        signal.signal(signal.SIGTERM, self._end)
        signal.signal(signal.SIGALRM, lambda *_: self._send(signal.SIGKILL))
        # Workers ignore Ctrl-C and would hand that down.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, process_group=0)
        self._group = self._process.pid
        if self._asked:
            self._end()
        threading.Thread(target=self._watch, daemon=True).start()

    def wait(self) -> int:
        """Wait for the end; the exit code as a shell tells it."""
        code = self._process.wait()
        end = time.monotonic() + SECONDS_TO_END
        while self._asked and self._send(0) and time.monotonic() < end:
            # The shell is gone, the child Snakemake may still be cleaning up.
            time.sleep(0.05)
        if self._asked:
            self._send(signal.SIGKILL)
        return code if code >= 0 else 128 - code

    def _end(self, *_: object) -> None:
        self._asked = True
        if self._group:
            self._send(signal.SIGTERM)
            signal.alarm(SECONDS_TO_END)

    def _watch(self) -> None:
        # Nobody writes: it returns when the starter is gone.
        os.read(0, 1)
        self._send(signal.SIGKILL)

    def _send(self, number: int) -> bool:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._group, number)
            return True
        return False


if __name__ == "__main__":
    sys.exit(Watched(sys.argv[1:]).wait())
