import json
import shutil

import pytest

from altfs.commands.main import main


def test_the_exit_codes_of_an_audit_are_in_its_help(capsys):
    with pytest.raises(SystemExit):
        main(["verify", "--help"])
    assert "0 all is well; 1 something is wrong or missing; 2 wrong" in capsys.readouterr().out


def replaced(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


# 20 s: the evaluation of a small study, twice.
@pytest.mark.exhaustive
def test_an_audit_names_each_edited_file_that_a_reader_sees(reported_results, tmp_path, capsys):
    study = shutil.copytree(reported_results, tmp_path / "moved")
    assert main(["verify", str(study), "--sample", "0"]) == 0
    said = capsys.readouterr().out
    assert "made again and compared: " in said
    replaced(study / "tables/overview.csv", "0.", "1.")
    replaced(study / "figures/score_by_dissimilarity.svg", "Test", "Best")
    replaced(study / "figures/score_by_dissimilarity.json", "MCC", "AUC")
    replaced(study / "report.html", "MCC", "AUC")
    pdf = study / "figures/score_by_dissimilarity.pdf"
    pdf.write_bytes(pdf.read_bytes()[:-1])
    (study / "tables/gaps.csv").unlink()
    edited = ["tables/overview.csv", "figures/score_by_dissimilarity.svg", "report.html"]
    edited += ["figures/score_by_dissimilarity.json", "figures/score_by_dissimilarity.pdf"]
    # Files without a noted digest are compared, too.
    note = json.loads((study / "evaluated.json").read_text())
    note["files"] = {name: digest for name, digest in note["files"].items() if name not in edited}
    (study / "evaluated.json").write_text(json.dumps(note))
    assert main(["verify", str(study), "--sample", "0"]) == 1
    said = capsys.readouterr().out
    for name in edited:
        assert f"{study}/{name}: is not what the results give\n" in said
    assert f"{study}/tables/gaps.csv: is missing, run the study again\n" in said
    assert ", 6 problems, 0 files missing" in said
