"""The last task of a study: tables, figures and the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from altfs.study.plan import Plan, load_plan, shard_hash
from altfs.study.store import library_versions, write_atomically, write_table

_CAPTIONS = {
    "datasets": "The datasets as used; constant and duplicated features are kept.",
    "status": "How many feature sets are proven best, found, proven not to exist, or open.",
    "quality": "Objectives over datasets and folds; n_sets of n_planned sets exist.",
    "prediction": "Scores of the prediction models over datasets and folds.",
    "notes": "Values that could not be computed, and why.",
    "objective_by_alternative": "What further alternatives cost in training objective.",
    "score_by_selector": "How well models predict with the feature sets of each selector.",
    "infeasible_by_tau": "Where so many so different feature sets do not exist.",
}


def evaluate(**arguments: Any) -> None:
    """Make tables, figures and the report of a finished study.

    Reads the files of the plan, never whatever lies in the folder.
    """
    import pyarrow as pa

    from altfs.evaluation.figures import make_figures
    from altfs.evaluation.load import load_results
    from altfs.evaluation.report import make_report
    from altfs.evaluation.tables import make_tables

    plan = load_plan(arguments["study"])
    folder = Path(plan.results)
    keys = list(plan.shard_keys())
    names = [entry.name for entry in plan.config.datasets]
    results = load_results(
        {plan.shard_path(key): shard_hash(plan, key) for key in keys},
        [
            plan.prediction_path(dataset, fold, model)
            for dataset in names
            for fold in range(plan.config.folds)
            for model in plan.config.models
        ],
        [plan.data_path(dataset) for dataset in names],
    )
    metadata = {"kind": "table", "plan": plan.hash, "versions": library_versions()}
    tables = make_tables(results)
    for name, frame in {"feature_sets": results.feature_sets, **tables}.items():
        path = folder / "tables" / f"{name}.parquet"
        write_table(path, pa.Table.from_pandas(frame, preserve_index=False), metadata)
    for name, frame in tables.items():
        text = frame.to_csv(index=False)
        _write_bytes(folder / "tables" / f"{name}.csv", text.encode())
    drawn = {}
    for name, chart in make_figures(results).items():
        drawn[name] = _draw(folder / "figures" / name, chart)
    page = make_report(
        title=plan.config.name,
        summary=_summary(plan, len(keys), len(results.feature_sets)),
        tables=tables,
        figures=drawn,
        captions=_CAPTIONS,
    )
    _write_bytes(folder / "report.html", page.encode())


def _draw(path: Path, chart: Any) -> str:
    import vl_convert

    specification = chart.to_json()
    svg = str(vl_convert.vegalite_to_svg(specification))
    _write_bytes(path.with_name(f"{path.name}.svg"), svg.encode())
    _write_bytes(path.with_name(f"{path.name}.pdf"), vl_convert.vegalite_to_pdf(specification))
    return svg


def _write_bytes(path: Path, content: bytes) -> None:
    def write(partial: Path) -> None:
        partial.write_bytes(content)

    write_atomically(path, write)


def _summary(plan: Plan, n_shards: int, n_sets: int) -> dict[str, Any]:
    config = plan.config
    return {
        "Datasets": ", ".join(entry.name for entry in config.datasets),
        "Folds": f"{config.folds} (seed {config.seed})",
        "Selectors": ", ".join(entry.name for entry in config.selectors),
        "Feature-set sizes": ", ".join(map(str, config.n_features)),
        "Dissimilarity thresholds": ", ".join(plan.sizes_by_tau),
        "Searches": "; ".join(
            f"{entry.name} ({', '.join(map(str, entry.n_alternatives))} alternatives"
            + (f", {', '.join(entry.aggregation)})" if entry.aggregation else ")")
            for entry in config.searches
        ),
        "Prediction models": ", ".join(config.models),
        "Results": f"{n_sets} feature sets in {n_shards} shards",
        "Versions": ", ".join(f"{k} {v}" for k, v in library_versions().items()),
    }
