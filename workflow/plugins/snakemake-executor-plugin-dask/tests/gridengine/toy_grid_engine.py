"""A Grid Engine of this machine in a folder of its own, beside whatever the machine has."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
from pathlib import Path

import psutil
from snakemake_runs import wait_for

PROGRAMS = Path("/usr/lib/gridengine")
RESOURCES = Path("/usr/share/gridengine")
BOOTSTRAP = """
admin_user none
default_domain none
ignore_fqdn false
spooling_method classic
spooling_lib libspoolc
spooling_params {common};{spool}
binary_path /usr/sbin
qmaster_spool_dir {spool}
security_mode none
listener_threads 2
worker_threads 2
scheduler_threads 1
"""
HOST = """
hostname {host}
load_scaling NONE
complex_values NONE
user_lists NONE
xuser_lists NONE
projects NONE
xprojects NONE
usage_scaling NONE
report_variables NONE
"""


class ToyGridEngine:
    """Starts on entering, ends on leaving; `environment` makes programs use it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as one, socket.socket() as other:
            for each in (one, other):
                each.bind(("127.0.0.1", 0))
            ports = [str(each.getsockname()[1]) for each in (one, other)]
        self.environment = {
            "SGE_ROOT": str(folder),
            "SGE_CELL": "default",
            "SGE_QMASTER_PORT": ports[0],
            "SGE_EXECD_PORT": ports[1],
        }

    def __enter__(self) -> ToyGridEngine:
        host = socket.gethostname()
        common, spool = self.folder / "default" / "common", self.folder / "spool"
        common.mkdir(parents=True)
        (spool / "job_scripts").mkdir(parents=True)
        (self.folder / "execd").mkdir()
        for name in ("bin", "lib", "util", "utilbin"):
            (self.folder / name).symlink_to(Path("/var/lib/gridengine") / name)
        (common / "bootstrap").write_text(BOOTSTRAP.format(common=common, spool=spool))
        (common / "act_qmaster").write_text(host)
        # The machine may know itself by its loopback address alone.
        (common / "host_aliases").write_text(f"{host} localhost")
        configuration = self._edited(
            (RESOURCES / "default-configuration").read_text(),
            execd_spool_dir=self.folder / "execd",
            min_uid=0,
            min_gid=0,
            load_report_time="00:00:02",
        )
        place = f"{common};{spool}"
        self.ask(str(PROGRAMS / "spoolinit"), "classic", "libspoolc", place, "init")
        for kind, source in (
            ("configuration", configuration),
            ("complexes", RESOURCES / "util/resources/centry"),
            ("usersets", RESOURCES / "util/resources/usersets"),
            ("managers", "root"),
        ):
            self.ask(str(PROGRAMS / "spooldefaults"), kind, str(source))
        try:
            self.ask("sge_qmaster")
            wait_for(self._listens)
            self.ask("qconf", "-as", host)
            self.ask("qconf", "-Ae", self._edited(HOST.format(host=host)))
            queue = self._edited(
                self.ask("qconf", "-sq"),
                qname="all.q",
                hostlist=host,
                slots=4,
                load_thresholds="NONE",
                pe_list="NONE",
                ckpt_list="NONE",
                shell="/bin/bash",
            )
            self.ask("qconf", "-Aq", queue)
            scheduler = self._edited(
                self.ask("qconf", "-ssconf"),
                schedule_interval="0:0:1",
                flush_submit_sec=1,
                flush_finish_sec=1,
                job_load_adjustments="NONE",
            )
            self.ask("qconf", "-Msconf", scheduler)
            self.ask("sge_execd")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for command in (("qdel", "-f", "-u", "*"), ("qconf", "-ke", "all"), ("qconf", "-km")):
            with contextlib.suppress(subprocess.SubprocessError):
                self.ask(*command)
        # They write into the folder until they have ended.
        daemons = []
        for file in self.folder.rglob("*.pid"):
            with contextlib.suppress(psutil.NoSuchProcess):
                daemons.append(psutil.Process(int(file.read_text())))
        wait_for(lambda: not any(_runs(daemon) for daemon in daemons), seconds=30)

    def ask(self, *command: str) -> str:
        """Return the output of a program of Grid Engine."""
        program = shutil.which(command[0])
        assert program, f"There is no program '{command[0]}', see README.md."
        return subprocess.run(
            [program, *command[1:]],
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        ).stdout

    def _listens(self) -> bool:
        port = int(self.environment["SGE_QMASTER_PORT"])
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", port)) == 0

    def jobs(self) -> list[str]:
        """Return the ids of the jobs that wait or run."""
        return [line.split()[0] for line in self.ask("qstat").splitlines()[2:]]

    def _edited(self, text: str, **values: object) -> str:
        """Return the file with a table in which values are set."""
        lines = [line.split(maxsplit=1) for line in text.splitlines() if line[:1].strip(" #")]
        table = dict(lines) | values
        file = self.folder / f"table-{len(list(self.folder.glob('table-*')))}"
        file.write_text("".join(f"{key} {value}\n" for key, value in table.items()))
        return str(file)


def _runs(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False
