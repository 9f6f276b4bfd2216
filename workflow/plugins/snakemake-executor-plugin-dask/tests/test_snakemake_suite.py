"""Snakemake's own tests of executors, with files of this machine."""

import snakemake.common.tests
from snakemake_executor_plugin_dask import ExecutorSettings


class TestLocalStorage(snakemake.common.tests.TestWorkflowsLocalStorageBase):
    __test__ = True

    def get_executor(self):
        return "dask"

    def get_executor_settings(self):
        return ExecutorSettings()
