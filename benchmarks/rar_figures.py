"""Figures 1 to 5 of Shekar et al. (ECML PKDD 2017) for `rar` and its rivals.

    python benchmarks/rar_figures.py --quick --out FOLDER
    python benchmarks/rar_figures.py --figures 1 2 --limit 60 --draws 1 --out FOLDER

The data are those of `synthetic: mixed`: ten relevant features, noise, and half of all columns as
categories. The cumulative gain is the share of relevant features among the first ten of a ranking.
A time is that until the first ten features, in CPU seconds of one thread. It is measured in turns
with `mutual_information`, in a process of its own. A selector that passes the limit is left out of
that size and of larger ones. The speedup by threads is measured in wall time, up to the number of
cores. For 1 to 8 workers it is simulated: CPU times of the independent parts are scheduled as a
list. Each figure has a table (CSV) and a picture (PNG and SVG).
"""

from __future__ import annotations

import argparse
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import multiprocessing  # noqa: E402
import resource  # noqa: E402
import signal  # noqa: E402
from collections.abc import Callable, Iterable, Sequence  # noqa: E402
from functools import cache, partial  # noqa: E402
from heapq import heapreplace  # noqa: E402
from math import ceil, nan  # noqa: E402
from pathlib import Path  # noqa: E402
from time import perf_counter, process_time  # noqa: E402
from typing import Any, NamedTuple  # noqa: E402

import altair as alt  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from _clock import fastest  # noqa: E402
from joblib import Parallel, delayed, parallel_config  # noqa: E402

from altfs import search_sequentially  # noqa: E402
from altfs.datasets import make_dataset, sources  # noqa: E402
from altfs.scores._contrast import Contrasts  # noqa: E402
from altfs.selectors import Part, selectors  # noqa: E402
from altfs.selectors.rar import _PLACES_AT_ONCE, Rar, _redundancies  # noqa: E402

FLOOR = "mutual_information"
BLUNT = {"n_slices": 100, "slice_share": 0.05, "n_subsets": 12_000, "redundancy": "none"}
SFS = {"model": "nearest_neighbours", "folds": 3, "max_iterations": 1_000_000}
CFS = {"measure": "symmetric_uncertainty"}
OptionsOf = dict[str, dict[str, Any]]
SELECTORS: OptionsOf = {"rar": {}, "rar_blunt": BLUNT, "sfs": SFS, "cfs": CFS}
SELECTORS |= {name: {} for name in ("c45", "relief", "mrmr", "mic", "doquire", FLOOR)}
# The types that have another name.
TYPES = {"rar_blunt": "rar", "sfs": "wrapper"}
# Sets of these types are grown feature by feature.
GROWN = ("mrmr", "cfs", "wrapper")
VALUES = ("gain", "seconds", "floor_seconds", "ratio")
# The paper has 50 features, and 20,000 rows in Figures 1 to 3.
N_RELEVANT, FEATURES = 10, 50
CORES = os.cpu_count() or 1
Make = Callable[[], Part]


class Sizes(NamedTuple):
    """The sizes of the figures."""

    rows: Sequence[int]
    features: Sequence[int]
    #: Rows of the panel over features and of Figures 3 and 4, and of Figure 5.
    fixed_rows: int
    rows_of_labels: int
    largest: Sequence[int]
    subsets: Sequence[int]
    #: Synthetic tables of each size, and the most CPU seconds of one ranking.
    draws: int
    limit: int


QUICK = Sizes((1000, 2000, 5000), (20, 50, 100), 2000, 500, (1, 2, 5, 50), (50, 200, 1000), 1, 10)
FULL = Sizes(
    (1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000), (20, 50, 100, 200, 500), 20_000, 2000,
    (1, 2, 3, 5, 10, 20, 30, 50), (50, 100, 200, 500, 1000, 2000, 5000), 3, 600,
)  # fmt: skip


def drawn(rows: int, features: int, draw: int, wrong: float = 0.0) -> Make:
    """Return a function that makes a part without scores, with a share of wrong labels."""
    source = sources.get("synthetic")
    options = source.Options(design="mixed", rows=rows, noise=features - N_RELEVANT, seed=draw)
    data = make_dataset("mixed", source("mixed", options, None).load())
    flipped = np.random.default_rng(draw).permutation(rows)[: round(wrong * rows)]
    y, names, kinds = data.y.copy(), data.feature_names, data.categorical
    y[flipped] = 1 - y[flipped]
    return lambda: Part(data.X, y, data.target_type, draw, names=names, categorical=kinds)


def first_features(part: Part, kind: str, options: dict[str, Any]) -> tuple[int, ...]:
    """Return the first features of a selector's ranking."""
    quality = selectors.make(kind, options).quality(part)
    asked = {"n_features": N_RELEVANT, "n_alternatives": 0, "tau": 0}
    found = search_sequentially(quality, solver="forward" if kind in GROWN else None, **asked)
    return found.sets[0]


def ranked(make: Make, kind: str, options: dict[str, Any], limit: int) -> dict[str, float]:
    """Return the gain, and medians of seconds, which are measured in turns with the floor."""
    times: list[tuple[float, float]] = []
    while len(times) < 3 and sum(own for _, own in times) < 0.5:
        floor, part, start = make(), make(), process_time()
        first_features(floor, FLOOR, {})
        middle = process_time()
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(middle + limit), resource.RLIM_INFINITY))
        chosen = first_features(part, kind, options)
        times.append((middle - start, process_time() - middle))
    gain = sum(not part.names[j].startswith("noise") for j in chosen) / N_RELEVANT
    floor_seconds, seconds = np.median(times, axis=0)
    values = gain, seconds, floor_seconds, np.median([own / floor for floor, own in times])
    return dict(zip(VALUES, map(float, values), strict=True))


def in_child(*arguments: Any) -> dict[str, float]:
    """Return what :func:`ranked` returns in a process of its own; NaN if it passes the limit."""
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe(duplex=False)
    child = fork.Process(target=lambda: there.send(ranked(*arguments)))
    child.start()
    there.close()
    try:
        found = here.recv()
    except EOFError:
        found = dict.fromkeys(VALUES, nan)
    child.join()
    if child.exitcode not in (0, -signal.SIGXCPU):
        raise SystemExit(f"{arguments[1]} failed")
    return found


def over(
    panel: str, cases: Iterable[tuple[float, int, Make]], limit: int, asked: OptionsOf = SELECTORS
) -> pd.DataFrame:
    """Rank the draws of each place of an axis by every selector, until it passes the limit."""
    left, rows = dict(asked), []
    for x, draw, make in cases:
        for name, options in list(left.items()):
            found = in_child(make, TYPES.get(name, name), options, limit)
            rows.append({"panel": panel, "x": x, "selector": name, "draw": draw, **found})
            print(rows[-1], flush=True)
            if np.isnan(found["seconds"]):
                del left[name]
    return pd.DataFrame(rows)


def by_size(sizes: Sizes) -> pd.DataFrame:
    """Rank tables of more and more rows, and of more and more features."""
    draws, limit = range(sizes.draws), sizes.limit
    rows = ((n, i, drawn(n, FEATURES, i)) for n in sizes.rows for i in draws)
    features = ((n, i, drawn(sizes.fixed_rows, n, i)) for n in sizes.features for i in draws)
    return pd.concat([over("rows", rows, limit), over("features", features, limit)])


def by_parameter(sizes: Sizes) -> pd.DataFrame:
    """Rank by RaR with each largest size k of 100 subsets, and each number M of subsets."""
    makes = [drawn(sizes.fixed_rows, FEATURES, i) for i in range(sizes.draws)]
    asked = [("k", k, {"n_subsets": 100, "subset_size": k}) for k in sizes.largest]
    asked += [("M", m, {"n_subsets": m, "subset_size": 5}) for m in sizes.subsets]
    return pd.concat(
        over(panel, [(x, i, make) for i, make in enumerate(makes)], sizes.limit, {"rar": options})
        for panel, x, options in asked
    )


def by_label(sizes: Sizes) -> pd.DataFrame:
    """Rank tables with more and more wrong labels."""
    shares, draws = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5), range(sizes.draws)
    cases = ((s, i, drawn(sizes.rows_of_labels, FEATURES, i, s)) for s in shares for i in draws)
    return over("labels", cases, sizes.limit)


def makespan(seconds: Sequence[float], workers: int) -> float:
    """Return when the last part ends, if the next one goes to the first free worker."""
    free = [0.0] * workers
    for one in seconds:
        heapreplace(free, free[0] + one)
    return max(free)


def by_worker(sizes: Sizes, n_total: int = FEATURES) -> pd.DataFrame:
    """Simulate RaR with 1 to 8 workers, and measure it with up to as many as cores."""
    rar, make, rows = Rar(), drawn(sizes.fixed_rows, n_total, 0), []
    part, wall = make(), partial(fastest, clock=perf_counter)
    key, most = rar.train_scores[0], rar.subsets.range(n_total)[1]
    part.score(key)
    relevance, contrasts = rar.relevance(part), Contrasts(part, rar.options.slices)
    ranking, places = np.argsort(-relevance, kind="stable"), np.arange(n_total)[::-1]
    # The quadratic program and the ranks of the redundancies have one worker.
    alone = fastest(lambda: rar.relevance(part))
    alone += fastest(lambda: Contrasts(part, rar.options.slices))
    turns = [
        fastest(partial(_redundancies, contrasts, ranking, places[a : a + _PLACES_AT_ONCE], most))
        for a in range(0, n_total, _PLACES_AT_ONCE)
    ]
    for workers in range(1, 9):
        columns = np.array_split(np.arange(n_total), workers)
        blocks = [partial(make().compute, key, range(b[0], b[-1] + 1)) for b in columns]
        drawing = makespan([fastest(block) for block in blocks], workers)
        simulated = drawing + alone + makespan(turns, workers)
        row = {"simulated_seconds": simulated, "simulated_subsets_seconds": drawing}
        if workers <= CORES:
            jobs = [delayed(block)() for block in blocks]
            with parallel_config(backend="threading", n_jobs=workers):
                seconds = wall(partial(Parallel(), jobs)) + wall(lambda: rar.relevance(part))
                row["measured_seconds"] = seconds + wall(lambda: rar.redundancy(part, relevance))
        rows.append({"panel": "workers", "x": workers, **row})
        print(rows[-1], flush=True)
    found = pd.DataFrame(rows)
    for name in ("simulated", "simulated_subsets", "measured"):
        found[name] = found[f"{name}_seconds"][0] / found[f"{name}_seconds"]
    return found


def chart(found: pd.DataFrame, y: str, x_title: str, y_title: str, log: str = "") -> alt.Chart:
    """Draw medians of the draws, a line for each selector; `log` has the logarithmic axes."""
    gone = found[found[y].isna()].drop_duplicates("selector")
    notes = [f"{name}: left out from {x:,}" for name, x in zip(gone.selector, gone.x, strict=True)]
    medians = found.groupby(["selector", "x"], as_index=False)[y].median().dropna()
    names = list(found.selector.unique())
    kinds, form = ["log" if axis in log else "linear" for axis in "xy"], "~s" if log else "~r"
    return (
        alt.Chart(medians, title=alt.Title(y_title, subtitle=notes, anchor="start"))
        .mark_line(point={"size": 45})
        .encode(
            alt.X("x:Q").scale(type=kinds[0], nice=False).axis(format=form).title(x_title),
            alt.Y(f"{y}:Q").scale(type=kinds[1]).axis(format="~r").title(None),
            alt.Color("selector:N", sort=names).title(None),
        )
        .properties(width=300, height=240)
    )


def picture(number: int, found: pd.DataFrame, sizes: Sizes) -> alt.HConcatChart:
    """Return the picture of a figure."""
    titles = {
        "rows": f"rows ({FEATURES} features)",
        "features": f"features ({sizes.fixed_rows:,} rows)",
        "k": f"k, the largest size of 100 subsets ({sizes.fixed_rows:,} rows)",
        "M": f"M, the number of subsets of 1 to 5 ({sizes.fixed_rows:,} rows)",
        "labels": f"share of wrong labels ({sizes.rows_of_labels:,} rows, {FEATURES} features)",
        "workers": f"workers ({sizes.fixed_rows:,} rows, {FEATURES} features)",
    }
    gain = ("gain", "Cumulative gain of the first ten")
    seconds = ("seconds", f"CPU seconds, limit {sizes.limit} s")
    shown = {
        1: [seconds],
        3: [gain, seconds],
        4: [("value", f"Speedup, measured on {CORES} cores")],
    }.get(number, [gain])
    log = {1: "xy", 2: "x", 3: "x"}.get(number, "")
    if number == 4:
        found = found.melt(
            ["panel", "x"], ["measured", "simulated", "simulated_subsets"], "selector"
        ).dropna()
    parts = found.groupby("panel", sort=False)
    return alt.hconcat(
        *(chart(part, y, titles[name], title, log) for name, part in parts for y, title in shown)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, minutes")
    parser.add_argument("--out", type=Path, default=Path("build/rar_figures"))
    parser.add_argument("--figures", type=int, nargs="+", default=[1, 2, 3, 5, 4])
    parser.add_argument("--limit", type=int, help="CPU seconds of one ranking")
    parser.add_argument("--draws", type=int, help="synthetic tables of each size")
    given = parser.parse_args()
    sizes = QUICK if given.quick else FULL
    sizes = sizes._replace(limit=given.limit or sizes.limit, draws=given.draws or sizes.draws)
    given.out.mkdir(parents=True, exist_ok=True)
    for name, options in SELECTORS.items():
        # Kernels are compiled before the first measurement.
        first_features(drawn(200, 20, 0)(), TYPES.get(name, name), options)
    measure = cache(lambda make: make(sizes))
    makers = {1: by_size, 2: by_size, 3: by_parameter, 4: by_worker, 5: by_label}
    for number in given.figures:
        found = measure(makers[number])
        found.to_csv(given.out / f"figure{number}.csv", index=False)
        for ending in ("png", "svg"):
            picture(number, found, sizes).save(given.out / f"figure{number}.{ending}")
        print(f"Figure {number}: medians, {CORES} cores, limit {sizes.limit} s (NaN: passed)")
        keys = [key for key in ("panel", "selector", "x") if key in found]
        medians = found.groupby(keys, sort=False).median(numeric_only=True)
        print(medians.drop(columns="draw", errors="ignore").round(3).to_string())


if __name__ == "__main__":
    main()
