"""Arrays of any size that squares allow: the answers do not depend on the unit, and none is NaN."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

from tests.theory.diagnosis.families import Array, equal_to, noisy, random_model
from theory.diagnosis import Diagnosis, Support, TrainedModel, diagnose, norms
from theory.diagnosis.fitted import fit, halves
from theory.diagnosis.ranks import spread


def scaled(model: TrainedModel, by: float) -> TrainedModel:
    """The same logits: f times ``by``, a power of two, and g over it."""
    assert model.g is not None
    return TrainedModel(model.f * by, model.g / by, model.bias)


def answers(found: Diagnosis) -> tuple[object, ...]:
    return (
        found.summary,
        [a.violated for d in found.directions for a in (d.predicted, d.from_all) if a is not None],
        # But for the one that asks for the rank of f with a column of ones beside it, whatever the unit of f.
        [(t.theorem, t.applies) for t in found.theorems if t.theorem != "biased_label_representation"],
        [(str(m.f), str(m.label_differences)) for m in found.models],
    )


@pytest.mark.parametrize("kind", ["equal", "close", "unrelated"])
def test_the_unit_of_f_changes_nothing(kind: str) -> None:
    rng = np.random.default_rng(0)
    star = random_model(rng, 120, 9, 3, biased=True)
    prime = {
        "equal": lambda: equal_to(star, rng, biased=True)[0],
        "close": lambda: noisy(star, rng, 1e-3),
        "unrelated": lambda: random_model(rng, 120, 9, 3),
    }[kind]()
    wanted = {"equal": Support.CONSISTENT, "close": Support.BOUNDED, "unrelated": Support.NOT_EQUIVALENT}[kind]
    plain = diagnose(prime, star)
    assert plain.judgement.support is wanted
    for there, back in ((420, 420), (-420, -420), (200, -200), (-200, 200), (0, 420)):
        found = diagnose(scaled(prime, 2.0**there), scaled(star, 2.0**back))
        assert answers(found) == answers(plain)
        assert json.dumps(found.to_json(), allow_nan=False)


@pytest.mark.parametrize("size", [10.0**e for e in (155, 162, 200, 300, -155, -162, -170, -300)])
def test_what_squares_do_not_reach_is_refused(size: float) -> None:
    rng = np.random.default_rng(0)
    f, g = rng.standard_normal((30, 3)), rng.standard_normal((8, 3))
    for arrays in ((size * f, g), (f, size * g), (f, g, size * g[:, 0]), (size * f,)):
        with pytest.raises(ValueError, match="in size, the largest: it must lie between 1e-130 and 1e"):
            TrainedModel(*arrays)


def check_norms() -> None:
    values = np.array([[3.0, 4.0], [0.0, 0.0], [5.0, 12.0]])
    for by in (2.0**e for e in (-1000, -600, 0, 600, 1000)):
        assert norms.norm(by * values) == pytest.approx(by * np.sqrt(194), rel=1e-12)
        assert norms.rms(by * values) == pytest.approx(by * np.sqrt(194 / 6), rel=1e-12)
        assert (norms.row_norms(by * values) == by * np.array([5, 0, 13])).all()
        assert norms.unexplained(by * values, 2 * by * values) == 0.25
    tiny_and_huge = np.array([[3e-200, 4e-200], [3e200, 4e200]])
    assert norms.row_norms(tiny_and_huge) == pytest.approx([5e-200, 5e200], rel=1e-12)
    assert np.isnan(norms.norm(np.array([1.0, np.nan])))
    assert np.isnan(norms.unexplained(values, 0 * values))


def test_norms() -> None:
    check_norms()


def test_norms_without_their_unit_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(norms, "unit", lambda values: 1.0)
    with pytest.raises(AssertionError), np.errstate(over="ignore"):
        check_norms()


def test_spread_and_r2_in_any_unit() -> None:
    rng = np.random.default_rng(1)
    f = rng.standard_normal((40, 3))
    tested = halves(40, 0.5, 0, None)
    plain = fit(f, f[:, ::-1] + 0.5, tested, 0, None)

    def same(source: Array, target: Array) -> None:
        found = fit(source, target, tested, 0, None)
        assert (found.affine_r2, found.chance) == pytest.approx((plain.affine_r2, plain.chance), rel=1e-9)

    for one, other in product((2.0**-420, 1.0, 2.0**420), repeat=2):
        assert spread(one * f) == pytest.approx(one * spread(f), rel=1e-12)
        same(one * f, other * (f[:, ::-1] + 0.5))
