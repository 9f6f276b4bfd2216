"""The page of incomplete studies, of a single dataset, and of thirty datasets."""

import shutil
import time
from pathlib import Path

import made_up
import pytest
from audit import CONFIG  # noqa: F401  (the study of one dataset that is reported)
from devtools import quiet_browser
from made_up import make_tables

from altfs.commands.report import report
from altfs.evaluation.figures import make_figure
from altfs.evaluation.report.overview import views
from altfs.evaluation.report.packing import pack_feature_sets
from altfs.evaluation.report.page import Content, Drawing, make_page
from altfs.evaluation.report.summary import Summary
from altfs.evaluation.task import svg_of
from altfs.study.session import open_study

FIRST = "document.querySelector('#answers')"


@pytest.fixture
def browser(tmp_path):
    with quiet_browser(tmp_path, width=1400, height=1000) as started:
        yield started


def page_of(results, folder):
    """The page of made-up results with three figures."""
    tables = make_tables(results)
    names = ("score_by_dissimilarity", "critical_difference", "score_by_selector")
    texts = {name: make_figure(name, results, tables).to_json() for name in names}
    drawings = {name: Drawing(svg_of(text, name), text) for name, text in texts.items()}
    content = Content("made up", Summary("", "", {}), results.datasets, pack_feature_sets(results),
                      tables, drawings, {}, views=[*views(tables, ["s", "t"], {})])  # fmt: skip
    path = folder / "page.html"
    path.write_text(make_page(content), "utf-8")
    return path.as_uri()


def test_the_first_screen_of_a_single_dataset(browser, reported_study):
    browser.resize(1280, 800)
    browser.open((reported_study / "report.html").as_uri())
    # At a glance: a sentence or two, and the table. There is nothing to choose.
    assert browser.run(f"{FIRST}.querySelector('#view').hidden")
    for part in (".headline", ".overview"):
        end = browser.run(f"{FIRST}.querySelector('{part}').getBoundingClientRect().bottom")
        assert 0 < end < 800, part
    said = browser.run(f"{FIRST}.querySelector('.headline').innerText")
    # A dataset has no test.
    assert "shown by" not in said and "Wilcoxon" not in said
    assert browser.run(f"{FIRST}.querySelectorAll('.overview tbody tr').length") >= 2
    browser.resize(390, 844, phone=True)
    assert browser.run("document.documentElement.scrollWidth <= 390")
    assert browser.run(f"{FIRST}.querySelector('.overview').getBoundingClientRect().bottom") < 1266


def test_an_incomplete_study_says_so_in_a_few_lines(browser, reported_study, tmp_path):
    folder = shutil.copytree(reported_study, tmp_path / "study")
    plan = open_study(folder)
    gone = [plan.search_task(key).path for key in plan.places() if key.selector != "fcbf"]
    for path in gone:
        Path(path).unlink()
    report(folder)
    browser.open((folder / "report.html").as_uri())
    gap = browser.run("document.querySelector('.gap').textContent")
    assert f"{len(gone)}" in gap
    rows = browser.run(f"[...{FIRST}.querySelectorAll('.view:not([hidden]) tbody th')]"
                       ".map(t => t.textContent)")  # fmt: skip
    assert "FCBF" in rows and "MI" not in rows
    lines = browser.run("[...document.querySelectorAll('#run-of-study details')].map(d => "
                        "[d.firstChild.textContent, d.querySelectorAll('li').length])")  # fmt: skip
    files = dict(lines)[next(name for name, _ in lines if name.startswith("Missing files"))]
    assert files == min(len(gone), 21)
    # What is not there makes the page no larger.
    sizes = [(where / "report.html").stat().st_size for where in (folder, reported_study)]
    assert sizes[0] < sizes[1]
    browser.run("location.hash = '#dataset=wine'")
    browser.wait_for("document.querySelector('#dataset .matrix')")
    assert browser.run("document.querySelectorAll('#dataset select[name=selector] option').length")


def test_thirty_datasets_are_summarised_and_chosen(browser, tmp_path):
    browser.open(page_of(made_up.study(30), tmp_path))
    said = browser.run(f"{FIRST}.innerText")
    assert "No clear lead" in said and "30 datasets" in said and "95 % interval" in said
    # Two selectors and random sets.
    shown_rows = f"{FIRST}.querySelectorAll('.view:not([hidden]) tbody tr').length"
    assert browser.run(shown_rows) == 3
    browser.choose("#view", dataset="d17")
    browser.wait_for("document.querySelector('.view:not([hidden])').dataset.key.endsWith('|d17')")
    assert "on d17" in browser.run(f"{FIRST}.querySelector('.view:not([hidden])').innerText")
    assert browser.run("document.querySelectorAll('#dataset-list tr').length") == 30
    browser.write("#find-dataset", "D17")
    shown = "[...document.querySelectorAll('#dataset-list tr')].filter(row => !row.hidden)"
    assert browser.run(f"{shown}.map(row => row.querySelector('a').textContent)") == ["d17"]
    # A choice of one of them is drawn without a median.
    browser.choose("#choice", dataset="d17")
    figure = "document.getElementById('score_by_dissimilarity')"
    browser.run(f"{figure}.scrollIntoView()")
    browser.wait_for(f"{figure}.dataset.drawn.includes('d17')")
    rows = browser.run("altfs.shownRows('score_by_dissimilarity')")
    assert {row["dataset"] for row in rows} == {"d17"}


def test_a_reason_leads_to_its_rows(browser, tmp_path):
    browser.open(page_of(made_up.results(), tmp_path))
    link = f"{FIRST}.querySelector('.headline a')"
    name = browser.run(f"{link}.dataset.rows")
    browser.run(f"{link}.click()")
    found = browser.run("[...document.querySelectorAll('#gaps tbody tr')].map(r => r.textContent)")
    assert found and browser.run("document.querySelector('#gaps input').value") == name
    assert all(name in row for row in found) or name in browser.run(
        "document.querySelector('#gaps .note').textContent"
    )


def test_a_figure_that_is_being_drawn_is_saved_when_it_is_there(browser, reported_study, tmp_path):
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    browser.open((reported_study / "report.html").as_uri())
    button = "document.querySelector('#score_by_dissimilarity [data-save={}]').click()"
    # The first click starts to draw; the second one comes before the drawing is there.
    browser.run("; ".join(button.format(kind) for kind in ("csv", "svg")))
    path, end = tmp_path / "score_by_dissimilarity.svg", time.monotonic() + 90
    while not path.exists():
        assert time.monotonic() < end, browser.complaints()
        time.sleep(0.05)
    assert path.read_text("utf-8").startswith("<svg")


def test_a_figure_is_chosen_and_saved_by_keyboard_alone(browser, reported_study, tmp_path):
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    browser.open((reported_study / "report.html").as_uri())
    for control, press in (("#choice [name=selector]", ("ArrowDown", 40)),
                           ("#score_by_dissimilarity [data-save=svg]",
                            ("Enter", 13, "\r"))):  # fmt: skip
        # Tab reaches every control; a reader would not count them.
        browser.run("document.activeElement.blur(); window.scrollTo(0, 0)")
        for _ in range(200):
            browser.press("Tab", 9)
            if browser.run(f"document.activeElement.matches('{control}')"):
                break
        else:
            pytest.fail(f"Tab never reaches {control}")
        browser.press(*press)
    chosen = browser.run("document.getElementById('choice').elements.selector.value")
    path, end = tmp_path / f"score_by_dissimilarity_{chosen}.svg", time.monotonic() + 90
    while not path.exists():
        assert chosen and time.monotonic() < end
        time.sleep(0.05)
    assert path.read_text("utf-8").startswith("<svg")
