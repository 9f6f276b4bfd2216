"""``altfs check``: validation of a configuration, and inspection of a table."""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altfs.commands.exit_codes import NO, OK
from altfs.commands.find import READING, TASKS, add_column_options
from altfs.commands.output import json_text
from altfs.commands.studies import open_config
from altfs.commands.tables import DATA, load_table
from altfs.errors import AltfsError, ConfigError

if TYPE_CHECKING:
    from altfs.datasets import Dataset
    from altfs.scores.base import Part
    from altfs.study.config import StudyConfig

_SELECTORS = ("mutual_information", "fcbf", "model_gain", "greedy_wrapper")
# Options of a dataset, and all that apply only to a table.
_OPTIONS = ("task", "categorical", "exclude", "missing", *READING)
_OF_TABLES = (*_OPTIONS, "folds", "n_features", "selector", "json")
# The kinds of notes that the inspection does not have.
_NOTED = (
    "leak",
    "near leak",
    "possible leak",
    "groups",
    "gaps",
    "repeats",
    "copies",
    "partial copies",
    "rare class",
    "skewed target",
    "alike rows",
    "row order",
)
# The largest number of features in a note.
_SHOWN = 10
_N_FEATURES, _FOLDS, _N_ALTERNATIVES = 5, 10, 4
# Above this number of hours, a note names the part of the study that takes most of them.
_LONG = 1.0

HELP = "look at a table, or validate a configuration; write nothing"
DESCRIPTION = """\
Looks at a table (--target): says in sentences what looks like a mistake, which
features tell something about the target, and what to do. Or validates the
configuration of a study and its datasets. Writes nothing.

exit code: 0 the table has no problem (there may be notes), or the configuration
is valid; 1 the table has problems (!); 2 wrong arguments or configuration, or the
table cannot be read
examples:
  altfs check data.csv --target outcome
  altfs check data.parquet --target price --task regression --folds 5 -k 8 --json
  altfs check data.csv --target y --exclude id --selector mutual_information --selector cfs
  altfs check config.yaml"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("config", type=Path, nargs="?", default=Path("config.yaml"), metavar="DATA | CONFIG",
        help=f"with --target {DATA}; or a configuration (config.yaml)")  # fmt: skip
    add("-t", "--target", metavar="COLUMN", help="the column of the table's target")
    add("--task", choices=TASKS, metavar="TASK",
        help=f"what the target is: {', '.join(TASKS)} (auto)")  # fmt: skip
    add_column_options(parser)
    add("--exclude", nargs="+", action="extend", metavar="COLUMN", help="columns to leave out")
    add("--folds", type=int, metavar="N", help=f"of the study whose cost is estimated ({_FOLDS})")
    add("-k", "--n-features", type=int, metavar="N", help="features in each set (5, or half of "
        "the columns if they are fewer than ten)")  # fmt: skip
    add("--selector", action="append", metavar="NAME",
        help=f"of that study; may be repeated ({', '.join(_SELECTORS)})")  # fmt: skip
    add("--json", action="store_true", help="print what was found in a table as JSON")


def run(chosen: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    if chosen.target is None and not _is_table(chosen.config):
        _check_config(chosen)
        return OK
    if chosen.target is None:
        raise AltfsError("target", f"'{chosen.config}' is a table", "name its target with --target")
    options = {key: getattr(chosen, key) for key in _OPTIONS}
    content = check_table(
        chosen.config,
        chosen.target,
        options={key: value for key, value in options.items() if value},
        folds=_FOLDS if chosen.folds is None else chosen.folds,
        n_features=chosen.n_features,
        selectors=tuple(chosen.selector or _SELECTORS),
    )
    print(json_text(content) if chosen.json else "\n".join(_check_lines(content)))
    return NO if content["problems"] else OK


def _is_table(path: Path) -> bool:
    from altfs.datasets.file import ENDINGS

    return path.name.lower().endswith(ENDINGS)


def _check_config(chosen: argparse.Namespace) -> None:
    """Check a configuration, and that no option for tables is given with it."""
    for name in _OF_TABLES:
        if getattr(chosen, name) not in (None, False):
            reason = "this option is for tables"
            raise AltfsError(name, reason, "name the table's target with --target, or leave it out")
    # The keys in messages are those of the configuration.
    chosen.options = {}
    plan = open_config(chosen.config)
    for name, facts in plan.facts.items():
        print(f"{name}: {facts.n_rows} rows, {facts.n_total} features, {facts.target_type}")
    print(f"{plan.config.name}: {sum(1 for _ in plan.places())} shards in {plan.results}")


def check_table(
    path: Path,
    target: str,
    *,
    options: Mapping[str, Any] | None = None,
    folds: int = _FOLDS,
    n_features: int | None = None,
    selectors: tuple[str, ...] = _SELECTORS,
) -> dict[str, Any]:
    """Inspect a CSV, TSV or Parquet file for what a study refuses or handles badly.

    Parameters
    ----------
    path : Path
        The file to inspect.
    target : str
        Its target column.
    options : mapping of str to object, optional
        Options of the dataset as in ``config.yaml``, such as categorical, exclude and missing.
    folds : int, default=10
        Number of folds of the study's cross-validation.
    n_features : int, optional
        Size of its feature sets; 5, or half of the columns if they are fewer than ten.
    selectors : tuple of str
        Its selectors.

    Returns
    -------
    dict
        `problems` (sentences; a study with one does not begin), `notes` (sentences), `signal` (a
        sentence, or None with problems other than gaps), `cost` (a sentence, or None with
        problems), `entry` (for the key datasets of a configuration; None of standard input),
        rows, features and target type.

    Raises
    ------
    AltfsError
        If an argument is not allowed, or the file is not a table with this target.
    """
    from altfs.datasets.file import file_options
    from altfs.datasets.inspection import Finding, inspect_table
    from altfs.library.notes import notes_of, sentences_of
    from altfs.scores.base import Part
    from altfs.study.facts import complaints
    from altfs.study.supported import check_supported

    defaults = {"task": "auto", "categorical": [], "exclude": [], "missing": "refuse"}
    others = {k: v for k, v in (options or {}).items() if v != defaults.get(k)}
    source = {"path": str(path), "target": target, **others}
    name = re.sub(r"[^A-Za-z0-9_.-]+", "_", path.name.split(".")[0]) or "table"
    entry = {"name": name, "type": "file", "options": source}
    # Wrong arguments are reported before the file is read.
    _study_config(entry, folds, [1 if n_features is None else n_features], selectors)
    validated = file_options(source)
    table, raw = load_table(path, validated)
    findings, dataset = inspect_table(table, raw, validated)
    cost = signal = None
    gaps: list[Finding] = []
    if any(finding.stops for finding in findings) and validated.missing == "refuse":
        # A table that is refused for its gaps alone is inspected for all else.
        imputed = validated.model_copy(update={"missing": "impute"})
        alike, complete = inspect_table(table, raw, imputed)
        if not any(finding.stops for finding in alike):
            gaps = [finding for finding in findings if finding.stops]
            findings, dataset = [*gaps, *alike], complete
    if dataset is not None:
        size = max(1, min(_N_FEATURES, dataset.n_total // 2)) if n_features is None else n_features
        config = _study_config(entry, folds, [size], selectors)
        for complaint in complaints(config, dataset, "the dataset"):
            of_selector = complaint.key.startswith("selectors[")
            findings.append(
                Finding(
                    True,
                    str(complaint.at("selector", of=complaint.key) if of_selector else complaint),
                )
            )
        try:
            check_supported(config)
        except ConfigError as error:
            findings.append(Finding(True, str(error)))
        stops = [finding for finding in findings if finding.stops]
        if not stops:
            cost, note = _study_cost(config, dataset)
            findings += [Finding(False, note)] if note else []
        if stops == gaps:
            part = Part(
                dataset.X, dataset.y, dataset.target_type, 0, categorical=dataset.categorical
            )
            signal = _signal_sentence(part, dataset.feature_names, bool(gaps))
            # The inspection names columns that say the target or another column exactly.
            exact = (" tells target ", " has the values of ")
            told = [f.sentence for f in findings if any(words in f.sentence for words in exact)]
            notes = [
                note
                for note in notes_of(part, dataset.feature_names, (), dataset.X)
                if note.kind in _NOTED
                and not (
                    note.features
                    and all(any(f"'{name}'" in s for s in told) for name in note.features)
                )
            ]
            findings += [Finding(False, sentence) for sentence in sentences_of(notes)]
    return {
        "table": table,
        "rows": len(raw.frame),
        "features": raw.frame.shape[1] - 1,
        "target": target,
        "target_type": None if dataset is None else dataset.target_type,
        "problems": [finding.sentence for finding in findings if finding.stops],
        "notes": [finding.sentence for finding in findings if not finding.stops],
        "signal": signal,
        "cost": cost,
        # A study cannot read standard input.
        "entry": None if str(path) == "-" else entry,
    }


def _signal_sentence(part: Part, feature_names: Sequence[str], is_imputed: bool) -> str:
    """Name the features that alone tell more about the target than by chance."""
    from altfs.library.single_features import MOST_ROWS, N_SHUFFLES, above_chance

    is_above = above_chance(part)
    names = [n for n, above in zip(feature_names, is_above, strict=True) if above]
    rest = len(names) - _SHOWN
    more = f" and {rest} more" if rest > 0 else ""
    listed = f": {', '.join(names[:_SHOWN])}{more}" if names else ""
    n_rows = f"{MOST_ROWS:,} of {len(part.y):,} rows, " * (len(part.y) > MOST_ROWS)
    n_rows += "gaps imputed, " * is_imputed
    return (
        f"{len(names)} of {len(feature_names)} features alone tell more about the target than by "
        f"chance (ranks and levels, {n_rows}{N_SHUFFLES} shuffled targets; one in twenty tables of "
        "noise has such a feature, and weak ones may be missed; altfs find also looks for "
        f"interactions){listed}."
    )


def _study_config(
    entry: dict[str, Any], folds: int, n_features: list[int], selectors: tuple[str, ...]
) -> StudyConfig:
    from altfs.study.config import parse_config

    content = {
        "name": "check",
        "results": "results/check",
        "datasets": [entry],
        "folds": folds,
        "seed": 0,
        "selectors": list(selectors),
        "n_features": n_features,
        "taus": "attainable",
        "searches": [
            {"name": "sequential", "n_alternatives": _N_ALTERNATIVES},
            {"name": "simultaneous", "n_alternatives": _N_ALTERNATIVES, "aggregation": "sum"},
        ],
        "models": ["decision_tree"],
    }
    try:
        return parse_config(content)
    except ConfigError as error:
        # Its keys are arguments here, such as n_features[0] and datasets[0].options.decimal.
        head, _, option = error.key.partition("].options.")
        key = (option or head).partition("[")[0]
        key = "selector" if key == "selectors" else key
        raise AltfsError(key, error.reason, error.advice) from None


def _study_cost(config: StudyConfig, dataset: Dataset) -> tuple[str, str]:
    """Return a sentence with the CPU time of a study, and one on a part that takes long, or ""."""
    from altfs.study.costs import task_seconds
    from altfs.study.facts import facts_of
    from altfs.study.forecast import duration
    from altfs.study.plan import Plan
    from altfs.study.tasks import ModelTask
    from altfs.study.times import Times

    name = config.datasets[0].name
    plan, times = Plan(config, {name: facts_of(dataset)}), Times()
    hours: dict[str, float] = defaultdict(float)
    unknown = set()
    # A score that several selectors share counts for the first one.
    users = {
        score.name: selector
        for selector in reversed(plan.selector_entries)
        for score in plan.scores_of(selector)
    }
    for task in plan.tasks_of_fold(name, 0):
        user = "prediction models" if isinstance(task, ModelTask) else task.detail
        user = users[user] if task.rule.startswith("score") else user
        seconds = task_seconds(plan, task, times)
        if seconds is None:
            unknown.add(user)
        hours[user] += (seconds or 0.0) * config.folds.number / 3600
    total, most = sum(hours.values()), max(hours, key=lambda user: (hours[user], user))
    cost = (
        f"A study of it ({config.folds.number} folds, sets of {config.n_features[0]}, every tau, "
        f"sequential and simultaneous search with {_N_ALTERNATIVES} alternatives, "
        f"{', '.join(plan.selector_entries)}, decision trees) takes about {duration(total)} of "
        "CPU time" + (f", without {', '.join(sorted(unknown))} (unknown)." if unknown else ".")
    )
    if hours[most] < _LONG:
        return cost, ""
    what = f"selector '{most}'" if most in plan.selector_entries else "training prediction models"
    return cost, (
        f"{what} takes about {duration(hours[most])} of CPU time with {dataset.n_total} features "
        f"and {len(dataset.y)} rows, leave it out, use fewer folds, or leave out features or rows."
    )


def _check_lines(content: dict[str, Any]) -> Iterator[str]:
    import yaml

    kind = f" ({content['target_type']})" if content["target_type"] else ""
    yield (
        f"{content['table']}: {content['rows']} rows, {content['features']} features, "
        f"target {content['target']}{kind}"
    )
    yield from (f"! {s.replace('`missing`', '--missing')}" for s in content["problems"])
    yield from (f"- {sentence}" for sentence in content["notes"])
    if content["signal"]:
        yield content["signal"]
    if many := len(content["problems"]):
        # Without a sentence on the signal, there are problems other than gaps.
        filled = "; altfs find imputes missing values" * bool(content["signal"])
        problems = "1 problem" if many == 1 else f"{many} problems"
        yield f"The table has {problems} (!), with which a study does not begin{filled}."
        return
    yield "The table has no problem that stops a search or a study."
    yield content["cost"]
    if content["entry"] is None:
        return
    style: Any = {"default_flow_style": True, "sort_keys": False, "allow_unicode": True}
    text = yaml.safe_dump([content["entry"]], width=10_000, **style).strip()
    yield f"To study it, write into config.yaml: datasets: {text}"
