"""Proofs that shards claim are judged by a solver that did not make them."""

from pathlib import Path

import numpy as np
import pytest
from audit import SEQUENTIAL, WRAPPER, assert_named, claims_of, edit, stored_run, verify, worsen

from altfs.quality import BlackBox, Linear, Quality
from altfs.searches import searches
from altfs.solvers import Limits
from altfs.study.qualities import learn
from altfs.study.store import read_table
from altfs.study.verify import verify_study


@pytest.mark.exhaustive
def test_a_false_claim_is_found_by_the_independent_solver(capsys, plan):
    worsen(plan, SEQUENTIAL, 3)
    path = plan.search_task(SEQUENTIAL).path
    # No model was trained on the set; apart from that the study looks right.
    unseen = verify_study(plan.results, sample=0).problems
    assert [Path(p.path).name for p in unseen] == ["model=decision_tree.parquet"]
    assert_named(capsys, plan, path, "set_index 3.* is better", "--sample", "100")
    gone = {"selected": [], "feature_names": [], "train_objective": None, "test_objective": None}
    edit(path, lambda r: r[3].update(gone, bound=None, status="infeasible"))
    assert_named(capsys, plan, path, "infeasible, but there is", "--sample", "100")


@pytest.mark.exhaustive
def test_what_a_black_box_search_found_is_made_anew_by_a_full_audit(capsys, plan):
    path = plan.search_task(WRAPPER).path
    qualities = learn(plan.quality_task(*WRAPPER[:3]))
    names = read_table(Path(plan.data_path("wine")))[0].column_names
    known = {tuple(r["selected"]) for r in read_table(Path(path))[0].to_pylist()}
    trained = read_table(Path(plan.predict_task("wine", 1, "decision_tree").path))[0]
    other = next(
        s for s in trained["selected"].to_pylist()
        if all(len(set(s) & set(k)) < 3 for k in known)
    )  # fmt: skip
    edit(
        path,
        lambda r: r[3].update(
            selected=other,
            feature_names=[names[j] for j in other],
            train_objective=qualities.train.evaluate(other),
            test_objective=qualities.test.evaluate(other),
        ),
    )
    assert verify(capsys, plan, "--sample", "100")[0] == 0
    assert_named(capsys, plan, path, "row 3: selected is .* recomputed it is", "--full")


class Pairs(Quality):
    """A quality of which the solvers know nothing."""

    n_total = 6

    def evaluate(self, indices):
        return float(sum((i * j) % 5 for i in indices for j in indices))


def run_of(plan, rows, search="sequential", aggregation="none"):
    place = SEQUENTIAL._replace(search=search)
    return stored_run(plan, place, rows, aggregation=aggregation, solver="some_solver")


@pytest.mark.parametrize(
    ("quality", "rows", "expected"),
    [
        (Linear([3, 2, 1, 0]), [("optimal", (0, 1), 5)], (1, 0, 0)),
        (Linear([3, 2, 2, 0]), [("optimal", (0, 2), 5)], (1, 0, 0)),
        (Linear([3, 2, 1, 0]), [("optimal", (0, 2), 4)], (0, 0, 1)),
        (Linear([3, 2, 1, 0]), [("feasible", (0, 2), 6)], (1, 0, 0)),
        (Linear([3, 2, 1, 0]), [("feasible", (0, 2), 4.5)], (0, 0, 1)),
        (Linear([3, 2, 1, 0]), [("unknown", (), 4.5)], (0, 0, 1)),
        (Linear([3, 2, 1]), [("optimal", (0, 1), 5), *[("infeasible", (), None)] * 2], (3, 0, 0)),
        (Linear([3, 2, 1, 0]), [("infeasible", (), None)] * 2, (0, 0, 2)),
        (Linear([3, 2], np.ones((2, 2))), [("optimal", (0, 1), 5)], (0, 0, 1)),
        (BlackBox(sum, 3), [("feasible", (0, 1), 9), ("infeasible", (), None)], (1, 0, 0)),
        (BlackBox(sum, 4), [("feasible", (0, 1), 9), ("infeasible", (), None)], (0, 0, 1)),
        (BlackBox(sum, 4), [("optimal", (0, 1), 1)], (0, 0, 1)),
        (BlackBox(sum, 4, max_iterations=5), [("optimal", (0, 1), 1)], (0, 1, 0)),
        (Pairs(), [("optimal", (2, 4), 11)], (1, 0, 0)),
        (Pairs(), [("optimal", (3, 4), 9)], (0, 0, 1)),
        (Pairs(), [("feasible", (3, 4), 12)], (1, 0, 0)),
        (Pairs(), [("feasible", (3, 4), 10)], (0, 0, 1)),
        (Pairs(), [("infeasible", (), None)], (0, 0, 1)),
        (
            Pairs(),
            [
                *[("optimal", s, v) for s, v in (((1, 3), 11), ((2, 4), 11), ((0, 5), 0))],
                ("infeasible", (), None),
            ],
            (4, 0, 0),
        ),
    ],
)
def test_claims_are_judged(plan, quality, rows, expected):
    run = run_of(plan, rows)
    found = claims_of(run, quality, Limits())
    assert (found.proven, found.unchecked, len(found.wrong)) == expected
    assert found.ties == (rows[0][1] == (0, 2) and rows[0][2] == 5)


def test_families_are_judged_and_what_cannot_be_is_said(plan):
    quality = Linear([4, 3, 2, 1])
    right = [("optimal", (0, 3), 5), ("optimal", (1, 2), 5)]
    wrong = [("optimal", (0, 1), 3), ("optimal", (2, 3), 3)]
    for rows, proven in ((right, 1), (wrong, 0)):
        run = run_of(plan, rows, "simultaneous", "min")
        found = claims_of(run, quality, Limits())
        assert (found.proven, len(found.wrong)) == (proven, 1 - proven)
    limited = claims_of(run_of(plan, right, "simultaneous"), quality, Limits(work=1e-12))
    assert (limited.proven, limited.unchecked, limited.wrong) == (0, 1, [])
    run.search.claims = ""
    assert claims_of(run, quality, Limits()).unchecked == 1
    assert {"sequential", "simultaneous"} <= set(searches.names())
    vast = Pairs()
    vast.n_total = 2000
    assert claims_of(run_of(plan, [("optimal", (0, 1), 1)]), vast, Limits()).unchecked == 1


def test_a_solver_does_not_prove_its_own_claims(plan):
    quality = Linear([3, 2, 1, 0])
    for status, chosen, bound in (("optimal", (0, 1), 5), ("optimal", (0, 2), 4)):
        run = run_of(plan, [(status, chosen, bound)])
        run.rows[0]["solver"] = "cp_sat"
        found = claims_of(run, quality, Limits())
        assert (found.proven, found.unchecked, len(found.wrong)) == (
            (0, 1, 0) if bound == 5 else (0, 0, 1)
        )
