"""Small qualities, and small results that tests can compute in their head."""

import numpy as np
import pandas as pd
import pyarrow as pa

from altfs.catalogue import figures, tables
from altfs.evaluation.figures import make_figure
from altfs.evaluation.results import SET_KEY, Results
from altfs.evaluation.tables import make_table
from altfs.quality import Linear, Pairwise, Ratio
from altfs.study.design import Design, RunDesign

# A quality of each kind, of the values of features and of the costs of their pairs.
KINDS = {
    "linear": lambda values, pairs: Linear(values),
    "conflicts": lambda values, pairs: Linear(values, pairs > 1),
    "pairwise": Pairwise,
    "ratio": Ratio,
}


def dead_end():
    """A quality with a dead end: disjoint sets exist, but none is disjoint from the best set."""
    conflicts = np.ones((6, 6), dtype=bool)
    for a, b in ((0, 1), (0, 2), (1, 3)):
        conflicts[a, b] = conflicts[b, a] = False
    return Linear([10, 9, 1, 1, 0, 0], conflicts)


def sets():
    """Two datasets, one sequential run of three sets each; the last of b does not exist."""
    rows = []
    for dataset in ("a", "b"):
        for i in range(3):
            missing = dataset == "b" and i == 2
            rows.append(
                {
                    "dataset": dataset,
                    "fold": 0,
                    "selector": "s",
                    "tau": "0.5",
                    "search": "sequential",
                    "n_features": 2,
                    "n_alternatives": 2,
                    "aggregation": "none",
                    "set_index": i,
                    "max_overlap": 1,
                    "train_objective": np.nan if missing else 1.0 - i / 10,
                    "test_objective": np.nan if missing else 0.5,
                    "floor": 0.85 if dataset == "a" else np.nan,
                    "bound": np.nan if missing else 1.0,
                    "run_objective": np.nan,
                    "run_bound": np.nan,
                    "status": "infeasible" if missing else "optimal",
                    "solver": "x",
                    "work": 1,
                    "seconds": 0.1,
                    "startup_seconds": 0.0,
                }
            )
    return pd.DataFrame(rows)


# The features of the three sets of a run.
SELECTED = [[0, 1], [0, 2], [2, 3]]


def table_of(frame, selected=None):
    """Return the rows of shards for these feature sets, features included."""
    exists = frame["train_objective"].notna()
    ranks = frame["set_index"]
    chosen = selected or [SELECTED[i] if e else [] for i, e in zip(ranks, exists, strict=True)]
    held = pa.Table.from_pandas(frame, preserve_index=False)
    names = [[f"f{j}" for j in features] for features in chosen]
    held = held.append_column("selected", pa.array(chosen, pa.list_(pa.int32())))
    return held.append_column("feature_names", pa.array(names, pa.list_(pa.string())))


def predictions(frame=None):
    """A constant model's scores of the sets that exist."""
    found = sets() if frame is None else frame
    found = found[found["train_objective"].notna()][SET_KEY]
    return found.assign(model="decision_tree", metric="mcc", train_score=1.0, test_score=0.25)


def design(frame, scored, widths, types=None, search_types=None, conditional=(), **changes):
    """The design of a study that has these feature sets in each fold of a dataset."""
    types, search_types = types or {}, search_types or {}
    metrics = tuple(scored["metric"].astype(str).unique()) or ("mcc",)
    searches = frame["search"].astype(str).unique()
    runs = frame[list(RunDesign._fields)].drop_duplicates()
    return Design(**{
        "results": "results", "name": "made up", "plan": "", "task_hash": "", "seed": 0,
        "folds": max(frame["fold"].nunique(), 1),
        "datasets": [
            {"name": name, "target_type": types.get(name, "binary"), "n_rows": 1, "n_total": width,
             "metrics": metrics}
            for name, width in widths.items()
        ],
        "selectors": [
            {"name": name, "type": name, "options": {}, "about": "", "streams": False,
             "conditions": name in conditional}
            for name in frame["selector"].astype(str).unique()
        ],
        "searches": [
            {"name": name, "type": search_types.get(name, name), "options": {},
             "n_alternatives": [], "aggregation": [], "datasets": None}
            for name in searches
        ],
        "models": list(scored["model"].astype(str).unique()), "taus": [], "sizes": {},
        "dissimilarity": "dice", "runs": [RunDesign(*run) for run in runs.to_numpy().tolist()],
        "evaluating": ["hill_climbing"], "tables": [], "figures": [], "long_tables": [],
        **changes,
    })  # fmt: skip


def of_sets(frame, scored):
    """Scores of a model as results have them: each with its feature set."""
    places = frame[SET_KEY].assign(set=frame.index)
    numbered = scored.drop(columns="set", errors="ignore").merge(places, on=SET_KEY, how="left")
    return numbered.astype({"model": "category", "metric": "category"})


def results(frame=None, scored=None, selected=None, widths=None, more=None, **changes):
    """Results of these feature sets."""
    frame = sets() if frame is None else frame.reset_index(drop=True)
    scored = predictions(frame) if scored is None else scored
    widths = {"a": 10, "b": 20} if widths is None else widths
    return Results(
        design=design(frame, scored, widths, **changes),
        sets=frame,
        scores=of_sets(frame, scored),
        table=table_of(frame, selected),
        datasets=pd.DataFrame({"dataset": [*widths], "features": [*widths.values()]}),
        notes=pd.DataFrame(columns=["column", "reason", "shards", "rows"]),
        missing=pd.DataFrame(columns=["kind", "dataset", "n"]),
        more=more or {},
    )


def study(n_datasets, folds=2, **changes):
    """Two selectors and random sets on some datasets."""
    rng = np.random.default_rng(0)
    of_one = sets().query("dataset == 'a'")
    parts = []
    for i in range(n_datasets):
        for fold in range(folds):
            for selector in ("s", "t"):
                own = of_one.assign(dataset=f"d{i}", fold=fold, selector=selector)
                own["train_objective"] -= rng.random(3) / 20
                drawn = own.assign(search="random", status="feasible")
                drawn["train_objective"] = 0.2 + rng.random(3) / 10
                parts += [own, drawn]
    frame = pd.concat(parts, ignore_index=True).assign(**changes)
    scored = predictions(frame)
    scored["test_score"] = rng.random(len(scored))
    names = sorted(frame["dataset"].unique())
    return results(frame, scored, widths=dict(zip(names, range(10, 10 + len(names)), strict=True)))


def tables_of(results, *names):
    """The tables of these names."""
    return {name: make_table(name, results) for name in names}


def figure_of(results, name):
    """The figure of a name, from the tables that it needs."""
    return make_figure(name, results, tables_of(results, *figures.get(name).needs))


def make_figures(results, tables):
    """All figures, in the order of the report."""
    return {name: make_figure(name, results, tables) for name in figures.order()}


def make_tables(results, names=None):
    """Make tables of the evaluation, by default all, in the order of the report."""
    return {name: make_table(name, results) for name in names or tables.order()}
