"""The inputs and the implementations that the speed of the similarity measures is measured on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from empirical.similarity import Joint, joint, linear_cka, mean_cca, procrustes_distance, pwcca, svcca
from tests.benchmarks.peers import COMPONENTS, PEERS

Array = NDArray[np.floating]
Call = Callable[[Array, Array], object]

OURS = "this package"
FLOOR = "floor: X'X, Y'Y and X'Y"


@dataclass(frozen=True)
class Size:
    """Rows, and columns of each side."""

    rows: int
    columns: int

    def work(self, square: bool = False) -> float:
        """What the time grows with: a cross product's operations, or those of a product of two rows x rows matrices."""
        return float(self.rows) ** 3 if square else float(self.rows) * self.columns**2


SIZES = {"tiny": Size(300, 12), "s": Size(2_000, 64), "m": Size(10_000, 256), "l": Size(50_000, 768)}


@dataclass(frozen=True)
class Implementation:
    """A measure as one package computes it."""

    name: str
    call: Call
    square: bool = False


def floor(x: Array, y: Array) -> object:
    """What no method that reads the data once in full precision goes below."""
    return x.T @ x, y.T @ y, x.T @ y


def _single(measure: Callable[[Joint], object]) -> Call:
    return lambda x, y: measure(joint(x, y, products="float32"))


MEASURES: dict[str, list[Implementation]] = {
    "mean CCA": [Implementation(OURS, mean_cca), Implementation(f"{OURS}, float32 products", _single(mean_cca))],
    "SVCCA, 99 %": [Implementation(OURS, svcca)],
    f"SVCCA, {COMPONENTS} components": [Implementation(OURS, partial(svcca, components=COMPONENTS))],
    "PWCCA": [Implementation(OURS, pwcca)],
    "PWCCA, mean of both ways": [],
    "linear CKA": [Implementation(OURS, linear_cka), Implementation(f"{OURS}, float32 products", _single(linear_cka))],
    "unbiased CKA": [Implementation(OURS, partial(linear_cka, unbiased=True))],
    "Procrustes distance": [Implementation(OURS, procrustes_distance)],
}
for _peer in PEERS:
    if _peer.installed:
        MEASURES[_peer.measure].append(Implementation(_peer.name, _peer.call, _peer.square))


def inputs(size: Size, dtype: type = np.float64) -> tuple[Array, Array]:
    """Two sides that share half of what they have, columns of unequal size; made in blocks, to leave no large scrap."""
    rng = np.random.default_rng(0)
    x, y = (np.empty((size.rows, size.columns), dtype) for _ in range(2))
    mix = rng.standard_normal((size.columns, size.columns)) / np.sqrt(size.columns)
    scales = np.logspace(0, -1.5, size.columns)
    for first in range(0, size.rows, 1_000):
        part = slice(first, min(size.rows, first + 1_000))
        a, b = (rng.standard_normal((part.stop - part.start, size.columns)) for _ in range(2))
        x[part], y[part] = a * scales + 0.5, (a @ mix + b) * scales
    return x, y


def expected(implementation: Implementation, size: str, guard: float) -> float:
    """Seconds that a call at this size will take, from one at the next smaller size if that is within the guard."""
    names = list(SIZES)
    if size == names[0]:
        return 0.0
    smaller = names[names.index(size) - 1]
    if (below := expected(implementation, smaller, guard)) > guard:
        return below
    x, y = inputs(SIZES[smaller])
    times = []
    for _ in range(2):  # the first call may import
        start = time.perf_counter()
        implementation.call(x, y)
        times.append(time.perf_counter() - start)
    return min(times) * SIZES[size].work(implementation.square) / SIZES[smaller].work(implementation.square)
