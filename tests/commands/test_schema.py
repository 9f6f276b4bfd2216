from altfs.commands.main import main


def test_the_schema_is_printed(capsys):
    assert main(["schema"]) == 0
    assert "https://json-schema.org/draft/2020-12/schema" in capsys.readouterr().out
