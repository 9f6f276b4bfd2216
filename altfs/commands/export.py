"""``altfs export``: the results of a study as an RO-Crate, to publish them."""

from __future__ import annotations

import argparse
import hashlib
import mimetypes
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from altfs._extras import require
from altfs.commands.exit_codes import OK
from altfs.commands.output import check_output, writing
from altfs.commands.studies import add_results
from altfs.errors import ConfigError

HELP = "pack the results of a study to publish them"
DESCRIPTION = """\
Packs the results of a study as an RO-Crate: a .zip file in which README.md says how
to read them, manifest-sha256.txt has the checksum of every file, and
ro-crate-metadata.json describes all for repositories such as Zenodo. Logs, which name
folders of this machine, are left out.

exit code: 0 the file was made; 2 wrong arguments, or no report of a study
example: altfs export results/default default.zip --license CC-BY-4.0"""

_LICENSES = "https://spdx.org/licenses/"
_PARQUET = "application/vnd.apache.parquet"

_README = """\
# Results of the study {name}

{methods}

Open `report.html` in a browser. `tables/` has the tables of it as CSV and Parquet, among them
`tables/feature_sets.parquet` with all feature sets:

```
sha256sum --check --quiet manifest-sha256.txt
python3 -m venv .venv
.venv/bin/pip install --quiet pandas pyarrow
.venv/bin/python -c 'import pandas as pd; print(pd.read_csv("tables/datasets.csv"))
print(pd.read_parquet("tables/feature_sets.parquet")["feature_names"])'
```

`citation.bib` has what to cite. The licence is {license}.{data}

To make the study again, install altfs {version} at the commit {commit}, with the packages in
`packages.txt`, and run in its folder

```
snakemake --cores 8 --configfile config.yaml
```
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_results(parser)
    parser.add_argument("output", type=Path, metavar="FILE", help="the .zip file to make")
    parser.add_argument(
        "--license", default="CC-BY-4.0", metavar="SPDX",
        help="the licence of the results, by its SPDX identifier (CC-BY-4.0)",
    )  # fmt: skip
    parser.add_argument(
        "--author", action="append", default=[], metavar="NAME",
        help="an author of the results; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--without-data", action="store_true", help="leave out the datasets themselves"
    )


def run(chosen: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    require("export", "export", "rocrate")
    from altfs.study.session import open_study

    plan = open_study(chosen.results)
    check_output(chosen.output, Path(plan.study_file), (".zip",))
    if not Path(plan.report_path()).is_file():
        reason = f"'{chosen.results}' has no report"
        raise ConfigError("results", reason, f"run the study or 'altfs report {chosen.results}'")
    of_files = [entry.name for entry in plan.config.datasets if entry.type == "file"]
    if of_files and not chosen.without_data:
        print(
            f"altfs: '{chosen.output}' publishes the data of {', '.join(of_files)}, use "
            "--without-data if they are not for everybody.",
            file=sys.stderr,
        )
    with writing("output", chosen.output):
        export(plan, chosen.output, chosen.license, not chosen.without_data, chosen.author)
    print(chosen.output)
    return OK


def export(plan: Any, output: Path, licence: str, with_data: bool, authors: Sequence[str]) -> None:
    """Pack the results of a study as an RO-Crate; `licence` is an SPDX identifier."""
    from rocrate.model import ContextEntity, Person
    from rocrate.rocrate import ROCrate

    from altfs import __version__
    from altfs.evaluation.report.citations import citation
    from altfs.evaluation.report.methods import methods
    from altfs.study.design import read_design
    from altfs.study.runs import stored_runs

    root, design = Path(plan.results), read_design(plan.results)
    run = (stored_runs(plan.study_file) or [{}])[-1]
    commit = str(run.get("commit", "unknown"))
    paragraph = methods(design, plan.config.model_dump(mode="json"), commit)
    left_out = "" if with_data else " The datasets are not part of it."
    texts = {
        "README.md": _README.format(
            name=design.name, methods=paragraph, license=licence, data=left_out, commit=commit,
            version=__version__,
        ),
        "citation.bib": citation(design),
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        files = dict(_files(root, with_data))
        for name, text in texts.items():
            files[name] = Path(folder, name)
            files[name].write_text(text, "utf-8")
        digests = {name: _sha256(path) for name, path in sorted(files.items())}
        files["manifest-sha256.txt"] = manifest = Path(folder, "manifest-sha256.txt")
        manifest.write_text("".join(f"{sha}  {name}\n" for name, sha in digests.items()), "utf-8")
        digests[manifest.name] = _sha256(manifest)

        crate = ROCrate(version="1.1")
        crate.metadata.extra_terms["sha256"] = "https://schema.org/sha256"
        crate.name, crate.description = f"Results of the study {design.name}", paragraph
        if started := run.get("started"):
            crate.datePublished = started.removesuffix(" UTC").replace(" ", "T") + "+00:00"
        named = {"@type": "CreativeWork", "name": licence, "description": "The licence."}
        address = f"{_LICENSES}{licence}"
        crate.license = crate.add(ContextEntity(crate, address, properties=named))
        for i, name in enumerate(authors, 1):
            person = Person(crate, f"#author-{i}", properties={"name": name})
            crate.root_dataset.append_to("author", crate.add(person), compact=True)
        for name, path in files.items():
            kind = _PARQUET if path.suffix == ".parquet" else mimetypes.guess_type(name)[0]
            properties = {
                "name": name, "sha256": digests[name], "contentSize": str(path.stat().st_size),
                "encodingFormat": kind or "text/plain",
            }  # fmt: skip
            crate.add_file(path, name, properties=properties)
        crate.write_zip(output)


def _files(root: Path, with_data: bool) -> Iterator[tuple[str, Path]]:
    """Yield the names and the paths of the results; not hidden files, logs and other leftovers."""
    left_out = {"logs"} if with_data else {"logs", "datasets"}
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        hidden = any(part.startswith(".") for part in parts)
        if path.is_file() and not hidden and parts[0] not in left_out:
            yield "/".join(parts), path


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
