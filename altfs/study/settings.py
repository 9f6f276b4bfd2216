"""Files of settings that users write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from altfs.errors import ConfigError

# Aliases can make a few lines of YAML stand for more values than there is memory.
_MOST_VALUES = 1_000_000


def read_settings(path: Path, argument: str) -> Any:
    """Read a YAML file, or a JSON file if its name ends in ``.json``.

    Messages name the file by its argument. A duplicate key is an error; readers silently take the
    last one.
    """
    place = f"{argument}: '{path}'"
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise ConfigError(
            f"{place} cannot be read ({error.strerror}), name a file that is there"
        ) from None
    except UnicodeDecodeError:
        raise ConfigError(f"{place} is not UTF-8 text, save it as UTF-8") from None
    return (_from_json if path.suffix.lower() == ".json" else _from_yaml)(text, place)


def _from_json(text: str, place: str) -> Any:
    def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        if twice := [key for key in keys if keys.count(key) > 1]:
            raise ConfigError(f"{place} has the key '{twice[0]}' twice, leave one out")
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=without_duplicates)
    except ConfigError:
        raise
    except json.JSONDecodeError as error:
        raise ConfigError(
            f"{place} is not a JSON file (line {error.lineno}: {error.msg}), write it as JSON or "
            "YAML"
        ) from None
    except (RecursionError, ValueError):
        raise ConfigError(
            f"{place} is a JSON file that cannot be read, use fewer nested brackets and shorter "
            "numbers"
        ) from None


def _from_yaml(text: str, place: str) -> Any:
    import yaml

    sizes: dict[Any, int] = {}

    def check(node: Any) -> int:
        """Check the keys of a node; return its number of values, aliases in full."""
        if node in sizes:
            return sizes[node]
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
        if check(yaml.compose(text, yaml.SafeLoader)) > _MOST_VALUES:
            raise ConfigError(f"{place} has more than {_MOST_VALUES:,} values, use fewer aliases")
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = "" if mark is None else f"line {mark.line + 1}: "
        why = " ".join((getattr(error, "problem", None) or str(error)).split())
        raise ConfigError(f"{place} is not a YAML file ({where}{why}), write it as YAML") from None
    except ConfigError:
        raise
    except (RecursionError, ValueError):
        raise ConfigError(
            f"{place} is a YAML file that cannot be read, use fewer nested brackets and shorter "
            "numbers"
        ) from None
