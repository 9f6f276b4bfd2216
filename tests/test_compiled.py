"""Compiled functions whose machine code several processes have stored."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import njit
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import IndexDataCacheFile

import altfs
from altfs._compiled import compiled

MODULE = """
import sys
import numpy as np
from altfs._compiled import compiled

@compiled()
def ordered(x):
    return np.sort(x)

@compiled()
def order(x):
    return np.argsort(x)

# With these before it, numba gives parts of `argsort` the numbers of parts of `sort`.
@compiled()
def one(x):
    return 1

@compiled()
def two(x):
    return 2

@compiled()
def three(x):
    return 3

x = np.array([3.0, 1.0, 2.0, 0.5])
for name in sys.argv[1:]:
    print(globals()[name](x))
    print(sum(globals()[name]._cache_misses.values()), file=sys.stderr)
"""


@compiled()
def total(x):
    return x.sum()


def test_a_compiled_function_has_a_number_that_no_other_process_draws():
    assert total(np.arange(3.0)) == 3.0
    (made,) = total.overloads.values()
    assert made.fndesc.uid > 2**40


def test_numba_counts_on_for_all_other_functions():
    before = FunctionIdentity._unique_ids
    with_numbers = njit(lambda x: x + 1)
    assert with_numbers(1) == 2
    assert compiled()(lambda x: x + 2)(1) == 3
    assert FunctionIdentity._unique_ids is before
    (overload,) = with_numbers.overloads.values()
    assert overload.fndesc.uid < 2**40


# 12 s, as three processes compile.
@pytest.mark.exhaustive
def test_what_processes_compiled_apart_works_together(tmp_path):
    file = tmp_path / "kernels.py"
    file.write_text(MODULE)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def run(*names):
        command = [sys.executable, str(file), *names]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        ).stdout.splitlines()

    # Each of them counts the functions that it compiles.
    assert run("ordered") == ["[0.5 1.  2.  3. ]"]
    assert run("one", "two", "three", "order") == ["1", "2", "3", "[3 1 2 0]"]
    assert run("ordered", "order") == ["[0.5 1.  2.  3. ]", "[3 1 2 0]"]
    assert run("order", "ordered") == ["[3 1 2 0]", "[0.5 1.  2.  3. ]"]


# 4 s.
@pytest.mark.exhaustive
def test_of_processes_that_start_together_one_compiles(tmp_path):
    file = tmp_path / "kernels.py"
    file.write_text(MODULE)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, str(file), "order"]
    started = [
        subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert sorted(process.communicate()[1] for process in started) == ["0\n", "0\n", "1\n"]


# 4 s.
@pytest.mark.exhaustive
def test_machine_code_of_an_older_source_is_not_taken(tmp_path):
    file = tmp_path / "kernels.py"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    found = []
    for step in (1, 2):
        file.write_text(f"{MODULE}\n@compiled()\ndef add(x):\n    return x + {step}\nprint(add(1))")
        command = [sys.executable, str(file)]
        result = subprocess.run(command, env=environment, capture_output=True, text=True)
        found.append(result.stdout)
    assert found == ["2\n", "3\n"]
    # A process that has read the index loads the file that it names, or none.
    assert len(list((tmp_path / "cache").rglob("*add*.nbc"))) == 2


# 6 s.
@pytest.mark.exhaustive
def test_machine_code_that_holds_that_of_an_older_file_is_not_taken(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    header = "from altfs._compiled import compiled, compiled_inside\n"
    (tmp_path / "adding.py").write_text(
        f"{header}from steps import step\n@compiled_inside()\ndef add(x):\n    return x + step()\n"
    )
    (tmp_path / "kernels.py").write_text(
        f"{header}from adding import add\n@compiled()\ndef twice(x):\n    return 2 * add(x)\n"
        "print(twice(1), sum(twice._cache_misses.values()))\n"
    )
    lines = []
    for step in (1, 1, 20):
        source = f"{header}@compiled_inside()\ndef step():\n    return {step}\n"
        if step == 20 or not lines:
            (tmp_path / "steps.py").write_text(source)
        command = [sys.executable, str(tmp_path / "kernels.py")]
        lines += subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        ).stdout.splitlines()
    assert lines == ["4 1", "4 0", "42 1"]


def compiled_functions(source):
    """Yield each compiled function of a source text, and the comment above its decorator."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            first = node.decorator_list[0]
            if ast.unparse(first).startswith(("compiled(", "compiled_inside(")):
                comment, above = "", first.lineno - 2
                while lines[above].startswith("#"):
                    comment = f"{lines[above]} {comment}"
                    above -= 1
                yield node, comment


def too_large(source):
    """Return what is too large in the compiled functions of a source, without a reason."""
    found = []
    for node, comment in compiled_functions(source):
        lines = node.end_lineno - node.lineno + 1
        arguments = len(node.args.posonlyargs) + len(node.args.args) + len(node.args.kwonlyargs)
        if lines > 120 and "# More lines than usual: " not in comment:
            found.append(f"{node.name} has {lines} lines")
        if arguments > 12 and "# More arguments than usual: " not in comment:
            found.append(f"{node.name} has {arguments} arguments")
    return found


@pytest.mark.exhaustive
def test_compiled_functions_are_small_or_say_why_not():
    sources = list(Path(altfs.__file__).parent.rglob("*.py"))
    assert sum(len([*compiled_functions(p.read_text())]) for p in sources) > 100
    assert [(p.name, message) for p in sources for message in too_large(p.read_text())] == []


def test_a_large_compiled_function_is_noticed():
    names = ", ".join(f"a{i}" for i in range(13))
    source = f"\n@compiled()\ndef f({names}):\n" + "    a0 += 1\n" * 120
    assert too_large(source) == ["f has 121 lines", "f has 13 arguments"]
    reason = "# More lines than usual: it is\n# fast. # More arguments than usual: it is fast."
    assert too_large(f"\n{reason}{source}") == []


def test_an_index_that_names_a_class_which_is_gone_is_empty(monkeypatch):
    assert total(np.arange(3.0)) == 3.0

    def unreadable(_):
        raise AttributeError("Can't get attribute 'Gone'")

    monkeypatch.setattr(IndexDataCacheFile, "_load_index", unreadable)
    assert total._cache._cache_file._load_index() == {}
    assert total(np.arange(3)) == 3
