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

MOST = 256  # CPU devices in one process; XLA dies of thousands
PLATFORMS = ("auto", "cpu", "gpu")


@dataclass(frozen=True, slots=True)
class Processes:
    """Where this process stands among those that train together; see ``jax.distributed``."""

    coordinator: str
    count: int
    index: int

    def __post_init__(self) -> None:
        host, _, port = self.coordinator.rpartition(":")
        if not host or not port.isdecimal():
            raise InputError(f"--coordinator {self.coordinator}: write HOST:PORT, such as localhost:9876")
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
    if devices is not None and not 1 <= devices <= MOST:
        raise InputError(f"{devices} devices: there must be 1 to {MOST}")
    forced = "xla_force_host_platform_device_count" in os.environ.get("XLA_FLAGS", "")
    if forced and devices is not None:
        raise InputError("XLA_FLAGS sets a number of CPU devices too: leave out one of it and --devices")
    jax.config.update("jax_enable_x64", False)  # training is float32, whatever the surroundings say
    if platform != "gpu" and not forced:
        jax.config.update("jax_num_cpu_devices", devices or len(os.sched_getaffinity(0)))
    if platform == "cpu":
        jax.config.update("jax_platforms", "cpu")
    if processes is not None:
        _join(processes)
    try:
        jax.devices("gpu" if platform == "gpu" else None)
    except RuntimeError as error:
        said = str(error).splitlines()[0]
        if platform != "gpu":
            raise InputError(f"JAX finds no devices ({said}): look at JAX_PLATFORMS") from None
        raise InputError(
            f"no GPU was found ({said}): leave --platform out to train on the CPU, or "
            "install the extra `cuda` (pip install 'linear-identifiability[cuda]')"
        ) from None


def _join(processes: Processes) -> None:
    try:
        jax.distributed.initialize(processes.coordinator, processes.count, processes.index)
    except (RuntimeError, ValueError) as error:
        raise InputError(
            f"process {processes.index} of {processes.count} could not join at {processes.coordinator}: "
            f"{str(error).splitlines()[0]}"
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
