"""``altfs explain``: several explanations of what a model says to single rows of a table."""

from __future__ import annotations

import argparse
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altfs.commands.constraint_options import add_constraint_options, read_constraint_options
from altfs.commands.exit_codes import NO, OK
from altfs.commands.find import (
    READING,
    add_column_options,
    add_request_options,
    parse_size,
    read_components,
)
from altfs.commands.output import check_output, json_text, write_output
from altfs.commands.tables import DATA, load_table, table_name
from altfs.errors import AltfsError, placed

if TYPE_CHECKING:
    import pandas as pd

    from altfs.kinds.rows.explanations import Explanations

_ENDINGS = (".json", ".parquet", ".html")
# Arguments that are parameters of the estimator as they are.
_PARAMETERS = ("selector", "n_features", "n_alternatives", "tau", "max_overlap", "overlap",
               "dissimilarity", "aggregation", "background", "task", "work")  # fmt: skip

HELP = "explain what a model says to single rows"
DESCRIPTION = """\
Explains rows of a table: for each the set of features that has most of the
attribution, and alternatives that differ enough from it and are proven best.
Says whether each is sufficient: whether the model predicts the class from
these features alone, and not without any feature. By default a random forest
learns on all rows. Columns of text are categories, and dates are days since
1970.

A model file is one of joblib or pickle, or of skops or ONNX (.skops, .onnx)
where these are installed. Loading the first two runs the code in them, so name
only files that you trust; the others run none. A model is given text as it is.

exit code: 0 all explanations are there; 1 there are fewer; 2 wrong arguments or data
examples:
  altfs explain data.csv --target outcome
  altfs explain data.csv --target y --rows 10 -k 3 -a 2 --tau 0.5
  altfs explain data.csv --target y --exclude age --exclude sex --output why.html
  altfs explain data.tsv --target y --missing impute --categorical zip_code
  altfs explain new.csv --model forest.joblib --selector lime --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("data", type=Path, help=DATA)
    add("-t", "--target", metavar="COLUMN", help="the column of the target; a model that is given "
        "needs none")  # fmt: skip
    add("--rows", type=int, default=10, metavar="N", help="explain so many rows, from the first "
        "one (10)")  # fmt: skip
    add("-k", "--n-features", type=parse_size, default=5, metavar="N", help="features in each "
        "explanation (5); or a range as in 1-3, of which each row has the smallest that tells its "
        "class")  # fmt: skip
    add("-a", "--n-alternatives", type=int, default=1, metavar="N",
        help="explanations beyond the first (1)")  # fmt: skip
    add("--model", type=Path, metavar="FILE", help="a fitted model, written by joblib or pickle, "
        "which run its code, so name only files that you trust; or by skops or ONNX")  # fmt: skip
    add("--background", type=int, default=100, metavar="N", help="rows that stand for unknown "
        "values (100)")  # fmt: skip
    add_request_options(parser, "shap")
    add_column_options(parser)
    add("--seed", dest="random_state", type=int, default=0, metavar="N",
        help="random state of the model and the background (0)")  # fmt: skip
    add("--work", type=float, default=20.0, metavar="N", help="limit of work for each row that is "
        "searched alone, in counts (20)")  # fmt: skip
    add("-o", "--output", type=Path, metavar="FILE",
        help="a .json, .parquet or .html file to write")  # fmt: skip
    add("--json", action="store_true", help="print JSON in place of words")
    add_constraint_options(parser)


def run(chosen: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    from altfs._numbers import check_whole
    from altfs.kinds.rows.alternative_explanations import AlternativeExplanations
    from altfs.kinds.rows.model_files import load_model

    check_whole("rows", chosen.rows, 1)
    check_whole("random_state", chosen.random_state, 0, 2**32 - 1)
    if chosen.output is not None:
        check_output(chosen.output, chosen.data, _ENDINGS)
    name = table_name(chosen.data)
    model = None if chosen.model is None else load_model(chosen.model)
    X, y, notes = _read(chosen, model)
    parameters = {key: getattr(chosen, key) for key in _PARAMETERS} | read_components(chosen)
    estimator = AlternativeExplanations(
        estimator=model,
        search=parameters.pop("search", None) or chosen.search or "sequential",
        constraints=read_constraint_options(chosen) or None,
        categorical=tuple(chosen.categorical or ()),
        missing=chosen.missing or "refuse",
        random_state=chosen.random_state,
        **parameters,
    )
    explained = estimator.fit(X, y).explain(X[: chosen.rows])
    content = _as_data(name, chosen.target, explained, notes)
    if chosen.output is not None:
        write_output(chosen.output, content, "explanations", "explain", _page)
    if chosen.json:
        print(json_text(content))
    else:
        print("\n".join([f"{name}: {explained.summary()}", *notes, "", *_row_lines(explained)]))
    return OK if explained.exists.all() else NO


def _read(
    chosen: argparse.Namespace, model: Any
) -> tuple[pd.DataFrame, pd.Series[Any] | None, list[str]]:
    """Return the columns of the features and the target, if there is one, and a note on others."""
    from altfs.datasets.columns import listed, text_names
    from altfs.datasets.file import file_options
    from altfs.datasets.table import features_and_target

    if chosen.target is None and model is None:
        raise AltfsError(
            "target", "no column is named", "name it with --target, or a fitted model with --model"
        )
    y = None
    features = list(map(str, getattr(model, "feature_names_in_", ())))
    # Text is read with the separator by which there is a column of this name.
    target = chosen.target or next(iter(features), "")
    reading = {key: getattr(chosen, key) for key in ("task", *READING)}
    options = file_options({"path": chosen.data, "target": target, **reading})
    name, raw = load_table(chosen.data, options)
    if chosen.target is None:
        with placed("", f"dataset '{name}', "):
            labels = text_names(raw.frame.columns.tolist())
        X = raw.frame.set_axis(labels, axis="columns")
    else:
        X, y = features_and_target(name, raw)
    names: list[str] = X.columns.tolist()
    others = [column for column in names if features and column not in features]
    # The estimator names what is absent.
    order = features if {*features} <= {*names} else [n for n in names if n not in others]
    X = X[order or names]
    notes = [f"The model does not use {listed(others)}."] if others else []
    return X, y, [*raw.notes, *notes]


def _row_lines(explained: Explanations) -> list[str]:
    """Say the explanations of every row."""
    lines = []
    for row in range(len(explained)):
        predicted = "" if explained.predicted is None else f", predicted {explained.predicted[row]}"
        lines.append(f"row {row}{predicted}:")
        for i, reason in enumerate(explained.sets(row)):
            name = f"alternative {i}" if i else "first"
            verdict = ", ".join(filter(None, [f"{reason.share:.0%}", reason.verdict]))
            lines.append(f"  {name}: {', '.join(reason.names)} ({verdict})")
    return lines


def _as_data(
    name: str, target: str | None, explained: Explanations, notes: list[str]
) -> dict[str, Any]:
    """Return the explanations as data for JSON, which has no NaN."""
    frame = explained.to_frame().astype(object)
    rows = frame.where(frame.notna(), None).to_dict("records")
    return {
        "dataset": name,
        "target": target,
        "max_overlap": explained.max_overlap,
        "summary": [*explained.summary().split("\n"), *notes],
        "explanations": [
            {key: list(value) if isinstance(value, tuple) else value for key, value in row.items()}
            for row in rows
        ],
    }


def _page(content: dict[str, Any]) -> str:
    """Return a page without scripts: the words, and a table of all explanations."""
    import pandas as pd

    title = f"Explanations of rows of {escape(content['dataset'])}"
    rows = pd.DataFrame(content["explanations"])
    table = pd.DataFrame(
        {
            "Row": rows["row"],
            "Explanation": rows["set_index"],
            "Features": rows["feature_names"].map(", ".join),
            "Share": rows["share"].map("{:.0%}".format, na_action="ignore").fillna(""),
            "Sufficient": rows["verdict"],
        }
    )
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            f"<title>{title}</title>",
            "<style>body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}",
            "td,th{text-align:left;padding:.2em .8em .2em 0;border-bottom:1px solid #ccc}</style>",
            f"</head><body><h1>{title}</h1>",
            *(f"<p>{escape(line)}</p>" for line in content["summary"]),
            table.to_html(index=False, border=0),
            "</body></html>",
            "",
        ]
    )
