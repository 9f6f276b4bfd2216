"""A made-up table and a made-up figure, one file each, are found by everything."""

import importlib
import sys

import pandas as pd
import pytest
from audit import make_study
from workspaces import ROOT

from altfs.catalogue import figures, tables
from altfs.commands.report import report
from altfs.errors import AltfsError
from altfs.evaluation.report.page import caption_of
from altfs.study.session import open_study

EXAMPLES = ROOT / "docs" / "how_to" / "examples"


@pytest.fixture
def added(tmp_path, monkeypatch):
    """Put the two examples of the documentation into folders of their own."""
    names = {tables: "sets_by_dataset", figures: "sets_of_datasets"}
    for catalogue, name in names.items():
        catalogue.names()
        folder = tmp_path / catalogue.kind
        folder.mkdir()
        (folder / f"{name}.py").write_text((EXAMPLES / f"{name}.py").read_text())
        package = importlib.import_module(catalogue.package)
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        monkeypatch.setattr(catalogue, "_members", dict(catalogue._members))
        monkeypatch.setattr(catalogue, "_loaded", False)
    yield list(names.values())
    for catalogue, name in names.items():
        sys.modules.pop(f"{catalogue.package}.{name}", None)


@pytest.mark.exhaustive
def test_a_made_up_table_and_figure_are_found_by_everything(added, tmp_path):
    table, figure = added
    assert tables.order()[-1] == table and figures.order()[-1] == figure
    assert caption_of(table) == "Number of feature sets of each dataset, and their mean quality."
    (tmp_path / "study").mkdir()
    folder = make_study(tmp_path / "study")
    plan = open_study(folder)
    made = {*plan.table_paths(table), *plan.figure_paths(figure)}
    assert made <= set(plan.evaluation_paths())
    report(folder)
    found = pd.read_csv(folder / "tables" / f"{table}.csv")
    sets = pd.read_parquet(folder / "tables" / "feature_sets.parquet")
    assert found["n_sets"].sum() == sets["train_objective"].notna().sum()
    assert (folder / "figures" / f"{figure}.svg").stat().st_size > 1000
    page = (folder / "report.html").read_text("utf-8")
    for name, text in ((table, caption_of(table)), (figure, "Feature sets by dataset")):
        assert f'id="{name}"' in page
        assert text in page


def test_two_tables_of_one_name_are_refused():
    tables.names()

    def quality(results):
        return results

    with pytest.raises(AltfsError, match=r"^table: 'quality' is in altfs\.evaluation\.tables\."):
        tables.add(place=1)(quality)
