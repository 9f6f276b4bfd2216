"""Studies run by Snakemake for real: the same results however they are run."""

import json
import re
import shutil
import zipfile
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from audit import CONFIG, FIGURES, TABLES
from ordinary import SELECTORS
from snakemake_runs import output_of

from altfs.commands.main import main
from altfs.study.store import TIME_COLUMNS

pytestmark = pytest.mark.study


def contents(results):
    """Everything a study found, times left out."""
    found = {}
    for path in sorted(results.rglob("*.parquet")):
        table = pq.read_table(path.open("rb"))
        times = {*TIME_COLUMNS, "learning_seconds"}
        kept = [c for c in table.column_names if c not in times]
        rows = table.select(kept).to_pylist()
        # The table of efforts has times in rows of their own.
        rows = [row for row in rows if row.get("measure") not in TIME_COLUMNS]
        # A number that does not exist equals itself here.
        rows = [{k: "nan" if v != v else v for k, v in row.items()} for row in rows]
        found[str(path.relative_to(results))] = rows
    return found


def assert_same(first, second):
    assert first.keys() == second.keys()
    for name in first:
        assert first[name] == second[name], name


@pytest.mark.exhaustive
def test_one_worker_two_workers_and_no_workers_find_the_same(workspace, pmlb_cache):
    study = {
        "datasets": ["pmlb:hepatitis"],
        "selectors": SELECTORS,
        "taus": [0.5],
        "pmlb_cache": str(pmlb_cache),
    }
    first = workspace("two", **study)
    output = first.run("--cores", "2")
    assert "(100%)" in output
    assert len(first.shards()) == 2 * len(SELECTORS) * 2
    assert (first.results / "report.html").stat().st_size > 10_000
    first.run("--cores", "2", "--report", "shown.zip")
    with zipfile.ZipFile(first.folder / "shown.zip") as shown:
        names = [Path(name).name for name in shown.namelist()]
    # Tables, figures, the page, and what Snakemake puts around them.
    assert {f"{name}.svg" for name in FIGURES} | {f"{name}.csv" for name in TABLES} <= {*names}
    assert names.count("report.html") == 2
    # What is made of equal shards and predictions is judged in tests of the evaluation.
    second = workspace("one", **study)
    second.run("--cores", "1", "--until", "search", "predict")
    expected, found = contents(first.results), contents(second.results)
    assert len(second.shards()) == len(first.shards())
    assert_same(found, {name: expected[name] for name in found})
    # A process for each job takes long. The tests on SLURM run the rest of a study in this way.
    third = workspace("local", **{**study, "selectors": ["fcbf", "greedy_wrapper"]})
    third.run("--cores", "2", "--executor", "local", "--until", "search")
    assert len(third.shards()) == 2 * 2 * 2
    found = contents(third.results)
    assert_same(found, {name: expected[name] for name in found})


@pytest.mark.exhaustive
def test_classes_and_numbers_are_studied_alike(workspace, pmlb_cache):
    work = workspace(
        datasets=["sklearn:wine", "pmlb:560_bodyfat"],
        # The conformance tests have all on numbers.
        selectors=SELECTORS[::3],
        # What searches do with the qualities is the same for both.
        searches=[{"name": "sequential", "n_alternatives": 1}],
        taus=[1],
        pmlb_cache=str(pmlb_cache),
    )
    work.run()
    table = pd.read_parquet(work.results / "tables" / "prediction.parquet")
    assert set(table["metric"]) == {"mcc", "r2"}
    assert table["n_datasets"].max() == 1
    overview = pd.read_csv(work.results / "tables" / "datasets.csv")
    assert dict(zip(overview["dataset"], overview["target_type"], strict=True)) == {
        "wine": "multiclass",
        "560_bodyfat": "regression",
    }
    assert main(["verify", str(work.results), "--sample", "8"]) == 0


@pytest.mark.exhaustive
def test_a_study_can_grow_and_keeps_what_it_has(finished_workspace):
    work = finished_workspace(taus=[1])
    assert main(["verify", str(work.results), "--full"]) == 0
    before = {path: pq.read_table(path.open("rb")) for path in work.shards()}
    predictions = next(work.results.glob("predictions/**/*.parquet"))
    trained = pq.read_table(predictions.open("rb"))
    work.configure(
        {**work.config, "taus": [0.5, 1], "selectors": ["mutual_information", "fcbf", "model_gain"]}
    )
    plan = work.run("--cores", "2", "--dry-run")
    assert re.search(r"search +16\n", plan), plan
    work.run()
    for path, table in before.items():
        assert pq.read_table(path.open("rb")).equals(table)
    more = pq.read_table(predictions.open("rb"))
    assert len(more) > len(trained)
    kept = {str(row) for row in trained.to_pylist()}
    assert kept <= {str(row) for row in more.to_pylist()}
    assert main(["verify", str(work.results)]) == 0
    assert "Nothing to be done" in work.run()


@pytest.mark.exhaustive
def test_one_changed_setting_changes_what_depends_on_it(finished_workspace):
    work = finished_workspace(taus=[1])
    changed = [{"name": "mutual_information", "options": {"estimator": "regression"}}, "model_gain"]
    work.configure({**work.config, "selectors": changed})
    plan = work.run("--cores", "2", "--dry-run")
    assert re.search(r"search +4\n", plan), plan
    assert re.search(r"score +2\n", plan), plan
    work.run()
    assert "Nothing to be done" in work.run()


@pytest.mark.exhaustive
def test_changed_data_reruns_its_study_and_a_touched_file_does_not(workspace, tmp_path):
    frame = pd.DataFrame({f"x{i}": [(7 * i * j) % 11 for j in range(40)] for i in range(5)})
    frame["y"] = [j % 2 for j in range(40)]
    path = tmp_path / "data.csv"
    frame.to_csv(path, index=False)
    entry = {"name": "own", "type": "file", "options": {"path": str(path), "target": "y"}}
    work = workspace(datasets=[entry, "sklearn:wine"], taus=[1], models=["decision_tree"])
    work.run()
    before = contents(work.results)
    path.touch()
    assert "Nothing to be done" in work.run()
    frame.loc[0, "x0"] = 100
    frame.to_csv(path, index=False)
    plan = work.run("--cores", "2", "--dry-run")
    assert re.search(r"search +8\n", plan), plan
    work.run()
    after = contents(work.results)
    for name in before:
        if "dataset=wine" in name:
            assert before[name] == after[name]


@pytest.mark.exhaustive
def test_a_stored_configuration_makes_the_same_study(workspace, reported_results):
    work = workspace(**CONFIG)
    shutil.copytree(reported_results, work.results)
    stored = work.results / "config.yaml"
    # It has all keys: those that only config.yaml has do not count.
    work.configure({**work.config, "metrics": ["accuracy"], "constraints": [{"include": ["ash"]}]})
    again = ("--cores", "2", "--configfile", str(stored))
    said = work.run(*again)
    assert "Nothing to be done" in said
    assert re.match("Report: .*report.html .* 0 failed", said.splitlines()[-1])
    assert "Report: " not in work.run(*again, "--dry-run")
    assert "dask==" in (work.results / "packages.txt").read_text()
    elsewhere = work.folder / "elsewhere" / work.config["results"]
    elsewhere.parent.mkdir(parents=True)
    work.results.rename(elsewhere)
    stored = elsewhere / "config.yaml"
    said = work.run("--cores", "2", "--directory", "elsewhere", "--configfile", str(stored))
    assert re.match("Report: .*report.html .* 0 failed", said.splitlines()[-1])


@pytest.mark.exhaustive
def test_a_stored_configuration_makes_the_same_tables_anew(finished_workspace):
    work = finished_workspace(taus=[1])
    before, text = contents(work.results), (work.results / "config.yaml").read_text()
    stored = (work.results / "config.yaml").rename(work.folder / "stored.yaml")
    shutil.rmtree(work.results)
    work.configure({**work.config, "metrics": ["accuracy"]})
    work.run("--cores", "2", "--configfile", str(stored))
    assert_same(contents(work.results), before)
    assert (work.results / "config.yaml").read_text() == text


def test_a_bad_configuration_is_one_sentence_and_writes_nothing(workspace):
    work = workspace(selectors=["fcbff"])
    before = sorted(work.folder.rglob("*"))
    process = work.start()
    output = output_of(process, ok=False)
    assert process.returncode == 2
    assert "altfs: selectors[0].type: 'fcbff' is not a known selector" in output
    assert "Traceback" not in output
    after = [p for p in sorted(work.folder.rglob("*")) if ".snakemake" not in p.parts]
    assert after == before


def assert_complete(work):
    """Check that the tables hold every set of the shards."""
    sets = pd.read_parquet(work.results / "tables" / "feature_sets.parquet")
    assert len(sets) == sum(pq.read_metadata(path).num_rows for path in work.shards())
    status = pd.read_parquet(work.results / "tables" / "status.parquet")
    assert status["n_sets"].sum() == len(sets)
    shares = status.filter(like="share_").sum(axis="columns")
    assert (shares - 1).abs().max() < 1e-12
    quality = pd.read_csv(work.results / "tables" / "quality.csv")
    assert (quality["n_sets"] <= quality["n_planned"]).all()
    assert quality["n_planned"].sum() == len(sets)
    study = json.loads((work.results / "study.json").read_text())
    assert study["config"]["name"] == "small"
