"""Constraints of ``altfs find``: options, and a file with the keys of a configuration."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from altfs._options import mistake
from altfs.errors import AltfsError, ConfigError

if TYPE_CHECKING:
    from altfs.problem import Constraints
    from altfs.study.constraining import ConstraintsEntry


def add_constraint_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that :func:`read_constraint_options` reads."""
    group = parser.add_argument_group(
        "what every set has to satisfy", "each option but the last five may be repeated"
    )
    add = group.add_argument
    add("--include", nargs="+", action="extend", default=[], metavar="COLUMN",
        help="features that every set has")  # fmt: skip
    add("--exclude", nargs="+", action="extend", default=[], metavar="COLUMN",
        help="features that no set has")  # fmt: skip
    add("--exclusive", action="append", nargs=2, default=[], metavar="COLUMN",
        help="two features of which a set has one at most")  # fmt: skip
    add("--at-most", action="append", nargs="+", default=[], metavar=("N", "COLUMN"),
        help="no set has more than N of these features")  # fmt: skip
    add("--at-least", action="append", nargs="+", default=[], metavar=("N", "COLUMN"),
        help="every set has N of these features or more")  # fmt: skip
    add("--all-or-none", action="append", nargs="+", default=[], metavar="COLUMN",
        help="a set has all of these features or none")  # fmt: skip
    add("--implies", action="append", nargs="+", default=[], metavar="COLUMN",
        help="a set with the first of these features has the others, too")  # fmt: skip
    for limit, word in (("most", "largest"), ("least", "smallest")):
        add(f"--sum-at-{limit}", action="append", nargs="+", default=[],
            metavar=("N", "COLUMN=WEIGHT"),
            help=f"the {word} sum of these weights in a set")  # fmt: skip
    add("--given", action="append", nargs="+", default=[], metavar="COLUMN",
        help="a set of any size that exists already; every set differs from it, too")  # fmt: skip
    add("--cost", dest="costs", action="append", default=[], metavar="COLUMN=NUMBER",
        help="the cost of a feature (default: 0)")  # fmt: skip
    add("--budget", metavar="NUMBER", help="the largest total cost of a set")
    add("--quality-floor", metavar="NUMBER", help="the lowest quality of a set")
    add("--relative-floor", metavar="SHARE", help="the same as a share, from 0 to 1, of the best "
        "set's quality")  # fmt: skip
    add("--share-price", metavar="NUMBER", help="what each feature costs that a set shares with an "
        "earlier one, in the unit of the quality")  # fmt: skip
    add("--constraints", type=Path, metavar="FILE", help="a .yaml or .json file with the "
        "keys of 'constraints' in config.yaml; options add to it")  # fmt: skip


def read_constraint_options(chosen: argparse.Namespace) -> Constraints | None:
    """Return the constraints of the options and of the file together.

    Raises
    ------
    AltfsError
        If one of them is not allowed; a ConfigError if it is in the file.
    """
    from altfs.study.constraining import ConstraintsEntry, combined

    entries = [] if chosen.constraints is None else _from_file(chosen.constraints)
    if content := _from_options(chosen):
        try:
            entries.append(ConstraintsEntry(**content))
        except AltfsError as error:
            option, _, place = error.key.partition("[")
            if option in ("groups", "implications", "sums"):
                # Each is that of an option.
                first = next(iter(content[option][int(place.partition("]")[0])]))
                option = {"groups": first, "sums": f"sum_{first}"}.get(option, "implies")
            raise AltfsError(option, error.reason, error.advice) from None
    # Keys that select a part of a study are refused, so every entry applies.
    return combined(entries)


def _from_options(chosen: argparse.Namespace) -> dict[str, Any]:
    content: dict[str, Any] = {
        key: getattr(chosen, key) for key in ("include", "exclude", "exclusive", "given")
    }
    content["groups"] = [
        *({"at_most": n, "features": features} for n, *features in chosen.at_most),
        *({"at_least": n, "features": features} for n, *features in chosen.at_least),
        *({"all_or_none": True, "features": features} for features in chosen.all_or_none),
    ]
    content["implications"] = [{"when": f[:1], "then": f[1:]} for f in chosen.implies]
    content["sums"] = [
        {key: _as_number(limit), "weights": _by_column(weights, key)}
        for key, listed in (("at_most", chosen.sum_at_most), ("at_least", chosen.sum_at_least))
        for limit, *weights in listed
    ]
    content["costs"] = _by_column(chosen.costs, "costs") or None
    for key in ("budget", "quality_floor", "relative_floor", "share_price"):
        content[key] = _as_number(getattr(chosen, key))
    return {key: value for key, value in content.items() if value not in (None, [])}


def _by_column(texts: Sequence[str], key: str) -> dict[str, Any]:
    """Return the numbers of columns from ``COLUMN=NUMBER``; `key` is that of messages."""
    numbers: dict[str, Any] = {}
    for text in texts:
        column, sign, number = text.rpartition("=")
        if not sign or not column:
            raise AltfsError(key, f"'{text}' is not allowed", "write COLUMN=NUMBER")
        if column in numbers:
            raise AltfsError(key, f"'{column}' is there twice", "leave one out")
        numbers[column] = _as_number(number)
    return numbers


def _as_number(text: str | None) -> float | str | None:
    # The model reports a value that is not a number.
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def _from_file(path: Path) -> list[ConstraintsEntry]:
    from altfs.study.constraining import PLACES, ConstraintsEntry
    from altfs.study.settings import read_settings

    raw = read_settings(path, "constraints")
    if isinstance(raw, Mapping) and set(raw) == {"constraints"}:
        # The section of a configuration, copied with its name.
        raw = raw["constraints"]
    listed = raw if isinstance(raw, list) else [raw]
    entries = []
    for i, content in enumerate(listed):
        if not isinstance(content, Mapping):
            advice = "write keys such as include, see docs/configuration.md"
            raise ConfigError("constraints", f"{content!r} in '{path}' is not an entry", advice)
        name = f"constraints[{i}]" if isinstance(raw, list) else "constraints"
        for key in {*PLACES}.intersection(content):
            reason = "it selects a part of a study, which one table does not have"
            raise ConfigError(f"{name}.{key}", reason, "leave it out")
        try:
            entry = ConstraintsEntry.model_validate(dict(content))
        except ValidationError as error:
            prefix = f"{name}." if isinstance(raw, list) else ""
            raise mistake(error, ConstraintsEntry, prefix).at("") from None
        if entry == ConstraintsEntry():
            advice = "name what feature sets have to satisfy or leave it out"
            raise ConfigError(name, f"the entry in '{path}' asks for nothing", advice)
        entries.append(entry)
    if not entries:
        advice = "name what feature sets have to satisfy or leave it out"
        raise ConfigError("constraints", f"'{path}' has no entry", advice)
    return entries
