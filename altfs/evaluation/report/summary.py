"""Facts of a study: configuration, data, seeds, versions, failures and missing files."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.names import sizes_in_words
from altfs.searches.request import stored_size
from altfs.study.plan import Plan
from altfs.study.runs import note_outcome, stored_runs, task_times
from altfs.study.state import StudyState, look_at_logs
from altfs.study.store import library_versions
from altfs.study.task import Task

# A list of the page has at most so many lines; those of 17,000 files would be half of it.
_MOST_LINES = 20


@dataclass(frozen=True)
class Summary:
    """The facts of a study."""

    #: One line of what was run.
    line: str
    #: A sentence about what is missing; empty if nothing is missing.
    gap: str
    #: The facts in the order in which they are shown.
    facts: Mapping[str, str]
    #: Longer lists, such as missing files and failures.
    details: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: A sentence for each selector.
    selectors: Mapping[str, str] = field(default_factory=dict)


def summarise_study(plan: Plan, results: StudyResults, foreign: Sequence[str]) -> Summary:
    """Return the facts of a study; the `foreign` files among its results belong to no task."""
    config, gap = plan.config, results.gap()
    missing = missing_tasks(plan) if gap else []
    planned = sum(1 for _ in plan.places())
    failed = failures(plan, missing)
    there = planned - sum(task.rule == "search" for task in missing)
    sizes = f"{len(results.feature_sets):,} feature sets in {there:,} of {planned:,} shards"
    facts = {
        "Datasets": ", ".join(entry.name for entry in config.datasets),
        "Folds": f"{config.folds}",
        "Seed": f"{config.seed}",
        "Selectors": ", ".join(entry.name + _options(entry.options) for entry in config.selectors),
        "Feature-set sizes": ", ".join(map(str, config.n_features)),
        "Dissimilarity thresholds": ", ".join(plan.sizes_by_tau),
        "Searches": "; ".join(
            f"{entry.name} ({', '.join(map(str, entry.n_alternatives))} alternatives"
            + (f", {', '.join(entry.aggregation)})" if entry.aggregation else ")")
            for entry in config.searches
        ),
        "Prediction models": ", ".join(plan.model_entries),
        "Results": sizes,
        "Plan": plan.hash,
        **_origin(plan, len(failed)),
    }
    runs = [
        f"{run.get('started')}: {run.get('command')} (commit {run.get('commit')})"
        for run in stored_runs(plan.study_file)
    ]
    lacking = [plan.inside(task.path) for task in missing if not task.rule.startswith("score")]
    details: dict[str, Sequence[str]] = {
        "Incomplete parts": first_lines(_incomplete(results)),
        "Missing files": first_lines(lacking),
        "Failures": first_lines(failed),
        "Files that are not of this study and were not read": first_lines(foreign),
        "Runs": first_lines(runs),
        "Configuration": config.model_dump_json(indent=2).splitlines(),
    }
    details = {name: lines for name, lines in details.items() if lines}
    return Summary(_line(plan, results), gap, facts, details, _selectors(plan))


def _origin(plan: Plan, n_failed: int) -> dict[str, str]:
    """Say with what the last run was made and how long tasks took; ``study.json`` says it, too."""
    known = stored_runs(plan.study_file)
    last = known[-1] if known else {"versions": library_versions()}
    versions = ", ".join(f"{name} {v}" for name, v in last.get("versions", {}).items())
    keys = ("started", "command", "commit", "machine")
    facts = {key.capitalize(): last.get(key) for key in keys} | {"Versions": versions}
    times = task_times(plan.results)
    if times is not None:
        note_outcome(plan.study_file, {
            "tasks": times.n, "failed": n_failed, "ended": f"{times.ended:%Y-%m-%d %H:%M:%S} UTC",
            "wall_seconds": round(times.seconds, 3),
            "cpu_seconds": round(times.cpu_seconds, 3),
        })  # fmt: skip
        facts["Tasks"] = (
            f"{times.n:,}, {n_failed:,} of them failed; {times.began:%Y-%m-%d %H:%M} to "
            f"{times.ended:%Y-%m-%d %H:%M} UTC; together {times.seconds:,.0f} s of wall time"
        )
        facts["CPU time"] = f"{times.cpu_seconds:,.0f} s"
    return {name: str(text) for name, text in facts.items() if text}


def first_lines(lines: Sequence[str]) -> list[str]:
    """Return the first lines, and how many more there are."""
    more = len(lines) - _MOST_LINES
    rest = [f"and {more:,} more; `altfs status RESULTS --json` has all"] if more > 0 else []
    return [*lines[:_MOST_LINES], *rest]


def _line(plan: Plan, results: StudyResults) -> str:
    """Say what was run."""
    config = plan.config
    counts = [
        (len(config.datasets), "dataset"),
        (config.folds, "fold"),
        (len(config.selectors), "selector"),
        (len(plan.sizes_by_tau), "threshold"),
        (len(config.searches), "search method"),
    ]
    parts = [f"{n} {name}{'s' * (n != 1)}" for n, name in counts]
    sizes = sizes_in_words([stored_size(k) for k in config.n_features], results.sizes)
    return (
        f"{' × '.join(parts)}; {sizes}; {len(results.feature_sets):,} feature sets with an answer."
    )


def _selectors(plan: Plan) -> dict[str, str]:
    """Return the first sentence of the documentation of each selector, and its options."""
    said = {}
    for name, made in plan.fitted_selectors.items():
        text = (inspect.getdoc(type(made)) or "").partition("\n\n")[0].replace("\n", " ")
        options = _options(plan.selector_entries[name].options)
        said[name] = f"{text.rstrip('.')}{options}." if options else text
    return said


def missing_tasks(plan: Plan) -> list[Task]:
    """Return the tasks of a study whose files are missing."""
    return [task for task in plan.tasks.values() if not Path(task.path).exists()]


def failures(plan: Plan, missing: Sequence[Task]) -> list[str]:
    """Return the reasons for which some of these tasks failed, from their logs."""
    state = StudyState(plan, dict.fromkeys(missing, "missing"))
    look_at_logs(state)
    return [f"{plan.inside(failure.path)}: {failure.reason}" for failure in state.failures]


def _options(options: Mapping[str, object]) -> str:
    return f" ({', '.join(f'{k}: {v}' for k, v in options.items())})" if options else ""


def _incomplete(results: StudyResults) -> list[str]:
    """List the missing parts, as the table `missing` has them."""
    lines = []
    for row in results.missing.to_dict("records"):
        known = [f"{c} {row[c]}" for c in ("dataset", "selector", "search", "model") if row.get(c)]
        lines.append(", ".join([f"{row['n']} x {row['kind']}", *known, f"folds {row['folds']}"]))
    return lines
