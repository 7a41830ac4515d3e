"""The best encoders without training: known values, and what a wrong formula would give."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, special

from empirical.data.causal import triangle
from empirical.errors import InputError
from empirical.supervised.measures import held_out_r2
from empirical.supervised.pointwise import (
    best_affine_encoder,
    best_encoder,
    kl,
    match_moments,
    squared_residual,
)


def r2(source: np.ndarray, target: np.ndarray) -> float:
    """In-sample."""
    source = np.column_stack([source, np.ones(len(source))])
    left = target - source @ np.linalg.lstsq(source, target, rcond=None)[0]
    return float(1 - np.square(left).sum() / np.square(target - target.mean(axis=0)).sum())


def test_triangle_in_one_dimension() -> None:
    """Statement 2.4 (reconstruction): the gaps of the free and of the affine encoder, and R² of the free one."""
    z, p = triangle()
    free = best_encoder(p, 1, starts=12)
    assert free.gap == pytest.approx(0.197989, abs=1e-5)
    assert best_affine_encoder(p, z, 1, starts=6).gap == pytest.approx(0.292782, abs=1e-5)
    assert r2(z, free.h) == pytest.approx(0.7748, abs=1e-4)


def test_triangle_in_two_dimensions() -> None:
    """Statement 2.3: with m = r the entropy is attained, by an affine h."""
    z, p = triangle()
    best = best_encoder(p, 2, starts=2)
    assert best.gap < 1e-12
    assert r2(z, best.h) == pytest.approx(1, abs=1e-9)


def test_several_global_optima() -> None:
    """Statement 2.4.4: minima of equal value whose h are not affinely related."""
    _, p = triangle()
    found = [best_encoder(p, 1, starts=1, seed=seed) for seed in range(12)]
    least = min(one.gap for one in found)
    equal = [one.h[:, 0] for one in found if one.gap < least + 1e-9]
    correlations = np.abs(np.corrcoef(equal))
    assert correlations.min() == pytest.approx(0.497, abs=2e-3)


def test_moments_match_and_no_other_h_is_better() -> None:
    rng = np.random.default_rng(0)
    p, W, beta = rng.dirichlet(np.ones(5), size=6), rng.normal(size=(5, 2)), rng.normal(size=5)
    h = match_moments(p, W, beta, np.zeros((6, 2)))
    np.testing.assert_allclose(special.softmax(h @ W.T + beta, axis=1) @ W, p @ W, atol=1e-9)
    for i in range(6):
        found = optimize.minimize(lambda v, i=i: kl(p[i : i + 1], v[None] @ W.T + beta)[0], np.zeros(2), tol=1e-12)
        np.testing.assert_allclose(h[i], found.x, atol=1e-4)
    far = match_moments(p, W, beta, np.full((6, 2), 200.0))
    np.testing.assert_allclose(far, h, atol=1e-7)


def test_the_free_encoder_is_never_worse_than_an_affine_one() -> None:
    rng = np.random.default_rng(1)
    z = rng.normal(size=(60, 3))
    p = special.softmax(z @ rng.normal(size=(3, 5)), axis=1)
    for m in (1, 2):
        assert best_encoder(p, m, starts=6).gap < best_affine_encoder(p, z, m, starts=6).gap


def test_squared_error_is_solved_by_an_affine_encoder() -> None:
    """The best h under squared error are principal components, which are affine in z; a fit of less rank is worse."""
    rng = np.random.default_rng(2)
    z = rng.normal(size=(200, 3))
    y = z @ rng.normal(size=(3, 5)) + 1.0
    centred = y - y.mean(axis=0)
    u, s, vt = np.linalg.svd(centred, full_matrices=False)
    h = u[:, :1] * s[0]
    assert squared_residual(y, 1) == pytest.approx(np.square(centred - h @ vt[:1]).sum() / len(y))
    assert held_out_r2(z, h) == pytest.approx(1)
    assert squared_residual(y, 3) == pytest.approx(0, abs=1e-12)
    assert squared_residual(y, 2) < squared_residual(y, 1)


@pytest.mark.parametrize("p", [np.array([[0.5, 0.6]]), np.array([[0.0, 1.0]]), np.array([0.5, 0.5])])
def test_refuses_what_is_no_distribution(p: np.ndarray) -> None:
    with pytest.raises(InputError, match="positive probabilities"):
        best_encoder(p, 1, starts=1)
