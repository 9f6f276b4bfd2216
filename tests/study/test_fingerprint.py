"""The code that counts in the hash of a component, above all of one in another package."""

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from py_compile import compile as compile_file

import pytest

from altfs.errors import ConfigError
from altfs.selectors import selectors
from altfs.study.fingerprint import code_hash, reached

SELECTOR = """
from altfs.quality import Linear
from altfs.selectors import Selector, selectors
{imports}


@selectors.register("theirs")
class Theirs(Selector):
    "Values of features."

    def quality(self, part):
        return Linear([1, 2])
"""
POINTS = {selectors: {"theirs": "theirs.selector:Theirs"}}


def files(imports, **more):
    texts = {f"theirs/{name}.py": text for name, text in more.items()}
    selector = SELECTOR.format(imports=imports)
    return {"theirs/__init__.py": "", "theirs/selector.py": selector, **texts}


@pytest.fixture
def hash_of(install):
    """The hash of the selector of a package with some files."""

    def hash_of(files, points=POINTS):
        install("theirs", files, points)
        return code_hash("theirs.selector")

    return hash_of


def test_comments_docstrings_and_imports_for_types_are_no_code(hash_of):
    one, two, typed, other = (
        hash_of({"theirs/selector.py": text})
        for text in (
            '"""Doc."""\nx = 1\n',
            '"""Other."""\n# why\nx = 1\n',
            "if TYPE_CHECKING:\n    from .nowhere import T\nx = 1\n",
            '"""Other."""\nx = 2\n',
        )
    )
    assert one == two
    assert len({one, typed, other}) == 3
    assert reached("theirs.selector") == {"theirs.selector"}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "imports",
    [
        "from . import near",
        "from .near import value",
        "from theirs import near",
        "import theirs.near",
        "from .deep.inner import value",
        "def later():\n    from .near import value",
    ],
)
def test_a_change_of_what_a_selector_imports_from_its_package_counts(imports, hash_of):
    def made(value):
        inner = {"theirs/deep/__init__.py": "", "theirs/deep/inner.py": "from ..near import value"}
        return hash_of(files(imports, near=f"value = {value}", far="value = 1") | inner)

    first = made(1)
    assert made(2) != first == made(1)
    assert "theirs.near" in reached("theirs.selector")
    assert "theirs.far" not in reached("theirs.selector")


@pytest.mark.exhaustive
def test_what_it_imports_from_altfs_counts(hash_of):
    hash_of(files("from altfs import AlternativeFeatures\nimport numpy as np"))
    modules = reached("theirs.selector")
    assert {"altfs.selectors.base", "altfs.quality.linear"} <= modules
    # A name that altfs imports on its first use.
    assert "altfs.library.estimator" in modules
    assert not [name for name in modules if name.startswith("numpy")]
    assert "altfs.selectors.fcbf" not in modules


def test_other_packages_of_a_distribution_and_those_with_components_count(install, hash_of):
    private = {"_theirs/__init__.py": "x = 1", "theirs_too.py": "x = 1"}
    components = {"others.py": SELECTOR.format(imports="import helped").replace("theirs", "others")}
    install("others", components, {selectors: {"others": "others"}})
    install("helped", {"helped.py": "x = 1"})
    hash_of(files("import _theirs, theirs_too, others, helped") | private)
    modules = reached("theirs.selector")
    assert {"_theirs", "theirs_too", "others"} <= modules
    assert "helped" not in modules


def test_a_component_without_an_entry_point_counts_with_its_package(hash_of):
    hash_of(files("from . import near", near="x = 1"), points=None)
    assert "theirs.near" in reached("theirs.selector")


def test_modules_without_source_count_by_their_bytes(install, hash_of, tmp_path):
    compiled = f"theirs/near{EXTENSION_SUFFIXES[0]}"
    one, two = (
        hash_of(files("from . import near") | {compiled: b"\x00" + x}) for x in (b"1", b"2")
    )
    assert one != two
    source = tmp_path / "near.py"
    hashes = []
    for value in (1, 2):
        source.write_text(f"value = {value}")
        compile_file(str(source), str(tmp_path / "near.pyc"))
        content = (tmp_path / "near.pyc").read_bytes()
        without = {"theirs/far.pyc": content}
        hashes.append(hash_of(files("from . import far") | without))
    assert len({one, two, *hashes}) == 4


def test_nothing_is_imported_to_find_what_counts(hash_of):
    hash_of(files("from .slow import part", slow="1 / 0") | {"theirs/slower/__init__.py": "1 / 0"})
    assert "theirs.slow" in reached("theirs.selector")
    assert "theirs.selector" not in sys.modules


def test_a_component_outside_any_file_is_refused_in_one_sentence():
    with pytest.raises(ConfigError, match=r"^'nowhere' has no file, put its component into "):
        code_hash("nowhere")
