"""The explorer of fronts in a real browser: marks are dragged and moved by keys."""

from math import ceil

import pandas as pd
import pytest
from devtools import quiet_browser
from studies import SMALL

CONFIG = {
    **SMALL, "results": "results/fronts", "datasets": ["sklearn:breast_cancer"], "n_features": 2,
    "selectors": ["naive_bayes_curve"], "taus": ["0.5"], "models": ["naive_bayes"],
    "searches": [{"name": "purposes", "type": "many_objective", "n_alternatives": 1,
                  "options": {"dominance_factor": "inf"}}],
}  # fmt: skip
RIGHT = 39
SHOWN = "document.querySelector('#front_explorer .live').textContent"


@pytest.fixture
def browser(reported_study, tmp_path):
    with quiet_browser(tmp_path, (reported_study / "report.html").as_uri()) as started:
        yield started


def show(browser):
    figure = "document.getElementById('front_explorer')"
    browser.run(f"(f => {{ const outer = f.closest('details'); if (outer) outer.open = true; "
                f"f.scrollIntoView(); }})({figure})")  # fmt: skip
    browser.wait_for(f"{figure}.dataset.drawn")


def said(browser):
    texts = "[...document.querySelectorAll('#front_explorer .live text')].map(t => t.textContent)"
    return [text for text in browser.run(texts) if text.startswith("Best at")]


def best_at(reported_study, sensitivity):
    """The names and the height of the best set, from the table of all fronts."""
    points = pd.read_parquet(reported_study / "tables" / "front_points.parquet")
    front = points[points["fold"] == 0].sort_values("point")
    place = [max(ceil(sensitivity * len(c) - 1e-9) - 1, 0) for c in front["objectives"]]
    heights = [curve[i] for curve, i in zip(front["objectives"], place, strict=True)]
    best = heights.index(max(heights))
    return ", ".join(front["feature_names"].iloc[best]), round(max(heights), 3)


MARK = "document.querySelector('#front_explorer .live g[class*=drag_second]')"


def place_of(browser):
    """The middle of the second mark on the screen, and the width of the plot."""
    browser.run(f"{MARK}.scrollIntoView({{block: 'center'}})")
    box = f"(b => [b.left + b.width / 2, b.top + b.height / 2])({MARK}.getBoundingClientRect())"
    plot = f"{MARK}.closest('.role-scope').querySelector('.background').getBoundingClientRect()"
    return *browser.run(box), browser.run(f"{plot}.width")


def value_of(browser):
    return float(browser.run(f"{MARK}.getAttribute('aria-valuenow')"))


def check_best(browser, reported_study, mark):
    """Wait until the page names the set that the table has as the best at the second mark."""
    names, height = best_at(reported_study, mark)
    shown = f"Best at the second sensitivity ({mark:.2f}): {names}, {height:.3f}"
    browser.wait_for(f"{SHOWN}.includes('{shown}')")


def test_a_mark_on_the_curve_is_dragged_and_moved_by_keys(browser, reported_study):
    show(browser)
    names, height = best_at(reported_study, 0.9)
    assert said(browser)[1] == f"Best at the second sensitivity (0.90): {names}, {height:.3f}"
    x, y, width = place_of(browser)
    end = x - 0.3 * width
    for kind, at in (("mousePressed", x), ("mouseMoved", end), ("mouseReleased", end)):
        button = {"button": "left", "buttons": 1, "clickCount": 1}
        browser.call("Input.dispatchMouseEvent", type=kind, x=at, y=y, **button)
    browser.wait_for(f"{MARK}.getAttribute('aria-valuenow') < 0.7")
    dragged = value_of(browser)
    assert dragged == pytest.approx(0.6, abs=0.02)
    assert place_of(browser)[0] == pytest.approx(end, abs=3)
    check_best(browser, reported_study, dragged)
    # The mouse is up, so the mark stays.
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    # A drag leaves the focus on the mark, as a press of Tab does.
    browser.run(f"{MARK}.focus()")
    assert browser.run(f"document.activeElement === {MARK}")
    for _ in range(3):
        browser.press("ArrowRight", RIGHT)
    browser.wait_for(f"{MARK}.getAttribute('aria-valuenow') != {dragged}")
    check_best(browser, reported_study, round(dragged + 0.03, 2))
    assert browser.run(f"document.activeElement === {MARK}")
    slider = "document.querySelectorAll('#front_explorer input[type=range]')[1].value"
    assert float(browser.run(slider)) == value_of(browser) == round(dragged + 0.03, 2)


def test_a_mark_is_dragged_by_touch_on_a_phone(browser, reported_study):
    browser.resize(390, 844, phone=True)
    show(browser)
    x, y, width = place_of(browser)
    for kind, at in (("touchStart", [x]), ("touchMove", [x - 0.2 * width]), ("touchEnd", [])):
        points = [{"x": one, "y": y} for one in at]
        browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)
    browser.wait_for(f"{MARK}.getAttribute('aria-valuenow') < 0.75")
    check_best(browser, reported_study, value_of(browser))


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
