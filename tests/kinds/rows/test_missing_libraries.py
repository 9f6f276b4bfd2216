"""A study of selectors whose libraries are not installed, also such as explain rows."""

import sys

import pytest
from studies import SMALL

from altfs.errors import AltfsError
from altfs.study.session import check_study

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_all_missing_libraries_are_named_before_any_data_is_read(tmp_path, monkeypatch):
    for name in ("lime", "shap", "torch"):
        # Python takes such a module for one that is not there.
        monkeypatch.setitem(sys.modules, name, None)
    nowhere = {"name": "none", "type": "file", "options": {"path": "none.csv", "target": "y"}}
    selectors = ["mutual_information", "shap", "l2x", "lime"]
    with pytest.raises(AltfsError) as refusal:
        check_study({**SMALL, "datasets": [nowhere], "selectors": selectors})
    assert str(refusal.value) == (
        "selectors: the study needs the libraries lime, shap, torch, which are not installed, use "
        "`pip install 'altfs[lime,shap,torch]'`."
    )
