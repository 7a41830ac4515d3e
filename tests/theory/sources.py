"""Sources of integers for tests: the simplest draw, and one that reports what was asked for."""

from __future__ import annotations

from theory.strategies.source import RandomSource


class NearestToZero:
    """Returns the value nearest to 0, which is what Hypothesis shrinks every draw to."""

    def integer(self, low: int, high: int) -> int:
        return max(low, min(high, 0))


class Recording:
    """A seeded source that keeps the ranges it was asked for and what it answered."""

    def __init__(self, seed: int) -> None:
        self._source = RandomSource(seed)
        self.asked: list[tuple[int, int]] = []
        self.answers: list[int] = []

    def integer(self, low: int, high: int) -> int:
        self.asked.append((low, high))
        self.answers.append(self._source.integer(low, high))
        return self.answers[-1]
