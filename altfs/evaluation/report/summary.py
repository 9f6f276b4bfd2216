"""Facts of a study: configuration, data, seeds, versions, failures and missing files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from altfs.evaluation.collect.results import StudyResults
from altfs.study.inventory import Task, tasks
from altfs.study.plan import Plan
from altfs.study.store import library_versions
from altfs.study.survey import Survey, look_at_logs


@dataclass(frozen=True)
class Summary:
    """The facts of a study.

    Attributes
    ----------
    gap : str
        A sentence about what is missing; empty if nothing is missing.
    facts : mapping of str to str
        The facts in the order in which they are shown.
    details : mapping of str to sequence of str
        Longer lists, such as missing files and failures.
    """

    gap: str
    facts: Mapping[str, str]
    details: Mapping[str, Sequence[str]] = field(default_factory=dict)


def summarise_study(plan: Plan, results: StudyResults, foreign: Sequence[str]) -> Summary:
    """Return the facts of a study; the `foreign` files among its results belong to no task."""
    config, gap = plan.config, results.gap()
    missing = missing_tasks(plan) if gap else []
    planned = sum(1 for _ in plan.shard_keys())
    there = planned - sum(task.kind == "search" for task in missing)
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
        "Prediction models": ", ".join(config.models),
        "Results": sizes,
        "Plan": plan.hash,
        "Versions": ", ".join(f"{name} {v}" for name, v in library_versions().items()),
    }
    details: dict[str, Sequence[str]] = {
        "Missing files": [
            plan.inside(task.path) for task in missing if not task.kind.startswith("score")
        ],
        "Failures": failures(plan, missing),
        "Incomplete parts": _incomplete(results),
        "Files that are not of this study and were not read": foreign,
        "Configuration": config.model_dump_json(indent=2).splitlines(),
    }
    return Summary(gap, facts, {name: lines for name, lines in details.items() if lines})


def missing_tasks(plan: Plan) -> list[Task]:
    """Return the tasks of a study whose files are missing."""
    return [task for task in tasks(plan) if not Path(task.path).exists()]


def failures(plan: Plan, missing: Sequence[Task]) -> list[str]:
    """Return the reasons for which some of these tasks failed, from their logs."""
    survey = Survey(plan, dict.fromkeys(missing, "missing"))
    look_at_logs(survey)
    return [f"{plan.inside(failure.task.path)}: {failure.reason}" for failure in survey.failures]


def _options(options: Mapping[str, object]) -> str:
    return f" ({', '.join(f'{k}: {v}' for k, v in options.items())})" if options else ""


def _incomplete(results: StudyResults) -> list[str]:
    """List the missing parts, as the table `missing` has them."""
    lines = []
    for row in results.missing.to_dict("records"):
        known = [f"{c} {row[c]}" for c in ("dataset", "selector", "search", "model") if row.get(c)]
        lines.append(", ".join([f"{row['n']} x {row['kind']}", *known, f"folds {row['folds']}"]))
    return lines
