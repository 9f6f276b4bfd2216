"""The command line: ``altfs check`` and ``altfs schema``; studies are run by snakemake."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from altfs import __version__
from altfs.errors import AltfsError, ConfigError


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="altfs", description="Alternative feature selection: check a study's configuration."
    )
    parser.add_argument("--version", action="version", version=f"altfs {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser(
        "check",
        help="validate a configuration and its datasets, write nothing",
        epilog="example: altfs check config.yaml",
    )
    check.add_argument("config", type=Path, nargs="?", default=Path("config.yaml"))
    commands.add_parser("schema", help="print the JSON schema of config.yaml")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "schema":
            from altfs.study.config import config_schema

            print(json.dumps(config_schema(), indent=2))
        else:
            _check(chosen.config)
    except AltfsError as error:
        print(f"altfs: {error}", file=sys.stderr)
        return 1
    return 0


def _check(path: Path) -> None:
    import yaml

    from altfs.study.session import check_study

    try:
        raw = yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"config: '{path}' cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise ConfigError(f"config: '{path}' is no UTF-8 text.") from None
    except yaml.YAMLError as error:
        place = str(error).replace("\n", " ")
        raise ConfigError(f"config: '{path}' is no YAML file ({place}).") from None
    if not isinstance(raw, dict):
        raise ConfigError(f"config: '{path}' has no keys, see docs/configuration.md.")
    plan = check_study(raw)
    for name, facts in plan.facts.items():
        print(f"{name}: {facts.n_rows} rows, {facts.n_total} features, {facts.target_type}")
    print(f"{plan.config.name}: {sum(1 for _ in plan.shard_keys())} shards in {plan.results}")
