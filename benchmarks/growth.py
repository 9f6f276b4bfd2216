"""Growth of a study: from a thousand shards to a million, with workers that do nothing.

    python benchmarks/growth.py FOLDER --shards 1000 10000 100000 1000000 --per-job all
    python benchmarks/growth.py FOLDER --shards 1000 10000 100000 --per-job one
    python benchmarks/growth.py FOLDER --draw FOLDER/growth.csv growth.svg

Rules, plan and executor are the real ones, and so are datasets, scores and qualities, which are
small. A search writes an empty shard, and a model an empty file of predictions. Each study is
killed after half of its shards, run again to its end, and run once more when nothing is left to do.
Prints a row for each study, and adds it to FOLDER/growth.csv: seconds until the first job, of the
run, of the resumed run and of the one with nothing to do, the most memory of Snakemake's process,
and the files of the ledger and of Snakemake. Tables, figures and report are not made:
``benchmarks/evaluation.py`` measures those.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import psutil
import yaml

ROOT = Path(__file__).resolve().parents[1]
IDLE = """
from pathlib import Path


def run_task(rule, task):
    from altfs.study.group import write_note
    from altfs.study.plan import load_plan
    from altfs.study.store import PREDICTION_SCHEMA, SHARD_SCHEMA, write_result
    from altfs.study.tasks import task_types

    parsed = {one.rule: one for one in task_types()}[rule].model_validate(task)
    plan = load_plan(parsed.results)
    if rule == "searches":
        paths = list(plan.shard_paths(parsed.dataset, parsed.fold, parsed.selector))
        for path in paths:
            if not Path(path).exists():
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                Path(path).write_bytes(b"idle")
        write_note(parsed, paths)
    elif rule in ("search", "predict"):
        schema = SHARD_SCHEMA if rule == "search" else PREDICTION_SCHEMA
        write_result(Path(parsed.path), parsed.kind, parsed.hash, (schema.empty_table(), {}))
    else:
        parsed.run(plan)
"""
# Shards of a dataset and fold: selectors, taus and searches.
_SELECTORS, _TAUS, _SEARCHES, _FOLDS = 5, 10, 20, 10


class Run(NamedTuple):
    """A run of Snakemake: seconds until its first job and to its end, and its memory in GiB."""

    first_job: float
    seconds: float
    memory: float


def study_of(folder: Path, n_shards: int, per_job: str) -> dict[str, object]:
    """Return the configuration of a study of so many shards, and write its datasets."""
    rng = np.random.default_rng(0)
    searches = _SEARCHES if n_shards >= 10_000 else 2
    n_datasets = n_shards // (_SELECTORS * _TAUS * searches * _FOLDS)
    for i in range(n_datasets):
        table = pd.DataFrame(rng.normal(size=(60, 12)).round(3)).add_prefix("x")
        table["target"] = rng.integers(2, size=60)
        table.to_csv(folder / f"d{i}.csv", index=False)
    return {
        "name": "growth",
        "results": str(folder / "results"),
        "datasets": [
            {
                "name": f"d{i}",
                "type": "file",
                "options": {"path": f"{folder}/d{i}.csv", "target": "target"},
            }
            for i in range(n_datasets)
        ],
        "folds": _FOLDS,
        "seed": 0,
        "n_shuffles": 0,
        "selectors": [{"name": f"s{i}", "type": "mutual_information"} for i in range(_SELECTORS)],
        "n_features": 10,
        "taus": [round((i + 1) / _TAUS, 1) for i in range(_TAUS)],
        "searches": [
            {"name": f"a{i}", "type": "sequential", "n_alternatives": i + 1}
            for i in range(searches)
        ],
        "models": ["decision_tree"],
        "shards_per_job": per_job,
    }


def prepared(folder: Path, n_shards: int, per_job: str) -> Path:
    """Make a workflow whose searches and models do nothing; return its results folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("workflow", "profiles", "envs"):
        shutil.copytree(ROOT / name, folder / name)
    rules = folder / "workflow" / "rules" / "tasks.smk"
    text = rules.read_text("utf-8").replace("altfs.study.run:run_task", "idle:run_task")
    rules.write_text(text, "utf-8")
    (folder / "idle.py").write_text(IDLE, "utf-8")
    study = study_of(folder, n_shards, per_job)
    (folder / "config.yaml").write_text(yaml.safe_dump(study), "utf-8")
    return folder / "results"


def n_files(results: Path, inside: str) -> int:
    """Count the files in a folder of the results."""
    return sum(len(names) for _, _, names in os.walk(results / inside))


def run(folder: Path, cores: int, enough: int | None = None) -> Run:
    """Run the study; kill it as soon as there are `enough` shards."""
    command = [str(Path(sys.executable).with_name("snakemake")), "--cores", str(cores)]
    environment = {**os.environ, "PYTHONPATH": f"{folder}:{ROOT}"}
    begin, started = time.monotonic(), time.time()
    # Counting a million files takes seconds.
    pause = 10.0 if enough and enough > 20_000 else 0.2
    study_file = folder / "results" / "study.json"
    with open(folder / "messages.txt", "a") as messages:
        process = subprocess.Popen(
            [*command, "--until", "predict"], cwd=folder, env=environment, stdout=messages,
            stderr=messages, start_new_session=True,
        )  # fmt: skip
        watched, memory, first_job, looked = psutil.Process(process.pid), 0.0, None, begin
        try:
            while process.poll() is None:
                try:
                    memory = max(memory, watched.memory_info().rss / 2**30)
                except psutil.Error:
                    break
                now = time.monotonic()
                # The study is written when its jobs begin.
                written = study_file.stat().st_mtime if study_file.exists() else 0.0
                if first_job is None and written >= started:
                    first_job = now - begin
                if enough and now - looked > pause:
                    looked = now
                    if n_files(study_file.parent, "shards") >= enough:
                        os.killpg(process.pid, signal.SIGKILL)
                time.sleep(0.2)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()
    if process.returncode not in (0, -signal.SIGKILL):
        raise SystemExit((folder / "messages.txt").read_text()[-3000:])
    return Run(first_job or 0.0, time.monotonic() - begin, memory)


def measure(folder: Path, n_shards: int, per_job: str, cores: int) -> None:
    """Run, kill, resume and repeat a study, and print a row of the table."""
    results = prepared(folder, n_shards, per_job)
    killed = run(folder, cores, n_shards // 2)
    resumed = run(folder, cores)
    again = run(folder, cores)
    if n_files(results, "shards") != n_shards:
        raise SystemExit(f"{n_files(results, 'shards')} of {n_shards} shards were made")
    row = {
        "shards": n_shards,
        "per_job": per_job,
        "first_job": round(killed.first_job),
        "killed": round(killed.seconds),
        "resumed_first_job": round(resumed.first_job),
        "resumed": round(resumed.seconds),
        "nothing_to_do": round(again.seconds),
        "memory_gib": round(max(one.memory for one in (killed, resumed, again)), 1),
        "ledger_mb": round((results / ".whole.json").stat().st_size / 1e6, 1),
        "snakemake_files": n_files(folder, ".snakemake"),
    }
    print("| " + " | ".join(map(str, row.values())) + " |", flush=True)
    file = folder.parent / "growth.csv"
    pd.DataFrame([row]).to_csv(file, mode="a", header=not file.exists(), index=False)


def draw(table: Path, picture: Path) -> None:
    """Draw seconds and memory by the number of shards."""
    import altair as alt

    names = {
        "first_job": "until the first job",
        "nothing_to_do": "nothing to do",
        "report": "collection and report",
        "memory_gib": "memory",
    }
    rows = pd.read_csv(table).rename(columns=names)
    rows = rows.melt(["shards", "per_job"], [*names.values()]).dropna()
    base = alt.Chart(rows).encode(
        alt.X("shards:Q").scale(type="log").axis(format="~s", tickCount=4).title("Shards"),
        alt.Color("variable:N").title(None),
        alt.StrokeDash("per_job:N").legend(None),
        alt.Shape("per_job:N").title("Shards per job"),
    )
    panels = [
        base.transform_filter((alt.datum.variable == "memory") == memory)
        .mark_line(point={"size": 50})
        .encode(alt.Y("value:Q").scale(type="log").title(title))
        .properties(width=260, height=200)
        for memory, title in ((False, "Seconds"), (True, "GiB of Snakemake's process"))
    ]
    (panels[0] | panels[1]).save(picture)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shards", type=int, nargs="*", default=[1000, 10_000, 100_000])
    parser.add_argument("--per-job", choices=("one", "all"), default="all")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--draw", type=Path, nargs=2, metavar=("TABLE", "PICTURE"))
    chosen = parser.parse_args()
    if chosen.draw:
        draw(*chosen.draw)
        return
    print(
        "| shards | shards per job | first job after s | killed after s | resumed: first job s "
        "| resumed: end s | nothing to do s | memory GiB | ledger MB | files of Snakemake |\n"
        f"{'|---' * 10}|"
    )
    for n_shards in chosen.shards:
        folder = chosen.folder.resolve() / f"{n_shards}_{chosen.per_job}"
        measure(folder, n_shards, chosen.per_job, chosen.cores)


if __name__ == "__main__":
    main()
