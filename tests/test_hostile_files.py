"""Files that are made to crash, to hang or to fill the memory: each is refused in one sentence.

About 25 s, most of them for the processes that are watched.
"""

import gzip
import io
import json
import lzma
import os
import resource
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples

from altfs import AlternativeFeatures
from altfs.commands.main import main
from altfs.errors import AltfsError

MEMORY = 4 * 2**30
DEEP = "[" * 100_000 + "]" * 100_000
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(RNG.random((40, 3)).round(3), columns=list("abc"))
FRAME = FRAME.assign(d=["u", "v"] * 20, y=np.arange(40) % 2)


def is_refused(folder, *words):
    """Run the command line in a process of its own, with little memory and time."""
    done = subprocess.run(
        [Path(sys.executable).with_name("altfs"), *map(str, words)],
        cwd=folder, capture_output=True, text=True, timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )  # fmt: skip
    assert done.returncode == 2, done
    assert done.stderr.startswith("altfs: ") and done.stderr.count("\n") == 1, done.stderr[-2000:]
    assert len(done.stderr) < 1000
    assert done.stdout == ""
    return done.stderr


def pipe(path):
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def endless(path):
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/zero")


ENDLESS = [pipe, endless]


@pytest.mark.parametrize("make", ENDLESS)
@pytest.mark.parametrize("words", ["check {}", "info {}", "find t.csv -t y --constraints {}"])
def test_settings_without_an_end(tmp_path, capsys, monkeypatch, make, words):
    monkeypatch.chdir(tmp_path)
    FRAME.to_csv("t.csv", index=False)
    make(tmp_path / "f.yaml")
    assert main(words.format("f.yaml").split()) == 2
    assert "'f.yaml' cannot be read (it is not a file)" in capsys.readouterr().err


@pytest.mark.parametrize("make", ENDLESS)
@pytest.mark.parametrize(
    ("file", "command"),
    [("design.json", "export"), ("collected.json", "compare"), ("study.json", "status")],
)
def test_results_without_an_end(reported_results, tmp_path, capsys, make, file, command):
    study = shutil.copytree(reported_results, tmp_path / "study")
    make(study / file)
    more = {"export": [str(tmp_path / "x.zip")], "compare": [str(reported_results)]}
    assert main([command, str(study), *more.get(command, [])]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("make", ENDLESS)
@pytest.mark.parametrize(
    "file", [".whole.json", "evaluated.json", "tables/feature_sets/wine.parquet", "logs/report.log"]
)
def test_status_reads_nothing_without_an_end(reported_results, tmp_path, capsys, make, file):
    study = shutil.copytree(reported_results, tmp_path / "study")
    (study / file).parent.mkdir(exist_ok=True)
    make(study / file)
    assert main(["status", str(study)]) in (0, 1)
    assert capsys.readouterr().err == ""


OTHER_JSON = ["null", "[]", "{}", '"x"', "9" * 5000, DEEP, "\0", "\xff"]


@pytest.mark.parametrize("content", OTHER_JSON, ids=range(len(OTHER_JSON)))
def test_json_of_another_kind(reported_results, tmp_path, capsys, content):
    study = shutil.copytree(reported_results, tmp_path / "study")
    for file, words in {
        "design.json": ("export", study, tmp_path / "x.zip"),
        "collected.json": ("compare", study, reported_results),
        "study.json": ("status", study),
    }.items():
        whole = (study / file).read_bytes()
        (study / file).write_bytes(content.encode("latin-1"))
        assert main([*map(str, words)]) == 2, file
        said = capsys.readouterr().err
        assert said.startswith("altfs: ") and said.count("\n") == 1, said
        (study / file).write_bytes(whole)
    for file in (".whole.json", "evaluated.json"):
        (study / file).write_bytes(content.encode("latin-1"))
    (study / ".whole.json").write_text(
        '{"schema_version": 6, "files": {"datasets/wine.parquet": [1]}}'
    )
    assert main(["status", str(study)]) in (0, 1)
    with pytest.raises(AltfsError):
        AlternativeFeatures.from_json('{"a": ' + content)


@pytest.mark.parametrize("metadata", [b"null", b"3", b'"ab"', b"[]", DEEP.encode(), b"\xff"])
def test_metadata_of_another_kind(finished, capsys, metadata):
    path = Path(finished.results, "datasets/wine.parquet")
    table = pq.read_table(path.open("rb"))
    pq.write_table(table.replace_schema_metadata({b"altfs": metadata}), path)
    assert main(["status", finished.results]) == 1
    assert "damaged" in capsys.readouterr().out


def test_a_note_of_files_elsewhere_is_not_followed(reported_results, tmp_path):
    study = shutil.copytree(reported_results, tmp_path / "study")
    note = json.loads((study / "evaluated.json").read_text())
    note["files"]["../../secret"] = "0"
    (study / "evaluated.json").write_text(json.dumps(note))
    assert main(["status", str(study)]) == 1


def workbook(folder, rows=b"", end=b""):
    """Write a workbook of which the sheet has some rows, and something behind them."""
    with zipfile.ZipFile(folder / "t.xlsx", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", "<workbook/>")
        sheet = b"<worksheet><sheetData>" + rows + end + b"</sheetData></worksheet>"
        packed.writestr("xl/worksheets/sheet1.xml", sheet)


@pytest.mark.exhaustive
def test_a_workbook_with_a_far_cell(tmp_path):
    near = b'<row r="1"><c r="A1"><v>1</v></c></row>'
    workbook(tmp_path, near + b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
    said = is_refused(tmp_path, "check", "t.xlsx", "-t", "y")
    assert "a sheet has a cell in row 1,048,576 and one in column 16,384" in said


PACKERS = {
    "csv.gz": gzip.compress, "csv.xz": lzma.compress, "csv.zip": None, "xlsx": None,
}  # fmt: skip


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", PACKERS)
def test_few_bytes_that_stand_for_many(tmp_path, kind):
    path = tmp_path / f"t.{kind}"
    many = b"1," * 2**28
    if kind == "xlsx":
        workbook(tmp_path, end=b" " * 2**29)
    elif kind == "csv.zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("t.csv", many)
    else:
        path.write_bytes(PACKERS[kind](many))
    assert "when it is unpacked" in is_refused(tmp_path, "check", path.name, "-t", "y")


@pytest.mark.exhaustive
def test_a_header_of_many_columns(tmp_path, capsys):
    (tmp_path / "t.csv").write_text(",".join(f"c{i}" for i in range(30_000)) + "\n")
    assert main(["find", str(tmp_path / "t.csv"), "-t", "c0"]) == 2
    assert "has 0 rows" in capsys.readouterr().err


LONG = "a" * 5000


@pytest.mark.parametrize(
    "words",
    ["check {}.yaml", "check {}.csv -t y", "find {}.csv -t y", "info {}", "status {}", "plan {}",
     "verify {}", "report {}", "export {} x.zip", "compare {} .", "find t.csv -t y -o {}.json",
     "explain t.csv -t y --model {}.onnx", "find t.csv -t y --constraints {}.yaml",
     "find t.csv -t y --selector {}", "find t.csv -t {}", "find t.csv -t y --encoding {}",
     "find t.csv -t y --selector wrapper --selector-option folds=[[[[{}"],
)  # fmt: skip
def test_words_that_are_too_long(tmp_path, capsys, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    FRAME.to_csv("t.csv", index=False)
    try:
        code = main(words.format(LONG).split())
    except SystemExit as ended:
        code = ended.code
    said = capsys.readouterr().err
    assert code == 2, said[:500]
    last = said.splitlines()[-1]
    assert "altfs" in last and len(last) < 2000 and "Traceback" not in said
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]


VALUES = [
    "0x" + "f" * 5000,
    "1:59:59.5",
    "!!int ''",
    "!!bool x",
    "!!timestamp x",
    "2020-13-41",
    DEEP,
]


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_options_that_cannot_be_read(tmp_path, capsys, monkeypatch, value):
    monkeypatch.chdir(tmp_path)
    FRAME.to_csv("t.csv", index=False)
    option = f"folds={value}"
    words = ["find", "t.csv", "-t", "y", "--selector", "wrapper", "--selector-option", option]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert said.startswith("altfs: --selector-option") and said.count("\n") == 1
    assert len(said) < 1000


def test_codes_that_a_terminal_would_obey_are_written_out():
    error = AltfsError("name", "'a\x1b[31m\u2028\x85\x0b\ud800' is not allowed", "use letters")
    assert str(error) == r"name: 'a\x1b[31m\u2028\x85\x0b\ud800' is not allowed, use letters."
    assert len(str(AltfsError.of_value("name", "x" * 10**6, "use a shorter one"))) < 300


def table_bytes():
    """The same table in each kind of file."""
    kinds = {".csv": FRAME.to_csv(index=False).encode(), ".tsv": FRAME.to_csv(sep="\t").encode(),
             ".jsonl": FRAME.to_json(orient="records", lines=True).encode()}  # fmt: skip
    for kind, write in {".parquet": FRAME.to_parquet, ".feather": FRAME.to_feather}.items():
        file = io.BytesIO()
        write(file)
        kinds[kind] = file.getvalue()
    kinds[".csv.gz"] = gzip.compress(kinds[".csv"])
    return kinds


TABLES = table_bytes()


@st.composite
def tables(draw):
    """Draw a table of which some bytes are others, more or fewer."""
    kind = draw(st.sampled_from([*TABLES]))
    content = bytearray(TABLES[kind])
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(content) - 1))
        content[at : at + draw(st.integers(0, 3))] = draw(st.binary(max_size=4))
    return kind, bytes(content)


@examples(100)
@given(table=tables())
def test_tables_of_any_bytes(tmp_path_factory, table):
    kind, content = table
    path = tmp_path_factory.getbasetemp() / f"any{kind}"
    path.write_bytes(content)
    assert main(["check", str(path), "-t", "y"]) in (0, 1, 2)
