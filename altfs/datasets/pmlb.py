"""Penn Machine Learning Benchmarks, from a cache folder or the network.

The cache has the layout of the pmlb package, ``NAME/NAME.tsv.gz``. Some datasets were renamed to
``_deprecated_NAME`` in 2025. They are found under both names. A file of a known dataset must have
a pinned digest: that of the upstream file, or that of its values, because the pmlb package
changes the file when it downloads it.
"""

from __future__ import annotations

import gzip
import hashlib
import io
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from altfs._extras import require
from altfs.datasets._downloads import cache_folder, keep
from altfs.datasets.base import NamedOptions, NamedSource, RawTable, Task, sources
from altfs.errors import DataError, did_you_mean

if TYPE_CHECKING:
    import pandas as pd

CACHE_VARIABLE = "ALTFS_PMLB_CACHE"
_RENAMED = "_deprecated_"


class PmlbOptions(NamedOptions):
    """dataset: its name in PMLB. sha256: the digest that its file must have (optional)."""

    sha256: str | None = None


def default_cache() -> Path:
    """Return the cache folder if none is configured."""
    return cache_folder("pmlb", CACHE_VARIABLE)


@cache
def pinned_digests() -> dict[str, tuple[str, str]]:
    """Return for each dataset the SHA-256 of the upstream file and that of its values."""
    text = resources.files("altfs.datasets").joinpath("pmlb_digests.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    return {name: (file_digest, values) for name, file_digest, values in rows}


def values_digest(frame: pd.DataFrame) -> str:
    """Return the SHA-256 of a table's column names and values, independent of its file."""
    state = hashlib.sha256("\t".join(map(str, frame.columns)).encode())
    for column in frame.columns:
        state.update(frame[column].to_numpy(dtype="float64").tobytes())
    return state.hexdigest()


@sources.register("pmlb")
class PmlbSource(NamedSource):
    """``pmlb:NAME``, a dataset of the Penn Machine Learning Benchmarks.

    Source: Olson et al., *PMLB: A Large Benchmark Suite for Machine Learning Evaluation and
    Comparison*, BioData Mining 10, 2017; Romano et al., *PMLB v1.0: An Open-Source Dataset
    Collection for Benchmarking Machine Learning Methods*, Bioinformatics 38, 2022.
    """

    Options = PmlbOptions

    def load(self) -> RawTable:
        require(f"dataset '{self.dataset}': type 'pmlb'", "study", "pmlb", "requests")
        import pandas as pd

        dataset: str = self.options.dataset
        folder = self.cache or default_cache()
        names = [dataset] if dataset.startswith(_RENAMED) else [dataset, _RENAMED + dataset]
        paths = [folder / name / f"{name}.tsv.gz" for name in names]
        path = next((p for p in paths if p.is_file()), None)
        content = path.read_bytes() if path else self._download(names, folder)
        file_digest = hashlib.sha256(content).hexdigest()
        try:
            frame = pd.read_csv(io.BytesIO(gzip.decompress(content)), sep="\t")
        except Exception as error:
            raise DataError(
                f"'{path or paths[0]}' is not a gzipped table ({type(error).__name__}), delete it "
                "so that it is downloaded again"
            ) from None
        self._verify(file_digest, frame, path or paths[0])
        return RawTable(frame, "target", self._task(dataset), f"PMLB: {dataset}", file_digest)

    def _verify(self, file_digest: str, frame: pd.DataFrame, path: Path) -> None:
        name = self.options.dataset.removeprefix(_RENAMED)
        expected = self.options.sha256
        if expected is None:
            if name not in pinned_digests():
                return
            expected, values = pinned_digests()[name]
            if file_digest != expected and values_digest(frame) == values:
                return
        if file_digest != expected:
            raise DataError(
                f"'{path}' has SHA-256 {file_digest[:16]}..., expected is {expected[:16]}..., "
                "delete the file or replace it with the right one"
            )

    @staticmethod
    def _task(name: str) -> Task:
        from pmlb.dataset_lists import classification_dataset_names, regression_dataset_names

        names = {name, name.removeprefix(_RENAMED)}
        if names.intersection(regression_dataset_names):
            return "regression"
        return "classification" if names.intersection(classification_dataset_names) else "auto"

    def _download(self, names: list[str], folder: Path) -> bytes:
        import requests
        from pmlb import pmlb as upstream

        dataset: str = self.options.dataset
        place = folder / dataset / f"{dataset}.tsv.gz"
        reason = "it is not in PMLB"
        for name in names:
            url = f"{upstream.GITHUB_URL}/{name}/{name}{upstream.suffix}"
            try:
                response = requests.get(url, timeout=(10, 120))
            except requests.RequestException as error:
                reason = f"no connection ({type(error).__name__})"
                break
            if response.ok:
                keep(place, response.content)
                return response.content
            if response.status_code != 404:
                reason = f"the server answered {response.status_code}"
        available = sorted({*upstream.dataset_names})
        near = "" if dataset in available else did_you_mean(dataset, available)
        closing = f"{near} Else" if near else ";"
        raise DataError(
            f"'{dataset}' is not in the PMLB cache and cannot be downloaded, {reason}{closing} "
            f"put the file at '{place}' or name the folder that has it with the key pmlb_cache or "
            f"the environment variable {CACHE_VARIABLE}"
        )
