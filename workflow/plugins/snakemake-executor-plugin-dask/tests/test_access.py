"""Nobody else on this machine connects to a run, submits to it, or reads its key."""

import json
import os
import pickle
import pwd
import subprocess
import sys
import tempfile

import psutil
import pytest
from cryptography import x509
from snakemake_executor_plugin_dask.access import audience, key_of_run
from snakemake_executor_plugin_dask.cluster import start_local

# Tries to get in at every port, by every way, and to read every file that may have the key.
INTRUDER = """
import asyncio, json, os, pickle, sys
from urllib.request import urlopen
import dask
from distributed import Client
from snakemake_executor_plugin_dask.access import key_of_run

dask.config.set({"distributed.comm.timeouts.connect": "5s"})
# Imports what is needed later. Python itself may be readable for its owner alone.
with Client(n_workers=1, processes=False, dashboard_address="127.0.0.1:0") as client:
    client.submit(os.getpid).result()
given = pickle.load(sys.stdin.buffer)
os.setgroups([])
os.setgid(given["user"])
os.setuid(given["user"])
keys = {"tcp": None, "tls": key_of_run()} if given["key"] is None else {"tls": given["key"]}
found = {"user": os.getuid(), "connected": [], "ran": [], "pages": [], "keys": []}

async def connect(port, protocol, key):
    client = Client(f"{protocol}://127.0.0.1:{port}", security=key, asynchronous=True)
    await asyncio.wait_for(client, 10)
    found["connected"].append(port)
    found["ran"].append(await asyncio.wait_for(client.submit(os.getpid), 10))

async def connect_everywhere():
    ways = [connect(port, *way) for port in given["ports"] for way in keys.items()]
    await asyncio.gather(*ways, return_exceptions=True)

asyncio.run(connect_everywhere())
for port in given["ports"]:
    for page in ("", "/info/main/workers.html", "/metrics", "/json/counts.json", "/health"):
        try:
            found["pages"].append(urlopen(f"http://127.0.0.1:{port}{page}", timeout=2).url)
        except Exception:
            pass
files = [f"/proc/{p}/{n}" for p in given["processes"] for n in ("environ", "cmdline", "maps")]
files += [os.path.join(at, n) for at, _, names in os.walk(given["folder"]) for n in names]
for file in files:
    try:
        with open(file, "rb") as source:
            text = source.read(10**6)
    except OSError:
        continue
    if given["secret"] in text or b"PRIVATE KEY" in text:
        found["keys"].append(file)
print(json.dumps(found), flush=True)
# Dask may wait for connections that were never made.
os._exit(0)
"""


@pytest.fixture(scope="module")
def workers():
    """Workers of a run on this machine, for tests that can become another user."""
    if os.geteuid() != 0:
        if os.environ.get("CI"):
            pytest.fail("only root can become another user, run the tests as root")
        pytest.skip("only root can become another user")
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        # The temporary files of the run are in a folder of all users, as /tmp is.
        os.chmod(folder, 0o1777)
        patch.setenv("TMPDIR", folder)
        patch.setattr(tempfile, "tempdir", folder)
        started = start_local(1)
        yield started
        started.close()


def look_around(workers, key=None):
    """Return the findings of the intruder's program, which runs as another user."""
    processes = psutil.Process().children(recursive=True)
    ports = {
        connection.laddr.port
        for process in processes
        for connection in process.net_connections(kind="inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert len(ports) >= 3
    secret = workers.client.security.tls_client_key.splitlines()[1].encode()
    given = {
        "ports": sorted(ports),
        "user": pwd.getpwnam("nobody").pw_uid,
        "key": key,
        "secret": secret,
        "processes": [os.getpid(), *(process.pid for process in processes)],
        "folder": tempfile.gettempdir(),
    }
    found = subprocess.run(
        [sys.executable, "-c", INTRUDER],
        input=pickle.dumps(given),
        capture_output=True,
        timeout=200,
    )
    assert found.returncode == 0, found.stderr.decode()
    return json.loads(found.stdout)


@pytest.mark.exhaustive
def test_another_user_gets_nowhere(workers):
    found = look_around(workers)
    assert found.pop("user") != os.getuid()
    assert found == {"connected": [], "ran": [], "pages": [], "keys": []}


@pytest.mark.exhaustive
def test_the_key_opens_what_is_closed_without_it(workers):
    # The same program of the same user, so that the test above could fail.
    found = look_around(workers, key=workers.client.security)
    (worker,) = workers.client.run(os.getpid).values()
    assert found["ran"] == [worker]


def test_the_key_is_new_and_does_not_mind_the_clock():
    one, other = key_of_run(), key_of_run()
    assert one.tls_client_key != other.tls_client_key
    certificate = x509.load_pem_x509_certificate(one.tls_ca_file.encode())
    assert certificate.not_valid_before_utc.year == 2000
    assert certificate.not_valid_after_utc.year == 2999


@pytest.mark.parametrize("place", [":8787", "0.0.0.0:8787", "login1:80"])
def test_a_dashboard_of_the_network_is_for_everyone(place):
    assert audience(place) == "everyone who can reach this machine"


@pytest.mark.parametrize("place", ["127.0.0.1:8787", "localhost:0", "[::1]:80"])
def test_a_dashboard_of_this_machine_is_for_its_users(place):
    assert audience(place) == "every user of this machine"
