"""Simulated K-way classification: a random non-linear teacher, and the radial data of published experiments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from empirical.networks import ACTIVATIONS, MLP

#: Rows that decide how a teacher's representation is whitened.
SAMPLE = 65536


class Teacher(eqx.Module):
    """f* of the teacher: an MLP of tanh units, whitened, so that every direction of f* varies alike.  x is N(0, 1).

    Without whitening some directions hardly move the labels' probabilities, and finding them takes students as long
    as all others together.
    """

    network: MLP
    mean: jax.Array
    whitening: jax.Array

    def __call__(self, x: jax.Array) -> jax.Array:
        return (self.network(x) - self.mean) @ self.whitening


def teacher(seed: int, inputs: int, width: int, depth: int, dim: int, gain: float) -> Teacher:
    """Draw a teacher of ``depth`` hidden layers.  The larger the gain, the less linear it is."""
    key = jax.random.fold_in(jax.random.key(2), seed)
    network = MLP(key, (inputs, *(width,) * depth, dim), ACTIVATIONS["tanh"], gain, bias=0.3)
    x = jax.random.normal(jax.random.fold_in(key, 1), (SAMPLE, inputs))
    values = np.asarray(eqx.filter_jit(network)(x), dtype=np.float64)
    whitening = np.linalg.inv(np.linalg.cholesky(np.cov(values.T).reshape(dim, dim))).T
    return Teacher(network, jnp.asarray(values.mean(axis=0), jnp.float32), jnp.asarray(whitening, jnp.float32))


def teacher_labels(seed: int, labels: int, dim: int, scale: float) -> np.ndarray:
    """g* of a teacher (labels, dim): centred, all its singular values ``scale`` √labels, of which min(labels - 1, dim).

    So the label differences span as many directions as labels - 1 allow, and each is seen as well as the others.
    """
    drawn = np.random.default_rng([seed, labels]).normal(size=(labels, dim))
    u, values, vt = np.linalg.svd(drawn - drawn.mean(axis=0), full_matrices=False)
    rank = min(labels - 1, dim, len(values))
    return scale * np.sqrt(labels) * u[:, :rank] @ vt[:rank]


class Variants(NamedTuple):
    """What differs between members: g* padded to the most labels (members, labels, dim), and which labels there are."""

    g: np.ndarray
    present: np.ndarray


def variants(tables: Sequence[np.ndarray]) -> Variants:
    """Stack the tables g* of several members, which may have different numbers of labels."""
    most = max(len(table) for table in tables)
    g = np.zeros((len(tables), most, tables[0].shape[1]), dtype=np.float32)
    present = np.zeros((len(tables), most), dtype=bool)
    for i, table in enumerate(tables):
        g[i, : len(table)] = table
        present[i, : len(table)] = True
    return Variants(g, present)


def radial(key: jax.Array, rows: int) -> tuple[jax.Array, jax.Array]:
    """x ~ N(0, 9 I) in the plane (rows, 2), and its angle folded modulo π, in shares of π (rows,).

    With K labels the label is the number of the angle's bin, of K equal ones.  Published follow-ups use this.
    """
    x = 3.0 * jax.random.normal(key, (rows, 2))
    return x, jnp.mod(jnp.arctan2(x[:, 1], x[:, 0]), jnp.pi) / jnp.pi
