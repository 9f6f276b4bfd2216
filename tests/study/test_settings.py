"""Files of settings that cannot be read, or stand for more than they say."""

import pytest

from altfs.errors import ConfigError
from altfs.study.settings import read_settings

_NESTED = "datasets: " + "[" * 5000 + "]" * 5000
_LAUGHS = "\n".join([
    "a: &a [x, x, x, x, x, x, x, x, x, x]",
    *(f"{c}: &{c} [{', '.join([f'*{b}'] * 10)}]" for b, c in zip("abcdefgh", "bcdefghi",
                                                                 strict=True)),
])  # fmt: skip


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (_NESTED, "a value that cannot be read (it is nested too deeply), write another"),
        ("- " * 100_000, "a value that cannot be read (it is nested too deeply)"),
        ("\n".join(" " * i + "a:" for i in range(2000)), "it is nested too deeply"),
        ("a: &a [*a]", "cannot be read (it is nested too deeply)"),
        ("a: &a {b: *a}", "cannot be read (it is nested too deeply)"),
        ("seed: " + "9" * 5000, "in line 1 a number of 5,000 digits, write a shorter one"),
        ("seed: 0x" + "f" * 5000, "in line 1 a number of 5,002 digits, write a shorter one"),
        ("name: x\nseed: " + "1:" * 5000 + "1.5", "in line 2 a number of 10,003 digits"),
        ("seed: !!int ''", "has a value that cannot be read"),
        ("seed: !!bool x", "has a value that cannot be read"),
        ("seed: !!timestamp x", "has a value that cannot be read"),
        ("day: 2020-13-41", "cannot be read (month must be in 1..12), write another"),
        (r'name: "\ud800"', "line 1"),
        (r'name: "a\0b"', "in line 1 a text that is not Unicode, or has a zero byte"),
        ("# " + "x" * 2**23, "cannot be read (it has more than 4,194,304 bytes)"),
        (_LAUGHS, "more than 1,000,000 values, use fewer aliases"),
        ("name: caf\xe9", "is not UTF-8 text, save it as UTF-8"),
        ("name: a\nname: b", "the key 'name' in line 1 and again in line 2"),
        ("name: \x00", "is not a YAML file"),
        ("? [a, b]\n: 1", "line 1: found unhashable key"),
        ("a: 1\n---\nb: 2", "line 2: but found another document"),
        ('a: !!python/object/apply:os.system ["true"]', "could not determine a constructor"),
    ],
)  # fmt: skip
def test_each_bad_file_is_one_sentence(tmp_path, content, said):
    path = tmp_path / "bad.yaml"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(ConfigError) as caught:
        read_settings(path, "config")
    assert said in str(caught.value) and str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_aliases_stand_for_their_values(tmp_path):
    path = tmp_path / "good.yaml"
    path.write_text("a: &a [1, 2]\nb: [*a, *a]\n")
    assert read_settings(path, "config") == {"a": [1, 2], "b": [[1, 2], [1, 2]]}
