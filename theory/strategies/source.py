"""Where instances get their numbers: a source of small integers, backed by Hypothesis or by a seeded generator.

Constructions are written against :class:`Source`, so theorem files need no Hypothesis and certificates replay
without it.  Every integer lies between -99 and 99: Hypothesis offers constants it finds in loaded modules (only
those of magnitude 100 or more) as integer draws, and instances must not depend on which modules happen to be loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from theory.sizes import Size

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

    from theory.theorem import Construction

LARGEST = 99

Option = TypeVar("Option")


class Source(Protocol):
    """Draws small integers; everything else is built from them."""

    def integer(self, low: int, high: int) -> int:
        """An integer from ``low`` to ``high``, both within ±99; shrinks towards 0, or the bound nearest to it."""
        ...


def choice(source: Source, options: Sequence[Option]) -> Option:
    """One of ``options``; shrinks towards the first."""
    return options[source.integer(0, len(options) - 1)] if len(options) > 1 else options[0]


def shuffled(source: Source, items: Sequence[Option]) -> list[Option]:
    """``items`` in some order; shrinks towards the given order."""
    rest = list(items)
    return [rest.pop(source.integer(0, len(rest) - 1)) if len(rest) > 1 else rest.pop() for _ in range(len(rest))]


class RandomSource:
    """Numbers from a seeded generator of the standard library, for benchmarks and examples."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def integer(self, low: int, high: int) -> int:
        _check_range(low, high)
        return self._random.randint(low, high)


class HypothesisSource:
    """Numbers drawn by Hypothesis, so that instances shrink."""

    def __init__(self, draw: DrawFn) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        return self._draw(_integers(low, high))


_STRATEGIES: dict[tuple[int, int], SearchStrategy[int]] = {}


def _integers(low: int, high: int) -> SearchStrategy[int]:
    if (low, high) not in _STRATEGIES:
        from hypothesis import strategies as st

        _check_range(low, high)
        _STRATEGIES[low, high] = st.integers(low, high)
    return _STRATEGIES[low, high]


def _check_range(low: int, high: int) -> None:
    if not -LARGEST <= low <= high <= LARGEST:
        raise ValueError(f"draw integers within ±{LARGEST}, not from {low} to {high}: larger draws would not be stable")


def built_by(constructions: Sequence[Construction[Any]], size: Size) -> SearchStrategy[tuple[str, Any]]:
    """A strategy for (name of the construction, instance of one size); shrinks towards the first construction."""
    from hypothesis import strategies as st

    @st.composite
    def instances(draw: DrawFn) -> tuple[str, Any]:
        source = HypothesisSource(draw)
        construction = choice(source, constructions)
        return construction.name, construction.instance(source, size)

    return instances()
