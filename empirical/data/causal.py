"""Latents, observations and labels with a known conditional, in both causal directions, and one where it is not linear.

In all of them log p(c|z) = theta_c·q(z) + a_c up to a constant, and x = g(z) with g injective:

- *generative*, labels cause latents: y ~ pi, and z given y has density proportional to exp(theta_y·z) on [0, 1]^d, so
  a_c = log pi_c - psi(theta_c) and q(z) = z;
- *discriminative*, latents cause labels: z is sparse and dependent, then y ~ softmax(A z + a), and q(z) = z;
- *curved*, a control: the discriminative z, but q(z) = 2 cos z - 1.6, which is about 0 on average, so the
  log-probabilities are not affine in z.

A reconstruction from the abstract of the supervised paper; the distributions and sizes are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import jax
import jax.numpy as jnp
import numpy as np

from theory.arithmetic import exact_matrix

WORLDS = ("generative", "discriminative", "curved")
#: Those that the theory is about.
DIRECTIONS = WORLDS[:2]
#: Of the discriminative z: how often a latent is not zero, and the correlation of those that are not.
ACTIVE, CORRELATION = 0.5, 0.3
#: Sizes of the generative theta, whose entries are ±TILT, and of the discriminative A.
TILT, GAIN = 4, 1


@dataclass(frozen=True, slots=True)
class World:
    """theta (C, d) exactly, and a (C,); ``rank`` is that of the centred theta over the rationals, the paper's r."""

    name: str
    theta: tuple[tuple[Fraction, ...], ...]
    a: np.ndarray
    prior: np.ndarray | None = None

    @property
    def latents(self) -> int:
        return len(self.theta[0])

    @property
    def matrix(self) -> np.ndarray:
        """theta (C, d) in floating point."""
        return np.array(self.theta, dtype=np.float64)

    @property
    def rank(self) -> int:
        count = len(self.theta)
        centring = [[Fraction(int(i == j)) - Fraction(1, count) for j in range(count)] for i in range(count)]
        return (exact_matrix(centring) @ exact_matrix(self.theta)).rank()

    def features(self, z: jax.Array) -> jax.Array:
        """q(z), of the shape of z."""
        return 2 * jnp.cos(z) - 1.6 if self.name == "curved" else z

    def centred(self, z: jax.Array) -> jax.Array:
        """z as the mixing takes it: about 0, and about as wide in all worlds."""
        return 4.0 * (z - 0.5) if self.prior is not None else 1.5 * z

    def log_probabilities(self, z: jax.Array) -> jax.Array:
        """log p(c|z), exactly the conditional of the labels (rows, C)."""
        return jax.nn.log_softmax(self.features(z) @ jnp.asarray(self.matrix.T) + jnp.asarray(self.a))

    def latents_of(self, key: jax.Array, rows: int) -> jax.Array:
        """Draw z (rows, d)."""
        first, second = jax.random.split(key)
        shape = (rows, self.latents)
        if self.prior is None:
            own, common = jax.random.normal(first, shape), jax.random.normal(second, (rows, 1))
            z = np.sqrt(1 - CORRELATION) * own + np.sqrt(CORRELATION) * common
            return jnp.where(jax.random.bernoulli(jax.random.fold_in(key, 2), ACTIVE, shape), z, 0.0)
        y = jax.random.categorical(first, jnp.log(jnp.asarray(self.prior)), shape=(rows,))
        theta = jnp.asarray(self.matrix)[y]
        return jnp.log1p(jax.random.uniform(second, shape) * jnp.expm1(theta)) / theta  # the inverse of the CDF


def even_signs(latents: int) -> list[tuple[int, ...]]:
    """The 2^(d-1) sign vectors whose product is 1: for d >= 3 centred, with orthogonal columns.

    All 2^d of them would make the labels independent given z, one latent each: the exception of statement 2.4, in
    which a head that is too small loses latents but stays affine.
    """
    return [signs for signs in product((1, -1), repeat=latents) if np.prod(signs) == 1]


def generative(latents: int, seed: int = 0) -> World:
    """theta = ±TILT, classes of unequal size.  psi(theta) = sum_j log((exp(theta_j) - 1) / theta_j)."""
    signs = even_signs(latents)
    theta = tuple(tuple(Fraction(TILT * s) for s in row) for row in signs)
    drawn = np.random.default_rng([seed, 1]).uniform(1, 2, size=len(signs))
    prior = drawn / drawn.sum()
    values = TILT * np.array(signs, dtype=np.float64)
    psi = np.log(np.expm1(values) / values).sum(axis=1)
    return World("generative", theta, np.log(prior) - psi, prior)


def discriminative(latents: int, seed: int = 0, name: str = "discriminative") -> World:
    """A is the generative theta, smaller and with its columns mixed: z_j + z_(j+1)/2 takes the place of z_j."""
    mixed = [
        [Fraction(int(j == k)) + Fraction(int((j + 1) % latents == k), 2) for k in range(latents)]
        for j in range(latents)
    ]
    theta = (exact_matrix(even_signs(latents)) @ exact_matrix(mixed)).scaled(Fraction(GAIN)).tolist()
    drawn = np.random.default_rng([seed, 2]).normal(scale=0.5, size=len(theta))
    return World(name, tuple(map(tuple, theta)), drawn)


def worlds(latents: int, seed: int = 0) -> tuple[World, ...]:
    """All of ``WORLDS``, in that order."""
    return generative(latents, seed), discriminative(latents, seed), discriminative(latents, seed, "curved")


@dataclass(frozen=True, slots=True)
class Mixing:
    """An injective smooth g: rotations, each followed by an additive coupling.

    A coupling adds to the last coordinates a network of tanh units of the others, so it is undone by subtracting the
    same: g is a bijection of R^d, however non-linear it is.
    """

    rotations: np.ndarray
    first: np.ndarray
    biases: np.ndarray
    second: np.ndarray

    @property
    def kept(self) -> int:
        return self.first.shape[1]

    def _shift(self, x: jax.Array, layer: int) -> jax.Array:
        hidden = jnp.tanh(x[..., : self.kept] @ self.first[layer] + self.biases[layer])
        return jnp.concatenate([jnp.zeros_like(x[..., : self.kept]), hidden @ self.second[layer]], axis=-1)

    def __call__(self, z: jax.Array) -> jax.Array:
        """x = g(z), of the shape of z (rows, d)."""
        for layer, rotation in enumerate(self.rotations):
            z = z @ rotation
            z = z + self._shift(z, layer)
        return z

    def inverse(self, x: jax.Array) -> jax.Array:
        """z = g⁻¹(x)."""
        for layer in reversed(range(len(self.rotations))):
            x = (x - self._shift(x, layer)) @ self.rotations[layer].T
        return x


def mixing(latents: int, seed: int, layers: int, gain: float, width: int = 8) -> Mixing:
    """Draw a mixing; the larger ``gain``, the less linear."""
    rng, kept = np.random.default_rng([seed, 3]), latents - latents // 2
    turned = [np.linalg.qr(rng.normal(size=(latents, latents)))[0] for _ in range(layers)]
    return Mixing(
        np.array(turned, dtype=np.float32),
        rng.normal(scale=gain, size=(layers, kept, width)).astype(np.float32),
        rng.normal(scale=0.5, size=(layers, width)).astype(np.float32),
        rng.normal(scale=gain / np.sqrt(width), size=(layers, width, latents - kept)).astype(np.float32),
    )


def triangle() -> tuple[np.ndarray, np.ndarray]:
    """49 points z (49, 2), the origin and four circles of 12, and their label probabilities (49, 3).

    theta is twice an equilateral triangle of unit vectors: r = 2 and H = 0.525182.  On these few points the least
    CE - H of one dimension is known: 0.197989 over all encoders and 0.292782 over affine ones.
    """
    around = 2 * np.pi * np.arange(12) / 12
    circles = [radius * np.column_stack([np.cos(around), np.sin(around)]) for radius in (0.5, 1.0, 1.5, 2.0)]
    z = np.concatenate([np.zeros((1, 2)), *circles])
    corners = 2 * np.pi * np.arange(3) / 3
    weights = np.exp(z @ (2 * np.column_stack([np.cos(corners), np.sin(corners)])).T)
    return z, weights / weights.sum(axis=1, keepdims=True)
