"""The examples in the documentation run and print what they say."""

import doctest

import pytest
from conftest import ROOT

PAGES = [path for path in sorted((ROOT / "docs").glob("*.md")) if ">>> " in path.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_run(page):
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


def test_the_page_of_the_library_names_every_parameter():
    from altfs import AlternativeFeatures

    text = (ROOT / "docs" / "library.md").read_text()
    for name in AlternativeFeatures().get_params():
        assert f"`{name}`" in text, name
