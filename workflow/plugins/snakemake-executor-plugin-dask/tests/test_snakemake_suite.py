"""Snakemake's own tests of executors, with files of this machine."""

import pytest
import snakemake.common.tests
from snakemake_executor_plugin_dask import ExecutorSettings


@pytest.mark.exhaustive
class TestLocalStorage(snakemake.common.tests.TestWorkflowsLocalStorageBase):
    __test__ = True

    def get_executor(self):
        return "dask"

    def get_executor_settings(self):
        return ExecutorSettings()

    @pytest.mark.exhaustive
    def test_group_workflow(self, tmp_path):
        super().test_group_workflow(tmp_path)
