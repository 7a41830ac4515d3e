"""How fast an ensemble trains: the engine against other ways to take the same steps, in one run.

    python -m tests.benchmarks.training_speed [--steps N]

Networks, data and steps are the same everywhere: 8 seeds of an MLP 10-128-128-128-4 with tanh and a table of 18
labels, batches of 512 rows drawn from a pool of 32,768 with the teacher's probabilities as targets, Adam.  Each way
runs ``rounds`` times, in turn, and the best counts.  *Limit* is what a product of two 1024 x 1024 float32 matrices
reaches in the same process, over the operations that the matrix products of one step take; the large product is more
than the products of a step can reach.
"""

from __future__ import annotations

import argparse
import itertools
import os
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from rich.console import Console
from rich.table import Table

from empirical.data.simulated import Teacher, teacher, teacher_labels
from empirical.engine import Ensemble, devices
from empirical.engine.program import Program
from empirical.experiment import members_of
from empirical.networks import ACTIVATIONS, MLP, Classifier

SEEDS, INPUTS, WIDTH, DIM, LABELS, BATCH, POOL, RATE = 8, 10, 128, 4, 18, 512, 32768, 1e-3
SIZES = (INPUTS, WIDTH, WIDTH, WIDTH, DIM)
#: Seconds until the first chunk of each program was there, compiled and run.
COMPILED: list[float] = []
#: A way to train: ``run(steps)`` takes so many steps for all seeds and returns their mean loss of the last one.
Way = Callable[[int], float]


@cache
def taught() -> Teacher:
    return teacher(0, INPUTS, 32, 2, DIM, 1.5)


def data(key: jax.Array) -> tuple[jax.Array, jax.Array]:
    x = jax.random.normal(key, (POOL, INPUTS))
    return x, taught()(x) @ jnp.asarray(teacher_labels(0, LABELS, DIM, 1.0), jnp.float32).T


def loss(networks: Classifier, rows: Any, variant: object, key: object) -> jax.Array:
    x, logits = rows
    wanted, found = jax.nn.log_softmax(logits), jax.nn.log_softmax(networks(x))
    return (jnp.exp(wanted) * (wanted - found)).sum(axis=1).mean()


def build(key: jax.Array) -> Classifier:
    for_f, for_g = jax.random.split(key)
    return Classifier(MLP(for_f, SIZES, ACTIVATIONS["tanh"]), 0.3 * jax.random.normal(for_g, (LABELS, DIM)))


def engine(fresh: bool, count: int | None = None, chunk: int = 100) -> Way:
    """The engine, on ``count`` devices (all if left out); a chunk of steps has a pool, new each time if ``fresh``."""
    taught()  # outside of any program
    ensemble = Ensemble(
        "speed", members_of(tuple(range(SEEDS))), build, data, loss, optax.adam(RATE), chunk, BATCH, chunk, fresh
    )
    program = Program(ensemble, devices.mesh_for(SEEDS, BATCH, count))
    begun = time.perf_counter()
    kept = [program.advance(program.start())]  # compiles
    program.to_host(kept[0].loss)
    COMPILED.append(time.perf_counter() - begun)

    def run(steps: int) -> float:
        for _ in range(steps // chunk):
            kept[0] = program.advance(kept[0])
        return float(program.to_host(kept[0].loss).mean())

    return run


def jitted_step() -> Way:
    """One seed after the other: a jitted step, called from Python."""
    pool, optimiser = data(jax.random.key(0)), optax.adam(RATE)

    @jax.jit
    def step(networks: Any, state: Any, key: jax.Array) -> Any:
        rows = jax.random.randint(key, (BATCH,), 0, POOL)
        value, gradient = jax.value_and_grad(lambda n: loss(n, (pool[0][rows], pool[1][rows]), None, key))(networks)
        updates, state = optimiser.update(gradient, state, networks)
        return optax.apply_updates(networks, updates), state, value

    starts = [build(jax.random.key(seed)) for seed in range(SEEDS)]
    step(starts[0], optimiser.init(starts[0]), jax.random.key(0))

    def run(steps: int) -> float:
        values = []
        for seed, networks in enumerate(starts):
            state, value = optimiser.init(networks), jnp.nan
            keys = list(jax.random.split(jax.random.key(seed), steps))
            for i in range(steps):
                networks, state, value = step(networks, state, keys[i])
            values.append(float(value))
        return float(np.mean(values))

    return run


def torch_loop(threads: int) -> Way:
    """One seed after the other in PyTorch, eager."""
    import torch

    torch.set_num_threads(threads)
    x, logits = (torch.from_numpy(np.array(part)) for part in data(jax.random.key(0)))
    wanted = torch.log_softmax(logits, dim=1)

    def run(steps: int) -> float:
        values = []
        for seed in range(SEEDS):
            torch.manual_seed(seed)
            layers: list[Any] = []
            for inputs, outputs in itertools.pairwise(SIZES):
                layers += [torch.nn.Linear(inputs, outputs), torch.nn.Tanh()]
            f, g = torch.nn.Sequential(*layers[:-1]), torch.nn.Parameter(0.3 * torch.randn(LABELS, DIM))
            optimiser = torch.optim.Adam([*f.parameters(), g], lr=RATE)
            value = torch.tensor(torch.nan)
            for _ in range(steps):
                rows = torch.randint(0, POOL, (BATCH,))
                found = torch.log_softmax(f(x[rows]) @ g.T, dim=1)
                value = (wanted[rows].exp() * (wanted[rows] - found)).sum(dim=1).mean()
                optimiser.zero_grad()
                value.backward()
                optimiser.step()
            values.append(value.item())
        return float(np.mean(values))

    return run


def products_of_a_step() -> int:
    """Floating-point operations of the matrix products of one step of one seed, forward and backward."""
    layers = [*itertools.pairwise(SIZES), (DIM, LABELS)]
    forward = sum(inputs * outputs for inputs, outputs in layers)
    return 2 * BATCH * (3 * forward - SIZES[0] * SIZES[1])  # no gradient with respect to the data


def limit() -> float:
    """Seeds · steps a second if the products ran at the speed of a large one."""
    size, times = 1024, 20
    a = jnp.ones((size, size), jnp.float32)
    product = jax.jit(lambda a, b: a @ b)
    product(a, a).block_until_ready()
    begun = time.perf_counter()
    for _ in range(times):
        last = product(a, a)
    last.block_until_ready()
    return times * 2 * size**3 / (time.perf_counter() - begun) / products_of_a_step()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=200, help="steps of each seed in a round, a multiple of 100")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    devices.choose("cpu")
    ways: dict[str, Way] = {
        "engine, fresh data": engine(fresh=True),
        "engine, one device": engine(fresh=True, count=1),
        "one jitted step, seed by seed": jitted_step(),
    }
    try:
        ways["PyTorch, seed by seed"] = torch_loop(len(os.sched_getaffinity(0)))
    except ModuleNotFoundError:
        print("PyTorch is not installed: left out")
    rates: dict[str, list[float]] = {name: [] for name in ways}
    limits = []
    for _ in range(options.rounds):
        limits.append(limit())
        for name, way in ways.items():
            begun = time.perf_counter()
            way(options.steps)
            rates[name].append(SEEDS * options.steps / (time.perf_counter() - begun))
    table = Table("way", "seeds · steps / s, best", "worst", "of the limit")
    for name, found in {**rates, "limit: float32 products": limits}.items():
        table.add_row(name, f"{max(found):.0f}", f"{min(found):.0f}", f"{max(found) / max(limits):.0%}")
    Console(width=110).print(table)
    print(f"compiling the engine's program, with its first 100 steps: {max(COMPILED):.1f} s")


if __name__ == "__main__":
    main()
