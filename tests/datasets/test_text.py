"""Text as spreadsheets and other programs write it: the same table, or one sentence."""

import bz2
import gzip
import io
import json
import lzma
import zipfile
from importlib.util import find_spec

import pandas as pd
import pytest

from altfs.commands.main import main
from altfs.datasets import file, make_dataset
from altfs.datasets.file import FileSource, file_options
from altfs.errors import AltfsError, DataError

PLAIN = "größe,a,y\n1.5,u,0\n2,v,1\n-3,u,0\n"
FRAME = pd.DataFrame({"größe": [1.5, 2, -3], "a": ["u", "v", "u"], "y": [0, 1, 0]})
SEMICOLONS = PLAIN.replace(",", ";").replace(".", ",")


def zipped(**files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return content.getvalue()


def arrow(frame):
    content = io.BytesIO()
    frame.to_feather(content)
    return content.getvalue()


def parquet(frame):
    content = io.BytesIO()
    frame.to_parquet(content)
    return content.getvalue()


def lines(frame):
    return frame.to_json(orient="records", lines=True, force_ascii=False).encode()


def indexed(name, start):
    rows = PLAIN.strip().split("\n")
    numbers = [name, *range(start, start + len(rows) - 1)]
    return "\n".join(f"{n},{row}" for n, row in zip(numbers, rows, strict=True)).encode()


def workbook(rows, n_sheets=1):
    """The bytes of a workbook, as Excel writes it, with these rows in its first sheet."""
    cells = "".join(
        "<row>"
        + "".join(
            f"<c t='inlineStr'><is><t>{value}</t></is></c>"
            if isinstance(value, str)
            else f"<c><v>{value}</v></c>"
            for value in row
        )
        + "</row>"
        for row in rows
    )
    main, of = "http://schemas.openxmlformats.org/", "officeDocument/2006/relationships"
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml."
    numbers = range(1, n_sheets + 1)
    parts = "".join(
        f"<Override PartName='/xl/worksheets/s{i}.xml' ContentType='{types}worksheet+xml'/>"
        for i in numbers
    )
    sheets = "".join(f"<sheet name='S{i}' sheetId='{i}' r:id='r{i}'/>" for i in numbers)
    links = "".join(
        f"<Relationship Id='r{i}' Type='{main}{of}/worksheet' Target='worksheets/s{i}.xml'/>"
        for i in numbers
    )
    package = f"{main}package/2006/relationships"
    files = {
        "[Content_Types].xml": f"<Types xmlns='{main}package/2006/content-types'>{parts}"
        f"<Override PartName='/xl/workbook.xml' ContentType='{types}sheet.main+xml'/></Types>",
        "_rels/.rels": f"<Relationships xmlns='{package}'><Relationship Id='r1' "
        f"Type='{main}{of}/officeDocument' Target='xl/workbook.xml'/></Relationships>",
        "xl/workbook.xml": f"<workbook xmlns='{main}spreadsheetml/2006/main' "
        f"xmlns:r='{main}{of}'><sheets>{sheets}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f"<Relationships xmlns='{package}'>{links}</Relationships>",
    }
    for i in numbers:
        files[f"xl/worksheets/s{i}.xml"] = (
            f"<worksheet xmlns='{main}spreadsheetml/2006/main'><sheetData>"
            f"{cells if i == 1 else ''}</sheetData></worksheet>"
        )
    return zipped(**files)


# A name, its bytes, options, and what is said.
READ = {
    "commas": ("t.csv", PLAIN.encode(), {}, ""),
    "mark of UTF-8": ("t.csv", PLAIN.encode("utf-8-sig"), {}, ""),
    "UTF-16": ("t.csv", PLAIN.encode("utf-16"), {}, " (encoding utf-16)"),
    "cp1252": ("t.csv", PLAIN.encode("cp1252"), {"encoding": "cp1252"}, " (encoding cp1252)"),
    "semicolons": ("t.csv", SEMICOLONS.encode(), {}, " (separator ;, decimal commas)"),
    "tabs": ("t.csv", PLAIN.replace(",", "\t").encode(), {}, " (separator tab)"),
    "bars": ("t.txt", PLAIN.replace(",", "|").encode(), {}, " (separator |)"),
    "said": (
        "t.dat",
        PLAIN.replace(",", ":").replace(".", ",").encode(),
        {"separator": ":", "decimal": ","},
        " (separator :, decimal commas)",
    ),
    "upper case": ("T.CSV", PLAIN.encode(), {}, ""),
    "gzip without its ending": ("t.csv", gzip.compress(PLAIN.encode()), {}, ""),
    "bzip2": ("t.csv.bz2", bz2.compress(PLAIN.encode()), {}, ""),
    "xz": ("t.csv.xz", lzma.compress(PLAIN.encode()), {}, ""),
    "zip": ("t.csv.zip", zipped(**{"t.csv": PLAIN}), {}, ""),
    "Parquet": ("t.data", parquet(FRAME), {}, ""),
    "Feather": ("t.feather", arrow(FRAME), {}, ""),
    "lines of JSON": ("t.jsonl", lines(FRAME), {}, ""),
    "compressed lines of JSON": ("t.ndjson.gz", gzip.compress(lines(FRAME)), {}, ""),
    "index without a name": ("t.csv", indexed("", 0), {}, " (without its index)"),
    "index of pandas": ("t.csv", indexed("Unnamed: 0", 0), {}, " (without its index)"),
    "index of R": ("t.csv", indexed('""', 1), {}, " (without its index)"),
    "index in Parquet": (
        "t.parquet",
        parquet(FRAME.reset_index(names="Unnamed: 0")),
        {},
        " (without its index)",
    ),
}
REFUSED = {
    "cp1252": ("t.csv", PLAIN.encode("cp1252"), {}, "byte 0xf6 in line 1 is not utf-8, name the"),
    "unknown": ("t.csv", PLAIN.encode(), {"encoding": "cpx"}, "encoding 'cpx' is unknown, use"),
    "zstd": ("t.csv", b"\x28\xb5\x2f\xfd\x00", {}, "compressed by zstd, use gzip"),
    "document": (
        "t.csv",
        zipped(**{"[Content_Types].xml": ""}),
        {},
        "is no Excel workbook .*, save",
    ),
    "first column without a name": (
        "t.csv",
        b",a,y\n0,1,0\n2,1,1\n",
        {},
        "column 1 .* has no name",
    ),
    "later column without a name": (
        "t.csv",
        b"a,,y\n0,0,0\n1,1,1\n",
        {},
        "column 2 .* has no name",
    ),
    "lines that are no JSON": (
        "t.jsonl",
        b'{"a": 1}\n{"a": 1\n',
        {},
        "line 2 of .* one in each line",
    ),
    "lines with a key twice": ("t.jsonl", b'{"a": 1, "a": 2}\n', {}, "line 1 of .* a key twice"),
    "lines that are numbers": ("t.jsonl", b"1\n2\n", {}, "line 1 of .*it is another value"),
    "two files": ("t.zip", zipped(a=PLAIN, b=PLAIN), {}, "holds 2 files, put one table"),
    "letters": ("t.csv", PLAIN.encode(), {"separator": ";;"}, "separator: ';;' is not allowed"),
    "mark": ("t.csv", PLAIN.encode(), {"decimal": ";"}, "decimal: ';' is not allowed"),
    "no mark": ("t.csv", PLAIN.encode("utf-16-le"), {}, "begins with a zero byte, as UTF-16"),
    "commas": ("t.csv", b'a,y\n"1,5",0\n2,1\n', {}, "column 'a' has numbers with commas, name"),
    "damaged": ("t.csv.gz", gzip.compress(PLAIN.encode())[:30], {}, "cannot be read as a table"),
}


def load(folder, name, content, options):
    (folder / name).write_bytes(content)
    return load_file(folder / name, **options)


def load_file(path, **options):
    return FileSource("d", file_options({"path": path, "target": "y", **options})).load()


@pytest.mark.parametrize("case", READ)
def test_a_file_is_recognised(tmp_path, case):
    name, content, options, said = READ[case]
    raw = load(tmp_path, name, content, options)
    assert raw.origin == f"file: {name}{said}"
    pd.testing.assert_frame_equal(raw.frame, FRAME)


@pytest.mark.parametrize("case", REFUSED)
def test_a_file_that_is_not_recognised_ends_in_a_sentence(tmp_path, case):
    name, content, options, said = REFUSED[case]
    with pytest.raises(DataError, match=said) as raised:
        load(tmp_path, name, content, options)
    assert "\n" not in str(raised.value)


def test_text_with_commas_that_is_not_numbers_stays_text(tmp_path):
    raw = load(tmp_path, "t.csv", b"a;b;y\n1,2,3;x;0\n1,2;1,5;1\n", {})
    assert raw.frame["a"].tolist() == ["1,2,3", "1,2"]
    assert raw.frame["b"].tolist() == ["x", "1,5"]


def test_numbers_with_commas_between_commas_are_what_the_user_says(tmp_path):
    table = b'a,y\n"1,5",0\n2,1\n'
    assert load(tmp_path, "t.csv", table, {"decimal": ","}).frame["a"].tolist() == [1.5, 2]
    assert load(tmp_path, "t.csv", table, {"decimal": "."}).frame["a"].tolist() == ["1,5", "2"]


def test_a_file_says_the_memory_that_it_needs(tmp_path, monkeypatch):
    monkeypatch.setattr(file, "memory", lambda: 5e9)
    monkeypatch.setattr(file, "_TIMES", 10**9)
    with pytest.raises(DataError, match=r"reading it needs about .* GB of memory, this machine"):
        load(tmp_path, "t.csv", PLAIN.encode(), {})


# 22 s, as it asks for sets in four ways, which compiles.
@pytest.mark.exhaustive
def test_the_command_takes_a_file_of_a_spreadsheet_from_end_to_end(tmp_path, capsys):
    rows = [
        f"{i % 7},{i % 10};{('Köln', 'Wien')[i % 2]};{i % 3};{'' if i % 9 == 4 else i % 5};{i % 2}"
        for i in range(60)
    ]
    path = tmp_path / "data.csv"
    path.write_bytes("\n".join(["size;town;city;age;y", *rows]).encode("cp1252"))
    arguments = [str(path), "--target", "y"]
    assert main(["find", *arguments]) == 2
    assert "name the --encoding of the file, such as cp1252" in capsys.readouterr().err
    arguments += ["--encoding", "cp1252", "--missing", "impute", "--categorical", "city"]
    options = ["-k", "1", "-a", "2", "--tau", "1", "--without", "town", "--outages", "town", "size"]
    assert main(["find", *arguments, *options, "--evaluate", "decision_tree", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["sets"][0]["feature_names"] == ["town"]
    assert said["categorical"] == ["city"]
    assert said["evaluation"]["sets"][0]["score"] == 1
    assert said["without"]["features"] == ["town"]
    assert said["without"]["feature_names"] == said["sets"][1]["feature_names"]
    assert [row["missing"] for row in said["outages"]["table"]] == [["size"], ["town"]]
    assert main(["find", *arguments, *options]) == 0
    text = capsys.readouterr().out
    assert "Without town:" in text
    assert "for every outage of any one of these features" in text
    assert main(["check", *arguments]) == 0
    assert "encoding: cp1252" in capsys.readouterr().out


ROWS = [list(FRAME.columns), *FRAME.to_numpy().tolist()]


def test_an_excel_workbook_is_read_where_its_library_is_installed(tmp_path):
    if find_spec("openpyxl") is None:
        with pytest.raises(AltfsError, match=r"'t.xlsx' needs .* `pip install 'altfs\[excel\]'`"):
            load(tmp_path, "t.xlsx", workbook(ROWS), {})
        return
    # Its first bytes say what it is, too.
    for name in ("t.xlsx", "t.csv"):
        raw = load(tmp_path, name, workbook(ROWS), {})
        pd.testing.assert_frame_equal(raw.frame, FRAME, check_dtype=False)
        assert (raw.origin, raw.notes) == (f"file: {name}", ())
    raw = load(tmp_path, "t.xlsx", workbook(ROWS, 2), {})
    pd.testing.assert_frame_equal(raw.frame, FRAME, check_dtype=False)
    assert raw.notes == ("sheet 'S1', the first of 2, is read.",)
    numbered = [["", *ROWS[0]], *([i, *row] for i, row in enumerate(ROWS[1:]))]
    raw = load(tmp_path, "t.xlsx", workbook(numbered), {})
    pd.testing.assert_frame_equal(raw.frame, FRAME, check_dtype=False)
    for rows, said in (
        ([["a", "a", "y"], [1, 2, 3]], "two columns called 'a'"),
        ([["a", "y"], [1, 0, 5]], "column 3 of the table has no name"),
    ):
        with pytest.raises(DataError, match=said):
            load(tmp_path, "t.xlsx", workbook(rows), {})


@pytest.mark.exhaustive
def test_what_numbers_the_rows_is_no_feature_and_said(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plain = pd.DataFrame({"a": [3, 1, 4, 1, 5] * 6, "b": [2, 7, 1] * 10, "y": [0, 1] * 15})
    plain.to_csv("t.csv")
    plain.to_csv("plain.csv", index=False)
    # An index beside the index of an earlier file.
    pd.read_csv("t.csv").to_csv("twice.csv")
    options = ["-t", "y", "-k", "1", "-a", "1", "--tau", "1", "--selector", "mrmr"]
    options += ["--evaluate", "none", "--halves", "0"]
    said = {}
    for name in ("t.csv", "twice.csv", "plain.csv"):
        assert main(["find", name, *options]) == 0
        said[name] = capsys.readouterr().out.splitlines()
    note = "the first column, which has no name, numbers the rows and is left out."
    place = said["t.csv"].index(f" - {note}")
    # The note is all that its heading has, and the rest is that of the file without the column.
    assert said["t.csv"][place - 2 : place] == ["", "What the table has"]
    assert said["t.csv"][1 : place - 2] + said["t.csv"][place + 1 :] == said["plain.csv"][1:]
    assert " - column 'Unnamed: 0' numbers the rows and is left out." in said["twice.csv"]
    main(["check", "t.csv", "-t", "y", "--folds", "2"])
    assert f"- {note}" in capsys.readouterr().out
    digest = make_dataset("d", load_file("t.csv")).digest
    assert digest == make_dataset("d", load_file("plain.csv")).digest


def test_standard_input_is_a_table(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plain = pd.DataFrame({"a": [3, 1, 4, 1, 5, 9] * 4, "b": [2, 7, 1, 8] * 6, "y": [0, 1] * 12})
    plain.to_csv("t.csv", index=False)
    options = ["-t", "y", "-k", "1", "-a", "1", "--tau", "1", "--selector", "mrmr"]
    options += ["--evaluate", "none", "--halves", "0"]
    assert main(["find", "t.csv", *options]) == 0
    expected = capsys.readouterr().out.replace("t.csv", "standard input")
    for content in (plain.to_csv(index=False).encode(), lines(plain), parquet(plain)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert main(["find", "-", *options]) == 0
        assert capsys.readouterr().out == expected
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert main(["check", "-", "-t", "y", "--folds", "2"]) == 0
        said = capsys.readouterr().out
        assert said.startswith("standard input: 24 rows, 2 features") and "datasets:" not in said
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a,y\n,0\n2,1\n")))
    assert main(["find", "-", "-t", "y", "--missing", "refuse"]) == 2
    assert capsys.readouterr().err.startswith("altfs: standard input: column 'a' (NaN in 50.0%")
