"""What encoders are measured by, on encoders that are known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from empirical.errors import InputError
from empirical.supervised.measures import error_bound, held_out_r2, measured, split

RNG = np.random.default_rng(0)
Z = RNG.normal(size=(600, 1))
W = np.array([[1.0, 0.0], [-1.0, 0.0]])
LOGS = special.log_softmax(Z * np.array([1.0, -1.0]), axis=1)


def test_example_a_same_logits_one_affine_one_not() -> None:
    """h = (z, 0) and h = (z, z² + sin z): the head reads only the first coordinate."""
    plain = measured(np.column_stack([Z, 0 * Z]), W, np.zeros(2), Z, LOGS)
    curved = measured(np.column_stack([Z, Z**2 + np.sin(Z)]), W, np.zeros(2), Z, LOGS)
    assert plain.gap == pytest.approx(0, abs=1e-12)
    assert curved.gap == pytest.approx(0, abs=1e-12)
    assert (plain.row, curved.row) == (pytest.approx(1), pytest.approx(1))
    assert plain.linear == pytest.approx(1)
    assert curved.linear < 0.7
    assert plain.free == pytest.approx(0, abs=1e-12)
    assert curved.free > 0.3
    assert curved.rank == 1


def test_an_affine_null_space_part_is_not_free() -> None:
    found = measured(np.column_stack([Z, 2 * Z + 1]), W, np.zeros(2), Z, LOGS)
    assert found.null == pytest.approx(0.8)
    assert found.free == pytest.approx(0, abs=1e-12)


def test_the_row_space_is_that_of_the_centred_head() -> None:
    """A constant added to all classes is not read: without centring the rank would be 2."""
    h = np.column_stack([Z, Z**2])
    row, null, _ = split(h, W + np.array([0.0, 5.0]))
    assert row.shape[1] == null.shape[1] == 1
    np.testing.assert_allclose(np.abs(row), np.abs(Z), atol=1e-12)


def test_held_out_r2_does_not_reward_a_fit_of_noise() -> None:
    noise, other = RNG.normal(size=(60, 25)), RNG.normal(size=(60, 2))
    assert held_out_r2(noise, other) < 0
    with_ones = np.column_stack([noise, np.ones(60)])
    left = other - with_ones @ np.linalg.lstsq(with_ones, other, rcond=None)[0]
    assert 1 - np.square(left).sum() / np.square(other - other.mean(axis=0)).sum() > 0.2  # in-sample does


def test_divergence_is_that_of_the_definition() -> None:
    p, delta = RNG.dirichlet(np.ones(4), size=50), RNG.normal(size=(50, 4))
    expected = (p * (np.log(p) - special.log_softmax(np.log(p) + delta, axis=1))).sum(axis=1)
    np.testing.assert_allclose(error_bound(p, delta)[0], expected, atol=1e-14)


def test_the_error_bound_holds_and_its_mutants_do_not() -> None:
    rng = np.random.default_rng(5)
    used, without_b, without_two, ours, theirs = [], [], [], [], []
    for _ in range(4000):
        p = rng.dirichlet(np.full(rng.integers(2, 6), rng.uniform(0.1, 3))) + 1e-9
        delta = rng.normal(size=len(p)) * 10 ** rng.uniform(-3, 1)
        divergence, variance, bound = (v[0] for v in error_bound((p / p.sum())[None], delta[None]))
        used.append(variance / bound)
        without_b.append(variance / (2 * divergence))
        without_two.append(variance / (bound / 2))
        ours.append(bound)
        theirs.append(2 * np.exp(2 * np.ptp(delta)) * divergence)
    assert max(used) <= 1 + 1e-9
    assert max(without_b) > 1.5
    assert max(without_two) > 1.5
    assert (np.array(ours) <= np.array(theirs)).all()  # so the bound of the reconstruction, with e^(4B), holds too


def test_a_shift_of_all_logits_changes_nothing() -> None:
    p, delta = RNG.dirichlet(np.ones(4), size=20), RNG.normal(size=(20, 4))
    for one, other in zip(error_bound(p, delta), error_bound(p, delta + 7.0), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_nan_is_refused() -> None:
    with pytest.raises(InputError, match="not finite"):
        measured(np.full((600, 2), np.nan), W, np.zeros(2), Z, LOGS)
