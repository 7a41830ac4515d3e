"""Enclosures of transcendental numbers: a rational interval that surely holds the value, at a precision of choice.

Logarithms of probabilities are not rational.  A question about them is asked at growing precision until the interval
answers it, and is undecided beyond the largest.  Two kernels enclose exp and log of rationals: ``flint.arb`` where
matrices are FLINT's, ``mpmath``'s intervals where they are SymPy's, so that a replay needs no FLINT.  All the rest is
exact arithmetic on the rational ends, written once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from theory.arithmetic.matrix import Matrix, Scalar

#: Precisions in bits, tried in this order.
PRECISIONS = (64, 128, 256, 512, 1024, 2048, 4096)

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Interval:
    """A real number known to lie between two rationals.  Raises ``ValueError`` when ``low`` > ``high``."""

    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"an interval needs low <= high, not {self.low} and {self.high}")

    @classmethod
    def exactly(cls, value: Scalar) -> Interval:
        return cls(Fraction(value), Fraction(value))

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def __abs__(self) -> Interval:
        if self.low >= 0:
            return self
        if self.high <= 0:
            return Interval(-self.high, -self.low)
        return Interval(Fraction(0), max(-self.low, self.high))

    def at_most(self, bound: Scalar) -> bool | None:
        """Is the number at most ``bound``?  None where the interval does not tell."""
        if self.high <= bound:
            return True
        return False if self.low > bound else None


class Balls(ABC):
    """Encloses exp, log and log-sum-exp of rationals at ``precision`` bits."""

    def __init__(self, precision: int) -> None:
        self.precision = precision

    @abstractmethod
    def exp(self, value: Fraction) -> Interval:
        """An interval that holds exp(``value``)."""

    @abstractmethod
    def log(self, value: Fraction) -> Interval:
        """An interval that holds log(``value``), for ``value`` > 0."""

    @abstractmethod
    def _log_sum_exp(self, values: Sequence[Fraction]) -> Interval:
        """:meth:`log_sum_exp` for values of which the largest is 0."""

    def log_sum_exp(self, values: Sequence[Fraction]) -> Interval:
        """An interval that holds the log of the sum of exp of ``values``, of which there must be one at least."""
        largest = max(values)
        return self._log_sum_exp([value - largest for value in values]) + Interval.exactly(largest)


class ArbBalls(Balls):
    """``flint.arb``: the ball arithmetic in FLINT."""

    def exp(self, value: Fraction) -> Interval:
        return self._enclosed(lambda number: number(value).exp())

    def log(self, value: Fraction) -> Interval:
        return self._enclosed(lambda number: number(value).log())

    def _log_sum_exp(self, values: Sequence[Fraction]) -> Interval:
        return self._enclosed(lambda number: _total(number(value).exp() for value in values).log())

    def _enclosed(self, compute: Callable[[Callable[[Fraction], Any]], Any]) -> Interval:
        import flint

        with flint.ctx.workprec(self.precision):
            ball = compute(lambda value: flint.arb(flint.fmpq(value.numerator, value.denominator)))
            return Interval(*(_dyadic(*map(int, end.man_exp())) for end in (ball.lower(), ball.upper())))


class IntervalBalls(Balls):
    """``mpmath.iv``: interval arithmetic in pure Python.  Its context is its own, so no global precision changes."""

    def __init__(self, precision: int) -> None:
        from mpmath.ctx_iv import MPIntervalContext

        super().__init__(precision)
        self._context: Any = MPIntervalContext()
        self._context.prec = precision

    def exp(self, value: Fraction) -> Interval:
        return _ends(self._context.exp(self._number(value)))

    def log(self, value: Fraction) -> Interval:
        return _ends(self._context.log(self._number(value)))

    def _log_sum_exp(self, values: Sequence[Fraction]) -> Interval:
        return _ends(self._context.log(_total(self._context.exp(self._number(value)) for value in values)))

    def _number(self, value: Fraction) -> Any:
        return self._context.mpf(value.numerator) / self._context.mpf(value.denominator)


def _total(numbers: Iterable[Any]) -> Any:
    return sum(numbers)


def _ends(enclosed: Any) -> Interval:
    return Interval(
        *(_dyadic(-mantissa if sign else mantissa, exponent) for sign, mantissa, exponent, _ in enclosed._mpi_)
    )


def _dyadic(mantissa: int, exponent: int) -> Fraction:
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def balls_for(matrix: Matrix) -> type[Balls]:
    """The kernel that goes with the arithmetic of ``matrix``: mpmath beside SymPy, else FLINT."""
    from theory.arithmetic.symbolic import SymbolicMatrix

    return IntervalBalls if isinstance(matrix, SymbolicMatrix) else ArbBalls


def settled(kernel: type[Balls], question: Callable[[Balls], Answer | None]) -> Answer | None:
    """The first answer that is not None as the precision grows; None when even the largest does not tell."""
    for precision in PRECISIONS:
        answer = question(kernel(precision))
        if answer is not None:
            return answer
    return None
