"""The methods paragraph and the citations say what a study used."""

import re

import pytest
import yaml
from made_up import design, predictions, sets
from workspaces import ROOT

from altfs.errors import ConfigError
from altfs.evaluation.report.citations import citation, works_in
from altfs.evaluation.report.methods import methods
from altfs.kinds.base import kinds
from altfs.searches import searches
from altfs.selectors import selectors
from altfs.study.collect import design_of
from altfs.study.config import parse_config
from altfs.study.plan import DatasetFacts, Plan

#: Selectors that no publication defines.
WITHOUT_SOURCE = {"correlation", "f_statistic", "tree_training"}
# With all of them, every study of the repository is possible.
ALL_KINDS = ["acquisition", "assessments", "fronts", "rows", "sets", "streams"]


def plan_of(study, **changes):
    """The plan of a study without its data."""
    config = parse_config(yaml.safe_load(study.read_text()) | changes)
    fact = DatasetFacts(digest="", n_rows=100, n_total=20, target_type="binary", identity="")
    return Plan(config, {entry.name: fact for entry in config.datasets})


def text_of(plan):
    return methods(design_of(plan), plan.config.model_dump(mode="json"), "0123456789ab")


def keys_in(bibtex):
    return re.findall(r"^@\w+\{(\S+),$", bibtex, re.M)


def is_possible(study):
    """Tell whether a package without some kinds of answers has all that a study names."""
    try:
        plan_of(study)
    except ConfigError:
        return kinds.names() == ALL_KINDS
    return True


STUDIES = [ROOT / "config.yaml", *sorted((ROOT / "workflow" / "studies").glob("*.yaml"))]


@pytest.mark.parametrize("study", [*filter(is_possible, STUDIES)])
def test_every_work_of_the_paragraph_is_cited_once(study):
    plan = plan_of(study)
    text, bibtex = text_of(plan), citation(design_of(plan))
    keys = keys_in(bibtex)
    assert len(keys) == len(set(keys))
    named = re.findall(r"([^\W\d_]+)(?: et al\.| and [\w-]+)?, ((?:19|20)\d\d)\b", text)
    assert named
    for name, year in named:
        entry = rf"author = \{{[^=]*{name}[^=]*\}},\n(?:  (?!year).*\n)*  year = \{{{year}\}}"
        assert re.search(entry, bibtex), (name, year)


def test_the_paragraph_says_all_that_the_configuration_decides():
    plan = plan_of(ROOT / "config.yaml", constraints=[{"include": ["ash"]}], metrics=["accuracy"])
    text = text_of(plan)
    for said in (
        "2 datasets (breast_cancer and wine; 100 rows, 20 features)",
        "3-fold cross-validation, stratified by class",
        "MI (Kraskov et al., 2004; Ross, 2014), FCBF (Yu and Liu, 2003)",
        "k = 5, and any two of a search have a Dice dissimilarity of at least τ = 0.2, 0.4, 0.6",
        "sequential (4 alternatives): each set is the best one given those before it;",
        "simultaneous (1 and 2 alternatives, the quality of a family is the sum)",
        "Constraints on the sets are include [ash].",
        "limited to 20 units of work",
        "by decision tree and random forest",
        "by accuracy.",
        "seed 25",
        "altfs 0.1.0 (commit 0123456789ab)",
    ):
        assert said in text, said
    assert "larger quality on the training rows" in text and "not about" not in text


def test_the_paragraph_says_how_a_search_differs_from_others():
    entry = {"name": "apart", "type": "sequential", "n_alternatives": 1, "solver": "forward",
             "overlap": "average", "selectors": ["fcbf"]}  # fmt: skip
    text = text_of(plan_of(ROOT / "config.yaml", searches=[entry], selectors=["fcbf"]))
    assert (
        "apart (1 alternative, the threshold is for the mean dissimilarity of all pairs of sets, "
        "by the solver forward, for fcbf)"
    ) in text


def test_metrics_of_classes_and_numbers_are_told_apart():
    frame = sets()
    mixed = design(frame, predictions(frame), {"a": 3, "b": 4}, types={"b": "regression"},
                   taus=["0.5"], sizes={2: "2"})  # fmt: skip
    a, b = mixed.datasets
    mixed = mixed.model_copy(update={"datasets": (a, b.model_copy(update={"metrics": ("r2",)}))})
    assert "by MCC for classes and R² for numbers." in methods(mixed, {})
    assert "3 to 4 features" in methods(mixed, {})


def test_an_unknown_commit_is_left_out():
    plan = plan_of(ROOT / "config.yaml")
    assert "commit" not in methods(design_of(plan), {}, "unknown")


def test_every_selector_has_a_source_that_can_be_cited():
    from altfs.study.collect import _source

    without = {one.name for one in selectors if not works_in(_source(one))}
    assert without - {
        name for name in without if selectors.get(name).__module__[:5] != "altfs"
    } == (WITHOUT_SOURCE)
    if "fronts" in kinds.names():
        assert works_in(_source(searches.get("many_objective")))


def test_the_citation_of_the_software_is_that_of_the_repository():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    bibtex = citation(design_of(plan_of(ROOT / "config.yaml")))
    [paper] = cited["references"]
    for said in (cited["title"], cited["version"], str(cited["date-released"])[:4],
                 paper["title"], str(paper["year"]), cited["authors"][0]["name"]):  # fmt: skip
        assert said in bibtex, said


def test_methods_say_what_became_of_missing_values():
    datasets = [
        {"name": "clinic", "type": "file", "options": {"path": "a.csv", "missing": "impute"}},
        {"name": "wine", "type": "sklearn", "options": {}},
    ]
    study = ROOT / "config.yaml"
    assert "Missing values" not in text_of(plan_of(study))
    said = methods(design_of(plan_of(study)), {"datasets": datasets})
    assert "Missing values of clinic were replaced by the median" in said
    datasets[0]["options"]["missing"] = "as_category"
    said = methods(design_of(plan_of(study)), {"datasets": datasets})
    assert "Missing values of clinic became a category" in said


@pytest.mark.parametrize(
    ("n_classes", "n_numbers", "words"),
    [(5, 5, ""), (6, 0, "They have"), (3, 6, "Where there are at least six datasets with this")],
)
def test_intervals_are_of_six_datasets_with_one_kind_of_target(n_classes, n_numbers, words):
    types = ["multiclass"] * n_classes + ["regression"] * n_numbers
    several = [f"openml:{i}" for i in range(1, len(types) + 1)]
    plan = plan_of(ROOT / "config.yaml", datasets=several)
    facts = {
        name: fact.model_copy(update={"target_type": kind})
        for (name, fact), kind in zip(plan.facts.items(), types, strict=True)
    }
    text = text_of(Plan(plan.config, facts))
    assert ("Student's t" in text) == ("Wilcoxon" in text) == bool(words)
    assert words in text
