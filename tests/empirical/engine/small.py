"""A small ensemble that trains in a second; as a script it trains in a process of its own.

python -m tests.empirical.engine.small FOLDER DEVICES [COORDINATOR COUNT INDEX]

It prints a digest of all that training left behind: states, losses, metrics.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from empirical.engine import Ensemble, RunFolder, Trained, devices, train
from empirical.experiment import members_of
from empirical.networks import ACTIVATIONS, MLP

CONFIG = {"experiment": "small", "settings": {"rate": 0.01}, "seeds": [0, 1, 2]}


def small(seeds: int = 3, steps: int = 240, chunk: int = 10, **changes: Any) -> Ensemble:
    def pool(key: jax.Array) -> tuple[jax.Array, jax.Array]:
        x = jax.random.normal(key, (256, 3))
        return x, jnp.sin(x)

    def loss(networks: MLP, rows: Any, scale: jax.Array, key: jax.Array) -> jax.Array:
        x, y = rows
        return jnp.square(networks(x) - scale * y).mean()

    return Ensemble(
        **{
            "name": "small",
            "members": members_of(tuple(range(seeds))),
            "build": lambda key: MLP(key, (3, 16, 3), ACTIVATIONS["tanh"]),
            "pool": pool,
            "loss": loss,
            "optimiser": optax.adam(1e-2),
            "steps": steps,
            "batch": 32,
            "chunk": chunk,
            "variants": np.linspace(1, 2, seeds, dtype=np.float32),
            **changes,
        }
    )


def outputs(networks: MLP, variant: Any, x: jax.Array) -> jax.Array:
    return networks(x)


def watch(apply: Any, well: Any) -> dict[str, Any]:
    return {"similarity": float(np.mean(apply(outputs, jnp.ones((4, 3)))))}


def digest(trained: Trained, folder: RunFolder) -> str:
    found = hashlib.sha256()
    for leaf in jax.tree.leaves(trained.program.gathered(trained.state)):
        found.update(np.ascontiguousarray(leaf).tobytes())
    found.update((folder.path / "metrics.jsonl").read_bytes())
    return found.hexdigest()


def main(arguments: list[str]) -> None:
    path, count, *several = arguments
    processes = devices.Processes(several[0], int(several[1]), int(several[2])) if several else None
    devices.choose("cpu", int(count), processes)
    folder = RunFolder(Path(path), writes=devices.is_first())
    folder.begin(CONFIG, resume=(Path(path) / "config.json").exists())
    trained = train(small(4 if several else 3), folder, watch, watch_every=4, save_every=0.0)
    values = trained.apply(outputs, jnp.ones((4, 3)))
    found = {"digest": digest(trained, folder), "outputs": values.tolist()}  # every process takes part in both
    if devices.is_first():
        print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
