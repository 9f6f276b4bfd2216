"""Files of settings that users write."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import accumulate
from pathlib import Path
from typing import Any

from altfs._files import is_text, read_bytes
from altfs.errors import ConfigError

# Aliases can make a few lines of YAML stand for more values than there is memory.
_MOST_VALUES = 1_000_000
_MOST_BYTES = 4 * 2**20
# Digits of a number, in any base.
_MOST_DIGITS = 1000
_DEEPEST = 1000
_BRACKETS = re.compile(r"[\[\]{}]+")
# Lists and keys that begin in the same line.
_BLOCKS = re.compile(r"[-?] ")
_ERRORS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


def read_settings(path: Path, argument: str) -> Any:
    """Read a YAML file, or a JSON file if its name ends in ``.json``.

    Messages name the file by its argument. A duplicate key is an error; readers silently take the
    last one.
    """
    place = f"{argument}: '{path}'"
    try:
        text = read_bytes(path, _MOST_BYTES).decode()
    except OSError as error:
        raise ConfigError(
            f"{place} cannot be read ({error.strerror}), name a file that is there"
        ) from None
    except UnicodeDecodeError:
        raise ConfigError(f"{place} is not UTF-8 text, save it as UTF-8") from None
    return (_from_json if path.suffix.lower() == ".json" else _from_yaml)(text, place)


def read_value(text: str, argument: str) -> Any:
    """Read the value of an option, which is YAML; a ConfigError names the argument."""
    return _from_yaml(text, f"{argument}: '{text}'")


def _from_json(text: str, place: str) -> Any:
    def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        counts = Counter(key for key, _ in pairs)
        if len(counts) < len(pairs):
            twice = max(counts, key=lambda key: counts[key])
            raise ConfigError(f"{place} has the key '{twice}' twice, leave one out")
        return dict(pairs)

    try:
        content = json.loads(text, object_pairs_hook=without_duplicates)
        if not is_text(json.dumps(content, ensure_ascii=False)):
            raise ValueError("a text is not Unicode or has a zero byte")
        return content
    except ConfigError:
        raise
    except json.JSONDecodeError as error:
        raise ConfigError(
            f"{place} is not a JSON file (line {error.lineno}: {error.msg}), write it as JSON or "
            "YAML"
        ) from None
    except (RecursionError, ValueError) as error:
        raise _unreadable(place, error) from None


def _from_yaml(text: str, place: str) -> Any:
    import yaml

    loader_type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    sizes: dict[Any, int] = {}

    def check(node: Any) -> int:
        """Check the keys of a node; return its number of values, aliases in full."""
        if node in sizes:
            return sizes[node]
        if isinstance(node, yaml.ScalarNode):
            _check_scalar(node.tag, node.value, f"{place} has in line {node.start_mark.line + 1}")
        seen: dict[str, int] = {}
        size = 1
        for inner in node.value if isinstance(node, yaml.CollectionNode) else ():
            key, value = inner if isinstance(node, yaml.MappingNode) else (None, inner)
            if isinstance(key, yaml.ScalarNode):
                line = key.start_mark.line + 1
                if key.value in seen:
                    raise ConfigError(
                        f"{place} has the key '{key.value}' in line {seen[key.value]} and again "
                        f"in line {line}, leave one out"
                    )
                seen[key.value] = line
            size += check(value)
        sizes[node] = size
        return size

    try:
        _check_depth(text, place)
        loader = loader_type(text)
        node = loader.get_single_node()
        if node is None:
            return None
        if check(node) > _MOST_VALUES:
            raise ConfigError(f"{place} has more than {_MOST_VALUES:,} values, use fewer aliases")
        return loader.construct_document(node)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = "" if mark is None else f"line {mark.line + 1}: "
        why = " ".join((getattr(error, "problem", None) or str(error)).split())
        raise ConfigError(f"{place} is not a YAML file ({where}{why}), write it as YAML") from None
    except ConfigError:
        raise
    except _ERRORS as error:
        raise _unreadable(place, error) from None


def _check_scalar(tag: str, text: str, place: str) -> None:
    """Check that a value is text that a file may have, or a number that can be written."""
    if not is_text(text):
        raise ConfigError(f"{place} a text that is not Unicode, or has a zero byte, write another")
    if tag.endswith((":int", ":float")) and len(text) > _MOST_DIGITS:
        raise ConfigError(f"{place} a number of {len(text):,} digits, write a shorter one")


def _check_depth(text: str, place: str) -> None:
    """Check that a text is not nested so deeply that the compiled reader would crash.

    Indented blocks cannot be: the spaces would make the text too long.
    """
    brackets = "".join(_BRACKETS.findall(text))
    depths = accumulate(1 if bracket in "[{" else -1 for bracket in brackets)
    in_line = max((len(_BLOCKS.findall(line)) for line in text.splitlines()), default=0)
    if max(depths, default=0) + in_line > _DEEPEST:
        raise _unreadable(place, RecursionError())


def _unreadable(place: str, error: Exception) -> ConfigError:
    why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error) or "?"
    return ConfigError(f"{place} has a value that cannot be read ({why}), write another")
