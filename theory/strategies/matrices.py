"""Matrices built to a purpose: invertible, of an exact rank, arbitrary.  Nothing is drawn and then filtered."""

from __future__ import annotations

from fractions import Fraction

from theory.arithmetic import Matrix, matrix_type
from theory.strategies.source import Source, choice, shuffled

_NONZERO = (1, -1, 2, -2, 3)
_DENOMINATORS = (1, 1, 1, 2, 3)


def entries(source: Source, rows: int, columns: int, bound: int = 3) -> list[list[int]]:
    """Integers within ±``bound``; shrinks towards zeros."""
    return [[source.integer(-bound, bound) for _ in range(columns)] for _ in range(rows)]


def any_matrix(source: Source, rows: int, columns: int, bound: int = 3) -> Matrix:
    """A matrix of small rationals with one denominator, of whatever rank; shrinks towards zeros."""
    table = matrix_type().of(entries(source, rows, columns, bound), columns=columns)
    denominator = choice(source, _DENOMINATORS)
    return table if denominator == 1 else table.scaled(Fraction(1, denominator))


def invertible(source: Source, size: int) -> Matrix:
    """An invertible (size, size) matrix: unit lower times upper triangular, rows shuffled; shrinks to the identity."""
    lower = [[source.integer(-2, 2) if j < i else int(i == j) for j in range(size)] for i in range(size)]
    upper = [
        [source.integer(-2, 2) if j > i else choice(source, _NONZERO) if i == j else 0 for j in range(size)]
        for i in range(size)
    ]
    kernel = matrix_type()
    return kernel.of(lower).take(rows=shuffled(source, range(size))) @ kernel.of(upper)


def of_rank(source: Source, rows: int, columns: int, rank: int) -> Matrix:
    """A (rows, columns) matrix of exactly the given rank; raises ``ValueError`` when the sizes do not allow it.

    Built as [I; X] of full column rank, rows shuffled, times [I | Y] of full row rank, columns shuffled.
    """
    if not 0 <= rank <= min(rows, columns):
        raise ValueError(f"a {rows} x {columns} matrix cannot have rank {rank}")
    kernel = matrix_type()
    if rank == 0:
        return kernel.zeros(rows, columns)
    tall = invertible(source, rank).above(kernel.of(entries(source, rows - rank, rank, 2), columns=rank))
    wide = kernel.identity(rank).beside(kernel.of(entries(source, rank, columns - rank, 2), columns=columns - rank))
    return tall.take(rows=shuffled(source, range(rows))) @ wide.take(columns=shuffled(source, range(columns)))


def singular(source: Source, size: int) -> Matrix:
    """A (size, size) matrix of a rank below its size; shrinks towards rank size - 1."""
    return of_rank(source, size, size, size - 1 - source.integer(0, size - 1))


def orthogonal(source: Source, size: int) -> Matrix:
    """A rational orthogonal (size, size) matrix: the Cayley transform of a skew matrix, with signs; shrinks to 1."""
    upper = [[source.integer(-2, 2) if j > i else 0 for j in range(size)] for i in range(size)]
    kernel = matrix_type()
    denominator = choice(source, (1, 1, 2, 3))
    half = kernel.of(upper, columns=size).scaled(Fraction(1, denominator))
    skew, one = half - half.T, kernel.identity(size)
    inverse = (one + skew).inverse()
    assert inverse is not None  # 1 + S is invertible for every real skew S
    signs = [choice(source, (1, -1)) for _ in range(size)]
    flips = kernel.of([[signs[i] if i == j else 0 for j in range(size)] for i in range(size)], columns=size)
    return flips @ (one - skew) @ inverse


def representation(source: Source, contexts: int, dim: int) -> Matrix:
    """f as a (contexts, dim) matrix: of full rank, deficient on purpose, or arbitrary."""
    kind = source.integer(0, 3)
    full = min(contexts, dim)
    if kind <= 1:
        return of_rank(source, contexts, dim, full)
    if kind == 2:
        return of_rank(source, contexts, dim, source.integer(0, full))
    return any_matrix(source, contexts, dim)


def unit_vector(source: Source, size: int, even: bool = False) -> list[Fraction]:
    """A rational unit vector by stereographic projection, of either sign; shrinks to the last unit vector.

    From t in Q^(size - 1) it is (2t, 1 - |t|²) / (1 + |t|²).  With ``even`` the last entry is never zero: t has even
    numerators and one odd denominator, so |t|² is not 1.
    """
    denominator = choice(source, (1, 1, 3))
    t = [Fraction(source.integer(-2, 2) * (2 if even else 1), denominator) for _ in range(size - 1)]
    square = sum((entry * entry for entry in t), Fraction(0))
    sign = choice(source, (1, -1))
    return [sign * entry / (1 + square) for entry in (*(2 * entry for entry in t), 1 - square)]
