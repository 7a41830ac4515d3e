"""What an exact instance costs, as ratios within one run.

Run with ``pytest tests/benchmarks --benchmark-enable``; without that flag every benchmark runs once, as a test (under
pytest-xdist, which switches timing off, also where the flag is not given).

Group "draw and decide": Hypothesis drawing an instance (M = 3, K = 6, n = 6) and the theorem deciding it, against
Hypothesis drawing as many integers and doing nothing.  Group "decide": the decision alone, in FLINT against the same
questions put to ``sympy.Matrix``.  Group "large": decisions at M = 16, K = 40, n = 40.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sympy
from hypothesis import given, seed
from hypothesis import strategies as st

from theory import ModelPair, Size, check
from theory.strategies import pairs
from theory.strategies.source import RandomSource, built_by
from theory.theorem import Construction
from theory.theorems.softmax.linear_identifiability import THEOREM
from theory.verdict import Status
from verification.generate import quiet_settings

SIZE = Size(3, 6, 6)
LARGE = Size(16, 40, 40)
INSTANCES = 200

SOLVED = [Construction("solved", pairs.solved)]


class Counting(RandomSource):
    """A source that counts its draws."""

    draws = 0

    def integer(self, low: int, high: int) -> int:
        self.draws += 1
        return super().integer(low, high)


def _draws() -> int:
    """The mean number of integers drawn for one instance."""
    total = 0
    for k in range(50):
        source = Counting(k)
        pairs.solved(source, SIZE)
        total += source.draws
    return round(total / 50)


@pytest.mark.benchmark(group="draw and decide")
def test_draw_and_decide(benchmark: Callable[..., object]) -> None:
    """200 instances drawn by Hypothesis and decided exactly, conclusion and closed form included."""

    @seed(1)
    @quiet_settings(INSTANCES)
    @given(built_by(SOLVED, SIZE))
    def decided(named: tuple[str, ModelPair]) -> None:
        assert check(THEOREM, named[1]).status is Status.HOLDS

    benchmark(decided)


@pytest.mark.benchmark(group="draw and decide")
def test_floor_hypothesis_draws_the_same_number_of_integers(benchmark: Callable[..., object]) -> None:
    """The floor: as many integers drawn 200 times by Hypothesis, and nothing done with them."""
    draws = _draws()
    integers = st.integers(-3, 3)

    @st.composite
    def drawn(draw: st.DrawFn) -> list[int]:
        return [draw(integers) for _ in range(draws)]

    @seed(1)
    @quiet_settings(INSTANCES)
    @given(drawn())
    def nothing(_: list[int]) -> None:
        pass

    benchmark(nothing)


@pytest.mark.benchmark(group="decide")
def test_decide_with_flint(benchmark: Callable[..., object]) -> None:
    """All evidence on one instance."""
    instance = pairs.solved(RandomSource(0), SIZE)
    assert benchmark(lambda: check(THEOREM, instance).status) is Status.HOLDS


@pytest.mark.benchmark(group="decide")
def test_peer_decide_with_sympy_matrix(benchmark: Callable[..., object]) -> None:
    """The peer: the same questions put to ``sympy.Matrix`` as a user would write them."""
    instance = pairs.solved(RandomSource(0), SIZE)
    f_prime, g_prime, f_star, g_star = (
        sympy.Matrix(m.tolist()) for m in (instance.prime.f, instance.prime.g, instance.star.f, instance.star.g)
    )
    chosen = instance.label_pairs[0]

    def differences(g: sympy.Matrix) -> sympy.Matrix:
        return sympy.Matrix.hstack(*((g.row(a) - g.row(b)).T for a, b in chosen))

    def decided() -> bool:
        excess = f_prime * g_prime.T - f_star * g_star.T
        equal = all(
            excess[x, y] == excess[x, group[0]]
            for x, sets in enumerate(instance.candidate_sets)
            for group in sets
            for y in group
        )
        l_prime, l_star = differences(g_prime), differences(g_star)
        diverse = l_prime.rank() == l_star.rank() == SIZE.dim
        joint = sympy.Matrix.hstack(f_star, f_prime).rank()
        exists = joint == f_star.rank() == f_prime.rank()
        image = l_prime.T.LUsolve(l_star.T * f_star.T).T
        return equal and diverse and exists and image == f_prime

    assert benchmark(decided) is True


@pytest.mark.benchmark(group="large")
def test_decide_large_with_flint(benchmark: Callable[..., object]) -> None:
    """All evidence at M = 16, K = 40, n = 40, where the entries are long rationals."""
    instance = pairs.solved(RandomSource(0), LARGE)
    assert benchmark(lambda: check(THEOREM, instance).status) is Status.HOLDS


@pytest.mark.benchmark(group="large")
def test_floor_large_product(benchmark: Callable[..., object]) -> None:
    """The floor: the two products F Gᵀ that any exact decision needs."""
    instance = pairs.solved(RandomSource(0), LARGE)
    benchmark(lambda: (instance.prime.logits(), instance.star.logits()))
