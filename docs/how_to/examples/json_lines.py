"""Tables with one JSON object per line."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

from altfs.datasets import RawTable, Source, SourceOptions, sources
from altfs.errors import DataError


class JsonLinesOptions(SourceOptions):
    """path: the file. target: the key of the target."""

    path: Path
    target: str


@sources.register("json_lines")
class JsonLines(Source):
    """A ``.jsonl`` file."""

    Options = JsonLinesOptions

    def load(self) -> RawTable:
        import pandas as pd

        path: Path = self.options.path
        try:
            content = path.read_bytes()
            frame = pd.read_json(io.BytesIO(content), lines=True)
        except (OSError, ValueError) as error:
            raise DataError(
                f"'{path}' cannot be read as lines of JSON ({type(error).__name__}), give a path "
                "to a .jsonl file"
            ) from None
        digest = hashlib.sha256(content).hexdigest()
        return RawTable(frame, self.options.target, "auto", f"file: {path.name}", digest)
