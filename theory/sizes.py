"""Sizes of instances, and the ladder on which searches climb from the smallest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True, slots=True, order=True)
class Size:
    """``dim`` M of the representation, number of ``labels`` K, number of ``contexts`` n.  Ordered in that order."""

    dim: int
    labels: int
    contexts: int

    def __post_init__(self) -> None:
        if self.dim < 1 or self.labels < 2 or self.contexts < 1:
            raise ValueError(f"{self}: the smallest size is dim 1, labels 2, contexts 1")

    def __str__(self) -> str:
        return f"M = {self.dim}, K = {self.labels}, n = {self.contexts}"


def ladder(max_dim: int = 3) -> Iterator[Size]:
    """Yield every size with M <= ``max_dim``, K <= M + 3 and n <= M + 3, smallest first."""
    for dim in range(1, max_dim + 1):
        for labels, contexts in product(range(2, dim + 4), range(1, dim + 4)):
            yield Size(dim, labels, contexts)
