"""The report of a small study in a real browser: nothing is asked for, everything is drawn."""

import json

import made_up
import pandas as pd
import pytest
from audit import CONFIG, make_study
from devtools import Chromium

from altfs.evaluation.collect.load import collect_results
from altfs.evaluation.collect.roles import without_random
from altfs.evaluation.collect.runs import normalised, run_statistics
from altfs.evaluation.figures import make_figure
from altfs.evaluation.figures._focus import focus, one_search
from altfs.evaluation.figures.quality_against_dissimilarity import pareto_front, trade_off
from altfs.evaluation.names import search_name, selector_name
from altfs.evaluation.report.packing import pack_feature_sets
from altfs.evaluation.report.page import Content, Drawing, make_page
from altfs.evaluation.report.summary import Summary
from altfs.evaluation.tables import make_tables
from altfs.evaluation.tables.correlation import correlation
from altfs.evaluation.task import report, svg_of
from altfs.study.catalogue import figures
from altfs.study.ledger import Ledger
from altfs.study.session import open_study

ALL = {"dataset": "", "selector": "", "run": ""}
# The floor asks for another number of alternatives than the sequential search, more than the
# simultaneous one: each search is cut by itself.
WITH_FLOOR = {
    **CONFIG,
    "searches": [*CONFIG["searches"], {"name": "floor", "type": "random", "n_alternatives": 2}],
}


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = make_study(tmp_path_factory.mktemp("shown"), WITH_FLOOR)
    report(folder)
    return folder


@pytest.fixture
def browser(study, tmp_path):
    started = Chromium(tmp_path / "profile")
    try:
        started.resize(1200, 900)
        started.open((study / "report.html").as_uri())
        yield started
        # Whatever a test did: nothing was printed, thrown, refused or asked for.
        assert started.complaints() == []
        assert started.requests() == [(study / "report.html").as_uri()]
    finally:
        started.close()


def draw(browser, name, choice="dataset"):
    """Wait until a figure is drawn for a choice, of which this is a part."""
    browser.run(f"document.getElementById('{name}').scrollIntoView()")
    drawn = f"document.getElementById('{name}').dataset.drawn"
    browser.wait_for(f"({drawn} ?? '').includes('{choice}')")


def choose(browser, **wanted):
    for name, value in wanted.items():
        browser.run(f"document.getElementById('choice').elements['{name}'].value = '{value}'")
    browser.run("document.getElementById('choice').dispatchEvent(new Event('change'))")


def test_every_figure_is_drawn_when_it_comes_into_view(browser):
    # Vega is not started before it is needed.
    assert browser.run("typeof window.vegaEmbed") == "undefined"
    for name in figures.names():
        draw(browser, name)
        marks = f"document.querySelectorAll('#{name} .live svg :is(path, text)').length"
        assert browser.run(marks) > 3, name
        assert browser.run(f"document.querySelector('#{name} .still').hidden")
        # A reader of the screen hears what it is.
        document = f"#{name} .live[role=graphics-document], #{name} .live [role=graphics-document]"
        assert browser.run(f"document.querySelector('{document}').getAttribute('aria-label')")


def test_a_choice_changes_the_figures(browser):
    for name in ("mean_within_search", "objective_by_alternative", "score_by_selector"):
        draw(browser, name)
    titles = """[...document.querySelectorAll('#mean_within_search .live text')]
        .map(t => t.textContent)"""
    assert "FCBF" in browser.run(titles)
    choose(browser, selector="mutual_information", dataset="wine")
    for name in ("mean_within_search", "objective_by_alternative", "score_by_selector"):
        draw(browser, name, "wine")
    shown = browser.run(titles)
    assert "MI" in shown and "FCBF" not in shown
    note = "document.querySelector('#mean_within_search .note').textContent"
    assert browser.run(note) == "Only wine, MI."
    draw(browser, "critical_difference", "wine")
    cannot = browser.run("document.querySelector('#critical_difference .note').textContent")
    assert "cannot be split" in cannot
    browser.run("document.querySelector('#choice button').click()")
    draw(browser, "mean_within_search", '"dataset":""')
    assert browser.run(note) == ""
    assert "FCBF" in browser.run(titles)


def test_the_page_computes_what_python_computes(browser, study):
    plan = open_study(study)
    results = collect_results(plan, Ledger(plan.results)).results
    sets = results.feature_sets

    def compare(name, expected, value, keys):
        expected = expected[expected[value].notna()]
        for choice, own in ((ALL, expected), ({**ALL, "dataset": "wine"}, of_wine(expected))):
            rows = browser.run(f"altfs.rowsOf('{name}', {json.dumps(choice)})")
            groups = {
                tuple(str(part) for part in key): group[value]
                for key, group in own.groupby(keys, observed=True)
            }
            found = {tuple(str(row[key]) for key in keys): row for row in rows}
            assert found.keys() == groups.keys()
            for key, row in found.items():
                assert row["sets"] == len(groups[key])
                for field, q in (("low", 0.05), ("q1", 0.25), ("median", 0.5), ("high", 0.95)):
                    # Values in the page have five digits.
                    assert row[field] == pytest.approx(groups[key].quantile(q), rel=1e-4, abs=1e-9)

    def of_wine(rows):
        return rows[rows["dataset"] == "wine"]

    runs = run_statistics(sets.assign(value=sets["train_objective"]), results.settings)
    together = runs.loc[runs["aggregation"] != "none", "n_alternatives"]
    runs = runs[runs["n_alternatives"].isin(together)]
    named = runs.assign(
        run=[search_name(s, a) for s, a in zip(runs["search"], runs["aggregation"], strict=True)],
    )
    assert set(named["run"]) == {
        "Sequential", "Floor", "Simultaneous (sum)", "Simultaneous (min)",
    }  # fmt: skip
    compare("mean_within_search", named, "mean", ["selector", "n_alternatives", "run"])
    compare("spread_within_search", named, "std", ["selector", "n_alternatives", "run"])
    sought = without_random(results)
    chosen = focus(sought.feature_sets)
    for name, how in (("max_normalised_by_alternative", "max"),
                      ("min_max_normalised_by_alternative", "min-max")):  # fmt: skip
        parts = []
        for column, label in (("train_objective", "Training objective"),
                              ("test_objective", "Test objective")):  # fmt: skip
            parts.append(normalised(chosen.assign(value=chosen[column])).assign(part=label))
        compare(name, pd.concat(parts), how, ["n_features", "set_index", "part"])
    scored = sought.predictions
    scored = scored.assign(selector=scored["selector"].map(selector_name).astype(str))
    compare("score_by_selector", scored, "test_score", ["model", "selector", "n_features"])
    longest = one_search(sought.feature_sets)
    keys = ["selector", "n_features", "set_index"]
    compare("objective_by_alternative", longest, "train_objective", keys)
    rows = browser.run(
        f"altfs.rowsOf('infeasible_by_tau', {{...{json.dumps(ALL)}, selector: 'fcbf'}})"
    )
    failed = longest[longest["selector"] == "fcbf"]
    failed = failed.assign(share=failed["status"] == "infeasible")
    keys = ["n_features", "tau", "set_index"]
    shares = failed.groupby(keys, observed=True)["share"].mean()
    assert len(rows) == len(shares) > 3
    for row in rows:
        assert row["infeasible"] == pytest.approx(shares[tuple(row[key] for key in keys)], abs=1e-4)


def test_random_sets_are_shown_where_they_are_asked_for(browser):
    draw(browser, "score_by_selector")
    choose(browser, search="Floor")
    for name in ("score_by_selector", "objective_by_alternative"):
        draw(browser, name, "Floor")
    titles = """[...document.querySelectorAll('#objective_by_alternative .live text')]
        .map(t => t.textContent)"""
    shown = browser.run(titles)
    assert "Number of the random set" in shown
    assert not any("original" in text for text in shown)
    # A view of a dataset does not call the first of them the original, either.
    browser.run("location.hash = '#dataset=wine'")
    browser.wait_for("document.querySelector('#dataset .matrix')")
    heads = "[...document.querySelectorAll('#dataset .matrix thead th')].map(t => t.textContent)"
    assert "original" in browser.run(heads)
    browser.run("""(() => {
        const form = document.querySelector('#dataset form');
        form.elements.run.value = 'Floor';
        form.dispatchEvent(new Event('change'));
    })()""")
    assert browser.run(heads) == ["Set", "0", "1", "2", "in sets"]


def test_classes_and_numbers_are_apart(tmp_path):
    results = made_up.results(target_types={"a": "binary", "b": "regression"})
    names, tables = ("mean_within_search", "correlation_of_metrics"), make_tables(results)
    specifications = {name: make_figure(name, results, tables).to_json() for name in names}
    content = Content(
        "mixed", Summary("", {}), results.datasets, pack_feature_sets(results), {},
        {name: Drawing(svg_of(text, name), text) for name, text in specifications.items()}, {},
    )  # fmt: skip
    (tmp_path / "page.html").write_text(make_page(content), "utf-8")
    browser = Chromium(tmp_path / "profile")
    try:
        browser.open((tmp_path / "page.html").as_uri())
        # Nothing is put together over classification and regression.
        rows = browser.run(f"altfs.rowsOf('mean_within_search', {json.dumps(ALL)})")
        assert [row["datasets"] for row in rows] == [1, 1, 1]
        kinds = """[...document.querySelectorAll('#mean_within_search .live text')]
            .map(t => t.textContent).filter(t => ['Classification', 'Regression'].includes(t))"""
        draw(browser, names[0])
        assert set(browser.run(kinds)) == {"Classification", "Regression"}
        choose(browser, dataset="b")
        draw(browser, names[0], '"dataset":"b"')
        assert browser.run(kinds) == ["Regression"]
        draw(browser, names[1], '"dataset":"b"')
        assert browser.complaints() == []
    finally:
        browser.close()


def test_trade_off_and_correlations_of_a_dataset(browser, study):
    plan = open_study(study)
    results = collect_results(plan, Ledger(plan.results)).results
    names = ("quality_against_dissimilarity", "correlation_of_metrics")
    choose(browser, dataset="wine", selector="fcbf")
    for name in names:
        draw(browser, name, "fcbf")
        note = browser.run(f"document.querySelector('#{name} .note').textContent")
        assert note == "Only wine, FCBF."
        assert browser.run(f"document.querySelectorAll('#{name} .live svg path').length") > 3
    found = browser.run("altfs.rowsOf('quality_against_dissimilarity', {dataset: 'wine'})")
    points = trade_off(results)
    points = points[points["n_features"] == points["n_features"].max()]
    keys = ["selector", "tau", "run", "n_alternatives"]
    expected = points.set_index(keys).sort_index()
    assert len(found) == len(expected) > 3
    for row in found:
        point = expected.loc[tuple(row[key] for key in keys)]
        assert row["dissimilarity"] == pytest.approx(point["dissimilarity"], rel=1e-4)
        assert row["quality"] == pytest.approx(point["quality"], abs=1e-3)
    drawn = pd.DataFrame(found)
    # Rounded values may decide otherwise between points that are equally good.
    for _, own in drawn.groupby("selector"):
        front = pareto_front(own["dissimilarity"].to_numpy(), own["quality"].to_numpy())
        assert own["front"].tolist() == front.tolist()
    rows = browser.run(
        "altfs.rowsOf('correlation_of_metrics', {dataset: 'wine', selector: 'fcbf'})"
    )
    table = correlation(without_random(results))
    table = table.query("dataset == 'wine' and selector == 'fcbf'")
    known = [row["rho"] for row in rows if row["rho"] is not None]
    assert known == pytest.approx(table["rho"].dropna().tolist(), abs=1e-4)
    # A search has sets that others have, too: the table does not tell them apart.
    choose(browser, search="Sequential")
    draw(browser, names[1], "Sequential")
    note = browser.run(f"document.querySelector('#{names[1]} .note').textContent")
    assert "cannot be split" in note


def test_tables_are_sorted_and_filtered(browser):
    browser.run("document.getElementById('quality').scrollIntoView()")
    browser.wait_for("document.querySelector('#quality .count').textContent")
    before = browser.run("document.querySelectorAll('#quality tbody tr').length")
    browser.run("""(() => {
        const input = document.querySelector('#quality input');
        input.value = 'fcbf simultaneous';
        input.dispatchEvent(new Event('input'));
    })()""")
    every = "[...document.querySelectorAll('#quality tbody tr')]"
    rows = browser.run(f"{every}.map(r => r.textContent)")
    assert 0 < len(rows) < before
    assert all("fcbf" in row and "simultaneous" in row for row in rows)
    browser.run("document.querySelectorAll('#quality th button')[6].click()")
    ranks = browser.run(f"{every}.map(r => Number(r.cells[6].textContent))")
    assert ranks == sorted(ranks) and len(set(ranks)) > 1
    heading = "document.querySelectorAll('#quality th')[6].getAttribute('aria-sort')"
    assert browser.run(heading) == "ascending"


def test_a_dataset_is_looked_at_by_keyboard_alone(browser):
    browser.run("document.getElementById('find-dataset').focus()")
    browser.press("Tab", 9)
    assert browser.run("document.activeElement.textContent") == "wine"
    browser.press("Enter", 13, "\r")
    browser.wait_for("document.querySelector('#dataset .matrix')")
    assert browser.run("location.hash") == "#dataset=wine"
    assert browser.run("document.activeElement.textContent") == "wine"
    assert browser.run("document.getElementById('overview').hidden")
    for _ in range(3):
        browser.press("Tab", 9)
    assert browser.run("document.activeElement.name") == "selector"
    before = browser.run("document.querySelector('#dataset .matrix').textContent")
    browser.press("ArrowDown", 40)
    after = "document.querySelector('#dataset .matrix').textContent"
    browser.wait_for(f"{after} !== {before!r}")


def test_a_view_shows_the_sets_that_are_stored(browser, study):
    browser.run("location.hash = '#dataset=wine'")
    browser.wait_for("document.querySelector('#dataset .matrix')")
    stored = collect_results(open_study(study), Ledger(str(study))).results.table.to_pylist()
    found = browser.run("""altfs.setsOf('wine').then(s =>
        Array.from({length: s.n}, (_, i) => altfs.featuresOf(s, i)))""")
    assert found == [row["feature_names"] for row in stored]
    link = browser.run("document.querySelector('#dataset a[download]').getAttribute('href')")
    assert (study / link).exists()


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
        assert nameless == []
        assert {"main", "navigation"} <= {n["role"]["value"] for n in nodes if "role" in n}


def test_phone_print_and_dark(browser):
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
    assert pdf.startswith(b"%PDF") and pdf.count(b"/Type /Page\n") > 2


def test_figures_can_be_read_on_a_phone(browser):
    browser.resize(390, 844, phone=True)
    for name in ("mean_within_search", "quality_against_dissimilarity", "solver_time"):
        draw(browser, name)
        svg = f"document.querySelector('#{name} .live svg')"
        # Nothing is drawn at less than three quarters of its size, letters included.
        scale = f"{svg}.getBoundingClientRect().width / {svg}.viewBox.baseVal.width"
        assert browser.run(scale) > 0.75, name


def test_without_scripts_there_are_answers_figures_and_tables(study, tmp_path):
    browser = Chromium(tmp_path / "profile")
    try:
        browser.call("Emulation.setScriptExecutionDisabled", value=True)
        browser.open((study / "report.html").as_uri())
        assert browser.run("document.querySelectorAll('.still svg').length") == len(figures.names())
        assert browser.run("document.querySelectorAll('tbody tr').length") > 50
        assert browser.run("getComputedStyle(document.getElementById('choice')).display") == "none"
    finally:
        browser.close()
