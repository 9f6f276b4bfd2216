"""Matrices in MATLAB files. Another process reads them, as a damaged file can crash the reader."""

from __future__ import annotations

import io
import subprocess
import sys

import numpy as np

_READ = """
import io, sys
import numpy as np
from scipy.io import loadmat
from scipy.sparse import issparse

read = loadmat(io.BytesIO(sys.stdin.buffer.read()))
stored = {n: m for n, m in read.items() if not n.startswith("_")}
dense = {n: stored[n].toarray() if issparse(stored[n]) else stored[n] for n in sys.argv[1:]
         if n in stored}
for name, matrix in dense.items():
    if matrix.dtype.kind not in "buifUS":
        sys.exit(f"{name} is no matrix of numbers or text")
packed = io.BytesIO()
np.savez(packed, **{f"matrix {n}": m for n, m in dense.items()}, names=np.array(list(stored), str))
sys.stdout.buffer.write(packed.getvalue())
"""


def read_matrices(content: bytes, *names: str) -> tuple[list[str], dict[str, np.ndarray]]:
    """Return the names of all matrices in the bytes of a file, and those with some names.

    Sparse ones become dense. It is a ValueError if the file cannot be read.
    """
    command = [sys.executable, "-c", _READ, *names]
    done = subprocess.run(command, input=content, capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace").split("\n")
        raise ValueError(next((line for line in reversed(said) if line), "its reader crashed"))
    with np.load(io.BytesIO(done.stdout)) as packed:
        read = {n: packed[f"matrix {n}"] for n in names if f"matrix {n}" in packed}
        return packed["names"].tolist(), read
