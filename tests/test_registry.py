"""Components are found by their names, those of other packages by entry points."""

import json

import pytest

from altfs.catalogue import tables
from altfs.commands.main import main
from altfs.errors import AltfsError
from altfs.scores import scores
from altfs.selectors import selectors

SELECTOR = '''
"""A selector."""

from altfs.quality import Linear
from altfs.selectors import Selector, selectors


@selectors.register("{name}")
class Variance(Selector):
    """Sum of variances."""

    needs_rows = True

    def quality(self, part):
        return Linear(part.X.var(axis=0))
'''
TABLE = '''
"""Nothing."""

from altfs.catalogue import tables


@tables.add(place=1000)
def {name}(results):
    """Return nothing."""
'''


def test_unknown_names_get_the_nearest_and_all_known_ones():
    with pytest.raises(
        AltfsError, match=r"did you mean 'fcbf'\? allowed are: alpha_investing, c45, "
    ):
        selectors.get("fcbff", "selectors[0].type")


def test_a_name_belongs_to_one_component():
    taken = selectors.get("fcbf")
    other = type("Other", (taken,), {"__module__": "elsewhere"})
    said = r"^selector: 'fcbf' is in altfs\.selectors\.fcbf and in elsewhere, rename one of them, "
    with pytest.raises(AltfsError, match=said):
        selectors.register("fcbf")(other)
    assert selectors.get("fcbf") is taken


@pytest.mark.parametrize("target", ["variances.one", "variances.one:Variance"])
def test_an_entry_point_names_a_module_or_the_class_in_it(target, install):
    install(
        "variances",
        {"variances/__init__.py": "", "variances/one.py": SELECTOR.format(name="variance")},
        {selectors: {"variance": target}},
    )
    assert "variance" in selectors.names()
    assert selectors.get("variance").__module__ == "variances.one"
    assert "variances.one" not in selectors.modules()


def test_tables_are_found_by_entry_points_too(install):
    install(
        "nothing", {"nothing.py": TABLE.format(name="nothing")}, {tables: {"nothing": "nothing"}}
    )
    assert tables.order()[-1] == "nothing"
    assert tables.get("nothing").caption == "Nothing."


def test_a_name_that_two_packages_register_is_refused_in_one_sentence(install, capsys):
    for package in ("first", "second"):
        text = {f"{package}.py": SELECTOR.format(name="variance")}
        install(package, text, {selectors: {"variance": package}})
    said = (
        "selector: 'variance' is in first and in second, rename one of them, or uninstall the "
        "package of one."
    )
    for _ in range(2):
        with pytest.raises(AltfsError) as refusal:
            selectors.get("mutual_information")
        assert str(refusal.value) == said
    assert main(["completion", "bash"]) == 2
    assert capsys.readouterr().err == f"altfs: {said}\n"
    install("third", {"third.py": TABLE.format(name="datasets")}, {tables: {"datasets": "third"}})
    with pytest.raises(AltfsError, match=r"^table: 'datasets' is in altfs\..* and in third, "):
        tables.names()


@pytest.mark.parametrize(
    ("text", "target", "reason"),
    [
        ("import a_module_that_is_missing", "broken", "No module named 'a_module_that_is_missing'"),
        ("1 / 0", "broken", "division by zero"),
        ("raise ValueError", "broken", "ValueError"),
        ("raise OSError('first line\\nsecond line')", "broken", "first line"),
        ("x = (", "broken", r"'\(' was never closed \(broken.py, line 1\)"),
        ("", "broken:Nowhere", "module 'broken' has no attribute 'Nowhere'"),
        ("", "broken", "broken registers no selector of this name"),
        ("", "nowhere", "No module named 'nowhere'"),
    ],
)
def test_a_package_that_cannot_be_loaded_matters_on_a_look_up_only(text, target, reason, install):
    install("broken-package", {"broken.py": text}, {selectors: {"variance": target}})
    assert scores.names()
    said = (
        f"^selector: 'variance' of the package 'broken-package' cannot be loaded \\({reason}\\), "
        "repair the package or uninstall it.$"
    )
    for _ in range(2):
        with pytest.raises(AltfsError, match=said):
            selectors.get("mutual_information")


def test_altfs_info_lists_packages_with_components_and_imports_none(install, capsys):
    assert main(["info", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["packages"] == {}
    install(
        "two-of-them",
        {"two_of_them.py": "1 / 0"},
        {selectors: {"b": "two_of_them", "a": "two_of_them"}, tables: {"c": "two_of_them"}},
    )
    assert main(["info", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["packages"] == {
        "two-of-them": {"version": "1.0", "selectors": ["a", "b"], "tables": ["c"]}
    }
