"""Text as spreadsheets and other programs write it: the same table, or one sentence."""

import bz2
import gzip
import io
import json
import lzma
import zipfile

import pandas as pd
import pytest

from altfs.commands.main import main
from altfs.datasets import file
from altfs.datasets.file import FileSource, file_options
from altfs.errors import DataError

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
}
REFUSED = {
    "cp1252": ("t.csv", PLAIN.encode("cp1252"), {}, "byte 0xf6 in line 1 is not utf-8, name the"),
    "unknown": ("t.csv", PLAIN.encode(), {"encoding": "cpx"}, "encoding 'cpx' is unknown, use"),
    "zstd": ("t.csv", b"\x28\xb5\x2f\xfd\x00", {}, "compressed by zstd, use gzip"),
    "workbook": ("t.csv", zipped(**{"[Content_Types].xml": ""}), {}, "is a spreadsheet, save one"),
    "two files": ("t.zip", zipped(a=PLAIN, b=PLAIN), {}, "holds 2 files, put one table"),
    "letters": ("t.csv", PLAIN.encode(), {"separator": ";;"}, "separator: ';;' is not allowed"),
    "mark": ("t.csv", PLAIN.encode(), {"decimal": ";"}, "decimal: ';' is not allowed"),
    "no mark": ("t.csv", PLAIN.encode("utf-16-le"), {}, "begins with a zero byte, as UTF-16"),
    "commas": ("t.csv", b'a,y\n"1,5",0\n2,1\n', {}, "column 'a' has numbers with commas, name"),
    "damaged": ("t.csv.gz", gzip.compress(PLAIN.encode())[:30], {}, "cannot be read as a table"),
}


def load(folder, name, content, options):
    (folder / name).write_bytes(content)
    return FileSource("d", file_options({"path": folder / name, "target": "y", **options})).load()


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
    assert "name the `encoding` of the file, such as cp1252" in capsys.readouterr().err
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
