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
        What is missing, in a sentence; empty if nothing is.
    facts : mapping of str to str
        In the order in which they are shown.
    details : mapping of str to sequence of str
        Lists that are long: of missing files, of failures.
    """

    gap: str
    facts: Mapping[str, str]
    details: Mapping[str, Sequence[str]] = field(default_factory=dict)


def summarise_study(plan: Plan, results: StudyResults, gap: str, foreign: Sequence[str]) -> Summary:
    """Say what was run.

    Parameters
    ----------
    plan : Plan
    results : StudyResults
    gap : str
        What is missing, in a sentence.
    foreign : sequence of str
        Files among the results that belong to no task.
    """
    config = plan.config
    # In a complete study nothing has to be looked for.
    missing = missing_tasks(plan) if gap else []
    planned = sum(1 for _ in plan.shard_keys())
    there = planned - sum(task.kind == "search" for task in missing)
    sizes = f"{len(results.feature_sets):,} feature sets in {there:,} of {planned:,} shards"
    facts = {
        "Datasets": ", ".join(entry.name for entry in config.datasets),
        "Folds": f"{config.folds}",
        "Seed": f"{config.seed}",
        "Selectors": ", ".join(
            f"{entry.name}{_options(entry.options)}" for entry in config.selectors
        ),
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
            _inside(plan, task.path) for task in missing if not task.kind.startswith("score")
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
    return [f"{_inside(plan, failure.task.path)}: {failure.reason}" for failure in survey.failures]


def _inside(plan: Plan, path: str) -> str:
    return str(Path(path).relative_to(plan.results))


def _options(options: Mapping[str, object]) -> str:
    return f" ({', '.join(f'{k}: {v}' for k, v in options.items())})" if options else ""


def _incomplete(results: StudyResults) -> list[str]:
    """List what the tables lack, as the table `missing` has it."""
    return [
        ", ".join(
            [
                f"{row['n']} x {row['kind']}",
                *(
                    f"{c} {row[c]}"
                    for c in ("dataset", "selector", "search", "model")
                    if row.get(c)
                ),
                f"folds {row['folds']}",
            ]
        )
        for row in results.missing.to_dict("records")
    ]
