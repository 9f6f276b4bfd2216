"""The page: what it says is computed, what it holds is what is stored, and it asks for nothing."""

import base64
import hashlib
import html
import json
import re
import shutil
import zlib
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import made_up
import numpy as np
import pandas as pd
import pytest
from audit import SEQUENTIAL
from made_up import make_tables

from altfs.commands.main import main
from altfs.commands.report import report
from altfs.evaluation.report.headline import Answer
from altfs.evaluation.report.overview import Mark, Row, View
from altfs.evaluation.report.packing import PACKINGS, STATUSES, pack_feature_sets, packed_within
from altfs.evaluation.report.page import Content, Drawing, make_page, page_within
from altfs.evaluation.report.summary import Summary, first_lines
from altfs.evaluation.results import read_results
from altfs.study.origin import failures, missing_tasks
from altfs.study.session import open_study

SVG = '<svg xmlns="x"><clipPath id="c"/><g clip-path="url(#c)"/></svg>'


@pytest.fixture(scope="module")
def study(reported_results):
    return reported_results


@pytest.fixture(scope="module")
def results(study):
    return read_results(str(study))


def page_of(**changes):
    parts = {
        "title": "a <study>",
        "summary": Summary("", "", {"Datasets": "<b>"}, {"Missing files": ["<i>"]}),
        "datasets": made_up.results().datasets,
        "packed": pack_feature_sets(made_up.results()),
        "tables": {"x": pd.DataFrame({"dataset": ["</script>"], "n": [None], "v": [np.inf]})},
        "drawings": {"f": Drawing(SVG, '{"title": "</script>"}')},
        "files": {},
    }
    return make_page(Content(**{**parts, **changes}))


@pytest.fixture(scope="module")
def page():
    return page_of()


def test_the_list_of_datasets_has_the_random_sets_of_the_best_selector():
    best = Row("S", "#000", "0.90", "", marks=[Mark("random", 9.0, "random sets: 0.74")])
    floor = Row("random sets", "", "0.67", "to 0.74 by selector")
    labels = ("Best original", "First", "Up to 0.4: 2 of 5 differ")
    answers = [Answer(label, label, [""], selector="S") for label in labels]
    other = Row("T", "#000", "0.92", "", marks=[Mark("random", 9.0, "random sets: 0.71")])
    rows = [other, best, floor]
    view = View("", "k = 2", "test MCC", "a", answers, "", [], rows, ["0", "1"], [], False)
    page = page_of(views=[view])
    assert "All feature sets of the study are in this page." in page
    # The view of a dataset begins with this threshold, which its script reads as a number.
    assert '"advised":{"a":"0.4: 2 of 5 differ"}' in page.replace('": ', '":')
    listed = page.partition('id="dataset-list">')[2].partition("</tbody>")[0]
    assert '<td class="number">0.74</td>' in listed
    assert "0.67" not in listed


def payload(page, name):
    text = re.search(f'data-payload="{html.escape(name)}">([^<]*)<', page)[1]
    return zlib.decompress(base64.b64decode(text))


def test_what_is_shown_is_escaped_and_nothing_unknown_is_left_out(page):
    assert "a &lt;study&gt;" in page and "<b>" not in page and "<i>" not in page
    assert "{{" not in page
    # Neither the table nor the figure has a caption; both are there under their names.
    assert 'id="f"' in page and 'id="x"' in page
    assert 'id="f-c"' in page and "url(#f-c)" in page
    assert json.loads(payload(page, "figure:f")) == {"title": "</script>"}
    columns = json.loads(payload(page, "table:x"))
    # A column without any value is only in the files, and named.
    assert [c["values"] for c in columns] == [["</script>"], ["inf"]]
    assert "Only the files have n." in page


def test_tables_have_names_for_readers_and_say_once_what_all_rows_share():
    table = pd.DataFrame(
        {
            "dataset": ["", "a"],
            "selector": ["mutual_information", "fcbf"],
            "search": ["sequential"] * 2,
            "measure": ["test_mcc", "train_objective"],
            "value": [0.12345, 12345.6],
            "n_planned": [16, 16],
            "n_unknown": [0, 0],
            "p": [0.0001, 0.25],
            # No change in all rows, and not the same interval.
            "change": [0, 0],
            "change_low": [-0.1, -0.2],
            "change_high": [0.1, 0.2],
        }
    )
    page = page_of(tables={"x": table})
    # A number that others are read with stays beside them; a column of zeros says nothing.
    assert '<p class="note">In all rows: Search sequential</p>' in page
    assert '<td class="number">16</td>' in page and '<td class="number">&lt;0.001</td>' in page
    assert '<td class="number">0.0 (−0.1 to 0.1)</td>' in page
    columns = {c["name"]: c for c in json.loads(payload(page, "table:x"))}
    assert columns["change"]["ends"] == [[-0.1, -0.2], [0.1, 0.2]] and "change_low" not in columns
    assert [name for name, c in columns.items() if c["same"]] == ["search", "n_unknown"]
    assert columns["dataset"]["values"] == ["all", "a"]
    assert columns["selector"]["values"] == ["MI", "FCBF"]
    assert columns["measure"]["values"] == ["Test MCC", "Training objective"]
    assert '<td class="number">0.123</td>' in page and '<td class="number">12,346</td>' in page


@pytest.mark.exhaustive
def test_a_page_says_what_an_audit_found(study, tmp_path, capsys):
    copy = tmp_path / "study"
    shutil.copytree(study, copy)
    assert main(["report", str(copy), "--audit"]) == 0
    said = capsys.readouterr().out
    assert "0 problems" in said
    assert "audited ✓" in (copy / "report.html").read_text("utf-8")
    assert main(["report", str(copy)]) == 0
    assert "audited" not in (copy / "report.html").read_text("utf-8")
    # The page does not need this file.
    sorted(copy.glob("scores/**/*.parquet"))[0].write_bytes(b"")
    assert main(["report", str(copy), "--audit"]) == 1
    assert re.search(r"audit: \d+ problems", (copy / "report.html").read_text("utf-8"))


def test_the_policy_allows_exactly_the_scripts_of_the_page(page):
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert "connect-src" not in rules and rules["img-src"] == "data:"
    [own] = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    vega = payload(page, "vega").decode()
    expected = {
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in (own, vega)
    }
    assert set(rules["script-src"].split()) == expected
    assert not re.search(r"<(?:link|img|script|iframe)[^>]*(?:src|href)=\"(?!data:)", page)


def unpacked(packed, dataset):
    """The columns of a dataset, by the layout that store.js reads."""
    header, content = packed.header, zlib.decompress(base64.b64decode(packed.chunks[dataset]))
    facts, at = packed.header["datasets"][dataset], 0
    n, columns = facts["n"], {}
    layout = [("setting", "<u2", n), ("fold", "<u2", n), ("status", "<u1", n), ("size", "<u2", n),
              ("members", "<u2", facts["n_members"])]  # fmt: skip
    values = ["train", "test", *header["models"]]
    for name, kind, length in [*layout, *((v, "<u2", n) for v in values)]:
        columns[name] = np.frombuffer(content, kind, length, at).astype(int)
        at += length * np.dtype(kind).itemsize
    assert at == len(content)
    owner = np.array([header["selectors"].index(s) for s in header["settings"]["selector"]])
    for name, (low, high) in zip(values, facts["ranges"], strict=True):
        own = owner[columns["setting"]]
        low, high = np.array(low)[own], np.array(high)[own]
        found = low + columns[name] / 65534 * (high - low)
        columns[name] = np.where(columns[name] == 65535, np.nan, found)
    return columns


def test_packed_sets_are_the_stored_ones(results):
    packed = pack_feature_sets(results)
    columns, table = unpacked(packed, "wine"), results.table.to_pylist()
    names = packed.header["datasets"]["wine"]["features"]
    ends = np.cumsum(columns["size"])
    for i, row in enumerate(table):
        members = columns["members"][ends[i] - columns["size"][i] : ends[i]]
        assert members.tolist() == row["selected"]
        assert [names[str(m)] for m in members] == row["feature_names"]
        assert STATUSES[columns["status"][i]] == row["status"]
        assert columns["fold"][i] == row["fold"]
        for key, values in packed.header["settings"].items():
            assert values[columns["setting"][i]] == row[key]
    for name in ("train", "test"):
        exact = results.sets[f"{name}_objective"].to_numpy(float)
        assert np.allclose(
            columns[name], exact, atol=np.nanmax(abs(exact)) / 30_000, equal_nan=True
        )
    scores = results.first_scores["test_score"]
    assert np.nansum(columns["decision_tree"]) == pytest.approx(scores.sum(), abs=1e-3)


def test_a_page_that_would_be_too_large_has_fewer_sets_and_says_so(results):
    whole = pack_feature_sets(results)
    size = sum(map(len, whole.chunks.values()))
    assert whole.header["features_of"] == "all"
    assert packed_within(results, PACKINGS[0], whole.n_bytes()).chunks == whole.chunks
    assert packed_within(results, PACKINGS[0], whole.n_bytes() - 1) is None
    assert packed_within(results, PACKINGS[0], size // 2) is None
    fewer = pack_feature_sets(results, PACKINGS[1])
    assert (fewer.header["features_of"], fewer.header["values_of"]) == ("some", "all")
    columns = unpacked(fewer, "wine")
    assert columns["size"][columns["fold"] == 0].any()
    assert not columns["size"][columns["fold"] == 1].any()
    least = pack_feature_sets(results, PACKINGS[-1])
    assert least.n_bytes() < fewer.n_bytes() < whole.n_bytes()
    assert least.header["values_of"] == "some"
    assert set(unpacked(least, "wine")["fold"]) == {0}


def test_a_page_has_fewer_sets_if_it_would_be_too_large(results):
    least = pack_feature_sets(results, PACKINGS[-1])
    content = Content("x", Summary("", "", {}), results.datasets, least, {}, {}, {})
    whole = page_within(content, results)
    assert whole == make_page(replace(content, packed=pack_feature_sets(results)))
    assert len(whole.encode()) < 5_000_000
    fewer = page_within(content, results, len(whole.encode()) - 1)
    assert len(fewer) < len(whole) and "The feature sets of fold 0" in fewer


def test_drawings_fit_into_a_page_and_a_column(study):
    # Letters of 11 pixels have 8.25 points if 96 pixels, or 72 points, are an inch.
    svgs = sorted((study / "figures").glob("*.svg"))
    assert len(svgs) > 10
    for path in svgs:
        for end, most in ((".pdf", 504), (".column.pdf", 252)):
            pdf = path.with_suffix(end).read_bytes()
            width, height = re.search(rb"MediaBox ?\[ ?0 0 ([\d.]+) ([\d.]+)", pdf).groups()
            assert float(width) <= most + 0.01 and float(height) < 792, path
            if end == ".pdf":
                pixels = float(re.search(r'width="([\d.]+)"', path.read_text("utf-8"))[1])
                # Letters of 8 points or more.
                assert 8 / 11 <= float(width) / pixels <= 0.751, path


def test_labels_inside_of_an_image_are_left_out():
    labelled = '<svg xmlns="x"><path aria-label="x: 1" role="graphics-symbol" d="M0"/></svg>'
    page = page_of(drawings={"f": Drawing(labelled, "{}")})
    assert '<path d="M0"/>' in page and '<svg role="img" aria-label="F" xmlns="x">' in page


@pytest.mark.exhaustive
def test_it_is_said_of_how_many_sets_of_how_many_the_shares_are():
    results = made_up.results()
    whole = make_tables(results)
    shares = whole["status_shares"].set_index(["grouping", "counted"])
    overall = shares.loc[[("overall", "feature set")]].iloc[0]
    assert (overall["n"], overall["share_infeasible"]) == (6, pytest.approx(1 / 6))
    # Of b, nothing has been computed.
    some = make_tables(results.where(results.sets["dataset"] == "a"))
    shares = some["status_shares"].set_index(["grouping", "counted"])[["n", "n_planned"]]
    assert shares.loc[[("overall", "feature set")]].values.tolist() == [[3, 6]]
    assert shares.loc[[("overall", "search run")]].values.tolist() == [[1, 2]]
    assert shares.loc[[("tau", "search run")]].values.tolist() == [[1, 2]]
    assert shares.loc[[("alternative", "feature set")]].values.tolist() == [[1, 2]] * 3
    assert some["infeasible"][["n_planned", "n", "n_datasets"]].values.tolist() == [[2, 1, 1]] * 3
    # What has not been looked for is not said not to exist.
    assert some["gaps"].empty


def test_each_dataset_has_a_file_of_its_sets_with_their_scores(study, results):
    plan = open_study(study)
    rows = pd.read_parquet(plan.dataset_sets_path("wine"))
    assert len(rows) == len(results.sets)
    exists = rows["status"] != "infeasible"
    assert rows.loc[exists, "decision_tree_test_score"].notna().all()
    assert rows.loc[~exists, "decision_tree_test_score"].isna().all()
    assert set(rows.loc[exists, "metric"]) == {"mcc"}
    assert rows["decision_tree_train_score"].sum() == pytest.approx(
        results.first_scores["train_score"].sum()
    )


@pytest.mark.exhaustive
def test_what_is_missing_and_what_failed_is_named(study, tmp_path):
    folder = shutil.copytree(study, tmp_path / "study")
    plan = open_study(folder)
    path = plan.search_task(SEQUENTIAL).path
    Path(path).unlink()
    log = Path(plan.tasks[path].log)
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("Traceback (most recent call last):\n  File\nValueError: the <reason>\n")
    missing = missing_tasks(plan)
    assert [task.path for task in missing if task.rule == "search"] == [path]
    assert any("ValueError: the <reason>" in line for line in failures(plan, missing))
    report(folder)
    shown = (folder / "report.html").read_text("utf-8")
    assert html.escape(str(Path(path).relative_to(folder))) in shown
    assert "ValueError: the &lt;reason&gt;" in shown
    assert 'class="gap"' in shown


def test_a_list_of_the_page_has_twenty_lines():
    lines = first_lines([f"shards/{i}" for i in range(17_000)])
    assert lines[:2] == ["shards/0", "shards/1"]
    assert len(lines) == 21 and lines[-1].startswith("and 16,980 more")
    assert first_lines(["a"]) == ["a"]


_PAYLOADS = [
    "<script>x</script>", "</script><script>x", '"><img src=x onerror=x>', "'><svg onload=x>",
    "<!--", "-->", "]]>", "<![CDATA[", "{{ 7 * 7 }}", "{% raw %}", "${x}", "`x`", "javascript:x",
    "data:text/html,<script>x</script>", "&lt;script&gt;", "&#60;script&#62;", "\\u003cscript>",
    "<iframe srcdoc='x'>", "<a href='javascript:x'>y</a>", "<base href='//x'>", "<style>x</style>",
    "<meta http-equiv=refresh content=0>", "\u2028x", "\u202ex", "=1+1",
]  # fmt: skip
_ENDS = ("", " b", "'", '"')
HOSTILE = [f"{lead}{x}{end}" for x in _PAYLOADS for lead in ("", "a ") for end in _ENDS]


class Elements(HTMLParser):
    """The elements of a page with the names of their attributes, and its addresses."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.addresses = Counter(), set()
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.elements[tag, tuple(name for name, _ in attributes)] += 1
        self.addresses |= {text for name, text in attributes if name in ("href", "src", "action")}


@pytest.mark.exhaustive
def test_hostile_names_add_no_element_and_no_address():
    assert len(set(HOSTILE)) == 200

    def page_with(names):
        frame = made_up.sets().query("dataset == 'a'")
        frame = pd.concat([frame.assign(dataset=name) for name in names], ignore_index=True)
        results = made_up.results(frame, widths=dict.fromkeys(names, 10))
        return page_of(
            title=names[0], datasets=results.datasets, packed=pack_feature_sets(results),
            summary=Summary(names[1], names[2], {names[3]: names[4]}, {names[5]: names}),
            tables={"x": pd.DataFrame({"dataset": names, "v": range(len(names))})},
            methods=names[6], citation=names[7], files={name: [(name, name)] for name in names},
        )  # fmt: skip

    plain, hostile = (Elements(page_with(n)) for n in ([f"n{i}" for i in range(200)], HOSTILE))
    assert hostile.elements == plain.elements
    # Addresses are places in the page.
    assert {
        a for a in hostile.addresses - plain.addresses if not a.startswith("#dataset=")
    } == set()
