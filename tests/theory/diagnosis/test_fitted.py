"""The fitted map: judged on contexts that it was not fitted on, against shuffles that keep groups together."""

from __future__ import annotations

import inspect
import types

import numpy as np
import pytest

from tests.theory.diagnosis.mutate import caught
from theory.diagnosis import fitted
from theory.diagnosis.fitted import fit, halves


def check_fit() -> None:
    """As many contexts to fit on as coefficients: perfect where fitted, and worth nothing elsewhere."""
    rng = np.random.default_rng(12)
    source, target = rng.standard_normal((40, 18)), rng.standard_normal((40, 3))
    found = fit(source, target, halves(40, 0.5, 0, None), 0, None)
    assert (found.fit_on, found.judged_on) == (20, 20)
    assert found.determined
    assert found.affine_r2 < 0
    known = fit(source, source @ rng.standard_normal((18, 3)) + 5.0, halves(40, 0.5, 0, None), 0, None)
    assert known.affine_r2 == pytest.approx(1)
    assert known.linear_r2 < 0.9
    assert known.above_chance


def test_fit() -> None:
    check_fit()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tested = source[held_out] - mean", "tested = source[kept] - mean"),
        ("return _r2(rows[held_out], tested", "return _r2(rows[kept], (source[kept] - mean)"),
        ("fitted = solver @ (rows[kept] - rows[kept].mean(axis=0))", "fitted = solver @ rows[held_out]"),
    ],
)
def test_wrong_fits_are_caught(old: str, new: str) -> None:
    wrong = types.ModuleType("theory.diagnosis.fitted")
    source = inspect.getsource(fitted)
    assert old in source
    exec(compile(source.replace(old, new), "mutant", "exec"), wrong.__dict__)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(globals(), "fit", wrong.fit)
        assert caught(check_fit)


def test_groups_are_not_split() -> None:
    groups = np.repeat(np.arange(12), 5).tolist()
    tested = halves(60, 0.5, 3, groups)
    assert {int(tested[5 * k : 5 * k + 5].sum()) for k in range(12)} == {0, 5}
    assert tested.sum() == 30
    assert not (halves(60, 0.5, 4, groups) == tested).all()
    assert halves(60, 0.25, 0, None).sum() == 15
    uneven = halves(60, 0.5, 0, [0] * 59 + [1])
    assert 0 < uneven.sum() < 60


def test_dependent_rows_are_shuffled_in_groups() -> None:
    """Groups of equal rows: shuffling rows one by one would make chance look smaller than it is."""
    rng = np.random.default_rng(13)
    groups = np.repeat(np.arange(30), 10)
    source, target = rng.standard_normal((30, 1))[groups], rng.standard_normal((30, 1))[groups]
    tested = halves(300, 0.5, 0, groups.tolist())
    kept_together = fit(source, target, tested, 0, groups.tolist())
    one_by_one = fit(source, target, tested, 0, None)
    assert kept_together.affine_r2 == one_by_one.affine_r2
    assert kept_together.chance > one_by_one.chance + 0.05
