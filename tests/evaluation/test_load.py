"""A small study that was really run: what is read, refused, and computed from it."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from audit import SEQUENTIAL, SIMULTANEOUS, edit, results_of, sql, table

from altfs.commands import report
from altfs.commands.main import main
from altfs.errors import StaleResultError
from altfs.evaluation import task
from altfs.study import collect, reader
from altfs.study.session import begin_study, open_study
from altfs.study.state import Ledger
from altfs.study.store import read_table, write_table


@pytest.fixture(scope="module")
def original(reported_results):
    return reported_results


@pytest.fixture
def study(original, tmp_path):
    return shutil.copytree(original, tmp_path / "study")


def load(study, **options):
    return results_of(open_study(study), **options)


def test_everything_that_the_plan_declares_is_made(original):
    plan = open_study(original)
    assert all(Path(path).stat().st_size for path in plan.evaluation_paths())
    page = (original / "report.html").read_text("utf-8")
    specifications = {name: json.loads((original / "figures" / f"{name}.json").read_text("utf-8"))
                      for name in plan.figures}  # fmt: skip
    applies = [name for name, one in specifications.items() if not one["usermeta"].get("absent")]
    assert len(applies) > 10
    assert all(f'id="{name}"' in page for name in (*plan.tables, *applies))
    for name in plan.tables:
        stored = pd.read_csv(original / "tables" / f"{name}.csv")
        assert list(stored.columns) == list(table(original, name).columns)


def test_numbers_of_the_tables_by_another_route(original):
    """DuckDB computes them from the shards; pandas, scipy and numba did from memory."""
    ranked = "aggregation = 'none'"
    shares = table(original, "status_shares").query("grouping == 'selector'")
    counted = sql(original, """
        select selector, count(*), avg((status = 'infeasible')::int) from {shards}
        group by 1 order by 1
    """)  # fmt: skip
    of_sets = shares[shares["counted"] == "feature set"].sort_values("selector")
    assert of_sets["selector"].tolist() == [row[0] for row in counted]
    assert of_sets["n"].tolist() == [row[1] for row in counted]
    assert of_sets["share_infeasible"].tolist() == pytest.approx([row[2] for row in counted])
    [(runs, infeasible)] = sql(original, """
        select count(*), avg(bad) from (
            select max((status = 'infeasible')::int) bad from {shards} group by dataset, fold,
            selector, tau, search, n_features, n_alternatives, aggregation)
    """)  # fmt: skip
    overall = table(original, "status_shares").query(
        "grouping == 'overall' and counted == 'search run'"
    )
    assert overall["n"].tolist() == [runs]
    assert overall["share_infeasible"].tolist() == pytest.approx([infeasible])

    mean, median, count = sql(original, """
        select avg(train_objective), median(train_objective), count(train_objective)
        from {shards} where selector = 'mutual_information' and tau = '0.3' and set_index = 1
        and search = 'sequential'
    """)[0]  # fmt: skip
    row = table(original, "quality").query(
        "selector == 'mutual_information' and tau == '0.3' and set_index == 1 "
        "and search == 'sequential'"
    )
    assert row[
        ["train_objective_mean", "train_objective_median", "n_sets"]
    ].to_numpy().tolist() == [pytest.approx([mean, median, count])]

    scored = sql(original, f"""
        select selector, n_features, count(*), median(test_score), avg(test_score)
        from {{shards}} s join {{scores}} p using (dataset, fold, selected)
        where {ranked} and set_index = 0 group by all order by all
    """)  # fmt: skip
    overview = table(original, "prediction_overview").query("sets == 'original'")
    overview = overview.sort_values(["selector", "n_features"])
    found = overview[["selector", "n_features", "n", "median", "mean"]].itertuples(index=False)
    assert [pytest.approx(tuple(row[2:])) for row in found] == [row[2:] for row in scored]

    spread = sql(original, f"""
        select median(s) from (select stddev_samp(train_objective) s from {{shards}}
        where {ranked} and set_index < 2 and selector = 'mutual_information'
        group by fold, tau having count(train_objective) = 2)
    """)  # fmt: skip
    row = table(original, "spread").query(
        "measure == 'train_objective' and within_run == 'std' and search == 'sequential' "
        "and n_alternatives == 1 and selector == 'mutual_information'"
    )
    assert row["median"].tolist() == pytest.approx(list(spread[0]))

    normal = sql(original, f"""
        select set_index, avg(q / m) from (
            select *, test_objective q, max(test_objective) over (partition by fold, tau) m
            from {{shards}} where {ranked} and selector = 'mutual_information')
        where q is not null and m > 0 group by 1 order by 1
    """)  # fmt: skip
    rows = table(original, "by_alternative").query(
        "measure == 'test_objective' and normalisation == 'max' and tau.isna() "
        "and selector == 'mutual_information'"
    )
    assert rows[["set_index", "mean"]].to_numpy().tolist() == [
        pytest.approx(list(pair)) for pair in normal
    ]

    [(gap,)] = sql(original, """
        select avg(train_objective - test_objective) from {shards}
        where selector = 'mutual_information' and search = 'sequential'
    """)  # fmt: skip
    row = table(original, "overfitting").query(
        "measure == 'objective' and selector == 'mutual_information' and search == 'sequential'"
    )
    assert row["mean"].tolist() == pytest.approx([gap])

    [(work,)] = sql(original, f"""
        select max(w) from (select sum(work) w from {{shards}} where {ranked}
        and selector = 'mutual_information' group by fold, tau)
    """)  # fmt: skip
    row = table(original, "effort").query(
        "measure == 'work' and selector == 'mutual_information' and search == 'sequential'"
    )
    assert row["max"].tolist() == [work]


def test_what_was_read_is_remembered(study):
    plan = open_study(study)
    results_of(plan)
    ledger = Ledger(plan.results)
    assert all(ledger.knows(plan.search_task(key).path) for key in plan.places())


@pytest.mark.exhaustive
def test_tasks_of_their_own_make_what_one_call_makes(original, study):
    plan = open_study(study)
    for made in ("tables", "figures"):
        shutil.rmtree(study / made)
    begin_study(plan)
    # That was a run of its own, which the page names.
    runs = json.loads((original / "study.json").read_text())["runs"]
    described = json.loads((study / "study.json").read_text())
    (study / "study.json").write_text(json.dumps({**described, "runs": runs}))
    for name in plan.facts:
        collect.collect(plan.results, name)
    collect.combine(plan.results)
    for name in plan.tables:
        task.table(plan.results, name)
    for name in plan.figures:
        task.figure(plan.results, name)
    report.page(plan.results)
    files = [path.relative_to(original) for path in original.glob("*/**/*") if path.is_file()]
    made = [path for path in files if path.parts[0] in ("tables", "figures")]
    # Vega writes the PDFs, one of each width, with their parts in another order each time.
    same = [path for path in made if path.suffix != ".pdf"]
    assert len(made) - len(same) == 2 * len(plan.figures)
    assert not [p for p in same if (study / p).read_bytes() != (original / p).read_bytes()]
    pages = [(root / "report.html").read_text("utf-8") for root in (original, study)]
    assert pages[0].replace(str(original), "") == pages[1].replace(str(study), "")


def test_progress_is_told(study):
    told = []
    load(study, progress=lambda done, n: told.append((done, n)))
    plan = open_study(study)
    counts = [len(list(plan.places(name))) for name in plan.facts]
    assert told == [(sum(counts[: i + 1]), sum(counts)) for i in range(len(counts))]


@pytest.mark.exhaustive
def test_several_processes_make_what_one_makes(original, study, capsys):
    """In 15 s."""
    for made in ("tables", "figures"):
        shutil.rmtree(study / made)
    assert main(["report", str(study), "--jobs", "2"]) == 0
    named = [path.relative_to(original) for path in original.glob("*/**/*") if path.is_file()]
    same = [path for path in named if path.parts[0] in ("tables", "figures")]
    same = [path for path in same if path.suffix != ".pdf"]
    assert len(same) > 40
    assert not [p for p in same if (study / p).read_bytes() != (original / p).read_bytes()]
    pages = [(root / "report.html").read_text("utf-8") for root in (original, study)]
    assert pages[0].replace(str(original), "") == pages[1].replace(str(study), "")
    # What a process refuses is told as that of one process.
    shard = next((study / "shards").rglob("*.parquet"))
    shard.write_bytes(b"nothing")
    capsys.readouterr()
    assert main(["report", str(study), "--jobs", "2"]) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 1 and str(shard.relative_to(study)) in told[0]
    assert main(["report", str(study), "--jobs", "0"]) == 2
    assert "jobs: 0 is not allowed" in capsys.readouterr().err


def test_a_figure_does_not_tell_what_its_process_drew_before():
    colours = {"field": "a", "type": "quantitative"}
    chart = {"data": {"values": [{"a": 1}]}, "mark": "rect", "encoding": {"color": colours}}
    first, second = (task.svg_of(json.dumps(chart), "heat") for _ in range(2))
    assert first == second
    assert "url(#gradient_heat_0)" in first


@pytest.mark.parametrize("batch", [1, 50])
def test_the_first_of_the_bad_files_is_named_wherever_it_was_read(
    original, study, monkeypatch, batch
):
    monkeypatch.setattr(reader, "_BATCH", batch)
    plan = open_study(study)
    paths = [Path(plan.search_task(key).path) for key in plan.places()]
    paths[-1].unlink()
    edit(paths[3], lambda rows: rows[0].update(train_objective=2.0), digest=False)
    paths[4].write_bytes(paths[4].read_bytes()[:-9])
    shutil.copyfile(paths[7], paths[6])
    for bad, what in ((3, "was changed"), (4, "is damaged"), (6, "another task"), (-1, "miss")):
        with pytest.raises(StaleResultError, match=what) as caught:
            load(study)
        assert str(caught.value).startswith(f"'{paths[bad]}'")
        shutil.copyfile(original / paths[bad].relative_to(study), paths[bad])
    load(study)


@pytest.mark.exhaustive
def test_a_missing_shard_is_an_error_in_a_run_and_said_in_a_report(study, capsys):
    plan = open_study(study)
    path = Path(plan.search_task(SEQUENTIAL).path)
    path.unlink()
    Path(plan.predict_task("wine", 1, "decision_tree").path).unlink()
    with pytest.raises(StaleResultError, match=r"search=sequential\.parquet' is missing"):
        load(study)
    foreign = path.with_name("search=another.parquet")
    foreign.write_bytes(b"")
    assert collect.foreign_files(plan) == [str(foreign)]
    assert main(["report", str(study)]) == 0
    said = capsys.readouterr()
    assert said.out == f"{study}/report.html\n"
    assert "1 shard, 1 file of predictions of 1 dataset are missing" in said.err
    assert f"'{foreign}' belongs to no task of the study and was not read" in said.err
    missing = table(study, "missing")
    assert missing[["kind", "n", "folds"]].to_numpy().tolist() == [
        ["shard", 1, "0"], ["prediction", 1, "1"],
    ]  # fmt: skip
    status = table(study, "status")
    assert (status["n_sets"] < status["n_planned"]).any()
    page = (study / "report.html").read_text("utf-8")
    assert "are missing." in page


def test_a_report_of_no_study_is_refused(tmp_path, capsys):
    assert main(["report", str(tmp_path)]) == 2
    assert "holds no study" in capsys.readouterr().err


def test_edited_foreign_and_contradictory_shards_are_named(study):
    plan = open_study(study)
    one, other = (plan.search_task(key).path for key in (SEQUENTIAL, SIMULTANEOUS))
    kept = Path(one).read_bytes()

    def refuse(match):
        with pytest.raises(StaleResultError, match=match) as error:
            load(study, allow_missing=True)
        assert one in str(error.value)
        Path(one).write_bytes(kept)

    Path(one).write_bytes(kept[:200])
    refuse("damaged or foreign")
    shutil.copy(other, one)
    refuse("made for another task")
    edit(one, lambda rows: rows[0].update(train_objective=9.0), digest=False)
    refuse("changed after it was made")
    edit(one, lambda rows: rows[0].update(selector="fcbf"))
    refuse("rows of another selector")
    edit(one, lambda rows: rows.append(rows[0]))
    refuse("lacks or repeats rows")
    edit(one, lambda rows: rows[1].update(set_index=0))
    refuse("repeats a feature set")
    load(study)


def test_a_set_without_prediction_is_an_error(study):
    plan = open_study(study)
    path = Path(plan.predict_task("wine", 0, "decision_tree").path)
    edit(path, lambda rows: rows.pop())
    with pytest.raises(StaleResultError, match="lack a feature set"):
        load(study)
    held, metadata = read_table(path)
    write_table(path, held.set_column(6, "test_score", pa.array([0.5] * len(held))), metadata)
    with pytest.raises(StaleResultError, match="changed after it was made"):
        load(study)
