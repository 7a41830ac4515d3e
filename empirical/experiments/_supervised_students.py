"""The ensembles of ``simulated_supervised``: encoders with a linear head and a bias, their data and losses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from empirical.data.causal import WORLDS, mixing, triangle, worlds
from empirical.engine import Ensemble, Member
from empirical.experiment import Run, members_of
from empirical.networks import ACTIVATIONS, MLP

if TYPE_CHECKING:
    from empirical.experiments.simulated_supervised import Settings

Point = Mapping[str, int]
Pool = Callable[[jax.Array], tuple[jax.Array, jax.Array]]


class Supervised(eqx.Module):
    """h = f(x) (rows, m) and logits W h + beta (rows, C)."""

    f: MLP
    W: jax.Array
    beta: jax.Array


class Variant(NamedTuple):
    """What differs between members: which world, whether the error is squared, and the price of energy."""

    world: jax.Array | np.ndarray
    squared: jax.Array | np.ndarray
    energy: jax.Array | np.ndarray


def point(world: str, *, squared: bool = False, energy: bool = False) -> Point:
    """A place in the sweep."""
    return {"world": WORLDS.index(world), "squared": int(squared), "energy": int(energy)}


def data(settings: Settings, key: jax.Array, rows: int) -> tuple[jax.Array, jax.Array, jax.Array]:
    """z and x (rows, worlds, d) and the exact log-probabilities (rows, worlds, C)."""
    z, x, logs = [], [], []
    for i, world in enumerate(worlds(settings.latents, settings.data_seed)):
        mixed = mixing(settings.latents, settings.data_seed + i, settings.mixing_layers, settings.mixing_gain)
        z.append(world.latents_of(jax.random.fold_in(key, i), rows))
        x.append(mixed(world.centred(z[-1])))
        logs.append(world.log_probabilities(z[-1]))
    return jnp.stack(z, axis=1), jnp.stack(x, axis=1), jnp.stack(logs, axis=1)


def represent(networks: Supervised, variant: Variant, x: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """h (rows, m), W (C, m) and beta (C,) of one member, on the x of its world."""
    return networks.f(jnp.take(x, variant.world, axis=1)), networks.W, networks.beta


def loss(networks: Supervised, rows: tuple[jax.Array, jax.Array], variant: Variant, key: jax.Array) -> jax.Array:
    """CE - H under the exact probabilities, or the squared error of the centred log-probabilities; plus energy.

    The centred log-probabilities are P(theta q + a): as squared-error labels they are affine in q.
    """
    x, logs = (jnp.take(part, variant.world, axis=1) for part in rows)
    h = networks.f(x)
    logits = h @ networks.W.T + networks.beta
    divergence = (jnp.exp(logs) * (logs - jax.nn.log_softmax(logits))).sum(axis=1)
    error = jnp.square(logits - logs + logs.mean(axis=1, keepdims=True)).sum(axis=1)
    fitted = jnp.where(variant.squared, error, divergence)
    return (fitted + variant.energy * jnp.square(h).sum(axis=1)).mean()


def students(run: Run, name: str, m: int, points: Sequence[Point]) -> Ensemble:
    """Every seed at every point, with m dimensions."""
    s: Settings = run.settings
    classes = 2 ** (s.latents - 1)

    def pool(key: jax.Array) -> tuple[jax.Array, jax.Array]:
        return data(s, key, s.pool)[1:]

    return _ensemble(run, name, members_of(run.seeds, points), (s.latents, m, classes), pool, s.steps)


def triangle_students(run: Run, m: int) -> Ensemble:
    """m dimensions, on the 49 points of the triangle, observed as they are."""
    s: Settings = run.settings
    z, p = triangle()
    rows = jnp.asarray(z[:, None], jnp.float32), jnp.asarray(np.log(p)[:, None], jnp.float32)
    members = members_of(run.seeds, [{"world": 0, "squared": 0, "energy": 0}])
    return _ensemble(run, f"triangle-{m}", members, (2, m, 3), lambda key: rows, s.triangle_steps)


def _ensemble(
    run: Run, name: str, members: tuple[Member, ...], sizes: tuple[int, int, int], pool: Pool, steps: int
) -> Ensemble:
    s: Settings = run.settings
    inputs, m, classes = sizes

    def build(key: jax.Array) -> Supervised:
        for_f, for_head = jax.random.split(key)
        f = MLP(for_f, (inputs, *(s.width,) * s.depth, m), ACTIVATIONS[s.activation])
        return Supervised(f, s.head_scale * jax.random.normal(for_head, (classes, m)) / np.sqrt(m), jnp.zeros(classes))

    at = [member.point for member in members]
    return Ensemble(
        name=name,
        members=members,
        build=build,
        pool=pool,
        loss=loss,
        optimiser=optax.adam(optax.warmup_cosine_decay_schedule(0.0, s.rate, max(steps // 20, 1), max(steps, 2))),
        steps=steps,
        batch=s.batch,
        chunk=s.chunk,
        variants=Variant(
            np.array([p["world"] for p in at], dtype=np.int32),
            np.array([p["squared"] for p in at], dtype=bool),
            np.array([s.energy * p["energy"] for p in at], dtype=np.float32),
        ),
    )
