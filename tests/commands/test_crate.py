"""`altfs export`: what is in the file, and that it opens as its README says."""

import hashlib
import json
import re
import shlex
import subprocess
import sys
import zipfile
from urllib.parse import unquote

import pytest

from altfs.commands.main import main


@pytest.fixture(scope="module")
def crate(reported_results, tmp_path_factory):
    """The unpacked file of a study, and its metadata by name."""
    folder = tmp_path_factory.mktemp("exported")
    authors = ("--author", "Ada Lovelace", "--author", "Emmy Noether")
    assert main(["export", str(reported_results), str(folder / "study.zip"), *authors]) == 0
    with zipfile.ZipFile(folder / "study.zip") as packed:
        packed.extractall(folder / "crate")
    graph = json.loads((folder / "crate" / "ro-crate-metadata.json").read_text())["@graph"]
    return folder / "crate", {unquote(entity["@id"]): entity for entity in graph}


def test_every_file_has_its_checksum(crate, reported_results):
    folder, entities = crate
    files = {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*") if path.is_file()
    }  # fmt: skip
    del files["ro-crate-metadata.json"]
    described = {name: one["sha256"] for name, one in entities.items() if one["@type"] == "File"}
    assert files == described
    parts = {unquote(part["@id"]) for part in entities["./"]["hasPart"]}
    assert files.keys() <= parts
    stored = {
        str(path.relative_to(reported_results)) for path in reported_results.rglob("*.parquet")
    }
    assert stored <= files.keys()
    assert not any(name.startswith(("logs/", ".")) for name in files)


def test_the_study_is_described(crate):
    folder, entities = crate
    root = entities["./"]
    assert root["name"] == "Results of the study small"
    assert root["description"].startswith("We searched for alternative feature sets (Bach, 2023)")
    assert entities[root["license"]["@id"]]["name"] == "CC-BY-4.0"
    assert [entities[unquote(one["@id"])]["name"] for one in root["author"]] == [
        "Ada Lovelace", "Emmy Noether",
    ]  # fmt: skip
    assert "@software{altfs," in (folder / "citation.bib").read_text()
    assert entities["tables/feature_sets.parquet"]["encodingFormat"].endswith("parquet")


def test_the_readme_says_how_to_read_it(crate):
    folder, _ = crate
    text = (folder / "README.md").read_text()
    check, _, _, show = re.search(r"```\n(.*?)```", text, re.S)[1].split("\n", 3)
    # All but the environment, which pip would fill over the network.
    subprocess.run(shlex.split(check), cwd=folder, check=True)
    program, *words = shlex.split(show)
    assert program == ".venv/bin/python"
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0 and "flavanoids" in done.stdout, done.stderr


@pytest.mark.exhaustive
def test_own_data_are_published_with_a_warning_or_left_out(tmp_path, capsys):
    from audit import make_study
    from studies import SMALL

    from altfs.commands.report import report

    (tmp_path / "mine.csv").write_text(
        "a,b,c,d,y\n" + "".join(f"{i % 7},{i % 5},{i % 3},{i},{i % 2}\n" for i in range(40))
    )
    entry = {"name": "mine", "type": "file",
             "options": {"path": str(tmp_path / "mine.csv"), "target": "y"}}  # fmt: skip
    search = {"name": "sequential", "n_alternatives": 1}
    config = {**SMALL, "datasets": [entry], "searches": [search], "taus": [1], "n_features": 1}
    (tmp_path / "own").mkdir()
    study = make_study(tmp_path / "own", {**config, "selectors": ["correlation"]})
    report(study)
    capsys.readouterr()
    output = tmp_path / "own.zip"
    assert main(["export", str(study), str(output)]) == 0
    assert "publishes the data of mine, use --without-data" in capsys.readouterr().err
    with zipfile.ZipFile(output) as packed:
        assert "datasets/mine.parquet" in packed.namelist()
    assert main(["export", str(study), str(output), "--without-data"]) == 0
    assert capsys.readouterr().err == ""
    with zipfile.ZipFile(output) as packed:
        assert not any(name.startswith("datasets/") for name in packed.namelist())


def test_wrong_arguments_are_one_sentence(finished_results, reported_results, tmp_path, capsys):
    for study, output, said in (
        (tmp_path, "a.zip", "holds no study"),
        (finished_results, "a.zip", "has no report, run the study or 'altfs report"),
        (reported_results, "a.tar", "allowed are: .zip"),
        (reported_results, "no/a.zip", "cannot be written"),
    ):
        assert main(["export", str(study), str(tmp_path / output)]) == 2
        error = capsys.readouterr().err
        assert said in error and error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
