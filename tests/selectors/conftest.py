import pytest

from altfs.selectors.greedy_wrapper import HoldOut


@pytest.fixture(autouse=True)
def evaluations_of_one_test(monkeypatch):
    # Each test grows its own trees, by whatever route it judges.
    monkeypatch.setattr(HoldOut, "_scores", {})
