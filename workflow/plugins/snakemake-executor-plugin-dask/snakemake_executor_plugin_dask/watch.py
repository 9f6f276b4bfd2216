"""Program that runs a command, and ends it with all its processes on request.

    python -I -S watch.py COMMAND ARGUMENT...

The process that starts it holds the other end of standard input. If that process is killed,
the pipe closes, and the command is killed at once: the job will run again. SIGTERM ends the
command in order. This program needs only Python, so that it starts fast.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

# Seconds for a child Snakemake to stop its rule and remove incomplete outputs.
SECONDS_TO_END = 5


class Watched:
    """A command in a process group of its own."""

    def __init__(self, command: list[str]) -> None:
        self._group = 0
        self._asked = False
        signal.signal(signal.SIGTERM, self._end)
        signal.signal(signal.SIGALRM, lambda *_: self._send(signal.SIGKILL))
        # Workers ignore Ctrl-C, and child processes inherit that.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, process_group=0)
        self._group = self._process.pid
        if self._asked:
            self._end()
        threading.Thread(target=self._watch, daemon=True).start()

    def wait(self) -> int:
        """Wait for the end, and return the exit code as a shell does."""
        code = self._process.wait()
        end = time.monotonic() + SECONDS_TO_END
        while self._asked and self._send(0) and time.monotonic() < end:
            # The shell has ended, but the child Snakemake may still remove files.
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
        # The other process never writes, so this returns when it has ended.
        os.read(0, 1)
        self._send(signal.SIGKILL)

    def _send(self, number: int) -> bool:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._group, number)
            return True
        return False


if __name__ == "__main__":
    sys.exit(Watched(sys.argv[1:]).wait())
