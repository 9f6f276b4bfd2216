"""Facts of a study: configuration, data, seeds, versions, failures and missing files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from altfs.evaluation.names import count, sizes_in_words
from altfs.evaluation.results import Results
from altfs.study.design import Origin

# A list of the page has at most so many lines; those of 17,000 files would be half of it.
_MOST_LINES = 20


@dataclass(frozen=True)
class Summary:
    """The facts of a study."""

    line: str  # One line of what was run.
    gap: str  # A sentence about what is missing; empty if nothing is missing.
    facts: Mapping[str, str]  # The facts in the order in which they are shown.
    #: Longer lists, such as missing files and failures.
    details: Mapping[str, Sequence[str]] = field(default_factory=dict)
    selectors: Mapping[str, str] = field(default_factory=dict)  # A sentence for each selector.
    audit: str = ""  # Whether an audit found problems, in words; empty without an audit.


def summarise_study(results: Results, origin: Origin) -> Summary:
    """Return the facts of a study."""
    design, n_sets = results.design, len(results.sets)
    n_lacking = int(results.sets["train_objective"].isna().sum())
    lacking = f", {n_lacking:,} of which do not exist or were not found" * bool(n_lacking)
    facts = {
        "Datasets": ", ".join(design.dataset_names),
        "Folds": design.fold_words or f"{design.folds}",
        "Seed": f"{design.seed}",
        "Selectors": ", ".join(one.name + _options(one.options) for one in design.selectors),
        "Feature-set sizes": ", ".join(design.sizes.values()),
        "Dissimilarity thresholds": ", ".join(design.taus),
        "Searches": "; ".join(
            f"{one.name} ({', '.join(map(str, one.n_alternatives))} "
            f"alternative{'s' * (list(one.n_alternatives) != [1])}"
            + (f", {', '.join(one.aggregation)})" if one.aggregation else ")")
            for one in design.searches
        ),
        "Prediction models": ", ".join(design.models),
        "Results": f"{n_sets:,} feature sets of all searches, originals too{lacking}; "
        f"{origin.n_there:,} of {origin.n_planned:,} shards",
        "Plan": design.plan,
        **origin.facts,
        **({"Audit": origin.audit} if origin.audit else {}),
    }
    problems = f"audit: {origin.n_problems} problems" if origin.n_problems else "audited ✓"
    details: dict[str, Sequence[str]] = {
        "Incomplete parts": first_lines(_incomplete(results)),
        "Missing files": first_lines(origin.missing),
        "Failures": first_lines(origin.failures),
        "Files that are not of this study and were not read": first_lines(origin.foreign),
        "Runs": first_lines(origin.runs),
        "Configuration": origin.configuration,
    }
    details = {name: lines for name, lines in details.items() if lines}
    numbers = sum(one.target_type == "regression" for one in design.datasets)
    both = f" ({numbers} of regression)" * (0 < numbers < len(design.datasets))
    sizes = sizes_in_words([*design.sizes], design.sizes)
    # The first sentence of the documentation of each selector, and its options.
    selectors = {one.name: f"{one.about.rstrip('.')}{_options(one.options)}." if one.options
                 else one.about for one in design.selectors}  # fmt: skip
    return Summary(
        ", ".join([count(len(design.datasets), "dataset") + both,
        count(len(design.selectors), "selector"), sizes, count(design.folds, "fold")]),
        results.gap(), facts, details,
        selectors, problems if origin.audit else "",
    )  # fmt: skip


def first_lines(lines: Sequence[str]) -> list[str]:
    """Return the first lines, and how many more there are."""
    more = len(lines) - _MOST_LINES
    rest = [f"and {more:,} more; `altfs status RESULTS --json` has all"] if more > 0 else []
    return [*lines[:_MOST_LINES], *rest]


def _options(options: Mapping[str, object]) -> str:
    return f" ({', '.join(f'{k}: {v}' for k, v in options.items())})" if options else ""


def _incomplete(results: Results) -> list[str]:
    """List the missing parts, as the table `missing` has them."""
    lines = []
    for row in results.missing.to_dict("records"):
        words = [f"{c} {row[c]}" for c in ("dataset", "selector", "search", "model") if row.get(c)]
        lines.append(", ".join([f"{row['n']} x {row['kind']}", *words, f"folds {row['folds']}"]))
    return lines
