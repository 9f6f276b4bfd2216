"""What ``altfs find`` is told about feature sets: options, and a file in the words of a study."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altfs.errors import ConfigError

if TYPE_CHECKING:
    from altfs.constraints import Constraints
    from altfs.study.constraining import ConstraintsEntry

# Keys of a study's entry that say where in the study it holds.
_PLACES = ("datasets", "selectors", "searches")


@dataclass(frozen=True)
class Asked:
    """What feature sets have to satisfy, as it was asked for.

    Parameters
    ----------
    content : dict, default={}
        In the words of `constraints` in ``config.yaml``, as that file's model gives it;
        empty if nothing is asked.

    Examples
    --------
    >>> Asked({"include": ["age"], "budget": 3.0, "costs": {"sex": 1.0}}).constraints().include
    ('age',)
    """

    content: Mapping[str, Any] = field(default_factory=dict)

    @property
    def given(self) -> tuple[tuple[str, ...], ...]:
        """The sets that there are already."""
        return tuple(tuple(features) for features in self.content.get("given", ()))

    def constraints(self) -> Constraints:
        """All the rest; features stay names, which the library looks up."""
        from altfs.constraints import Constraints, Group

        content = self.content
        costs = content.get("costs")
        floor = content.get("quality_floor") or {}
        groups = (
            Group(
                tuple(group["features"]),
                group["at_least"],
                group["at_most"],
                group.get("all_or_none", False),
            )
            for group in content.get("groups", ())
        )
        return Constraints(
            include=tuple(content.get("include", ())),
            exclude=tuple(content.get("exclude", ())),
            groups=tuple(groups),
            exclusive=tuple(map(tuple, content.get("exclusive", ()))),
            costs=costs,
            budget=content.get("budget"),
            quality_floor=floor.get("absolute"),
            relative_floor=floor.get("relative"),
        )


NOTHING = Asked()


def add_constraint_options(parser: argparse.ArgumentParser) -> None:
    """Add the options; what they mean together is `asked_constraints`."""
    group = parser.add_argument_group(
        "what every set has to satisfy", "each option but the last four may be repeated"
    )
    add = group.add_argument
    add("--include", action="append", default=[], metavar="COLUMN",
        help="a feature that every set has")  # fmt: skip
    add("--exclude", action="append", default=[], metavar="COLUMN",
        help="a feature that no set has")  # fmt: skip
    add("--exclusive", action="append", nargs=2, default=[], metavar="COLUMN",
        help="two features of which a set has one at most")  # fmt: skip
    add("--at-most", action="append", nargs="+", default=[], metavar=("N", "COLUMN"),
        help="no set has more than N of these features")  # fmt: skip
    add("--at-least", action="append", nargs="+", default=[], metavar=("N", "COLUMN"),
        help="every set has N of these features or more")  # fmt: skip
    add("--all-or-none", action="append", nargs="+", default=[], metavar="COLUMN",
        help="a set has all of these features or none")  # fmt: skip
    add("--given", action="append", nargs="+", default=[], metavar="COLUMN",
        help="a set that there is already, of any size, from which every set differs, "
        "too")  # fmt: skip
    add("--cost", action="append", default=[], metavar="COLUMN=NUMBER",
        help="what a feature costs (nothing, if not said)")  # fmt: skip
    add("--budget", metavar="NUMBER", help="what the features of a set may cost together")
    add("--quality-floor", metavar="NUMBER", help="the lowest quality of a set")
    add("--relative-floor", metavar="SHARE", help="the same as a share, from 0 to 1, of the best "
        "set's quality")  # fmt: skip
    add("--constraints", type=Path, metavar="FILE", help="a .yaml or .json file with all this in "
        "the words of 'constraints' in config.yaml; options add to it")  # fmt: skip


def asked_constraints(chosen: argparse.Namespace, dataset: str) -> Asked:
    """What the options and the file ask for together.

    Judged by the same model, in the same sentences, as in ``config.yaml``.

    Raises
    ------
    ConfigError
        If something in them cannot be meant.
    """
    from altfs.study.constraining import combined

    entries = [] if chosen.constraints is None else _from_file(chosen.constraints)
    if content := _from_options(chosen):
        entries.append(_entry(content, ""))
    # Where in a study an entry holds is refused: all of them hold here.
    return Asked(combined(entries, dataset, chosen.selector, chosen.search) or {})


def _from_options(chosen: argparse.Namespace) -> dict[str, Any]:
    content: dict[str, Any] = {
        key: getattr(chosen, key) for key in ("include", "exclude", "exclusive", "given")
    }
    content["groups"] = [
        *({"at_most": n, "features": features} for n, *features in chosen.at_most),
        *({"at_least": n, "features": features} for n, *features in chosen.at_least),
        *({"all_or_none": True, "features": features} for features in chosen.all_or_none),
    ]
    if chosen.quality_floor is not None and chosen.relative_floor is not None:
        raise ConfigError("quality_floor, relative_floor: give one of the two.")
    content["costs"] = _costs(chosen.cost) or None
    content["budget"] = _number(chosen.budget)
    content["quality_floor"] = _number(chosen.quality_floor)
    if chosen.relative_floor is not None:
        content["quality_floor"] = {"relative": _number(chosen.relative_floor)}
    return {key: value for key, value in content.items() if value not in (None, [])}


def _costs(texts: Sequence[str]) -> dict[str, Any]:
    costs: dict[str, Any] = {}
    for text in texts:
        column, sign, number = text.rpartition("=")
        if not sign or not column:
            raise ConfigError(f"cost: '{text}' is not allowed, write COLUMN=NUMBER.")
        if column in costs:
            raise ConfigError(f"cost: '{column}' is there twice, leave one out.")
        costs[column] = _number(number)
    return costs


def _number(text: str | None) -> float | str | None:
    # What is no number stays what it is: the model says so in its own words.
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def _from_file(path: Path) -> list[ConstraintsEntry]:
    from altfs.study.yaml_file import read_settings

    raw = read_settings(path, "constraints")
    if isinstance(raw, Mapping) and set(raw) == {"constraints"}:
        # The section of a configuration, copied with its name.
        raw = raw["constraints"]
    listed = raw if isinstance(raw, list) else [raw]
    entries = []
    for i, content in enumerate(listed):
        if not isinstance(content, Mapping):
            raise ConfigError(
                f"constraints: {content!r} in '{path}' is no entry, write keys such as include, "
                "see docs/configuration.md."
            )
        prefix = f"constraints[{i}]" if isinstance(raw, list) else ""
        for key in _PLACES:
            if key in content:
                raise ConfigError(
                    f"{prefix or 'constraints'}.{key}: it tells parts of a study apart, which one "
                    "table has not, leave it out."
                )
        entry = _entry(content, prefix and f"{prefix}.")
        if not entry.says_something():
            raise ConfigError(
                f"{prefix or 'constraints'}: the entry in '{path}' asks for nothing, name what "
                "feature sets have to satisfy or leave it out."
            )
        entries.append(entry)
    if not entries:
        raise ConfigError(
            f"constraints: '{path}' has no entry, name what feature sets have to satisfy or leave "
            "it out."
        )
    return entries


def _entry(content: Mapping[str, Any], prefix: str) -> ConstraintsEntry:
    from pydantic import ValidationError

    from altfs.study.constraining import ConstraintsEntry
    from altfs.study.section import sentence

    try:
        return ConstraintsEntry.model_validate(dict(content))
    except ValidationError as error:
        raise ConfigError(sentence(error, ConstraintsEntry, prefix)) from None
