"""Settings in a YAML or JSON file, with a check for duplicate keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from altfs.errors import ConfigError


def read_settings(path: Path, argument: str) -> Any:
    """Read a file, which messages call by the name of its argument.

    Files that end in ``.json`` are JSON, all others YAML.

    Raises
    ------
    ConfigError
        If the file cannot be read, or has a key twice. (Readers silently take the last one.)
    """
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise ConfigError(
            f"{argument}: '{path}' cannot be read ({error.strerror}), name a file that is there."
        ) from None
    except UnicodeDecodeError:
        raise ConfigError(f"{argument}: '{path}' is not UTF-8 text, save it as UTF-8.") from None
    is_json = path.suffix.lower() == ".json"
    return _from_json(text, path, argument) if is_json else _from_yaml(text, path, argument)


def _from_json(text: str, path: Path, argument: str) -> Any:
    def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        if twice := [key for key in keys if keys.count(key) > 1]:
            raise ConfigError(
                f"{argument}: '{path}' has the key '{twice[0]}' twice, leave one out."
            )
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=without_repeats)
    except json.JSONDecodeError as error:
        raise ConfigError(
            f"{argument}: '{path}' is not a JSON file (line {error.lineno}: {error.msg}), write it "
            "as JSON or YAML."
        ) from None
    except (RecursionError, ValueError) as error:
        if isinstance(error, ConfigError):
            raise
        raise ConfigError(
            f"{argument}: '{path}' is a JSON file that cannot be read, use fewer nested "
            "brackets and shorter numbers."
        ) from None


def _from_yaml(text: str, path: Path, argument: str) -> Any:
    import yaml

    try:
        _refuse_repeated_keys(yaml.compose(text, yaml.SafeLoader), path, argument)
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = "" if mark is None else f"line {mark.line + 1}: "
        why = " ".join((getattr(error, "problem", None) or str(error)).split())
        raise ConfigError(
            f"{argument}: '{path}' is not a YAML file ({place}{why}), write it as YAML."
        ) from None


def _refuse_repeated_keys(node: Any, path: Path, argument: str) -> None:
    import yaml

    if isinstance(node, yaml.MappingNode):
        seen: dict[str, int] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                raise ConfigError(
                    f"{argument}: '{path}' has the key '{key.value}' in line {seen[key.value]} "
                    f"and again in line {line}, leave one out."
                )
            if isinstance(key, yaml.ScalarNode):
                seen[key.value] = line
            _refuse_repeated_keys(value, path, argument)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _refuse_repeated_keys(value, path, argument)
