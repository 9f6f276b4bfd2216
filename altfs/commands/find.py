"""``altfs find``: alternative feature sets for a table in a file."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from altfs.commands.constraint_options import add_constraint_options, read_constraint_options
from altfs.commands.exit_codes import NO, OK
from altfs.commands.find_columns import missing_words, row_numbers, useless_columns
from altfs.commands.find_result import FindResult, as_data, print_result
from altfs.commands.output import check_output, console, json_text, write_output
from altfs.commands.tables import DATA, load_table
from altfs.errors import (
    AltfsError,
    ConfigError,
    DataWarning,
    FewerSetsWarning,
    NoFeatureSetError,
    NoSignalWarning,
    did_you_mean,
)

if TYPE_CHECKING:
    import pandas as pd

    from altfs.library.answers.evaluation import Evaluation
    from altfs.library.answers.near_optimal import NearlyOptimalSets
    from altfs.library.estimator import AlternativeFeatures
    from altfs.problem import Constraints

#: Types of target, and words for missing values, that a user can name.
TASKS = ("auto", "classification", "regression")
MISSING = ("refuse", "impute", "as_category")
T = TypeVar("T")
# The model, the folds and the rows of the scores that are shown by default.
_AUTO, _FOLDS, _EVALUATED_ROWS = "auto", 5, 5000
# The halves of the rows that are searched by default, for tables of some sizes.
_HALVES, _VALUES, _FEWEST_ROWS = 20, 2_000_000, 40
# Arguments that are parameters of the estimator as they are.
_PARAMETERS = ("selector", "search", "n_features", "n_alternatives", "tau", "max_overlap",
               "overlap", "dissimilarity", "aggregation", "work", "prescreen", "random_state",
               "n_jobs", "n_shuffles")  # fmt: skip
#: Options that say how to read text.
READING = ("separator", "decimal", "encoding")
# The width of lines in a file or a pipe.
_NO_WIDTH = 10_000

HELP = "find alternatives in a table"
DESCRIPTION = """\
Finds sets of features in a table that are all good for predicting its target,
and different enough from one another. Columns of text are categories, and
dates are days since 1970.

exit code: 0 all sets are there; 1 there are fewer; 2 wrong arguments or data
examples:
  altfs find data.csv --target outcome
  altfs find data.csv --target outcome -k 5 -a 4 --tau 0.4 --output sets.json
  altfs find data.parquet --target price --selector mrmr --exclude age --exclude sex
  altfs find data.tsv --target y --search simultaneous --aggregation min --max-overlap 2
  altfs find data.csv --target y --search pareto --search-option dissimilarity=average
  altfs find data.csv --target y --cost scan=120 --cost blood=15 --budget 150
  altfs find data.csv --target y --exclusive age birth_year --at-most 1 kg lb stone
  altfs find data.csv --target y --relative-floor 0.9 --given age income
  altfs find data.csv --target y --missing impute --categorical zip_code
  altfs find data.csv --target y --evaluate logistic_regression --json
  altfs find data.csv --target y --outages scan blood --decimal , --encoding cp1252
  altfs find data.csv --target y --constraints wishes.yaml --explain"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add(
        "data",
        type=Path,
        help=DATA,
    )
    add("-t", "--target", required=True, metavar="COLUMN", help="the column of the target")
    add("-k", "--n-features", type=parse_size, metavar="N", help="features in each set (5, or "
        "half of the columns if they are fewer than ten); or the smallest and the largest number, "
        "as in 2-4; or unlimited, for streams of features")  # fmt: skip
    add("-a", "--n-alternatives", type=int, default=4, metavar="N",
        help="sets beyond the original one (4)")  # fmt: skip
    add_request_options(parser, "forest")
    add_column_options(parser, "impute")
    add("--prescreen", type=int, metavar="N", help="search among the N most relevant features, "
        "for wide tables")  # fmt: skip
    add("--seed", dest="random_state", type=int, default=0, metavar="N",
        help="random state of scores (0)")  # fmt: skip
    add("--work", type=float, default=20.0, metavar="N", help="limit of a solver's work, in "
        "counts (20)")  # fmt: skip
    add("--jobs", dest="n_jobs", type=int, metavar="N",
        help="threads for scores of pairs (1), and for the sets of forest (all cores)")  # fmt: skip
    add("--groups", metavar="COLUMN", help="rows with the same value of this column, such as those "
        "of a patient, are held out together; it is no feature")  # fmt: skip
    add("--times", metavar="COLUMN", help="rows that are held out are later, by this column of "
        "dates or numbers, than those that are learned from; it is no feature")  # fmt: skip
    add("--sensitive", metavar="COLUMN", help="say what each set tells about this column, which is "
        "no feature")  # fmt: skip
    add("--equivalents", action="store_true", help="compare the sets with those that tests of "
        "independence cannot tell apart (SES)")  # fmt: skip
    add("-o", "--output", type=Path, metavar="FILE", help="a .json or .parquet file to write")
    add("--explain", action="store_true", help="explain which features change, which "
        "replace others, the price of tau and the number of sets; for missing sets, suggest other "
        "arguments")  # fmt: skip
    add("--evaluate", type=_model_name, default=_AUTO, metavar="MODEL",
        help="cross-validate a model on every set, with the search inside every fold and at most "
        f"{_EVALUATED_ROWS:,} rows: its name as in studies, or none (a random forest with leaves "
        "of five rows, if there are enough)")  # fmt: skip
    add("--shuffles", dest="n_shuffles", type=int, default=20, metavar="N",
        help="shuffled targets with which the sets are compared; 0 for none (20)")  # fmt: skip
    add("--halves", type=int, metavar="N", help="search on N halves of the rows, to say how stable "
        f"the sets are; 0 for none ({_HALVES}, for fast selectors)")  # fmt: skip
    add("--without", nargs="+", metavar="COLUMN", help="also the best set without these features")
    add("--most-information", type=_number, metavar="BITS", help="the most that the features of a "
        "set may tell about the column of --sensitive together")  # fmt: skip
    add("--near", type=_number, metavar="SHARE", help="also the number of sets whose quality is "
        "less than the best one's by at most this share, such as 0.1")  # fmt: skip
    add("--outages", nargs="+", metavar="COLUMN", help="also a smallest family of sets, one of "
        "which remains if any one of these features is missing")  # fmt: skip
    add("--json", action="store_true", help="print JSON in place of the table")
    add("-v", "--verbose", action="store_true", help="print progress in lines; by default a "
        "terminal shows a bar if it takes long")  # fmt: skip
    add_constraint_options(parser)


def add_request_options(parser: argparse.ArgumentParser, selector: str) -> None:
    """Add the options that say how sets differ, what makes them good, and who looks for them."""
    add = parser.add_argument
    add("--tau", help="how different two sets have to be, from 0 to 1 (0.4)")
    add("--max-overlap", type=int, metavar="N", help="features that two sets may share, in place "
        "of tau")  # fmt: skip
    add("--overlap", default="pairwise", help="limit the overlap of each two sets, or their mean: "
        "pairwise or average (pairwise)")  # fmt: skip
    add("--dissimilarity", default="dice", help="of tau: dice or jaccard (dice)")
    add("--selector", default=selector, help=f"what makes a set good ({selector}), see "
        "docs/which_selector.md")  # fmt: skip
    add("--selector-option", action="append", default=[], metavar="KEY=VALUE",
        help="an option of the selector, such as folds=3; may be repeated")  # fmt: skip
    add("--search", help="sequential, simultaneous, or another one in docs/configuration.md "
        "(sequential; streaming for streaming selectors)")  # fmt: skip
    add("--search-option", action="append", default=[], metavar="KEY=VALUE",
        help="an option of the search, such as dominance_factor=2; may be repeated")  # fmt: skip
    add("--solver", metavar="NAME", help="the solver to ask in sequential or simultaneous search, "
        "in place of the preferred ones, such as forward; see docs/which_solver.md")  # fmt: skip
    add("--solver-option", action="append", default=[], metavar="KEY=VALUE",
        help="an option of the solver, such as step=2; may be repeated")  # fmt: skip
    add("--aggregation", help="of simultaneous and local search: sum or min (sum)")
    add("--task", default="auto", choices=TASKS, metavar="TASK",
        help=f"what the target is: {', '.join(TASKS)} (auto)")  # fmt: skip


def add_column_options(parser: argparse.ArgumentParser, missing: str = "refuse") -> None:
    """Add the options that say what columns are, and what to do with missing values."""
    add = parser.add_argument
    add("--categorical", nargs="+", action="extend", metavar="COLUMN",
        help="columns of numbers that are categories; columns of text always are")  # fmt: skip
    add_reading_options(parser)
    add("--missing", choices=MISSING, metavar="WORD", help="what to do with missing values: "
        f"{', '.join(MISSING)} ({missing})")  # fmt: skip


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how text is read."""
    add = parser.add_argument
    add("--separator", metavar="LETTER", help="between columns of text, or tab (recognised)")
    add("--decimal", choices=(".", ","), metavar="MARK", help="of numbers in text: . or , "
        "(recognised)")  # fmt: skip
    add("--encoding", metavar="NAME", help="of text, such as cp1252 (UTF-8 and UTF-16 are "
        "recognised)")  # fmt: skip


def run(chosen: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    if chosen.json and chosen.explain:
        raise AltfsError("explain", "explanations are text", "leave out --explain or --json")
    terminal = console(width=None if sys.stdout.isatty() else _NO_WIDTH)

    def explain(alternatives: AlternativeFeatures) -> None:
        if chosen.explain:
            terminal.print(str(alternatives.explain()), markup=False, soft_wrap=True)

    parameters = {name: getattr(chosen, name) for name in _PARAMETERS} | read_components(chosen)
    try:
        result = find(
            chosen.data,
            chosen.target,
            output=chosen.output,
            judgement=Judgement(chosen.evaluate, chosen.halves, chosen.groups, chosen.times),
            questions=FurtherQuestions(
                chosen.without or (),
                chosen.outages or (),
                chosen.near,
                chosen.sensitive,
                chosen.equivalents,
            ),
            reading={key: getattr(chosen, key) for key in ("task", *READING)},
            constraints=_with_limit(read_constraint_options(chosen), chosen),
            verbose=1 if chosen.verbose else None,
            categorical=tuple(chosen.categorical or ()),
            missing=chosen.missing,
            **parameters,
        )
    except NoFeatureSetError as error:
        if error.estimator is not None:
            explain(error.estimator)
        raise
    if chosen.json:
        print(json_text(as_data(result)))
    else:
        print_result(result, terminal)
        if chosen.explain:
            terminal.print()
        explain(result.alternatives)
    return NO if result.alternatives.shortfall_ else OK


@dataclass(frozen=True)
class Judgement:
    """Judgement of sets on rows that were not used.

    Attributes
    ----------
    model : str, optional
        The name of a model in studies for :meth:`altfs.AlternativeFeatures.evaluate`. "auto" is
        its default, if there are enough rows. None is for no model.
    n_halves : int, optional
        Halves of the rows for :meth:`altfs.AlternativeFeatures.stability`; 0 for none. None is 20
        for selectors that take no longer than the fit.
    groups : str, optional
        The column of the groups of rows, which are held out together. It is no feature.
    times : str, optional
        The column of the times of rows, in place of groups. It is no feature.
    """

    model: str | None = None
    n_halves: int | None = 0
    groups: str | None = None
    times: str | None = None


@dataclass(frozen=True)
class FurtherQuestions:
    """Further questions about the sets.

    Attributes
    ----------
    without, outages : sequence of str, default=()
        Features for :meth:`altfs.AlternativeFeatures.without` and `plan_for_outages`.
    near : float, optional
        A share for :meth:`altfs.AlternativeFeatures.nearly_optimal`.
    sensitive : str, optional
        A column for :meth:`altfs.AlternativeFeatures.sensitive`. It is no feature.
    equivalents : bool, default=False
        True for :meth:`altfs.AlternativeFeatures.equivalents`.
    """

    without: Sequence[str] = ()
    outages: Sequence[str] = ()
    near: float | None = None
    sensitive: str | None = None
    equivalents: bool = False


NO_JUDGEMENT, NO_QUESTIONS = Judgement(), FurtherQuestions()


def find(
    path: Path,
    target: str,
    *,
    reading: Mapping[str, Any] | None = None,
    judgement: Judgement = NO_JUDGEMENT,
    questions: FurtherQuestions = NO_QUESTIONS,
    output: Path | None = None,
    **parameters: Any,
) -> FindResult:
    """Find alternatives in a CSV, TSV or Parquet file.

    Parameters
    ----------
    path : Path
        The file to search.
    target : str
        Its target column.
    reading : mapping of str to str, optional
        The type of the target, and the separator, the decimal mark and the encoding of text, if
        they are not recognised: further options of :class:`altfs.datasets.file.FileSource`.
    judgement : Judgement, default=NO_JUDGEMENT
        How the sets are judged on rows that were not used.
    questions : FurtherQuestions, default=NO_QUESTIONS
        What else is to be answered.
    output : Path, optional
        A ``.json`` or ``.parquet`` file to write, with a row per feature set.
    **parameters
        Of :class:`altfs.AlternativeFeatures`; names of features are columns. Without `missing`,
        missing values are imputed.

    Raises
    ------
    AltfsError
        If something is wrong with the table or a parameter, or no set exists.
        Then nothing is written.
    """
    from altfs._numbers import check_whole
    from altfs.datasets.file import file_options
    from altfs.datasets.table import features_and_target

    if output is not None:
        check_output(output, path, (".json", ".parquet"))
    # The library has other words for it.
    check_whole("random_state", parameters.get("random_state", 0), 0, 2**32 - 1)
    options = file_options({"path": path, "target": target, **(reading or {})})
    name, raw = load_table(path, options)
    # They take a second, which a file that is not there need not wait for.
    from altfs.library.estimator import AlternativeFeatures
    from altfs.library.inputs import chosen_selector, read_constraints
    from altfs.library.notes import NOTES
    from altfs.prediction.disparities import groups_of

    X, y = features_and_target(name, raw)
    is_missing = y.isna()
    notes = list(raw.notes)
    if is_missing.any() and not is_missing.all():
        X, y = X[~is_missing], y[~is_missing]
        n, what = int(is_missing.sum()), f"no value of '{raw.target}' and"
        notes.append(
            f"1 row has {what} is left out." if n == 1 else f"{n} rows have {what} are left out."
        )
    named_columns = (("groups", judgement.groups), ("times", judgement.times),
                     ("sensitive", questions.sensitive))  # fmt: skip
    constraints = read_constraints(parameters.get("constraints"))
    # Names are not resolved yet.
    sensitive_column: object = constraints.sensitive
    labels: dict[str, pd.Series[Any]] = {}
    for key, column in named_columns:
        # Constraints read the column themselves.
        if column is not None and not (key == "sensitive" and column == sensitive_column):
            if column not in X.columns:
                reason = f"'{column}' is not a column besides the target"
                raise AltfsError.of_name(key, reason, column, X.columns)
            labels[key] = X.pop(column)
    sensitive = labels.pop("sensitive", None)
    if sensitive is not None:
        # A search need not be waited for.
        groups_of(sensitive.to_numpy(), len(X), str(sensitive.name))
    if sensitive_column is not None and sensitive_column not in X.columns:
        reason = f"'{sensitive_column}' is not a column besides the target, groups and times"
        raise AltfsError.of_name("sensitive", reason, str(sensitive_column), X.columns)
    named = {*questions.without, *questions.outages, *parameters.get("categorical", ())}
    named.update(str(name) for names in constraints.features().values() for name in names)
    left_out = useless_columns(X, named.union(*parameters.get("given", ())))
    X = X.drop(columns=[*left_out])
    numbers = row_numbers(X, named.union(*parameters.get("given", ())))
    if numbers and chosen_selector(parameters.get("selector", "forest")).one_pass:
        # Streams of features take no constraints.
        X = X.drop(columns=[*numbers])
    elif numbers:
        # Notes are about them, too, as rows can be in the order of times.
        excluded = (*constraints.exclude, *numbers)
        parameters["constraints"] = constraints.model_copy(update={"exclude": excluded})
    if parameters.get("missing") is None:
        filled = missing_words(X, (*constraints.exclude, sensitive_column))
        parameters["missing"] = "impute" if filled else "refuse"
        notes += [filled] * bool(filled)
    alternatives = AlternativeFeatures(task=raw.task, **parameters)
    with warnings.catch_warnings(record=True) as caught:
        # The printed result says what these warn of, but for the memory of scores.
        warnings.simplefilter("ignore", FewerSetsWarning)
        warnings.simplefilter("ignore", NoSignalWarning)
        warnings.simplefilter("always", DataWarning)
        try:
            alternatives.fit(X, y, **labels)
        except NoFeatureSetError as error:
            error.estimator = alternatives
            raise
        except AltfsError as error:
            if left_out:
                error.reason += f" (left out, as they tell nothing: {', '.join(left_out)})"
            raise
    notes += [*left_out.values(), *numbers.values()]
    evaluation, random_score = None, None
    n_groups = labels["groups"].nunique() if "groups" in labels else 0
    try:
        if judgement.model is not None:
            evaluation = _evaluated(alternatives, judgement.model, n_groups)
            if labels:
                random_score = _in_random_folds(alternatives, evaluation, judgement.model)
    except AltfsError as error:
        if judgement.model != _AUTO:
            raise
        notes.append(f"The sets have no held-out scores: {error}")
    n_halves = judgement.n_halves
    if n_halves is None:
        fast = alternatives.quality_.measure is not None and X.size <= _VALUES
        # Half of the groups have to be two or more.
        many = len(X) >= _FEWEST_ROWS and ("groups" not in labels or n_groups >= 4)
        n_halves = _HALVES if fast and many else 0
    result = FindResult(
        name,
        raw,
        X,
        alternatives,
        [*notes, *(text for text in map(_text, caught) if not text.endswith(NOTES))],
        evaluation,
        None if n_halves == 0 else alternatives.stability(n_halves),
        questions.without,
        _of_option("--without", alternatives.without, questions.without),
        _of_option("--outages", alternatives.plan_for_outages, questions.outages),
        None if questions.near is None else _near(alternatives, questions.near),
        None
        if sensitive is None and constraints.sensitive is None
        else alternatives.sensitive(sensitive),
        alternatives.equivalents() if questions.equivalents else None,
        {key: str(column.name) for key, column in labels.items()},
        n_groups,
        random_score,
    )
    if output is not None:
        write_output(output, as_data(result), "sets", "find")
    return result


def _of_option(
    option: str, answer: Callable[[Sequence[str]], T], features: Sequence[str]
) -> T | None:
    """Return an answer about features, whose errors name the option; None without features."""
    try:
        return answer(features) if features else None
    except AltfsError as error:
        raise error.in_words({"features": option}) from None


def _with_limit(constraints: Constraints | None, chosen: argparse.Namespace) -> Constraints | None:
    """Return constraints with the limit of what sets tell about the sensitive column."""
    if chosen.most_information is None:
        return constraints
    if chosen.sensitive is None:
        raise AltfsError("most_information", "there is no column", "name it by --sensitive")
    from altfs.problem import Constraints

    content = {} if constraints is None else constraints.model_dump()
    limit = {"sensitive": chosen.sensitive, "most_information": chosen.most_information}
    return Constraints(**{**content, **limit})


def _number(text: str) -> float:
    """Return the number of a text; argparse reports an ArgumentTypeError."""
    try:
        return float(text)
    except ValueError:
        reason = f"'{text}' is not allowed, use a number from 0, such as 0.1"
        raise argparse.ArgumentTypeError(reason) from None


def _near(alternatives: AlternativeFeatures, share: float) -> NearlyOptimalSets:
    try:
        return alternatives.nearly_optimal(share)
    except AltfsError as error:
        raise error.in_words({"share": "--near", "nearly_optimal": "--near"}) from None


def _evaluated(alternatives: AlternativeFeatures, model: str, n_groups: int) -> Evaluation:
    """Evaluate the sets with a model."""
    with warnings.catch_warnings():
        # A fold may lack a class, which scikit-learn says in several ways.
        warnings.simplefilter("ignore")
        named = None if model == _AUTO else model
        # Of fewer groups than folds, each one is a fold.
        folds = min(_FOLDS, n_groups or _FOLDS)
        return alternatives.evaluate(named, folds, max_rows=_EVALUATED_ROWS)


def _in_random_folds(
    alternatives: AlternativeFeatures, evaluation: Evaluation, model: str
) -> float:
    """Return the score of the original set if rows are held out at random."""
    from altfs.library.answers.random_folds import random_fold_score

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        named = None if model == _AUTO else model
        return random_fold_score(alternatives, evaluation, named, _FOLDS, _EVALUATED_ROWS)


def _text(warning: warnings.WarningMessage) -> str:
    return str(warning.message)


def read_components(chosen: argparse.Namespace) -> dict[str, Any]:
    """Return the selector, the search and the solver that arguments name with their options."""
    return {
        kind: with_options(kind, getattr(chosen, kind), options)
        for kind in ("selector", "search", "solver")
        if (options := getattr(chosen, f"{kind}_option")) or (kind == "solver" and chosen.solver)
    }


def with_options(kind: str, name: str | None, options: list[str]) -> dict[str, Any]:
    """Return the component that the arguments name, such as a selector, with its options."""
    from altfs._options import finite_or_named
    from altfs.study.settings import read_value

    if name is None:
        raise AltfsError(
            f"{kind}_option", f"{options[0]!r} belongs to no {kind}", f"name one: --{kind}"
        )
    values = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise AltfsError.of_value(f"{kind}_option", option, "write KEY=VALUE")
        try:
            values[key] = finite_or_named(read_value(value, kind))
        except ConfigError:
            raise AltfsError.of_value(
                f"{kind}_option", option, "write VALUE as in config.yaml"
            ) from None
    return {"type": name, "options": values}


def _model_name(text: str) -> str | None:
    """Return the name of a model, or None for none."""
    from altfs.prediction import models

    if text in ("none", _AUTO, *models.names()):
        return None if text == "none" else text
    what = "is a file and not a model" if Path(text).is_file() else "is not a known model"
    near = did_you_mean(text, models.names()) or ","
    raise argparse.ArgumentTypeError(
        f"'{text}' {what}{near} allowed are: {', '.join(models.names())}, {_AUTO}, none"
    )


def parse_size(text: str) -> int | str:
    """Return a number as an integer, and any other text unchanged."""
    return int(text) if text.lstrip("-").isdigit() else text
