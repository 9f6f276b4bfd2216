"""``altfs acquire``: what to measure next, and what instead."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altfs.commands.exit_codes import OK
from altfs.commands.find import READING, add_reading_options, with_options
from altfs.commands.output import check_output, finite_or_none, json_text, write_output
from altfs.commands.tables import DATA, load_table
from altfs.errors import AltfsError

if TYPE_CHECKING:
    from altfs.kinds.acquisition.alternative_acquisition import AlternativeAcquisition

_ENDINGS = (".json", ".parquet", ".html")
_PARAMETERS = ("price", "budget", "n_features", "n_alternatives", "tau", "max_overlap", "most",
               "random_state")  # fmt: skip

HELP = "what to measure next, and what instead"
DESCRIPTION = """\
Says which feature to measure next of a row of which some values are known,
what to measure instead, what it costs to switch, and what it costs if a
measurement is never available. Learns on the rows of a table, whose target has
classes. Without a price or budget, measuring has no end, so give one.

exit code: 0 there is an answer; 2 wrong arguments or data
examples:
  altfs acquire data.csv --target y --cost scan=120 --price 0.01
  altfs acquire data.csv --target y --budget 3 --known age=63 --not scan
  altfs acquire data.csv --target y --budget 3 --panel blood=2 sugar iron --ask
  altfs acquire data.csv --target y --price 0.01 -k 4 -a 2 --output kits.html"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("data", type=Path, help=DATA)
    add("-t", "--target", required=True, metavar="COLUMN", help="the column of the target")
    add("--method", default="exact", help="exact, plan, greedy, stopping or static (exact)")
    add("--method-option", action="append", default=[], metavar="KEY=VALUE",
        help="an option of the method, such as bins=4; may be repeated")  # fmt: skip
    add("--model", default="naive_bayes", help="naive_bayes, nearest or masked, of all methods but "
        "exact (naive_bayes)")  # fmt: skip
    add("--model-option", action="append", default=[], metavar="KEY=VALUE",
        help="an option of the model, such as rows=30; may be repeated")  # fmt: skip
    add("--cost", dest="costs", action="append", default=[], metavar="COLUMN=NUMBER",
        help="the cost of a feature (1); may be repeated")  # fmt: skip
    add("--panel", dest="panels", action="append", nargs="+", default=[],
        metavar=("NAME=NUMBER", "COLUMN"),
        help="features that are measured together, at one cost; may be repeated")  # fmt: skip
    add("--price", type=float, metavar="NUMBER", help="what a unit of cost has to save: of wrong "
        "answers (exact, stopping) or nats")  # fmt: skip
    add("--budget", type=float, metavar="NUMBER", help="the most that a row may cost")
    add("--known", action="append", default=[], metavar="COLUMN=VALUE",
        help="what is known of the row; may be repeated")  # fmt: skip
    add("--not", dest="without", action="append", default=[], metavar="NAME",
        help="a measurement that is not available; may be repeated")  # fmt: skip
    add("--include", action="append", default=[], metavar="COLUMN",
        help="a feature that is known of every row, and free; may be repeated")  # fmt: skip
    add("--exclude", action="append", default=[], metavar="COLUMN",
        help="a feature that is never measured; may be repeated")  # fmt: skip
    add("--most", type=int, metavar="N", help="measurements that exact and plan look ahead")
    add("-k", "--n-features", type=int, metavar="N", help="also kits of so many features")
    add("-a", "--n-alternatives", type=int, default=1, metavar="N",
        help="kits beyond the first (1)")  # fmt: skip
    add("--tau", help="how different two kits have to be, from 0 to 1 (0.4)")
    add("--max-overlap", type=int, metavar="N", help="features that two kits may share, in place "
        "of tau")  # fmt: skip
    add("--seed", dest="random_state", type=int, default=0, metavar="N", help="random state (0)")
    add_reading_options(parser)
    add("--ask", action="store_true", help="ask for one value after the other; answer no if one is "
        "not available")  # fmt: skip
    add("-o", "--output", type=Path, metavar="FILE",
        help="a .json, .parquet or .html file to write")  # fmt: skip
    add("--json", action="store_true", help="print JSON in place of words")


def run(chosen: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    from altfs.datasets.file import file_options
    from altfs.datasets.table import features_and_target
    from altfs.kinds.acquisition.alternative_acquisition import AlternativeAcquisition

    if chosen.ask and chosen.json:
        raise AltfsError("ask", "questions are text", "leave out --ask or --json")
    if chosen.output is not None:
        check_output(chosen.output, chosen.data, _ENDINGS)
    reading = {key: getattr(chosen, key) for key in READING}
    name, raw = load_table(
        chosen.data,
        file_options({"path": chosen.data, "target": chosen.target,
                      "task": "classification", **reading}),
    )  # fmt: skip
    X, y = features_and_target(name, raw)
    known = _pairs("known", chosen.known)
    acquisition = AlternativeAcquisition(
        with_options("method", chosen.method, chosen.method_option),
        model=with_options("model", chosen.model, chosen.model_option),
        costs=_costs(chosen, X.columns.tolist()),
        panels=_panels(chosen.panels),
        constraints={"include": chosen.include, "exclude": chosen.exclude},
        **{key: getattr(chosen, key) for key in _PARAMETERS},
    ).fit(X, y)
    if chosen.ask:
        return _ask(acquisition, known, chosen.without)
    # What is known from the start has no value before a row is there.
    there = not chosen.include or bool(known)
    content = _as_data(acquisition, name, chosen.target, known if there else None, chosen.without)
    if chosen.output is not None:
        write_output(chosen.output, content, "tree", "acquire", _page)
    print(json_text(content) if chosen.json else "\n".join([f"{name}:", *_lines(content)]))
    return OK


def _pairs(key: str, texts: Sequence[str]) -> dict[str, Any]:
    """Return values by their names, which are numbers where they can be."""
    pairs: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.rpartition("=")
        if not sign or not name:
            raise AltfsError(key, f"'{text}' is not allowed", "write NAME=VALUE")
        pairs[name] = _value(value)
    return pairs


def _value(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


def _costs(chosen: argparse.Namespace, names: Sequence[str]) -> dict[str, Any]:
    return dict.fromkeys(names, 1.0) | _pairs("costs", chosen.costs)


def _panels(texts: Sequence[Sequence[str]]) -> dict[str, Any]:
    panels = {}
    for named, *features in texts:
        for name, cost in _pairs("panels", [named]).items():
            panels[name] = {"features": features, "cost": cost}
    return panels


def _ask(acquisition: AlternativeAcquisition, known: dict[str, Any], without: list[str]) -> int:
    """Ask for values on the terminal, and say the answer."""
    panels = {a.name: a.features for a in acquisition.method_.task.actions}

    def asked(question: str) -> Any:
        print(f"{question}? ", end="", flush=True)
        text = sys.stdin.readline().strip()
        return None if text in ("", "no") else _value(text)

    def ask(name: str) -> Any:
        features = [acquisition.names_[j] for j in panels[name]]
        if features == [name]:
            return asked(name)
        values: dict[str, Any] = {}
        for feature in features:
            values[feature] = asked(f"{name}: {feature}")
            if values[feature] is None:
                return None
        return values

    end = acquisition.acquire(known, ask, without)
    print(f"The answer is {end.answer} ({end.certainty:.0%} sure). It cost {end.spent:g}.")
    return OK


def _as_data(
    acquisition: AlternativeAcquisition,
    name: str,
    target: str,
    known: dict[str, Any] | None,
    without: list[str],
) -> dict[str, Any]:
    """Return the next measurement, the tree and the kits as data for JSON, which has no NaN."""
    following: dict[str, Any] | None = None
    if known is not None:
        then = acquisition.next(known, without)
        following = {
            "measure": then.measure, "answer": then.answer, "certainty": then.certainty,
            "value": then.value, "bound": finite_or_none(then.bound), "status": str(then.status),
            "cost": then.cost, "spent": then.spent, "outage": then.outage,
            "alternatives": [
                dict(zip(("measure", "switch", "outage"), other, strict=True))
                for other in then.alternatives
            ],
            "words": str(then),
        }  # fmt: skip
    tree = acquisition.policy() if acquisition.method_.has_tree else None
    rows: list[dict[str, Any]] = []
    if tree is not None:
        frame = tree.to_frame().astype(object)
        for row in frame.where(frame.notna(), None).to_dict("records"):
            rows.append({str(key): value for key, value in row.items()})
    return {
        "dataset": name, "target": target, "known": known or {}, "next": following,
        "explanation": acquisition.explain().split("\n"),
        "kits": [{"features": list(kit.names), "value": -kit.train_objective,
                  "bound": -kit.bound, "status": str(kit.status)} for kit in acquisition.kits_],
        "tree": rows, "policy": [] if tree is None else str(tree).split("\n"),
    }  # fmt: skip


def _lines(content: dict[str, Any]) -> list[str]:
    following = content["next"]
    lines = [] if following is None else [following["words"]]
    return [*lines, "", *content["explanation"], "", *content["policy"]]


def _page(content: dict[str, Any]) -> str:
    """Return a page without scripts: the words, the kits and the tree."""
    title = f"What to measure of a row of {escape(content['dataset'])}"
    following = content["next"]
    first = [] if following is None else [f"<p><b>{escape(following['words'])}</b></p>"]
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            f"<title>{title}</title>",
            "<style>body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}",
            "pre{font:14px/1.5 monospace;overflow-x:auto}</style>",
            f"</head><body><h1>{title}</h1>",
            *first,
            *(f"<p>{escape(line)}</p>" for line in content["explanation"]),
            f"<pre>{escape(chr(10).join(content['policy']))}</pre>",
            "</body></html>",
            "",
        ]
    )
