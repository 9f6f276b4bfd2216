"""Sources of datasets, one file each."""

from altfs.datasets.base import RawTable, Source, SourceOptions, sources
from altfs.datasets.table import Dataset, make_dataset

__all__ = ["Dataset", "RawTable", "Source", "SourceOptions", "make_dataset", "sources"]
