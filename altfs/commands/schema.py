"""``altfs schema``: the JSON schema of ``config.yaml``."""

from __future__ import annotations

import argparse
import json

from altfs.commands.exit_codes import OK

HELP = "print the JSON schema of config.yaml"


def run(chosen: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    from altfs.study.config import config_schema

    print(json.dumps(config_schema(), indent=2))
    return OK
