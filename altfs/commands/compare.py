"""``altfs compare``: the differences between two studies, or two states of one."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altfs._extras import require
from altfs.commands.exit_codes import NO, OK
from altfs.commands.output import check_output, console, finite_or_none, json_text, writing
from altfs.errors import ConfigError

if TYPE_CHECKING:
    from altfs.evaluation.results import Results

HELP = "what differs between two studies, or two states of one"
DESCRIPTION = """\
Pairs the feature sets of two studies by dataset, fold and setting, and says in how
many pairs the set, its status, its objective and its test score differ. Times are
shown and do not count. Reads the tables of both results folders.

exit code: 0 the same; 1 different; 2 wrong arguments, or no tables
example: altfs compare results/before results/after --figure changes.svg"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("a", type=Path, help="the results folder of a study")
    parser.add_argument("b", type=Path, help="that of the other one")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--figure", type=Path, metavar="FILE",
        help="draw the changes: a .svg or .pdf file, or .json for a Vega-Lite specification",
    )  # fmt: skip


def run(chosen: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    for argument in ("a", "b"):
        if not Path(getattr(chosen, argument), "collected.json").is_file():
            raise _no_tables(getattr(chosen, argument), argument)
    from altfs.evaluation import differences, task

    if chosen.figure is not None:
        require("figure", "study", "vl_convert")
        check_output(chosen.figure, Path("-"), (".svg", ".pdf", ".json"))
    a, b = _results(chosen.a, "a"), _results(chosen.b, "b")
    pairs = differences.paired_sets(a, b)
    rows: list[Any] = differences.summary(pairs).to_dict("records")
    same = differences.are_same(pairs)
    if chosen.figure is not None:
        with writing("figure", chosen.figure):
            task.save_figure(differences.changes_figure(pairs), chosen.figure)
    if chosen.json:
        rows = [{k: finite_or_none(v) if isinstance(v, float) else v for k, v in row.items()}
                for row in rows]  # fmt: skip
        print(json_text({"a": str(chosen.a), "b": str(chosen.b), "same": same, "rows": rows}))
    else:
        _print(rows, same)
    return OK if same else NO


def _results(folder: Path, argument: str) -> Results:
    from altfs.evaluation.results import read_results

    try:
        return read_results(str(folder))
    except (OSError, ValueError, KeyError, TypeError):
        raise _no_tables(folder, argument) from None


def _no_tables(folder: Path, argument: str) -> ConfigError:
    reason = f"'{folder}' has no tables of a study"
    return ConfigError(argument, reason, f"run the study, or 'altfs report {folder}'")


def _print(rows: list[dict[str, Any]], same: bool) -> None:
    from rich.table import Table

    from altfs.evaluation.names import selector_name

    counts = ("n_pairs", "set_differs", "status_differs", "objective_differs", "score_differs")
    table = Table(box=None, padding=(0, 1, 0, 0))
    for name in ("selector", "search"):
        table.add_column(name, overflow="fold")
    for name in ("pairs", "sets", "status", "objective", "score", "change", "time"):
        table.add_column(name, justify="right")
    for row in rows:
        kind = "" if row["aggregation"] == "none" else f" ({row['aggregation']})"
        change, before = finite_or_none(row["score_change"]), row["seconds_a"]
        table.add_row(
            selector_name(row["selector"]), row["search"] + kind,
            *(f"{row[name]:,}" for name in counts),
            "-" if change is None else f"{change:+.2g}",
            f"{row['seconds_b'] / before:.2g}x" if before else "-",
        )  # fmt: skip
    out = console()
    out.print(table)
    only = [f"{sum(row[f'n_only_{one}'] for row in rows):,} only in {one.upper()}" for one in "ab"]
    out.print(
        "\nPairs of feature sets, and how many of them differ; the mean change of the test score, "
        f"and the time, from A to B. Sets without a pair: {', '.join(only)}."
    )
    out.print("There is no difference." if same else "There are differences.")
