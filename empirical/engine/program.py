"""The compiled programs of an ensemble: start all members, train them for a chunk of steps, apply their networks.

One member's step is written once; `vmap` runs it for all members of a device, `scan` for all steps of a chunk, and
`shard_map` on all devices.  Inside, nothing goes to the host: the pool of data is made in the program, and only the
mean losses of a chunk come out.  Members are padded to a multiple of the member rows of the mesh by repeating the
first; what is padded is dropped on the way out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from empirical.engine.ensemble import Ensemble, Tree, batch_of, skeleton, started

SPLIT, WHOLE = PartitionSpec("members"), PartitionSpec()


class State(NamedTuple):
    """What changes in training: arrays (members, …) of networks and optimiser, and the number of chunks done.

    ``loss`` (members,) is the mean over the last chunk, NaN before the first.
    """

    networks: Tree
    optimiser: Tree
    loss: Tree
    chunk: Tree


class Program:
    """An ensemble on a mesh.  ``advance`` uses up the state it is given."""

    def __init__(self, ensemble: Ensemble, mesh: Mesh) -> None:
        self.ensemble, self.mesh = ensemble, mesh
        self.skeleton = skeleton(ensemble)
        rows = mesh.shape["members"]
        count = len(ensemble.members)
        self.order = np.concatenate([np.arange(count), np.zeros(-count % rows, dtype=int)])
        keys = np.stack([jax.random.key_data(ensemble.key_of(m)) for m in ensemble.members])
        self.keys = self._placed(keys)
        usable = ensemble.usable or (np.iinfo(np.int32).max,) * count
        self.usable = self._placed(np.asarray(usable, dtype=np.int32))
        self.variants = self._placed(ensemble.variants)
        self._applied: dict[Callable[..., Tree], Callable[..., Tree]] = {}  # each compiled once
        self.specs = State(SPLIT, SPLIT, SPLIT, WHOLE)
        self._advance = jax.jit(
            jax.shard_map(
                self._chunk,
                mesh=mesh,
                in_specs=(self.specs, SPLIT, SPLIT, SPLIT),
                out_specs=self.specs,
                check_vma=False,  # gradients are averaged over the batch axis by hand, in _step
            ),
            donate_argnums=0,
            # Said outright: a state that comes out must not look unlike one that goes in, or all is compiled twice.
            in_shardings=(self.shardings, *(NamedSharding(mesh, SPLIT),) * 3),
            out_shardings=self.shardings,
        )

    def _placed(self, tree: Tree) -> Tree:
        """Arrays (members, …) of the host, padded and on the devices; every process gives its own their part."""

        def put(leaf: np.ndarray) -> jax.Array:
            padded = np.asarray(leaf)[self.order]
            return jax.make_array_from_callback(padded.shape, NamedSharding(self.mesh, SPLIT), lambda at: padded[at])

        return jax.tree.map(put, tree)

    @property
    def shardings(self) -> State:
        placed = {spec: NamedSharding(self.mesh, spec) for spec in (SPLIT, WHOLE)}
        return State(*(placed[spec] for spec in self.specs))

    def start(self) -> State:
        """All members before their first step."""
        return jax.jit(self._start, out_shardings=self.shardings)(self.keys)

    def _start(self, keys: jax.Array) -> State:
        networks, optimiser = jax.vmap(partial(started, self.ensemble))(jax.random.wrap_key_data(keys))
        return State(networks, optimiser, jnp.full(len(keys), jnp.nan, dtype=jnp.float32), jnp.int32(0))

    def shapes(self) -> State:
        """The shapes, types and shardings of a state, without making one."""
        shapes = jax.eval_shape(self._start, self.keys)
        return State(
            *(
                jax.tree.map(lambda leaf, s=s: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=s), part)
                for part, s in zip(shapes, self.shardings, strict=True)
            )
        )

    def advance(self, state: State) -> State:
        """The state after one more chunk."""
        return self._advance(state, self.keys, self.usable, self.variants)

    def compiled(self, state: State) -> Any:
        """The compiled chunk, for benchmarks and tests."""
        return self._advance.lower(state, self.keys, self.usable, self.variants).compile()

    def apply(self, function: Callable[..., Tree]) -> Callable[..., Tree]:
        """``function(networks, variant, *arguments)`` of each member on the host: arrays (members, …)."""
        if function not in self._applied:
            self._applied[function] = self._applying(function)
        return self._applied[function]

    def _applying(self, function: Callable[..., Tree]) -> Callable[..., Tree]:
        @jax.jit
        def applied(arrays: Tree, variants: Tree, *arguments: Tree) -> Tree:
            def one(networks: Tree, variant: Tree) -> Tree:
                return function(eqx.combine(networks, self.skeleton), variant, *arguments)

            return jax.vmap(one)(arrays, variants)

        return lambda state, *arguments: self.to_host(applied(state.networks, self.variants, *arguments))

    def to_host(self, tree: Tree) -> Tree:
        """NumPy arrays (members, …) without the padding, the same on every process."""
        return jax.tree.map(lambda leaf: leaf[: len(self.ensemble.members)], self.gathered(tree))

    def gathered(self, tree: Tree) -> Tree:
        """NumPy arrays of a whole tree, padding included, the same on every process."""
        if jax.process_count() > 1:
            tree = multihost_utils.process_allgather(tree, tiled=True)
        return jax.tree.map(np.asarray, tree)

    # Inside the program, on the members of one device ---------------------------------------------------------------

    def _chunk(self, state: State, keys: jax.Array, usable: jax.Array, variants: Tree) -> State:
        ensemble = self.ensemble
        pool = ensemble.pool(ensemble.pool_key(state.chunk))
        keys = jax.random.wrap_key_data(keys)
        usable = jnp.minimum(usable, jax.tree.leaves(pool)[0].shape[0])
        step = jax.vmap(partial(self._step, pool), in_axes=(0, 0, 0, 0, 0, None))

        def body(carried: tuple[Tree, Tree], number: jax.Array) -> tuple[tuple[Tree, Tree], jax.Array]:
            networks, optimiser, losses = step(*carried, keys, usable, variants, number)
            return (networks, optimiser), losses

        numbers = state.chunk * ensemble.chunk + jnp.arange(ensemble.chunk, dtype=jnp.int32)
        trained, losses = jax.lax.scan(body, (state.networks, state.optimiser), numbers)
        return State(*trained, losses.mean(axis=0), state.chunk + 1)

    def _step(
        self,
        pool: Tree,
        networks: Tree,
        optimiser: Tree,
        key: jax.Array,
        usable: jax.Array,
        variant: Tree,
        number: jax.Array,
    ) -> tuple[Tree, Tree, jax.Array]:
        ensemble, parts = self.ensemble, self.mesh.shape["batch"]
        part = jax.lax.axis_index("batch")
        # 1 sets the keys of the steps apart from that of the start, which is `key` itself.
        drawn, inside = jax.random.split(jax.random.fold_in(jax.random.fold_in(key, 1), number))
        rows = batch_of(ensemble, pool, usable, drawn, part, parts)
        if parts > 1:
            inside = jax.random.fold_in(inside, part)

        def loss(arrays: Tree) -> jax.Array:
            return ensemble.loss(eqx.combine(arrays, self.skeleton), rows, variant, inside)

        value, gradient = jax.value_and_grad(loss)(networks)
        if parts > 1:
            value, gradient = jax.lax.pmean((value, gradient), "batch")
        updates, optimiser = ensemble.optimiser.update(gradient, optimiser, networks)
        return optax.apply_updates(networks, updates), optimiser, value
