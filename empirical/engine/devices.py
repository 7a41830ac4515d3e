"""Which devices compute, how members and batches lie on them, and how several processes join.

A mesh has two axes, *members* and *batch*.  Members never speak to each other, so as many devices as possible go to the
first; only what is left over splits batches, at the price of a sum over devices at each step.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

import jax
import numpy as np
from jax.sharding import Mesh

from empirical.errors import InputError

PLATFORMS = ("auto", "cpu", "gpu")


@dataclass(frozen=True, slots=True)
class Processes:
    """Where this process stands among those that train together; see ``jax.distributed``."""

    coordinator: str
    count: int
    index: int

    def __post_init__(self) -> None:
        if not 0 <= self.index < self.count:
            raise InputError(f"process {self.index} of {self.count}: the index runs from 0 to {self.count - 1}")


def choose(platform: str = "auto", devices: int | None = None, processes: Processes | None = None) -> None:
    """Settle the platform, the number of CPU devices and the processes; call it before JAX computes anything.

    On a CPU each core is a device of its own by default: members then train side by side, each on one core, which is
    faster than all cores on one matrix product (docs/explanation/training.md).  Raises ``InputError`` when a GPU is
    asked for and there is none, and for impossible numbers.
    """
    if platform not in PLATFORMS:
        raise InputError(f"there is no platform {platform!r}: use {', '.join(PLATFORMS)}")
    if devices is not None and devices < 1:
        raise InputError(f"{devices} devices: there must be 1 or more")
    if platform != "gpu" and "xla_force_host_platform_device_count" not in os.environ.get("XLA_FLAGS", ""):
        jax.config.update("jax_num_cpu_devices", devices or len(os.sched_getaffinity(0)))
    if platform == "cpu":
        jax.config.update("jax_platforms", "cpu")
    if processes is not None:
        jax.distributed.initialize(processes.coordinator, processes.count, processes.index)
    if platform == "gpu":
        try:
            jax.devices("gpu")
        except RuntimeError as error:
            raise InputError(
                f"no GPU was found ({str(error).splitlines()[0]}): leave --platform out to train on the CPU, or "
                "install the extra `cuda` (pip install 'linear-identifiability[cuda]')"
            ) from None


def mesh_for(members: int, batch: int, devices: int | None = None) -> Mesh:
    """The mesh of an ensemble: the largest number of member rows, then as many batch columns as divide the batch."""
    every = jax.devices()[:devices]
    rows = math.gcd(len(every), _at_most(len(every), members))
    columns = math.gcd(len(every) // rows, batch)
    chosen = np.array(every[: rows * columns]).reshape(rows, columns)
    if jax.process_count() > 1 and rows * columns < len(every):
        raise InputError(
            f"{len(every)} devices of {jax.process_count()} processes cannot share {members} members and batches of "
            f"{batch}: take a number of members or a batch that {len(every)} divides"
        )
    return Mesh(chosen, ("members", "batch"))


def _at_most(devices: int, members: int) -> int:
    """The largest divisor of ``devices`` that is no larger than ``members``."""
    return max(d for d in range(1, devices + 1) if devices % d == 0 and d <= members)


def is_first() -> bool:
    """Is this the process that writes files and speaks?"""
    return jax.process_index() == 0
