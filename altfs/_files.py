"""Reading of files that people, programs and disks may have harmed."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any


def is_file(path: str | Path) -> bool:
    """Return True for a file that can be read to an end; False for names that cannot be one.

    >>> is_file("a" * 5000), is_file(os.devnull)
    (False, False)
    """
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def is_text(text: str) -> bool:
    r"""Return True if a text can be stored, and be part of the name of a file.

    >>> is_text("größe"), is_text("half of a pair: \ud800")
    (True, False)
    """
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def read_bytes(path: str | Path, most: int | None = None) -> bytes:
    """Return the bytes of a file of at most some bytes; anything else is an OSError.

    A pipe or a device would be read for ever.
    """
    try:
        status = os.stat(path)
    except ValueError:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path)) from None
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a file", str(path))
    if most is not None and status.st_size > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
    return Path(path).read_bytes()


def read_json(path: str | Path) -> Any:
    """Return what a file of JSON holds; an OSError or a ValueError if it cannot be read."""
    return parse_json(read_bytes(path).decode())


def parse_json(text: str | bytes) -> Any:
    """Return what a text of JSON holds; a ValueError for any other text.

    >>> parse_json("[" * 100_000)
    Traceback (most recent call last):
    ...
    ValueError: it is nested too deeply
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
