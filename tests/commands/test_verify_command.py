import pytest

from altfs.commands.main import main


def test_the_exit_codes_of_an_audit_are_in_its_help(capsys):
    with pytest.raises(SystemExit):
        main(["verify", "--help"])
    assert "0 all is well; 1 something is wrong or missing; 2 wrong" in capsys.readouterr().out
