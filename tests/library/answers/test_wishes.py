import numpy as np
import pytest

from altfs import AlternativeFeatures, Constraints, Group, Implication, Wish
from altfs.errors import AltfsError, UnsupportedProblemError

SCORES = [0.5, 0.4, 0.3, 0.2, 0.1]
TABLE = np.zeros((2, 5))
WISHES = Constraints(
    wishes=[
        Wish(0.05, group=Group(["x0"], at_most=0)),
        Wish(0.3, implication=Implication(["x1"], ["x4"])),
    ],
    share_price=0.01,
)


def fitted(constraints=WISHES, **request):
    request = {"n_features": 2, "n_alternatives": 1, "max_overlap": 1, **request}
    return AlternativeFeatures(SCORES, constraints=constraints, **request).fit(TABLE)


def test_the_table_says_who_pays_and_what_a_wish_costs():
    afs = fitted()
    assert [s.names for s in afs.feature_sets_] == [("x0", "x2"), ("x0", "x3")]
    assert [s.train_objective for s in afs.feature_sets_] == pytest.approx([0.75, 0.64])
    table = afs.explain().wishes
    assert table["violated"].tolist() == [2, 0, 1]
    # Without the first wish the best set is x0, x2 (the second one is kept); with it x2, x3.
    assert table["cost"].tolist() == pytest.approx([0.3, 0.1, np.nan], nan_ok=True)
    said = str(afs.explain())
    assert "none of x0: 2 sets pay 0.05; as a constraint it costs 0.3." in said
    assert "x1 needs x4: 0 sets pay 0.3" in said
    assert "Each of 1 shared feature costs 0.01." in said


def test_without_prices_there_is_no_table():
    assert fitted(None).explain().wishes.empty


def test_answers_about_the_quality_alone_refuse_prices():
    for answer in ("all_optimal", "nearly_optimal"):
        with pytest.raises(UnsupportedProblemError, match=f"{answer}: .*leave out `wishes`"):
            getattr(fitted(), answer)()
    assert fitted().without("x0").names == ("x1", "x4")


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"price": 0, "group": {"features": ["x0"], "at_most": 0}}, "price: 0 is not allowed"),
        ({"price": 1}, "a wish needs one of group, implication and sum"),
        ({"price": 1, "group": {"features": ["x9"], "at_most": 0}}, r"wishes\[0\].group.features"),
    ],
)
def test_nonsense_is_refused(wish, said):
    with pytest.raises(AltfsError, match=said):
        fitted({"wishes": [wish]})


def test_all_searches_that_look_at_sets_take_prices():
    for search in ("enumeration", "local_search"):
        afs = fitted(
            WISHES.model_copy(update={"share_price": 0.0}), search=search, n_alternatives=0
        )
        assert afs.feature_sets_[0].names == ("x0", "x2")
