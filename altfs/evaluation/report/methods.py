"""The methods paragraph of a study, to paste into a paper."""

from collections.abc import Mapping, Sequence
from typing import Any

import jinja2

from altfs import __version__
from altfs.evaluation.names import METRICS, count, in_words, selector_name, sizes_in_words
from altfs.evaluation.report.citations import GAPS, WORKS, cited
from altfs.evaluation.report.files import asset
from altfs.evaluation.report.phrases import listed
from altfs.study.design import Design


def methods(design: Design, configuration: Mapping[str, Any], commit: str = "") -> str:
    """Return a paragraph about the methods of a study.

    The limits and constraints are those of its `configuration`, the `commit` that of altfs.
    """
    template = asset("methods.txt")
    about = (_about, _gaps, _metrics, _options, _range, cited)
    words = (count, in_words, listed, selector_name)
    said = jinja2.Template(template, trim_blocks=True).render(
        design=design,
        sizes=sizes_in_words([*design.sizes], design.sizes),
        configuration=configuration,
        searches={one["name"]: one for one in configuration.get("searches", ())},
        commit="" if commit == "unknown" else commit,
        version=__version__,
        sources=[*dict.fromkeys(one.source for one in design.datasets)],
        works=WORKS,
        **{function.__name__.strip("_"): function for function in (*about, *words)},
    )
    return " ".join(said.split())


def _about(one: Any) -> str:
    """Return what a component is, as a part of a sentence."""
    text: str = one.about.rstrip(".")
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def _gaps(datasets: Sequence[Any]) -> list[str]:
    """Say in sentences what became of missing values, by entries of the configuration."""
    names: dict[str, list[str]] = {}
    for one in datasets:
        options = one.get("options") if isinstance(one, Mapping) else None
        if options and (word := options.get("missing")) in GAPS:
            names.setdefault(word, []).append(str(one.get("name")))
    return [f"Missing values of {listed(of)} {GAPS[word]}." for word, of in names.items()]


def _metrics(design: Design) -> str:
    """Say the metrics; those of classes apart from those of numbers if there are both."""
    said = {one.metrics: one.target_type == "regression" for one in reversed(design.datasets)}
    words = [listed([METRICS.get(name, name) for name in names]) for names in reversed(said)]
    if len(words) == 1:
        return words[0]
    kinds = ["numbers" if numbers else "classes" for numbers in reversed(said.values())]
    return listed([f"{word} for {kind}" for word, kind in zip(words, kinds, strict=True)])


def _options(options: Mapping[str, Any]) -> str:
    given = {key: value for key, value in options.items() if value not in (None, [], {})}
    return ", ".join(f"{key} {value}".replace("'", "") for key, value in given.items())


def _range(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
