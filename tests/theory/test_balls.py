"""Enclosures: they hold the value, two kernels agree, they tighten, and questions are undecided rather than guessed."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from theory.arithmetic import matrix_type
from theory.arithmetic.balls import PRECISIONS, ArbBalls, Balls, Interval, IntervalBalls, balls_for, settled
from theory.strategies.source import RandomSource

KERNELS = [ArbBalls, IntervalBalls]


def drawn(seed: int) -> Fraction:
    source = RandomSource(seed)
    return Fraction(source.integer(-99, 99), source.integer(1, 99))


@pytest.mark.parametrize("kernel", KERNELS)
def test_intervals_hold_the_value(kernel: type[Balls]) -> None:
    for seed in range(60):
        value = drawn(seed)
        for precision in (20, 64, 300):
            balls = kernel(precision)
            for found, wanted in (
                (balls.exp(value), math.exp(value)),
                (balls.log(value**2 + 1), math.log(value**2 + 1)),
            ):
                width = float(found.high - found.low)
                assert float(found.low) == pytest.approx(wanted, rel=1e-13, abs=max(1e-13, 2 * width))
                assert width <= 2.0 ** (3 - precision) * max(1, abs(wanted)) * 100


def test_kernels_agree_and_tighten() -> None:
    """Enclosures of one number overlap, whoever computes them and at whatever precision."""
    for seed in range(40):
        values = [drawn(100 * seed + k) for k in range(1 + seed % 5)]
        found = [kernel(p).log_sum_exp(values) for kernel in KERNELS for p in (30, 64, 200)]
        assert max(f.low for f in found) <= min(f.high for f in found)
        assert all(f.high - f.low < Fraction(1, 2**180) for f in (found[2], found[5]))
        reference = math.log(sum(math.exp(v - max(values)) for v in values)) + max(values)
        assert float(found[2].low) == pytest.approx(reference, abs=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
def test_extreme_values(kernel: type[Balls]) -> None:
    """A logit of ten million is no trouble, and what is exact stays exact."""
    far = kernel(64).log_sum_exp([Fraction(10**7), Fraction(0)])
    assert far.low <= 10**7 < far.high + 1
    assert far.high - far.low < Fraction(1, 10**6)
    assert kernel(64).log_sum_exp([Fraction(7, 3)]) == Interval.exactly(Fraction(7, 3))
    assert kernel(64).exp(Fraction(0)) == Interval.exactly(1)


def test_no_global_precision_is_left_behind() -> None:
    import flint
    from mpmath import iv

    before = (flint.ctx.prec, iv.prec)
    for kernel in KERNELS:
        kernel(777).log_sum_exp([Fraction(1), Fraction(2)])
    assert (flint.ctx.prec, iv.prec) == before


def test_interval_arithmetic() -> None:
    a, b = Interval(Fraction(-1), Fraction(2)), Interval(Fraction(1), Fraction(3))
    assert a + b == Interval(Fraction(0), Fraction(5))
    assert a - b == Interval(Fraction(-4), Fraction(1))
    assert abs(a) == Interval(Fraction(0), Fraction(2))
    assert abs(b) == b
    assert abs(Interval(Fraction(-3), Fraction(-1))) == b
    assert [b.at_most(q) for q in (0, 1, 2, 3)] == [False, None, None, True]
    with pytest.raises(ValueError, match="low <= high"):
        Interval(Fraction(1), Fraction(0))


@pytest.mark.parametrize("kernel", KERNELS)
def test_settled(kernel: type[Balls]) -> None:
    """log 2 < its value rounded up at 100 digits needs more than 300 bits; log 2 <= log 2 is never settled."""
    digits = 10**100
    log_two = ArbBalls(1000).log(Fraction(2))
    above = Fraction(math.ceil(log_two.high * digits), digits)
    used: list[int] = []

    def below_it(balls: Balls) -> bool | None:
        used.append(balls.precision)
        return balls.log(Fraction(2)).at_most(above)

    assert settled(kernel, below_it) is True
    assert used == [64, 128, 256, 512]
    assert settled(kernel, lambda balls: (balls.log(Fraction(2)) - balls.log(Fraction(2))).at_most(0)) is None
    assert PRECISIONS[-1] == 4096


def test_kernel_goes_with_the_matrices() -> None:
    assert balls_for(matrix_type("flint").identity(1)) is ArbBalls
    assert balls_for(matrix_type("sympy").identity(1)) is IntervalBalls
