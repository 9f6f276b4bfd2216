"""The figures: what they show of few and of many datasets, and how they look."""

import html
import json
import re
from dataclasses import replace
from functools import partial
from itertools import combinations

import made_up
import numpy as np
import pandas as pd
import pytest
from made_up import make_tables, study
from test_rules import tables_of

from altfs.catalogue import figures
from altfs.evaluation.figures import make_figure
from altfs.evaluation.figures._charts import choosable, quantiles
from altfs.evaluation.figures._focus import focus
from altfs.evaluation.names import COLOURS, RAMP, SELECTORS, ramp, selector_colours
from altfs.evaluation.report.files import asset
from altfs.evaluation.report.phrases import two
from altfs.evaluation.results import SET_KEY
from altfs.evaluation.task import (
    in_a_column,
    specification_of,
    svg_of,
    with_shared_scales,
)


def rows_of(chart):
    """All rows of a figure."""
    [rows] = chart.to_dict()["datasets"].values()
    return pd.DataFrame(rows)


def luminance(colour):
    part = np.asarray(colour) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def in_the_dark(colour):
    """A colour after the filter of the page's dark mode: invert(0.92) hue-rotate(180deg)."""
    inverted = 255 * 0.92 - 0.84 * np.asarray(colour)
    turned = np.array([[-0.574, 1.43, 0.144], [0.426, 0.43, 0.144], [0.426, 1.43, -0.856]])
    return np.clip(turned @ inverted, 0, 255)


# Red, green and blue as readers without red or green cones see them (Machado et al. 2009).
SIGHTS = {
    "all": np.eye(3),
    "no red": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "no green": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
}


def lab_of(colour, sight):
    """The CIELAB values of a colour, as somebody sees it."""
    own = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(own <= 0.04045, own / 12.92, ((own + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(sight) @ linear, 0, 1)
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    white = to_xyz.sum(axis=1)
    x, y, z = np.cbrt(to_xyz @ seen / white)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("sight", SIGHTS)
def test_colours_can_be_told_apart_by_all_readers(sight):
    for colours in (COLOURS, RAMP):
        seen = [lab_of(colour, SIGHTS[sight]) for colour in colours]
        near = min(np.linalg.norm(a - b) for a, b in combinations(seen, 2))
        # The smallest difference that is noticed is about 2.
        assert near > 20
    lightness = [lab_of(colour, SIGHTS["all"])[0] for colour in RAMP]
    assert lightness == sorted(lightness)


@pytest.mark.parametrize("look", [np.asarray, in_the_dark])
def test_every_colour_stands_out(look):
    paper = look([255, 255, 255])
    for colour in {*COLOURS, *(c for n in range(1, 12) for c in ramp(n))}:
        own = look([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
        assert contrast(own, paper) >= 3, colour


@pytest.mark.exhaustive
def test_the_picture_shows_few_datasets_one_by_one():
    results = study(2)
    chart = made_up.figure_of(results, "score_by_dissimilarity")
    every = rows_of(chart).set_index(["dataset", "selector", "set"]).sort_index()

    def only(kind):
        return every.loc[("d0", "s", kind)]

    scores = results.scores.query("dataset == 'd0' and selector == 's'")
    means = scores.groupby(["search", "set_index"])["test_score"].mean()
    close = partial(pytest.approx, rel=1e-4)
    first, drawn = only("1st alternative"), only("random sets")
    assert only("original")[["dissimilarity", "score"]].tolist() == [
        0, close(means["sequential", 0])
    ]  # fmt: skip
    assert (first["dissimilarity"], first["score"]) == (0.5, close(means["sequential", 1]))
    # The three random sets share two, one and none of the two features of the original.
    assert (drawn["dissimilarity"], drawn["score"]) == (0.5, close(means["random"].mean()))
    assert first["runs"] == "2 of 2" and drawn["same"]
    assert chart.usermeta["notes"][0].startswith("Test MCC, decision tree.")
    assert chart.usermeta["seen"].startswith(f"d0, s: {means['sequential', 0]:.2f} at 0 to ")


@pytest.mark.exhaustive
def test_the_picture_shows_relative_objectives_without_a_model():
    results = study(2)
    results = replace(results, scores=results.scores[:0])
    chart = made_up.figure_of(results, "score_by_dissimilarity")
    every = rows_of(chart).set_index(["dataset", "selector", "set"]).sort_index()["score"]
    sets = results.sets.query("dataset == 'd0' and selector == 's'")
    means = sets.groupby(["search", "set_index"])["train_objective"].mean()
    floor = means["random"].mean()
    share = (means["sequential", 1] - floor) / (means["sequential", 0] - floor)
    assert every["d0", "s", "1st alternative"].item() == pytest.approx(share, rel=1e-4)
    assert every["d0", "s", "original"].item() == 1
    assert every["d0", "s", "random sets"].item() == 0


@pytest.mark.exhaustive
def test_the_picture_shows_means_of_many_datasets():
    tables = made_up.tables_of(study(30), "kept", "overview")
    chart = make_figure("score_by_dissimilarity", study(30), tables)
    rows = rows_of(chart)
    # A dataset is shown once it is chosen.
    assert set(rows["dataset"]) == {"", *(f"d{i}" for i in range(30))}
    assert set(rows["panel"]) == {"s", "t"}
    rows = rows[rows["dataset"] == ""]
    # It says what the first screen says.
    [row] = tables["overview"].query(
        "dataset == '' and measure == 'test_mcc' and selector == 's'"
    ).to_dict("records")  # fmt: skip
    for kind, name in (("original", "original"), ("1st alternative", "alternative")):
        found = rows[(rows["selector"] == "s") & (rows["set"] == kind)]["score"]
        assert found.tolist() == [pytest.approx(row[name], rel=1e-4)]
    assert "n = 120 of 120 runs" in chart.usermeta["notes"][3]


def test_scores_by_size_of_many_datasets_are_means_of_those_of_each():
    chart = made_up.figure_of(study(8), "score_by_size").to_dict()
    (rows,) = chart["datasets"].values()
    joint = [row for row in rows if not row["dataset"]]
    assert joint and {row["dataset"] for row in rows} == {"", *(f"d{i}" for i in range(8))}
    keys = ("model", "metric", "method", "n_features")
    for row in joint:
        own = [r["score"] for r in rows if r["dataset"] and all(r[k] == row[k] for k in keys)]
        assert len(own) == 8 and row["score"] == pytest.approx(np.mean(own), abs=1e-4)
    assert "and over datasets" in " ".join(chart["usermeta"]["notes"])


def test_a_size_is_named_as_in_the_configuration():
    results = made_up.results(sizes={2: "unlimited"})
    for name in ("max_normalised_by_alternative", "objective_by_alternative"):
        chart = made_up.figure_of(results, name)
        assert set(rows_of(chart)["panel"].str.contains("k unlimited")) == {True}
    ranged = made_up.figure_of(made_up.results(sizes={2: "1-2"}), "infeasible_by_tau")
    # A panel of one share is left out, and named.
    assert set(rows_of(ranged)["panel"]) == {"b"}
    left_out = "Left out, as all shares are the same: a (0 %)."
    assert ranged.usermeta["finding"].endswith("alternatives do not exist (k = 1 to 2).")
    assert left_out in ranged.usermeta["notes"]


def test_no_dataset_is_left_out_of_the_panel_of_all():
    rows = made_up.sets()
    complete = rows[rows["dataset"] == "a"]
    rows = pd.concat([rows, *(complete.assign(dataset=name) for name in "cdefg")])
    results = made_up.results(rows.reset_index(drop=True), widths=dict.fromkeys("abcdefg", 10))
    chart = made_up.figure_of(results, "infeasible_by_tau")
    assert not any("Left out" in note for note in chart.usermeta["notes"])
    [last] = {row["infeasible"] for row in rows_of(chart).query(
        "dataset == '' and selector == '' and set_index == 2").to_dict("records")}  # fmt: skip
    assert last == pytest.approx(100 / 7, abs=1e-3)


def test_boxes_are_of_six_datasets_or_more():
    rows = pd.DataFrame({"dataset": list("abcdef") * 2, "g": [0] * 6 + [1] * 6, "x": range(12)})
    rows["fold"] = 0
    few = rows[(rows["g"] == 0) | (rows["dataset"] < "c")]
    found = choosable(lambda own: quantiles(few, [*own, "g"], "x"))
    many = found[(found["dataset"] == "") & (found["g"] == 0)].iloc[0]
    assert (many["q1"], many["median"], many["q3"]) == (1.25, 2.5, 3.75)
    others = found.drop(many.name)
    assert (others["low"] == others["median"]).all() and (others["high"] == others["median"]).all()
    one = choosable(lambda own: quantiles(few[few["dataset"] < "c"], [*own, "g"], "x"))
    assert "" not in set(one["dataset"])
    # A dataset has the medians of its folds as ends.
    folds = pd.concat([few.assign(x=few["x"] + 3 * i, fold=i) for i in range(2)])
    [row] = quantiles(folds, ["dataset"], "x").query("dataset == 'f'").to_dict("records")
    assert (row["low"], row["q1"], row["median"], row["high"]) == (5, 6.5, 6.5, 8)


@pytest.mark.exhaustive
def test_a_choice_keeps_titles_and_the_order_of_panels():
    import vl_convert

    results = study(30)
    for name in figures.order():
        whole = make_figure(name, results, tables_of(30)).to_dict()
        parameters = {p["name"]: p for p in whole.get("params", [])}
        if "dataset" not in parameters:
            continue
        parameters["dataset"]["value"] = "d7"
        texts = [vl_convert.vegalite_to_svg(json.dumps(s)) for s in (whole, in_a_column(whole))]
        assert all(">No feature set exists.<" not in text for text in texts)
        assert all(text.count("<path") > 3 for text in texts), name


@pytest.mark.exhaustive
def test_paper_has_the_width_of_its_columns():
    import re

    import vl_convert

    chart = made_up.figure_of(study(2), "score_by_dissimilarity").to_dict()
    for drawn, most in ((chart, 672), (in_a_column(chart), 336)):
        svg = vl_convert.vegalite_to_svg(json.dumps(drawn))
        assert float(re.search(r'width="([\d.]+)"', svg)[1]) <= most
        sizes = {float(size) for size in re.findall(r'font-size="([\d.]+)', svg)}
        # Pixels of 1/96 inch.
        assert min(sizes) * 72 / 96 >= 8


def test_sets_far_from_the_original_are_measured():
    from altfs.evaluation.tables.dissimilarity import from_original

    results = made_up.results()
    # The sets are {0, 1}, {0, 2} and {2, 3}; the third of b does not exist.
    found = results.sets[SET_KEY].assign(far=from_original(results))["far"]
    assert found.tolist() == [0, 0.5, 1, 0, 0.5, pytest.approx(np.nan, nan_ok=True)]


@pytest.mark.parametrize("n_datasets", [1, 2])
def test_few_datasets_are_drawn_beside_random_sets(n_datasets):
    results = study(n_datasets)
    chart = made_up.figure_of(results, "critical_difference")
    rows = rows_of(chart)
    scores = results.scores.query("search == 'sequential' and set_index == 0")
    folds = scores.groupby("selector", observed=True)["test_score"].apply(sorted)
    means = scores.groupby("selector", observed=True)["test_score"].mean()
    shown = rows[rows["n_original"] > 0].groupby("method")["value"].mean()
    assert shown["random sets"] < means.max()
    for name in ("s", "t"):
        assert shown[name] == pytest.approx(means[name], rel=1e-4)
        # The folds of one dataset are lines.
        lines = sorted(rows.query("n_original == 0 and method == @name")["value"])
        assert lines == ([] if n_datasets > 1 else pytest.approx(folds[name], rel=1e-4))
    # The best comes first, random sets last.
    sort = json.loads(chart.to_json())["spec"]["layer"][0]["encoding"]["y"]["sort"]
    assert sort == [*means.sort_values(ascending=False).index, "random sets"]


@pytest.mark.exhaustive
def test_ranks_say_how_many_datasets_they_leave_out():
    results = study(7)
    scored = results.first_scores
    lacks = (scored["dataset"] == "d3") & (scored["selector"] == "t")
    some = replace(results, scores=scored[~lacks])
    for found, ending in ((results, "n = 7 datasets."), (some, "n = 6 datasets; 1 more lacks a ")):
        notes = made_up.figure_of(found, "critical_difference").usermeta["notes"]
        assert notes[-1].startswith(ending)


def test_figures_have_any_number_of_rows():
    import altair as alt

    chart = alt.Chart(pd.DataFrame({"x": range(6000)})).mark_point().encode(x="x:Q")
    with pytest.raises(alt.MaxRowsError):
        chart.to_dict()
    [rows] = specification_of(chart)["datasets"].values()
    assert len(rows) == 6000


def tooltips(part):
    """All tooltips of a specification."""
    if isinstance(part, list):
        return [found for own in part for found in tooltips(own)]
    if not isinstance(part, dict):
        return []
    own = [part["tooltip"]] if isinstance(part.get("tooltip"), list) else []
    return own + [found for below in part.values() for found in tooltips(below)]


@pytest.mark.exhaustive
def test_tooltips_say_what_a_mark_is_in_three_digits():
    results, seen = study(8), 0
    for name in figures.order():
        for tooltip in tooltips(make_figure(name, results, tables_of(8)).to_dict()):
            fields = {entry["field"] for entry in tooltip}
            assert fields & {"panel", "selector", "method", "search", "run", "metric_1"}, name
            for entry in tooltip:
                assert entry["type"] != "quantitative" or entry["format"] == ".3~g", (name, entry)
            seen += 1
    assert seen > 10


def test_figures_with_a_panel_per_size_show_a_few_of_many_sizes():
    one = study(2)

    frame = pd.concat([one.sets.assign(n_features=k) for k in range(1, 9)])
    many = made_up.results(frame, widths=one.design.widths)
    chart = made_up.figure_of(many, "objective_by_alternative")
    sizes = set(rows_of(chart)["panel"].str.extract(r"k = (\d+)")[0])
    assert sizes == {"1", "3", "6", "8"}
    assert chart.usermeta["notes"][-1] == (
        "Shown are k = 1, 3, 6 and 8; the tables have all 8 sizes."
    )
    assert "Shown" not in made_up.figure_of(one, "objective_by_alternative").usermeta["notes"][-1]


@pytest.mark.exhaustive
def test_a_figure_with_too_many_panels_shows_the_first_ones(monkeypatch):
    name, one = "objective_by_alternative", study(2)
    every = list(dict.fromkeys(rows_of(made_up.figure_of(one, name))["panel"]))
    assert len(every) == 2
    monkeypatch.setattr("altfs.evaluation.figures.MOST_PANELS", 1)
    chart = made_up.figure_of(one, name)
    assert set(rows_of(chart)["panel"]) == {every[0]}
    assert chart.usermeta["notes"][-1] == (
        "Shown are the first 1 of 2 panels; the tables have all."
    )
    assert svg_of(chart.to_json(), name)


def test_a_page_of_a_figure_has_nine_panels_and_the_report_the_others():
    chart = made_up.figure_of(study(5), "median_by_tau")
    drawn = chart.to_dict()
    values = {one["name"]: one["value"] for one in drawn["params"]}
    assert (values["page"], values["panels"]) == (0, 9)
    assert chart.usermeta["panels"] > 9
    assert f"first page: 9 of {chart.usermeta['panels']} panels" in chart.usermeta["notes"][-1]
    height = float(re.search(r'height="([\d.]+)"', svg_of(json.dumps(drawn), "f"))[1])
    # A page of letter paper, in pixels of 1/96 inch, has a text of 9.5 inches.
    assert height <= 9.5 * 96


@pytest.mark.exhaustive
def test_only_panels_that_are_shown_at_first_have_pages_and_one_alone_is_wide():
    chart = made_up.figure_of(study(12), "score_by_size")
    assert len(set(rows_of(chart)["panel"])) == 13 and chart.usermeta["panels"] == 1
    drawn = chart.to_dict()
    assert "The files have" not in " ".join(chart.usermeta["notes"])
    assert drawn["spec"]["width"] == 540 and in_a_column(drawn)["spec"]["width"] == 235
    # The page's scripts have the same sizes.
    assert "[171, 115] : n === 1 && !narrow ? [540, 230] : [235, 144]" in asset("figures.js")
    for n, width in ((4, 235), (5, 171)):
        several = made_up.figure_of(study(n), "score_by_dissimilarity")
        assert several.to_dict()["spec"]["width"] == width


def test_panels_share_the_titles_of_their_axes_and_lie_in_three_columns():
    results = made_up.results(types={"a": "binary", "b": "regression"})
    for one, name, n_columns in (
        (study(5), "score_by_dissimilarity", {3}), (results, "mean_within_search", {2})
    ):  # fmt: skip
        drawn = specification_of(made_up.figure_of(one, name))
        views = drawn.get("vconcat", [drawn])
        assert {view["columns"] for view in views} == n_columns
        for view in views:
            alone = len(view["facet"]["sort"]) == 1
            titles = {layer["encoding"][a]["title"] for layer in view["spec"]["layer"]
                      for a in ("x", "y") if a in layer["encoding"]}  # fmt: skip
            assert (titles == {None}) != alone
            words = view["title"].get("subtitle", view["title"]["text"])
            assert alone or re.fullmatch(r"↑ .+\u2003→ .+", words)
            assert alone or words in html.unescape(svg_of(json.dumps(drawn), "f"))
    kinds = [view["title"]["text"] for view in views]
    assert kinds == ["Classification", "Regression"]


def test_a_selector_has_one_colour_in_all_studies():
    one = selector_colours(["mutual_information", "mrmr"])
    assert selector_colours(["mrmr", "own_selector", "mutual_information"]).items() >= one.items()
    # Of more selectors than colours, the first ones have different ones.
    several = [*selector_colours([*SELECTORS][:8]).values()]
    assert sorted(several) == sorted(COLOURS)


def test_a_figure_says_what_is_to_be_seen_first():
    finding = made_up.figure_of(study(8), "critical_difference").usermeta["finding"]
    differ = "[01] of 1 pair of methods differ."
    said = rf"k = \d, decision tree: s ranks first(| \(by mean score, t\)); {differ}"
    assert re.fullmatch(said, finding)
    finding = made_up.figure_of(study(8), "score_by_dissimilarity").usermeta["finding"]
    overview = tables_of(8)["overview"].query("dataset == '' and measure != 'train_objective'")
    best = overview[overview["selector"] == overview["selector"].iloc[0]]
    value = two(best["original"].iloc[0])
    assert finding.startswith(f"{best['selector'].iloc[0]}: {value} with original sets, ")
    finding = made_up.figure_of(study(8), "quality_between_controls").usermeta["finding"]
    assert re.fullmatch(
        r"First alternatives of [st] have a relative quality \(training\) of .+ at τ = [\d.]+\.",
        finding,
    )
    finding = made_up.figure_of(study(8), "quality_against_dissimilarity").usermeta["finding"]
    said = r"In the best runs of [st], relative objective is .+ at dissimilarity \d\.\d\d\."
    assert re.fullmatch(said, finding)
    few = made_up.figure_of(study(3), "critical_difference").usermeta["finding"]
    said = (
        r".+, k = \d, test MCC: [st] has the largest mean score of methods with all sets, [0-9.]+\."
    )
    assert re.fullmatch(said, few)


@pytest.mark.exhaustive
def test_classes_and_numbers_share_a_legend_and_a_selector_has_one_colour():
    results = made_up.results(types={"a": "binary", "b": "regression"})
    chart = made_up.figure_of(results, "mean_within_search")
    drawn = with_shared_scales(specification_of(chart), ["s"])
    for name in ("score_by_dissimilarity", "score_by_size"):
        figure = made_up.figure_of(made_up.study(3), name)
        specification = with_shared_scales(specification_of(figure), ["t", "s"])
        scales = re.findall(
            r'"domain": (\["[st].*?\]), "range": (\["#.*?\])', json.dumps(specification)
        )
        assert scales
        for domain, colours in scales:
            own = dict(zip(json.loads(domain), json.loads(colours), strict=True))
            assert own == {"t": COLOURS[0], "s": COLOURS[1]}
    assert "independent" not in json.dumps(drawn.get("resolve", {}))


@pytest.mark.exhaustive
def test_lines_show_the_floor_of_shuffled_targets_if_there_is_one():
    made, name = study(5), "objective_by_alternative"
    chart = made_up.figure_of(made, name)
    assert "Dotted: the quality that the best set of a shuffled target" in " ".join(
        chart.usermeta["notes"]
    )
    assert set(rows_of(chart)["floor"]) == {0.85}
    without = replace(made, sets=made.sets.assign(floor=float("nan")))
    assert "Dotted" not in " ".join(made_up.figure_of(without, name).usermeta["notes"])


def test_the_focus_is_a_search_of_its_own_selector():
    first, second = made_up.sets(), made_up.sets()
    sets = pd.concat([first.assign(selector="stream", search="streaming"),
                      second.assign(selector="curve", search="front")])  # fmt: skip
    assert set(focus(sets)["search"]) == {"streaming"}
    assert len(focus(sets)) == len(first)


@pytest.mark.exhaustive
def test_descriptions_have_no_more_digits_than_a_reader_takes_in():
    results = made_up.study(2)
    for name, figure in made_up.make_figures(results, make_tables(results)).items():
        assert not re.search(r"\d\.\d{5,}", figure.usermeta["seen"]), name
