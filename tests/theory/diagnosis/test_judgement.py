"""What is said, and what is not: too few contexts, a bound one way only, rounding that hides the answer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.theory.diagnosis.families import Array, equal_to, random_model
from tests.theory.diagnosis.mutate import caught, mutated
from theory.diagnosis import Diagnosis, Support, TrainedModel, blur, diagnose, fitted, judged

Normal = Callable[..., Array]


def normal(seed: int = 0) -> Normal:
    rng = np.random.default_rng(seed)
    return lambda *shape: rng.normal(size=shape)


# No better than shuffled rows ------------------------------------------------------------------------------------


def check_related() -> None:
    """Related models, an R² below 0, and every shuffle far below it."""
    n = normal()
    f, g = n(70, 30), n(40, 30)
    found = diagnose(TrainedModel(f, g), TrainedModel(f + 0.3 * n(70, 30), g + 0.3 * n(40, 30)))
    for direction in found.directions:
        assert direction.fitted.chance < direction.fitted.affine_r2 < 0
        assert direction.fitted.above_chance
        assert not direction.fitted.no_better
    assert found.judgement.support is Support.CANNOT_TELL
    assert "no better" not in found.summary


def test_a_relation_below_the_mean_is_above_chance() -> None:
    check_related()
    with mutated(fitted, "return self.affine_r2 > self.chance", "return self.affine_r2 > max(self.chance, 0.0)"):
        assert caught(check_related)


def check_few_contexts() -> None:
    n = normal()
    for _ in range(50):
        f = n(40, 15)
        found = diagnose(TrainedModel(f), TrainedModel(f + 1.5 * n(40, 15)))
        assert found.judgement.support is Support.CANNOT_TELL


def test_few_contexts_do_not_say_that_there_is_no_relation() -> None:
    check_few_contexts()
    with mutated(fitted, "PLENTY = 10", "PLENTY = 1"):
        assert caught(check_few_contexts)


def test_how_many_contexts_are_plenty() -> None:
    """Ten to fit on for each dimension and the offset: 50 for 4 dimensions, so 100 in all."""
    for contexts, support in ((98, Support.CANNOT_TELL), (100, Support.NOT_EQUIVALENT)):
        n = normal(2)
        found = diagnose(TrainedModel(n(contexts, 4), n(9, 4)), TrainedModel(n(contexts, 4), n(9, 4)))
        assert all(d.fitted.no_better and d.fitted.needed == 50 for d in found.directions)
        assert found.judgement.support is support
    few = diagnose(TrainedModel(normal(3)(40, 4)), TrainedModel(normal(4)(40, 4)))
    assert "but 20 contexts to fit on are too few" in few.summary
    assert "(50 are needed)" in few.summary


def test_groups_count_once() -> None:
    """Twenty copies of each of ten rows are ten rows."""
    n = normal(5)
    groups = np.repeat(np.arange(10), 20)
    found = diagnose(TrainedModel(n(10, 3)[groups]), TrainedModel(n(10, 3)[groups]), groups=groups.tolist())
    there = found.directions[0].fitted
    assert (there.fit_on, there.separate, there.plenty) == (100, 5, False)
    assert found.judgement.support is Support.CANNOT_TELL


def test_an_undefined_r2_is_no_evidence() -> None:
    """A target that does not vary has no R², which is neither above chance nor below it."""
    n = normal(6)
    found = diagnose(TrainedModel(n(300, 3), n(9, 3)), TrainedModel(np.ones((300, 3)), n(9, 3)))
    there = found.directions[0].fitted
    assert np.isnan(there.affine_r2)
    assert not there.above_chance
    assert not there.no_better
    assert found.judgement.support is Support.CANNOT_TELL
    assert "A to B undefined (shuffled: at most undefined)" in found.summary
    assert "nan" not in found.summary


# A bound one way -------------------------------------------------------------------------------------------------


def free_directions() -> Diagnosis:
    """The labels of A do not see its fourth dimension, which B does not follow."""
    n = normal()
    s, h = n(300, 3), n(10, 3)
    wide = TrainedModel(np.c_[s, n(300)], np.c_[h, np.zeros(10)])
    return diagnose(wide, TrainedModel(np.c_[s, 1e-3 * n(300)], np.c_[h, n(10)]))


def smaller() -> Diagnosis:
    """B holds two of the four dimensions of A, and the labels hardly look at the others."""
    n = normal(1)
    f, g = n(300, 4), n(10, 4)
    g[:, 2:] *= 1e-3
    f[:, 2:] *= 10
    return diagnose(TrainedModel(f, g), TrainedModel(f[:, :2], g[:, :2]))


def vacuous() -> Diagnosis:
    """The labels of A hardly see a dimension, which B follows with an error."""
    n = normal(2)
    f, g = n(300, 3), n(10, 3)
    g[:, 2] *= 1e-3
    return diagnose(TrainedModel(f, g), TrainedModel(f * [1, 1, 1e-3] + 3e-3 * n(300, 3), g * [1, 1, 1e3]))


ONE_WAY = {
    free_directions: "it has no bound: the label differences of A see 3 of 4 dimensions, so the rest is free",
    smaller: "f(B) has dimension 2, so a map gives at most 2 of the 4 dimensions of f(A)",
    vacuous: "its bound is vacuous, ",
}


def check_one_way(case: Callable[[], Diagnosis]) -> None:
    found = case()
    there, back = found.directions
    assert there.best is not None
    assert there.best.informative
    assert back.best is None or not back.best.informative
    assert found.judgement.support is Support.ONE_WAY
    said = f"linear one way, up to a bound: f(B) predicted from f(A) errs by {there.best.relative_error:.2g} of its"
    assert said in found.summary
    assert f"spread, at most by {there.best.relative_bound:.2g}; the other way, from f(B) to f(A), is open: " in (
        found.summary
    )
    assert ONE_WAY[case] in found.summary
    if case is vacuous:
        assert back.best is not None
        assert f"its bound is vacuous, {back.best.relative_bound:.3g} times the spread of f(A)" in found.summary


@pytest.mark.parametrize("case", ONE_WAY)
def test_a_bound_one_way_only(case: Callable[[], Diagnosis]) -> None:
    check_one_way(case)


def test_one_informative_bound_is_not_two() -> None:
    with mutated(judged, "if len(informative) == len(directions):", "if informative:"):
        assert caught(lambda: check_one_way(free_directions))


def test_both_ways_are_named() -> None:
    n = normal(3)
    f, g = n(300, 3), n(10, 3)
    found = diagnose(TrainedModel(f, g), TrainedModel(f + 1e-3 * n(300, 3), g))
    assert found.judgement.support is Support.BOUNDED
    assert "f(B) predicted from f(A) errs by" in found.summary
    assert "f(A) predicted from f(B) errs by" in found.summary


# Rounding --------------------------------------------------------------------------------------------------------


def offset(size: float, dtype: str, columns: int, known: bool) -> Diagnosis:
    """Unrelated models whose first columns of f lie far from 0."""
    n = normal()

    def one() -> TrainedModel:
        f, g = n(300, 3), n(10, 3)
        f[:, :columns] += size
        return TrainedModel(f.astype(dtype), g.astype(dtype) if known else None)

    return diagnose(one(), one())


FAR = [(1e6, "f4", 3), (5e5, "f4", 3), (1e6, "f4", 1), (1e14, "f8", 3)]


def check_hidden(size: float, dtype: str, columns: int, known: bool) -> None:
    found = offset(size, dtype, columns, known)
    assert [d.map_exists.answer for d in found.directions] == ["undecided"] * 2
    assert found.judgement.support is Support.CANNOT_TELL
    assert "rounding hides whether a linear map exists: it may hide about 0.0" in found.summary
    assert "of the spread of a column of f(B) and about 0.0" in found.summary
    shown = [row.value for row in found.rows() if row.quantity == "exact linear map"]
    assert all(value.startswith("undecided: rounding may hide about 0.0") for value in shown)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(("size", "dtype", "columns"), FAR)
def test_rounding_hides_the_answer(size: float, dtype: str, columns: int, known: bool) -> None:
    check_hidden(size, dtype, columns, known)


def test_a_larger_share_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blur, "SHARE", 10.0)
    assert caught(lambda: check_hidden(1e6, "f4", 3, True))


@pytest.mark.parametrize(("size", "dtype"), [(0.0, "f2"), (0.0, "f4"), (1e3, "f4"), (1e10, "f8")])
def test_rounding_that_hides_nothing(size: float, dtype: str) -> None:
    found = offset(size, dtype, 3, True)
    assert not any(d.hidden for d in found.directions)
    assert found.judgement.support is Support.NOT_EQUIVALENT


def test_equal_models_in_float16_are_consistent() -> None:
    """The rounding of float16 itself is small against the spread."""
    rng = np.random.default_rng(0)
    star = random_model(rng, 200, 12, 4)
    prime = equal_to(star, rng)[0]
    assert prime.g is not None
    found = diagnose(TrainedModel(prime.f.astype("f2"), prime.g.astype("f2")), star)
    assert found.judgement.support is Support.CONSISTENT


def test_an_error_beyond_rounding_is_no_exact_map() -> None:
    """Entries near 6 in float16: all bounds together exceed an error that is five times one rounding."""
    n = normal()
    f = n(30, 3) + 6
    found = diagnose(*(TrainedModel(side.astype("f2")) for side in (f, f + 0.02 * n(30, 3))))
    assert not any(d.hidden for d in found.directions)
    assert [d.map_exists.answer for d in found.directions] == ["undecided"] * 2
    assert found.directions[0].map_exists.detail.startswith("the best map errs by 0.018 of the spread of a column")
    assert found.judgement.support is Support.CANNOT_TELL


def test_a_narrow_column_is_judged_by_its_own_spread() -> None:
    """One column related and wide, one unrelated: in float32 rounding of the first is as large as the second."""
    n = normal()
    s = 1e6 * n(300)
    found = diagnose(*(TrainedModel(np.c_[s, n(300)].astype("f4")) for _ in range(2)))
    assert found.judgement.support is Support.CANNOT_TELL
    assert [d.map_exists.holds for d in found.directions] == [None, None]


def test_constant_columns() -> None:
    """Zeros and ones hide nothing; a large constant may be what rounding made of anything."""
    n = normal()
    f = np.c_[n(300, 3), np.zeros(300), np.ones(300)].astype("f4")
    assert diagnose(TrainedModel(f), TrainedModel(f[:, ::-1])).judgement.support is Support.CONSISTENT
    lost = [TrainedModel((n(300, 3) + 1e8).astype("f4")) for _ in range(2)]
    found = diagnose(*lost)
    assert found.judgement.support is Support.CANNOT_TELL
    assert "it may hide all of the spread of a column of f(B)" in found.summary


def test_an_affine_map_is_spelt_so() -> None:
    n = normal()
    g, b = n(10, 3), n(10)
    f = (n(300, 3) + 1e6).astype("f4")
    found = diagnose(TrainedModel(f, g, b), TrainedModel(f, n(10, 3), b))
    assert "whether an affine map exists" in found.summary
