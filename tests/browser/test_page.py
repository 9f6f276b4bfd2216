"""The report of a small study in a real browser: nothing is asked for, everything is drawn."""

import json
import time

import made_up
import pandas as pd
import pytest
from audit import CONFIG as AUDITED
from devtools import Chromium, quiet_browser
from made_up import make_tables

from altfs.catalogue import figures
from altfs.evaluation.figures import make_figure
from altfs.evaluation.figures._focus import search_names
from altfs.evaluation.figures.quality_against_dissimilarity import trade_off
from altfs.evaluation.report.packing import pack_feature_sets
from altfs.evaluation.report.page import Content, Drawing, make_page
from altfs.evaluation.report.phrases import signed, two
from altfs.evaluation.report.summary import Summary
from altfs.evaluation.results import read_results
from altfs.evaluation.stats.runs import run_statistics
from altfs.evaluation.task import svg_of, with_shared_scales

# The floor asks for another number of alternatives than the sequential search, more than the
# simultaneous one: each search is cut by itself.
CONFIG = {
    **AUDITED,
    "searches": [*AUDITED["searches"], {"name": "floor", "type": "random", "n_alternatives": 2}],
}


@pytest.fixture
def browser(reported_study, tmp_path):
    with quiet_browser(tmp_path, (reported_study / "report.html").as_uri()) as started:
        yield started


def draw(browser, name, choice="dataset"):
    """Wait until a figure is drawn for a choice, of which this is a part."""
    figure = f"document.getElementById('{name}')"
    browser.run(f"(f => {{ const outer = f.closest('details'); if (outer) outer.open = true; "
                f"f.scrollIntoView(); }})({figure})")  # fmt: skip
    browser.wait_for(f"({figure}.dataset.drawn ?? '').includes('{choice}')")


def titles(browser, name):
    """The texts of a figure, of which labels of panels are some."""
    every = f"[...document.querySelectorAll('#{name} .live text')].map(t => t.textContent)"
    return browser.run(every)


def note(browser, name):
    return browser.run(f"document.querySelector('#{name} .note').textContent")


def test_every_figure_is_drawn_when_it_comes_into_view(browser):
    # A study without streams or named solvers lacks their figures.
    names = browser.run("[...document.querySelectorAll('figure')].map(figure => figure.id)")
    assert len(names) > 10 and set(names) <= set(figures.names())
    for name in names:
        draw(browser, name)
        marks = f"document.querySelectorAll('#{name} .live svg :is(path, text)').length"
        assert browser.run(marks) > 3, name
        assert browser.run(f"document.querySelector('#{name} .still').hidden")
        # A reader of the screen hears what it is.
        document = f"#{name} .live[role=graphics-document], #{name} .live [role=graphics-document]"
        assert browser.run(f"document.querySelector('{document}').getAttribute('aria-label')")


def test_a_choice_changes_the_figures(browser):
    names = ("mean_within_search", "objective_by_alternative", "score_by_selector")
    for name in names:
        draw(browser, name)
    assert {"MI", "FCBF"} <= set(titles(browser, names[0]))
    browser.choose("#choice", selector="mutual_information", dataset="wine")
    for name in names:
        draw(browser, name, "wine")
    shown = titles(browser, names[0])
    assert "MI" in shown and "FCBF" not in shown
    assert note(browser, names[0]) == "Only wine, MI."
    draw(browser, "score_by_dissimilarity", "wine")
    # A study of one dataset has a panel for each selector.
    assert "MI" in titles(browser, "score_by_dissimilarity")
    browser.choose("#choice", search="Sequential")
    draw(browser, "correlation_of_metrics", "Sequential")
    assert "cannot be split by searches" in note(browser, "correlation_of_metrics")
    browser.run("document.querySelector('#choice button').click()")
    draw(browser, names[0], '"dataset":""')
    assert note(browser, names[0]) == ""
    # Panels have their labels and their order again.
    assert [t for t in titles(browser, names[0]) if t in ("MI", "FCBF")] == ["MI", "FCBF"]


def test_the_page_shows_what_python_computes(browser, reported_study):
    results = read_results(str(reported_study))
    runs = run_statistics(
        results.sets.assign(value=results.sets["train_objective"]), results.settings
    )
    together = runs.loc[runs["aggregation"] != "none", "n_alternatives"]
    runs = runs[runs["n_alternatives"].isin(together)].assign(run=search_names)
    keys = ["selector", "n_alternatives", "run"]
    for choice in ({}, {"selector": "fcbf"}, {"selector": "fcbf", "search": "Floor"}):
        browser.choose("#choice", **{"selector": "", "search": "", **choice})
        draw(browser, "mean_within_search", choice.get("search", choice.get("selector", "dataset")))
        own = runs
        for column, name in (("selector", "selector"), ("run", "search")):
            own = own[own[column] == choice[name]] if name in choice else own
        medians = own.groupby(keys, observed=True)["mean"].median().dropna()
        rows = browser.run("altfs.shownRows('mean_within_search')")
        found = {tuple(row[key] for key in keys): row["median"] for row in rows}
        # Values in the page have five digits.
        assert found == pytest.approx(medians.to_dict(), rel=1e-4)
        assert found


def test_what_is_seen_is_saved(browser, tmp_path):
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    draw(browser, "score_by_dissimilarity")
    browser.choose("#choice", dataset="wine", selector="fcbf")
    draw(browser, "score_by_dissimilarity", "fcbf")
    for kind in ("svg", "png", "csv"):
        browser.run(f"document.querySelector('#score_by_dissimilarity [data-save={kind}]').click()")
        path = tmp_path / f"score_by_dissimilarity_wine_fcbf.{kind}"
        end = time.monotonic() + 30
        while not path.exists():
            assert time.monotonic() < end
            time.sleep(0.05)
    rows = pd.read_csv(path)
    assert set(rows["selector"]) == {"fcbf"} and set(rows["set"]) >= {"original", "random sets"}
    assert ">FCBF<" in path.with_suffix(".svg").read_text("utf-8")
    assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_words_explain_themselves(browser):
    browser.call("Emulation.setFocusEmulationEnabled", enabled=True)
    browser.run("document.querySelector('#answers dfn[tabindex]').focus()")
    shown = browser.run("getComputedStyle(document.activeElement, '::after').content")
    means = browser.run("document.activeElement.dataset.means")
    assert means and shown == f'"{means}"'
    terms = browser.run("[...document.querySelectorAll('.box dt')].map(t => t.textContent)")
    assert {"original", "alternative", "τ", "k", "MI", "FCBF"} <= set(terms)


def test_random_sets_are_shown_where_they_are_asked_for(browser):
    draw(browser, "score_by_selector")
    browser.choose("#choice", search="Floor")
    for name in ("score_by_selector", "objective_by_alternative"):
        draw(browser, name, "Floor")
        assert browser.run(f"altfs.shownRows('{name}').then(rows => rows.map(r => r.run))")
        assert set(
            browser.run(f"altfs.shownRows('{name}').then(rows => rows.map(r => r.run))")
        ) == {"Floor"}
    # A view of a dataset does not call the first of them the original.
    browser.run("location.hash = '#dataset=wine'")
    browser.wait_for("document.querySelector('#dataset .matrix')")
    heads = "[...document.querySelector('#dataset .matrix thead tr').cells].map(t => t.textContent)"
    assert "original" in browser.run(heads)
    browser.choose("#dataset form", run="Floor")
    assert browser.run(heads) == ["Set", "0", "1", "2"]


def test_classes_and_numbers_are_apart(tmp_path):
    results = made_up.results(types={"a": "binary", "b": "regression"})
    names, tables = ("mean_within_search", "correlation_of_metrics"), make_tables(results)
    specifications = {
        name: json.dumps(with_shared_scales(make_figure(name, results, tables).to_dict(), ["s"]))
        for name in names
    }
    content = Content(
        "mixed", Summary("", "", {}), results.datasets, pack_feature_sets(results), {},
        {name: Drawing(svg_of(text, name), text) for name, text in specifications.items()}, {},
    )  # fmt: skip
    (tmp_path / "page.html").write_text(make_page(content), "utf-8")
    browser = Chromium(tmp_path / "profile")
    try:
        browser.open((tmp_path / "page.html").as_uri())
        # Nothing is put together over classification and regression.
        draw(browser, names[0])
        rows = browser.run(f"altfs.shownRows('{names[0]}')")
        assert {row["panel"] for row in rows} == {"s"}
        assert [row["datasets"] for row in rows] == [1, 1, 1]
        browser.choose("#choice", dataset="b")
        draw(browser, names[0], '"dataset":"b"')
        shown = titles(browser, names[0])
        assert "Regression" in shown and "Classification" not in shown
        draw(browser, names[1], '"dataset":"b"')
        assert browser.complaints() == []
    finally:
        browser.close()


def test_trade_off_of_a_dataset(browser, reported_study):
    results = read_results(str(reported_study))
    browser.choose("#choice", dataset="wine", selector="fcbf")
    draw(browser, "quality_against_dissimilarity", "fcbf")
    found = browser.run("altfs.shownRows('quality_against_dissimilarity')")
    points = trade_off(results)
    points = points[points["n_features"] == points["n_features"].max()]
    points = points[points["selector"] == "fcbf"]
    keys = ["tau", "run", "n_alternatives"]
    expected = points.set_index(keys).sort_index()
    assert len(found) == len(expected) > 3
    for row in found:
        point = expected.loc[tuple(row[key] for key in keys)]
        assert row["dissimilarity"] == pytest.approx(point["dissimilarity"], rel=1e-4)
        assert row["quality"] == pytest.approx(point["quality"], abs=1e-3)


def test_tables_are_sorted_and_filtered(browser):
    # A link to a table behind the index opens it.
    browser.run("location.hash = '#quality'")
    browser.wait_for("document.querySelector('#quality .count').textContent")
    before = browser.run("document.querySelectorAll('#quality tbody tr').length")
    browser.write("#quality input", "fcbf simultaneous")
    every = "[...document.querySelectorAll('#quality tbody tr')]"
    rows = browser.run(f"{every}.map(r => r.textContent)")
    said = "document.querySelector('#quality .count').textContent"
    assert 0 < len(rows) <= before and "in all" in browser.run(said)
    assert all("FCBF" in row and "simultaneous" in row for row in rows)
    headings = browser.run(
        "[...document.querySelectorAll('#quality th button')].map(b => b.textContent)"
    )
    at = headings.index("Rank")
    browser.run(f"document.querySelectorAll('#quality th button')[{at}].click()")
    ranks = browser.run(f"{every}.map(r => Number(r.cells[{at}].textContent))")
    assert ranks == sorted(ranks) and len(set(ranks)) > 1
    heading = f"document.querySelectorAll('#quality th')[{at}].getAttribute('aria-sort')"
    assert browser.run(heading) == "ascending"


def test_a_dataset_is_looked_at_by_keyboard_alone(browser):
    browser.run("document.getElementById('find-dataset').focus()")
    browser.press("Tab", 9)
    assert browser.run("document.activeElement.textContent") == "wine"
    browser.press("Enter", 13, "\r")
    browser.wait_for("document.querySelector('#dataset .matrix')")
    assert browser.run("location.hash") == "#dataset=wine"
    assert browser.run("document.activeElement.textContent") == "wine"
    assert browser.run("document.getElementById('whole').hidden")
    # The facts of the data, its figures, two files and the words of the answers are before it.
    places = []
    while len(places) < 20 and "selector" not in places:
        browser.press("Tab", 9)
        places.append(browser.run("document.activeElement.name"))
    assert places[-1] == "selector"
    before = browser.run("document.querySelector('#dataset .matrix').textContent")
    # It begins with the selector that predicts best, here the last one.
    last = browser.run("(s => s.selectedIndex === s.length - 1)(document.activeElement)")
    browser.press(*(("ArrowUp", 38) if last else ("ArrowDown", 40)))
    after = "document.querySelector('#dataset .matrix').textContent"
    browser.wait_for(f"{after} !== {before!r}")


def test_the_figures_of_a_dataset_are_a_click_away(browser):
    browser.run("location.hash = '#dataset=wine'")
    browser.wait_for("document.querySelector('#dataset .matrix')")
    browser.run("document.querySelector('[data-figures]').click()")
    browser.wait_for("!document.getElementById('whole').hidden")
    assert browser.run("document.getElementById('choice').elements.dataset.value") == "wine"
    browser.run("document.querySelector('figure[data-seen]').scrollIntoView()")
    state = "document.querySelector('figure[data-seen]').dataset.state"
    browser.wait_for(f"JSON.parse({state} ?? '{{}}').dataset === 'wine'")


def test_a_view_shows_the_sets_that_are_stored(browser, reported_study):
    browser.run("location.hash = '#dataset=wine'")
    browser.wait_for("document.querySelector('#dataset .matrix')")
    stored = read_results(str(reported_study)).table.to_pylist()
    found = browser.run("""altfs.setsOf('wine').then(s =>
        Array.from({length: s.n}, (_, i) => altfs.featuresOf(s, i)))""")
    assert found == [row["feature_names"] for row in stored]
    link = browser.run("document.querySelector('#dataset a[download]').getAttribute('href')")
    assert (reported_study / link).exists()


def test_a_view_begins_with_the_threshold_that_is_advised(browser):
    # Without advice it is the smallest one.
    for advised, at in (("None", 0), ("1: 3 of 3 differ", -1)):
        browser.run(f"altfs.study.advised.wine = {advised!r}; location.hash = ''")
        browser.run("location.hash = '#dataset=wine'")
        select = "document.querySelector('#dataset select[name=tau]')"
        browser.wait_for(f"!document.getElementById('dataset').hidden && {select}")
        options = browser.run(f"[...{select}.children].map(o => o.value)")
        assert len(options) > 1
        browser.wait_for(f"{select}.value === {options[at]!r}")


def test_a_view_tells_of_its_selector_and_can_be_sent_on(browser, reported_study):
    browser.run("location.hash = '#dataset=wine&selector=fcbf&tau=1&run=Sequential'")
    browser.wait_for("document.querySelectorAll('#about h3').length >= 2")
    heads = browser.run("[...document.querySelectorAll('#about h3')].map(h => h.textContent)")
    assert heads[0] == "Selectors at k = 3"
    # The selectors side by side, as the first screen has them of this dataset.
    compared = browser.run("document.querySelector('#about .overview tbody').innerText")
    rows = pd.read_parquet(reported_study / "tables" / "overview.parquet").query(
        "dataset == 'wine' and measure == 'test_mcc'"
    )
    first = rows[rows["model"] == rows["model"].iloc[0]]
    for score in first.groupby("selector", observed=True)["original"].first().dropna():
        assert f"{score:.2f}" in compared
    # Means over folds come first, one fold on demand.
    said = browser.run("document.getElementById('run').textContent")
    sets = pd.read_parquet(reported_study / "tables" / "feature_sets.parquet").query(
        "selector == 'fcbf' and tau == '1' and search == 'sequential'"
    )
    exist = (sets[sets["set_index"] == 1]["status"] != "infeasible").sum()
    assert f"Exists in folds2/2{exist}/2" in said
    mean = sets[sets["set_index"] == 0]["train_objective"].mean()
    assert two(mean) in said
    scores = pd.read_parquet(reported_study / "tables" / "scores.parquet").query("metric == 'mcc'")
    model = scores["model"].iloc[0]
    scores = scores[scores["model"] == model].set_index("set")["test_score"]
    by_fold = sets.assign(score=scores).pivot(index="fold", columns="set_index", values="score")
    change = signed((by_fold[1] - by_fold[0]).mean())
    assert f"Change from the original{change}" in said
    dots = "document.querySelectorAll('#dataset .matrix tr:nth-child(2) td:nth-child(2) .dot')"
    assert browser.run(f"{dots}.length") == 2
    # A column means something, and a number stands below its heading.
    words = "[...document.querySelectorAll('#dataset .meanings dd')].map(d => d.textContent)"
    assert len(browser.run(words)) > 15 and all(browser.run(words))
    uneven = """[...document.querySelectorAll('#dataset section.table')].filter(s =>
        [...s.querySelectorAll('thead th')].some((head, i) => [...s.querySelectorAll('tbody tr')]
        .some(row => row.cells[i].classList.contains('number')
              !== head.classList.contains('number')))).length"""
    assert browser.run(uneven) == 0
    browser.choose("#dataset form", fold="0")
    one = browser.run("document.getElementById('run').textContent")
    assert "Shared with the original" in one and "/2" not in one
    browser.choose("#dataset form", selector="mutual_information")
    assert "selector=mutual_information" in browser.run("location.hash")
    matrix = browser.run("document.querySelector('#dataset .matrix').textContent")
    browser.open(browser.run("location.href"))
    browser.wait_for("document.querySelector('#dataset .matrix')")
    assert browser.run("document.querySelector('#dataset .matrix').textContent") == matrix


def test_every_control_and_region_has_a_name(browser):
    browser.run("location.hash = '#dataset=wine'")
    browser.wait_for("document.querySelector('#dataset .matrix')")
    for view in ("#dataset=wine", "#answers"):
        browser.run(f"location.hash = '{view}'")
        nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
        roles = ("button", "link", "combobox", "searchbox", "region", "form", "navigation", "img")
        spoken = [n for n in nodes if not n.get("ignored") and n["role"]["value"] in roles]
        assert len(spoken) > 10
        nameless = [n for n in spoken if not n.get("name", {}).get("value")]
        assert [(n["role"], n.get("name"), n.get("backendDOMNodeId")) for n in nameless] == []
        assert {"main", "navigation"} <= {n["role"]["value"] for n in nodes if "role" in n}


def test_the_page_fits_a_phone_prints_and_has_a_dark_look(browser):
    browser.resize(390, 844, phone=True)
    for view in ("#answers", "#dataset=wine"):
        browser.run(f"location.hash = '{view}'")
        browser.wait_for("document.getElementById('dataset').hidden === "
                         f"{'false' if 'wine' in view else 'true'}")  # fmt: skip
        assert browser.run("document.documentElement.scrollWidth <= 390"), view
    browser.run("location.hash = '#answers'")
    paper = "getComputedStyle(document.body).backgroundColor"
    browser.prefer("light")
    light = browser.run(paper)
    browser.prefer("dark")
    assert browser.run(paper) != light
    assert browser.run("getComputedStyle(document.querySelector('.plot')).filter") != "none"
    browser.prefer("dark", media="print")
    assert browser.run("getComputedStyle(document.querySelector('.plot')).filter") == "none"
    pdf = browser.pdf()
    assert pdf.startswith(b"%PDF") and 2 < pdf.count(b"/Type /Page\n") <= 10


def test_figures_can_be_read_on_a_phone(browser):
    browser.resize(390, 844, phone=True)
    for name in ("score_by_dissimilarity", "quality_against_dissimilarity", "score_by_selector"):
        draw(browser, name)
        svg = f"document.querySelector('#{name} .live svg')"
        # Nothing is drawn at less than three quarters of its size, letters included.
        scale = f"{svg}.getBoundingClientRect().width / {svg}.viewBox.baseVal.width"
        assert browser.run(scale) > 0.75, name


def test_without_scripts_there_are_answers_figures_and_tables(reported_study, tmp_path):
    browser = Chromium(tmp_path / "profile")
    try:
        browser.call("Emulation.setScriptExecutionDisabled", value=True)
        browser.open((reported_study / "report.html").as_uri())
        made = (reported_study / "figures").glob("*.json")
        absent = ['"absent": true' in one.read_text("utf-8") for one in made]
        # That of sets which do not exist, and that of times by width.
        assert absent.count(True) == 2
        drawn = absent.count(False)
        assert browser.run("document.querySelectorAll('.still svg').length") == drawn > 10
        assert browser.run("document.querySelectorAll('tbody tr').length") > 50
        assert browser.run("getComputedStyle(document.getElementById('choice')).display") == "none"
    finally:
        browser.close()
