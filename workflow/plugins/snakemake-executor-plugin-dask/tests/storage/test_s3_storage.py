"""Snakemake's own tests of executors, with files in an S3 of this machine."""

import boto3
import pytest
import snakemake.common.tests
from moto.server import ThreadedMotoServer
from snakemake_executor_plugin_dask import ExecutorSettings
from snakemake_runs import Folder

SNAKEFILE = """
rule task:
    output: "task.txt"
    params: task="mytasks:write"
    shell: "echo of the command > {output}"
"""


@pytest.fixture(scope="module", autouse=True)
def s3():
    """A server that keeps its buckets in memory."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    TestS3.address = f"http://{host}:{port}"
    yield
    server.stop()


class TestS3(snakemake.common.tests.TestWorkflowsMinioPlayStorageBase):
    __test__ = True
    address = ""

    @property
    def endpoint_url(self):
        return self.address

    def get_executor(self):
        return "dask"

    def get_executor_settings(self):
        return ExecutorSettings()

    def get_assume_shared_fs(self):
        return False

    def cleanup_test(self):
        made = boto3.resource(
            "s3",
            endpoint_url=self.address,
            aws_access_key_id=self.access_key,
            aws_secret_access_key=self.secret_key,
        ).Bucket(self.bucket)
        assert {item.key for item in made.objects.all()}
        super().cleanup_test()


def test_a_task_with_stored_files_runs_by_its_command(tmp_path):
    storage = TestS3()
    owner = {"aws_access_key_id": storage.access_key, "aws_secret_access_key": storage.secret_key}
    bucket = boto3.resource("s3", endpoint_url=storage.address, **owner).Bucket(storage.bucket)
    folder = Folder(tmp_path, SNAKEFILE, "def write():\n    raise AssertionError('no files here')")
    folder.run(
        *("--default-storage-provider", "s3", "--default-storage-prefix", f"s3://{bucket.name}"),
        *("--storage-s3-endpoint-url", storage.address, "--shared-fs-usage", "none"),
        *("--storage-s3-access-key", storage.access_key),
        *("--storage-s3-secret-key", storage.secret_key),
        *("--envvars", "PYTHONPATH"),
    )
    stored = bucket.Object("task.txt").get()["Body"].read()
    assert stored == b"of the command\n"
