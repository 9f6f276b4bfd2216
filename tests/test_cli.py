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
