"""A study whose rows are explained by a network, and its audit."""

from audit import make_study, verify
from studies import SMALL

from altfs.study.session import open_study

CONFIG = {
    **SMALL,
    "results": "results/networks",
    "datasets": ["sklearn:breast_cancer"],
    "selectors": [
        {"name": "group_fs", "options": {"steps": 20}},
        {"name": "invase", "options": {"steps": 20}},
    ],
    "taus": ["0.5"],
    "searches": [{"name": "sequential", "n_alternatives": 1}],
    "explanations": {"rows": 3, "background": 8, "model": "decision_tree"},
}


def test_the_audit_names_the_explanations_that_it_makes_again(tmp_path, capsys):
    plan = open_study(make_study(tmp_path, CONFIG))
    code, said = verify(capsys, plan, "--sample", "2")
    assert code == 0, said
    named = [line for line in said.splitlines() if line.startswith("made again and compared: ex")]
    assert len(named) == 2
