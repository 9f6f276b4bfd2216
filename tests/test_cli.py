import pytest
import yaml
from conftest import SMALL

from altfs.cli import main


def test_check_says_what_would_be_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(SMALL))
    assert main(["check"]) == 0
    said = capsys.readouterr().out
    assert "wine: 178 rows, 13 features, multiclass" in said
    assert "small: 24 shards in results/small" in said
    assert [p.name for p in tmp_path.iterdir()] == ["config.yaml"]


def test_check_refuses_in_one_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for text in ("name: [", "- 1", yaml.safe_dump({**SMALL, "folds": 0})):
        (tmp_path / "config.yaml").write_text(text)
        assert main(["check"]) == 1
        said = capsys.readouterr().err
        assert said.startswith("altfs: ")
        assert said.count("\n") == 1
    assert main(["check", "nowhere.yaml"]) == 1


def test_schema(capsys):
    assert main(["schema"]) == 0
    assert "https://json-schema.org/draft/2020-12/schema" in capsys.readouterr().out


def test_wrong_arguments_are_one_sentence_and_exit_code_2(tmp_path, capsys):
    for arguments in (["verify"], ["verify", str(tmp_path), "--jobs", "x"], ["checks"], []):
        with pytest.raises(SystemExit) as end:
            main(arguments)
        assert end.value.code == 2
        said = capsys.readouterr().err
        assert said.startswith("altfs: ")
        assert said.count("\n") == 1
    assert main(["verify", str(tmp_path)]) == 2
    assert "holds no study" in capsys.readouterr().err


def test_the_exit_codes_of_an_audit_are_in_its_help(capsys):
    with pytest.raises(SystemExit):
        main(["verify", "--help"])
    assert "0 all is well; 1 something is wrong or missing; 2 wrong" in capsys.readouterr().out
