"""Comparison of the tables, figures and page of a study with what its results give."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from altfs._extras import require
from altfs.commands.report import report
from altfs.study.session import open_study
from altfs.study.state import evaluated_files, noted_evaluation

if TYPE_CHECKING:
    from altfs.study.plan import Plan
    from altfs.study.verify import Report

# What a page says of an audit, and of the folder in which it was made.
_APART = re.compile(
    r'<dt>Audit</dt><dd>.*?</dd>| <a class="complete" href="#run-of-study">.*?</a>'
    r"|&#34;results&#34;: &#34;.*?&#34;"
)


def check_installed(results: str | Path) -> None:
    """Check that tables, figures and page can be made, if the results have a page."""
    if Path(results, "report.html").is_file():
        require("verify", "study", "jinja2", "vl_convert")


def compare_evaluation(results: str | Path, findings: Report) -> None:
    """Name the tables, figures and pages of a study that are not those of its results.

    They are made again in a folder of their own. A PDF file is compared with the digest that was
    noted when it was made, as its parts have no fixed order. What a page says of an audit is not
    compared. Nothing is compared without a page, or where results have problems.

    Parameters
    ----------
    results : str or Path
        The results folder.
    findings : Report
        What the audit of the results found; problems are added to it.
    """
    plan = open_study(results)
    page = Path(plan.report_path())
    if findings.problems or not page.is_file():
        return
    digests = noted_evaluation(plan)[1]
    with TemporaryDirectory(prefix="altfs_verify_") as folder:
        _link_results(plan, Path(folder))
        report(folder)
        for path in sorted(evaluated_files(plan)):
            name = plan.inside(path)
            # Notes of what was collected have the times of files.
            if name.startswith("collected"):
                continue
            if not Path(path).is_file():
                findings.complain(path, ["is missing, run the study again"])
                continue
            stored, made = _content(Path(path)), _content(Path(folder, name))
            same = stored == made
            if name.endswith(".pdf"):
                same = digests.get(name) == hashlib.sha256(stored).hexdigest()
            findings.complain(path, [] if same else ["is not what the results give"])
            findings.compared += 1
        if _content(Path(folder, "study.json")) != _content(Path(plan.study_file)):
            findings.complain(str(plan.study_file), ["says other times than the logs"])


def _link_results(plan: Plan, folder: Path) -> None:
    """Fill a folder with the results of a study, without what is made from them."""
    made = {plan.inside(path).partition("/")[0] for path in evaluated_files(plan)}
    made |= {plan.inside(plan.evaluated_path()), ".lock"}
    for entry in Path(plan.results).absolute().iterdir():
        if entry.name in made:
            continue
        if entry.is_dir():
            Path(folder, entry.name).symlink_to(entry)
        else:
            shutil.copy2(entry, folder)


def _content(path: Path) -> bytes:
    content = path.read_bytes()
    if path.name != "report.html":
        return content
    return _APART.sub("", content.decode("utf-8", "replace")).encode()
