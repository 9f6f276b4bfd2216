"""The explorer of fronts in a real browser: marks are dragged and moved by keys."""

from math import ceil

import pandas as pd
import pytest
from audit import make_study
from conftest import SMALL
from devtools import quiet_browser

from altfs.evaluation.task import report

CONFIG = {
    **SMALL, "results": "results/fronts", "datasets": ["sklearn:breast_cancer"], "n_features": 2,
    "selectors": ["naive_bayes_curve"], "taus": ["0.5"], "models": ["naive_bayes"],
    "searches": [{"name": "purposes", "type": "many_objective", "n_alternatives": 1,
                  "options": {"dominance_factor": "inf"}}],
}  # fmt: skip
RIGHT = 39
SHOWN = "document.querySelector('#front_explorer .live').textContent"


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = make_study(tmp_path_factory.mktemp("shown"), CONFIG)
    report(folder)
    return folder


@pytest.fixture
def browser(study, tmp_path):
    with quiet_browser(tmp_path, (study / "report.html").as_uri()) as started:
        yield started


def show(browser):
    figure = "document.getElementById('front_explorer')"
    browser.run(f"(f => {{ const outer = f.closest('details'); if (outer) outer.open = true; "
                f"f.scrollIntoView(); }})({figure})")  # fmt: skip
    browser.wait_for(f"{figure}.dataset.drawn")


def said(browser):
    texts = "[...document.querySelectorAll('#front_explorer .live text')].map(t => t.textContent)"
    return [text for text in browser.run(texts) if text.startswith("Best at")]


def best_at(study, sensitivity):
    """The names and the height of the best set, from the table of all fronts."""
    points = pd.read_parquet(study / "tables" / "front_points.parquet")
    front = points[points["fold"] == 0].sort_values("point")
    place = [max(ceil(sensitivity * len(c) - 1e-9) - 1, 0) for c in front["objectives"]]
    heights = [curve[i] for curve, i in zip(front["objectives"], place, strict=True)]
    best = heights.index(max(heights))
    return ", ".join(front["feature_names"].iloc[best]), round(max(heights), 3)


def slider(browser, mark):
    """The place of a slider on the screen, and its width."""
    place = f"document.querySelectorAll('#front_explorer input[type=range]')[{mark}]"
    browser.run(f"{place}.scrollIntoView({{block: 'center'}})")
    box = f"(b => [b.left, b.top + b.height / 2, b.width])({place}.getBoundingClientRect())"
    return place, browser.run(box)


def test_marks_are_dragged_and_moved_by_keys(browser, study):
    show(browser)
    names, height = best_at(study, 0.9)
    assert said(browser)[1] == f"Best at the second sensitivity (0.90): {names}, {height:.3f}"
    place, (left, top, width) = slider(browser, 1)
    before = float(browser.run(f"{place}.value"))
    start = left + width * 0.89
    end = left + width * 0.6
    for kind, x in (("mousePressed", start), ("mouseMoved", end), ("mouseReleased", end)):
        button = {"button": "left", "buttons": 1, "clickCount": 1}
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=top, **button)
    dragged = float(browser.run(f"{place}.value"))
    assert dragged < before - 0.1
    names, height = best_at(study, dragged)
    shown = f"Best at the second sensitivity ({dragged:.2f}): {names}, {height:.3f}"
    browser.wait_for(f"{SHOWN}.includes('{shown}')")
    browser.run(f"{place}.focus()")
    for _ in range(3):
        browser.press("ArrowRight", RIGHT)
    moved = float(browser.run(f"{place}.value"))
    assert moved == pytest.approx(dragged + 0.03)
    names, height = best_at(study, moved)
    shown = f"Best at the second sensitivity ({moved:.2f}): {names}, {height:.3f}"
    browser.wait_for(f"{SHOWN}.includes('{shown}')")


def test_the_test_curve_is_drawn_on_demand(browser):
    show(browser)
    lines = "document.querySelectorAll('#front_explorer .live .mark-line path').length"
    before = browser.run(lines)
    box = "document.querySelector('#front_explorer input[type=checkbox]')"
    browser.run(f"{box}.click()")
    browser.wait_for(f"{lines} > {before}")


def test_the_explorer_on_a_phone_and_in_print(browser):
    browser.resize(390, 844, phone=True)
    show(browser)
    assert browser.run("document.documentElement.scrollWidth <= window.innerWidth")
    assert browser.run("document.querySelectorAll('#front_explorer input[type=range]').length") == 2
    assert browser.pdf()[:4] == b"%PDF"
