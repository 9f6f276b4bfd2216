"""Figures, from results and tables. One file each."""

from collections.abc import Mapping
from typing import Any

from altfs.catalogue import figures
from altfs.evaluation.figures._charts import ON_A_PAGE, Tables, alt, styled
from altfs.evaluation.names import sizes_in_words
from altfs.evaluation.results import Results, by_target, of_sizes, rows_of_target
from altfs.evaluation.stats.sizes import few_sizes, rows_of_sizes

#: The largest number of panels of a figure. Vega drew one with 839 panels, and failed at 1,680.
MOST_PANELS = 300


def make_figure(name: str, results: Results, tables: Tables) -> Any:
    """Make one figure of the evaluation.

    Panels of regression datasets are below those of classification datasets. Of many sizes, a
    figure with a panel or a box for each shows a few. `tables` are those that the figure needs, or
    more. Its ``usermeta`` has ``title``, ``notes`` (the sentences of the caption), ``seen`` (what
    is to be seen) and ``finding`` (the sentence below the title, or nothing).
    """
    component = figures.get(name)
    inputs = {needed: tables[needed] for needed in component.needs}
    shown, every = results.once(few_sizes), results.sets["n_features"].nunique()
    fewer = component.per_size and len(shown) < every
    if fewer:
        results = of_sizes(results, shown)
        inputs = {needed: rows_of_sizes(table, shown) for needed, table in inputs.items()}
    charts = {
        kind: component.make(part, {n: rows_of_target(kind, table) for n, table in inputs.items()})
        for kind, part in results.once(by_target).items()
    }
    drawn = {kind: one for kind, one in charts.items() if not one.usermeta.get("absent")}
    charts = drawn or dict([*charts.items()][:1])
    for one in charts.values():
        _leave_out_panels(one)
    chart = styled(next(iter(charts.values())) if len(charts) == 1 else _joined(charts))
    on_a_page = _on_a_page(charts)
    # The panels that are shown before a choice.
    numbers = [int(c.data["number"].max()) + 1 if _labels(c) else 0 for c in charts.values()]
    chart.usermeta["panels"] = max(numbers)
    if max(numbers) > on_a_page:
        drawn_now = sum(min(n, on_a_page) for n in numbers)
        note = f"Files have the first page: {drawn_now} of {sum(numbers)} panels."
        chart.usermeta["notes"].append(note)
    if fewer:
        sizes = sizes_in_words(shown, results.sizes)
        chart.usermeta["notes"].append(f"Shown are {sizes}; the tables have all {every} sizes.")
    if results.gap():
        # A figure may be shown without its page.
        chart.title = alt.TitleParams(results.gap(), anchor="start", fontSize=11, offset=8)
        chart.usermeta["notes"] = [results.gap(), *chart.usermeta["notes"]]
    return chart


def _leave_out_panels(chart: Any) -> None:
    """Keep the first panels of a figure with too many, and say so in its caption."""
    labels = _labels(chart)
    if len(labels) <= MOST_PANELS:
        return
    kept = labels[:MOST_PANELS]
    chart.data = chart.data[chart.data["panel"].isin(kept)]
    chart["facet"]["sort"] = kept
    chart.usermeta["notes"].append(
        f"Shown are the first {MOST_PANELS} of {len(labels):,} panels; the tables have all."
    )


def _on_a_page(charts: Mapping[str, Any]) -> int:
    """Return the number of panels of each chart that are on a page."""
    params = [p for one in charts.values() if _labels(one) for p in one["params"]]
    most = min((p.value for p in params if p.name == "panels"), default=ON_A_PAGE)
    # Two charts of six panels are as high as one of nine with its legend.
    return max(2 * int(most) // (len(charts) + 1), 1)


def _labels(chart: Any) -> list[str]:
    return [*chart["facet"]["sort"]] if isinstance(chart, alt.FacetChart) else []


def _joined(charts: Mapping[str, Any]) -> Any:
    """Put the figures of both kinds below one another, each with its kind above it."""
    bare, seen = [], []
    parameters: dict[str, Any] = {}
    for kind, chart in charts.items():
        copied, word = chart.copy(), kind.capitalize()
        if isinstance(copied, alt.FacetChart):
            selections = copied["params"]
            for parameter in [] if selections is alt.Undefined else selections:
                parameters.setdefault(str(parameter.name), parameter)
            copied.params = alt.Undefined
        copied.title = alt.TitleParams(word, anchor="start", fontSize=13)
        seen.append(f"{word}: {chart.usermeta['seen']}")
        copied.usermeta = alt.Undefined
        bare.append(copied)
    joined = alt.vconcat(*bare)
    # What is true of both is said once.
    of_kinds = {kind.capitalize(): chart.usermeta["notes"] for kind, chart in charts.items()}
    # Numbers are of one kind, even if they are equal.
    first, *rest = of_kinds.values()
    both = [n for n in first if "n = " not in n and all(n in texts for texts in rest)]
    own = {word: " ".join(n for n in texts if n not in both) for word, texts in of_kinds.items()}
    notes = both + [f"{word}: {texts}" for word, texts in own.items() if texts]
    if "panels" in parameters:
        parameters["panels"] = alt.VariableParameter(name="panels", value=_on_a_page(charts))
    if parameters:
        joined.params = list(parameters.values())
    title = next(iter(charts.values())).usermeta["title"]
    findings = {kind.capitalize(): chart.usermeta["finding"] for kind, chart in charts.items()}
    joint = " ".join(f"{word}: {words}" for word, words in findings.items() if words)
    joined.usermeta = {"title": title, "notes": notes, "seen": " ".join(seen), "finding": joint}
    return joined
