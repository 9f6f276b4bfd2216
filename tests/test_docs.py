"""The examples in the documentation run and print what they say."""

import doctest

import pytest
from workspaces import ROOT

PAGES = [path for path in sorted((ROOT / "docs").glob("*.md")) if ">>> " in path.read_text()]


@pytest.mark.exhaustive
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_run(page):
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


def test_the_page_of_the_library_names_every_parameter():
    from altfs import AlternativeFeatures

    text = (ROOT / "docs" / "library.md").read_text()
    for name in AlternativeFeatures("mutual_information").get_params():
        assert f"`{name}`" in text, name


def test_pages_name_every_selector_and_option():
    from altfs.selectors import selectors

    pages = [(ROOT / "docs" / f"{name}.md").read_text() for name in ("which_selector", "streams")]
    for selector in selectors:
        text = pages[selector.one_pass]
        for name in (selector.name, *selector.Options.model_fields):
            assert f"`{name}`" in text, f"{selector.name}: {name}"


def test_every_page_is_reached_from_the_first_one():
    import re

    docs = ROOT / "docs"
    listed = set(re.findall(r"^([\w/]+)$", (docs / "index.md").read_text(), re.M))
    pages = {str(p.relative_to(docs).with_suffix("")) for p in docs.rglob("*.md")} - {"index"}
    assert pages == listed


def test_what_can_be_imported_is_in_the_reference():
    import altfs

    text = (ROOT / "docs" / "api.md").read_text()
    for name in set(altfs.__all__) - {"__version__", "quality"}:
        assert f"altfs.{name}\n" in text, name


def test_links_between_pages_lead_somewhere():
    import re

    docs = ROOT / "docs"
    for page in docs.rglob("*.md"):
        for link in re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", page.read_text()):
            # The gallery's pictures are made with the site.
            target = (page.parent / link).resolve()
            assert link.startswith("gallery/made/") or target.exists(), f"{page.name}: {link}"
            # Sphinx follows no link that leaves the site.
            assert target.is_relative_to(docs), f"{page.name}: {link}"


@pytest.mark.parametrize(
    "script", sorted((ROOT / "docs" / "gallery").glob("*.py")), ids=lambda path: path.stem
)
def test_the_gallery_is_drawn_and_shown(script):
    import runpy

    chart = runpy.run_path(str(script))["chart"].to_dict()
    assert chart["datasets"]
    if script.stem.startswith("1"):
        # It is the picture of the README, which names its first and last quality.
        [rows] = chart["datasets"].values()
        ends = f"{rows[0]['quality']:.2f} to {rows[-1]['quality']:.2f}"
        assert (
            f"their quality from {ends}](docs/feature_sets.png)" in (ROOT / "README.md").read_text()
        )
    assert f"gallery/made/{script.stem}.png" in (ROOT / "docs" / "gallery.md").read_text()


def test_every_fault_of_the_page_has_its_test():
    import re

    page = (ROOT / "docs" / "faults.md").read_text()
    # Other projects have tests of their own.
    text, _, _ = page.partition("## Beside others")
    files = [*(ROOT / "tests").rglob("test_*.py"), *(ROOT / "workflow").rglob("tests/**/test_*.py")]
    tests = set(re.findall(r"^def (test_\w+)", "\n".join(f.read_text() for f in files), re.M))
    assert set(re.findall(r"`(test_\w+)`", text)) <= tests
    rows = re.findall(r"^\| .* \| `\w+` \|$", text, re.M)
    assert len(rows) >= 100


def test_the_page_of_the_papers_names_what_is_there():
    import re

    from altfs.searches import searches
    from altfs.selectors import selectors
    from altfs.solvers import solvers

    text = (ROOT / "docs" / "papers.md").read_text()
    rows = [row.split("|")[1:-1] for row in text.splitlines() if row.startswith("|")]
    assert {len(row) for row in rows} == {3} and len(rows) >= 234
    _, here, judges = zip(*rows, strict=True)
    assert [row for row in rows if not row[0].strip() or not row[1].strip()] == []
    plugins = (ROOT / "workflow" / "plugins").glob("*/tests/**/test_*.py")
    tests = {path.stem for path in (*(ROOT / "tests").rglob("test_*.py"), *plugins)}
    assert set(re.findall(r"`(test_\w+)`", " ".join(judges))) <= tests
    folders = (ROOT, ROOT / "workflow" / "studies")
    paths = set(re.findall(r"`([\w/]+\.(?:yaml|py|md))`", text))
    assert [p for p in paths if not any((folder / p).exists() for folder in folders)] == []
    names = {one.name for registry in (searches, selectors, solvers) for one in registry}
    named = set(re.findall(r"`([a-z]\w+)`", " ".join(here)))
    # What else is in this column is an option, a table or a figure, or of a kind that is left out.
    assert len(named & names) >= 40


def test_the_docs_are_short():
    pages = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "how_to").glob("*.md")]
    words = {page.name: len(page.read_text().replace("|", " ").split()) for page in pages}
    assert sum(words.values()) <= 36_000
    assert [page for page, number in words.items() if number > 2500] == []
