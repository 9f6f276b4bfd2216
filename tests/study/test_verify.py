"""An audit of a small study: whole, damaged, incomplete, or no study at all."""

import shutil
from pathlib import Path

import pytest
from audit import SEQUENTIAL, SIMULTANEOUS, WRAPPER, assert_named, verify, worsen

from altfs.commands.main import main
from altfs.study.store import SCHEMA_VERSION, read_table
from altfs.study.verify import verify_study


@pytest.mark.exhaustive
def test_a_study_as_it_was_made_passes_and_is_not_touched(capsys, plan):
    def state():
        return {
            str(p): (p.stat().st_mtime_ns, p.stat().st_size) for p in Path(plan.results).rglob("*")
        }

    before = state()
    code, said = verify(capsys, plan)
    assert code == 0, said
    totals = said.splitlines()[-1]
    assert totals.startswith("24 of 24 shards checked")
    assert "0 not checked, 0 problems, 0 files missing" in totals
    assert verify(capsys, plan) == (code, said)
    code, said = verify(capsys, plan, "--full")
    assert code == 0, said
    assert "recomputed and compared: 34 scores, qualities and shards" in said
    assert state() == before


@pytest.mark.exhaustive
def test_a_damaged_byte_is_found_wherever_it_is(plan, capsys):
    path = Path(plan.search_task(SEQUENTIAL).path)
    raw = path.read_bytes()
    times = [row["seconds"] for row in read_table(path)[0].to_pylist()]
    for place in range(0, len(raw), 997):
        content = bytearray(raw)
        content[place] ^= 16
        path.write_bytes(content)
        try:
            again = [row["seconds"] for row in read_table(path)[0].to_pylist()]
        except (ValueError, TypeError):
            again = times
        if again == times:
            assert verify_study(plan.results, sample=0).problems[0].path == str(path), place
    path.write_bytes(raw[: len(raw) // 2])
    assert_named(capsys, plan, path, "truncated", "--sample", "0")
    path.write_bytes(b"")
    assert_named(capsys, plan, path, "truncated", "--sample", "0")


def test_missing_and_foreign_files_are_named(capsys, plan):
    path = Path(plan.search_task(SEQUENTIAL).path)
    path.unlink()
    assert_named(capsys, plan, path, "is missing", "--sample", "0")
    code, said = verify(capsys, plan, "--sample", "0", "--allow-missing")
    assert code == 0
    assert "23 of 24 shards checked" in said
    foreign = path.with_name("search=other.parquet")
    shutil.copy(plan.search_task(SIMULTANEOUS).path, foreign)
    # A killed run leaves such files; nothing reads them.
    path.with_name(".search=x.parquet.1.partial").touch()
    code, said = verify(capsys, plan, "--sample", "0", "--allow-missing")
    assert code == 1
    assert [line for line in said.splitlines() if line.startswith("/")] == [
        f"{foreign}: is not in the plan, no table reads it",
        f"{path}: is missing",
    ]


@pytest.mark.exhaustive
def test_processes_change_nothing_but_speed(plan):
    Path(plan.search_task(SEQUENTIAL).path).write_bytes(b"PAR1")
    Path(plan.search_task(WRAPPER).path).unlink()
    worsen(plan, SEQUENTIAL._replace(fold=1), 3)
    told = []
    reports = [
        verify_study(plan.results, jobs=n, sample=100, progress=lambda *said: told.append(said))
        for n in (1, 2)
    ]
    assert list(reports[0].lines()) == list(reports[1].lines())
    assert len(reports[0].problems) == 2
    table = [line.split() for line in reports[0].lines()]
    assert ["shards", "23", "1", "2"] in table
    assert ["scores", "6", "0", "0"] in table
    assert told[-1] == (24, 24)


def test_samples_repeat_themselves_and_spread(plan):
    from altfs.study.verify import _sample

    keys = list(plan.places())
    first = _sample(keys, 6, 0, lambda key: (key.selector, key.search))
    assert first == _sample(reversed(keys), 6, 0, lambda key: (key.selector, key.search))
    assert len({(key.selector, key.search) for key in first}) == 6
    assert first != _sample(keys, 6, 1, lambda key: (key.selector, key.search))
    assert _sample(keys, None, 0, str) == set(keys)


def test_what_is_no_study_is_refused_in_one_sentence(capsys, plan, tmp_path):
    def refuse(*arguments):
        try:
            code = main(["verify", *arguments])
        except SystemExit as end:
            code = end.code
        said = capsys.readouterr()
        assert code == 2
        assert said.out == ""
        assert said.err.startswith("altfs: ")
        assert said.err.count("\n") == 1

    refuse(str(tmp_path / "nowhere"))
    refuse()
    refuse(plan.results, "--sample", "many")
    refuse(plan.results, "--sample", "1", "--full")
    refuse(plan.results, "--work", "0")
    study = Path(plan.study_file)
    text = study.read_text()
    for other in (
        text[:100],
        "[]",
        "{}",
        text.replace(f'"schema_version": {SCHEMA_VERSION}', '"schema_version": 0'),
        text.replace('"sequential"', '"sideways"'),
        text.replace('"n_total"', '"n"'),
        text.replace('"name": "wine"', '"name": "beer"'),
    ):
        study.write_text(other)
        refuse(plan.results)
