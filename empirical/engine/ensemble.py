"""What is trained: an ensemble, whose members have networks of one shape and differ in seed and in data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import optax

from empirical.errors import InputError

Tree = Any  # a pytree of arrays


@dataclass(frozen=True, slots=True)
class Member:
    """One member: the seed it starts from, and where it stands in a sweep, such as ``{"labels": 5}``."""

    seed: int
    point: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return ", ".join([*(f"{name} {value}" for name, value in self.point.items()), f"seed {self.seed}"])


@dataclass(frozen=True, slots=True, eq=False)
class Ensemble:
    """Members that train together.

    ``build(key)`` makes a member's networks.  ``pool(key)`` makes rows of data, a pytree of arrays (rows, …), that all
    members draw their batches from, with replacement and each in its own order.  With ``fresh`` there is a new pool
    after each ``chunk`` of steps, otherwise it is the same one throughout: a data set.  ``variants`` is a pytree of
    arrays (members, …): what differs between members, such as a mask of labels.  ``usable`` (members,) restricts a
    member to the first so many rows of the pool.  ``loss(networks, rows, variant, key)`` is a mean over the rows of a
    batch.  Steps are optimiser steps, ``batch`` rows each.

    Raises ``InputError`` for sizes that cannot be.
    """

    name: str
    members: tuple[Member, ...]
    build: Callable[[jax.Array], eqx.Module]
    pool: Callable[[jax.Array], Tree]
    loss: Callable[[Any, Tree, Tree, jax.Array], jax.Array]
    optimiser: optax.GradientTransformation
    steps: int
    batch: int
    chunk: int
    fresh: bool = True
    data_seed: int = 0
    variants: Tree = None
    usable: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if not self.members:
            raise InputError(f"{self.name} has no members: give at least one seed")
        for what in ("steps", "batch", "chunk"):
            if getattr(self, what) < 1:
                raise InputError(f"{self.name}: {what} is {getattr(self, what)}; it must be 1 or more")
        if self.steps % self.chunk:
            raise InputError(
                f"{self.name}: {self.steps} steps are not a whole number of chunks of {self.chunk}; "
                f"take {self.steps - self.steps % self.chunk or self.chunk} steps"
            )
        if self.usable is not None and len(self.usable) != len(self.members):
            raise InputError(f"{self.name}: {len(self.usable)} numbers of usable rows for {len(self.members)} members")

    @property
    def chunks(self) -> int:
        return self.steps // self.chunk

    def key_of(self, member: Member) -> jax.Array:
        """The key of a member: it depends on its seed alone, so members of one seed start from equal networks."""
        return jax.random.fold_in(jax.random.key(0), member.seed)

    def pool_key(self, chunk: jax.Array) -> jax.Array:
        """The key of the pool of a chunk."""
        key = jax.random.fold_in(jax.random.key(1), self.data_seed)
        return jax.random.fold_in(key, chunk if self.fresh else 0)


def started(ensemble: Ensemble, key: jax.Array) -> tuple[Tree, Tree]:
    """Arrays of the networks and of the optimiser of one member, before its first step."""
    networks, _ = eqx.partition(ensemble.build(key), eqx.is_array)
    return networks, ensemble.optimiser.init(networks)


def skeleton(ensemble: Ensemble) -> Tree:
    """All of the networks that is not an array, so that ``eqx.combine(arrays, skeleton)`` gives networks."""
    shaped = eqx.filter_eval_shape(ensemble.build, jax.random.key(0))
    return eqx.filter(shaped, lambda leaf: isinstance(leaf, jax.ShapeDtypeStruct), inverse=True)


def batch_of(ensemble: Ensemble, pool: Tree, usable: jax.Array, key: jax.Array, part: jax.Array, parts: int) -> Tree:
    """The rows of one step of one member; of ``parts`` equal parts that devices share, the one numbered ``part``."""
    rows = jax.random.randint(key, (ensemble.batch,), 0, usable)
    size = ensemble.batch // parts
    rows = jax.lax.dynamic_slice_in_dim(rows, part * size, size)
    return jax.tree.map(lambda leaf: jnp.take(leaf, rows, axis=0), pool)
