"""The page as axe-core judges it: contrast, names, landmarks and order, in light and dark."""

import json

import pytest
from audit import CONFIG  # noqa: F401  (the study of one dataset that is reported)
from devtools import quiet_browser
from workspaces import ROOT

AXE = ROOT / "build" / "axe" / "axe_playwright_python" / "axe.min.js"


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("place", ["", "#dataset=wine"])
def test_axe_finds_nothing(reported_study, tmp_path, look, place):
    with quiet_browser(tmp_path, width=1280, height=900) as browser:
        # The page's policy allows no other script; the judge is not part of the page.
        browser.call("Page.setBypassCSP", enabled=True)
        browser.prefer(look)
        browser.open((reported_study / "report.html").as_uri() + place)
        if place:
            browser.wait_for("document.querySelector('#dataset .matrix')")
        browser.run("document.querySelectorAll('details').forEach(d => { d.open = true; }); 1")
        browser.run(f"(0, eval)({json.dumps(AXE.read_text('utf-8'))}); 1")
        found = browser.run(
            "axe.run({exclude: [['.live'], ['.still']]}).then(r => r.violations.map(v => "
            "[v.id, v.nodes.length, v.nodes[0].html.slice(0, 200), v.nodes[0].failureSummary]))"
        )
        assert found == []
