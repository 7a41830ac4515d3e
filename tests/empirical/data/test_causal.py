"""The data of both causal directions: the conditional is what it says, the mixing can be undone, ranks are exact."""

from __future__ import annotations

import dataclasses

import jax
import numpy as np
import pytest
from scipy import integrate, special

from empirical.data.causal import World, even_signs, generative, mixing, triangle, worlds

LATENTS = 3


def affine_residual(world: World, curve: float = 0.0) -> float:
    """The largest distance of the centred log-probabilities from an affine map of q(z), on 400 rows."""
    with jax.enable_x64(True):
        z = world.latents_of(jax.random.key(0), 400)
        logs = np.asarray(world.log_probabilities(z)) + curve * np.square(np.asarray(z[:, :1])) * np.arange(
            len(world.a)
        )
        q = np.asarray(world.features(z))
    logs = logs - logs.mean(axis=1, keepdims=True)
    q = np.column_stack([q, np.ones(len(q))])
    return float(np.abs(logs - q @ np.linalg.lstsq(q, logs, rcond=None)[0]).max())


@pytest.mark.parametrize("world", worlds(LATENTS), ids=lambda w: w.name)
def test_centred_log_probabilities_are_affine(world: World) -> None:
    assert affine_residual(world) < 1e-12
    assert affine_residual(world, curve=1e-3) > 1e-4  # the check sees a small curve


@pytest.mark.parametrize("latents", [3, 4, 5])
def test_rank_is_that_of_the_latents(latents: int) -> None:
    assert [world.rank for world in worlds(latents)] == [latents] * 3


def test_rank_is_of_the_centred_matrix() -> None:
    """A column of ones has rank 1, and none once the classes are centred."""
    world = generative(LATENTS)
    shifted = dataclasses.replace(world, theta=tuple((*row[:-1], world.theta[0][0]) for row in world.theta))
    assert shifted.rank == LATENTS - 1


def test_even_signs_are_centred_and_orthogonal() -> None:
    signs = np.array(even_signs(4))
    assert (signs.sum(axis=0) == 0).all()
    np.testing.assert_array_equal(signs.T @ signs, 8 * np.eye(4))


def test_generative_posterior_is_that_of_the_densities() -> None:
    """Bayes' rule with densities normalised by quadrature, which knows nothing of psi."""
    world = generative(LATENTS)
    assert world.prior is not None
    z = np.array([0.2, 0.9, 0.4])
    densities = []
    for theta in world.matrix:
        masses = [integrate.quad(lambda u, t=t: np.exp(t * u), 0, 1)[0] for t in theta]
        densities.append(np.prod(np.exp(theta * z) / masses))
    expected = world.prior * densities / (world.prior * densities).sum()
    with jax.enable_x64(True):
        found = np.exp(np.asarray(world.log_probabilities(z[None])))[0]
    np.testing.assert_allclose(found, expected, rtol=1e-10)
    without_psi = special.softmax(world.matrix @ z + np.log(world.prior))
    # psi is the same for every theta of equal signs, so leaving it out is only seen where their numbers differ.
    counts = {int((np.array(row) > 0).sum()) for row in even_signs(LATENTS)}
    assert len(counts) == 2
    assert np.abs(without_psi - expected).max() > 1e-3


def test_generative_latents_have_the_moments_of_their_mixture() -> None:
    world = generative(LATENTS)
    assert world.prior is not None
    z = np.asarray(world.latents_of(jax.random.key(1), 200_000))
    theta = world.matrix
    means = np.exp(theta) / np.expm1(theta) - 1 / theta  # d psi / d theta
    assert z.min() >= 0
    assert z.max() <= 1
    np.testing.assert_allclose(z.mean(axis=0), world.prior @ means, atol=4e-3)
    assert np.abs(z.mean(axis=0) - means.mean(axis=0)).max() > 1e-2  # classes of equal size would be told apart


def test_discriminative_latents_are_sparse_and_dependent() -> None:
    z = np.asarray(worlds(LATENTS)[1].latents_of(jax.random.key(2), 100_000))
    assert abs((z == 0).mean() - 0.5) < 0.01
    both = (z[:, 0] != 0) & (z[:, 1] != 0)
    assert abs(np.corrcoef(z[both, 0], z[both, 1])[0, 1] - 0.3) < 0.03


def test_mixing_can_be_undone_and_is_not_linear() -> None:
    g = mixing(LATENTS, 0, 3, 2.0)
    z = jax.random.normal(jax.random.key(3), (2000, LATENTS))
    x = g(z)
    np.testing.assert_allclose(g.inverse(x), z, atol=1e-4)
    with_ones = np.column_stack([x, np.ones(len(z))])
    left = z - with_ones @ np.linalg.lstsq(with_ones, z, rcond=None)[0]
    assert np.square(left).sum() / np.square(z - z.mean(axis=0)).sum() > 0.1
    wrong = dataclasses.replace(g, rotations=g.rotations.transpose(0, 2, 1))
    assert np.abs(wrong.inverse(x) - z).max() > 0.1


def test_triangle_entropy() -> None:
    _, p = triangle()
    assert len(p) == 49
    assert -(p * np.log(p)).sum(axis=1).mean() == pytest.approx(0.525182, abs=1e-6)
