"""Exact rational matrices on FLINT (python-flint): the kernel that generates and decides.

Rank, product or inverse of an 8 x 8 rational matrix costs a few microseconds, so whole instances are decided
exactly for less than it costs to draw them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any, Self

import flint

from theory.arithmetic.matrix import Matrix, Scalar, checked_rows


class RationalMatrix(Matrix):
    """A matrix of rationals held by FLINT (``fmpq_mat``, which ships no complete type information)."""

    __slots__ = ("_data",)

    def __init__(self, data: Any) -> None:
        self._data = data

    @classmethod
    def of(cls, rows: Iterable[Iterable[object]], columns: int | None = None) -> Self:
        table = list(rows) if isinstance(rows, Iterable) else rows
        fast = _integers(table, columns) if isinstance(table, list) else None
        if fast is not None:
            return cls(fast)
        checked, width = checked_rows(table, columns)
        entries = [flint.fmpq(x.numerator, x.denominator) for row in checked for x in row]
        return cls(flint.fmpq_mat(len(checked), width, entries))

    @property
    def shape(self) -> tuple[int, int]:
        return self._data.nrows(), self._data.ncols()

    @property
    def T(self) -> Self:
        return type(self)(self._data.transpose())

    def __getitem__(self, index: tuple[int, int]) -> Any:
        return self._data[index]

    def __matmul__(self, other: Matrix) -> Self:
        return type(self)(self._data * self._data_of(other))

    def __add__(self, other: Matrix) -> Self:
        return type(self)(self._data + self._data_of(other))

    def __sub__(self, other: Matrix) -> Self:
        return type(self)(self._data - self._data_of(other))

    def scaled(self, factor: Scalar) -> Self:
        return type(self)(self._data * flint.fmpq(factor.numerator, factor.denominator))

    def take(self, rows: Sequence[int] | None = None, columns: Sequence[int] | None = None) -> Self:
        data = self._data
        rows = range(data.nrows()) if rows is None else rows
        columns = range(data.ncols()) if columns is None else columns
        return type(self)(flint.fmpq_mat(len(rows), len(columns), [data[i, j] for i in rows for j in columns]))

    def beside(self, other: Matrix) -> Self:
        a, b = self._data, self._data_of(other)
        if a.nrows() != b.nrows():
            raise ValueError(f"cannot put {a.nrows()} rows beside {b.nrows()} rows")
        left, right = range(a.ncols()), range(b.ncols())
        entries: list[Any] = []
        for i in range(a.nrows()):
            entries.extend(a[i, j] for j in left)
            entries.extend(b[i, j] for j in right)
        return type(self)(flint.fmpq_mat(a.nrows(), a.ncols() + b.ncols(), entries))

    def echelon(self) -> tuple[Self, tuple[int, ...]]:
        reduced, rank = self._data.rref()
        pivots: list[int] = []
        column = 0
        for row in range(rank):
            while reduced[row, column] == 0:
                column += 1
            pivots.append(column)
        return type(self)(reduced), tuple(pivots)

    def rank(self) -> int:
        return self._data.rank()

    def is_zero(self) -> bool:
        return self._data == flint.fmpq_mat(self._data.nrows(), self._data.ncols())

    def tolist(self) -> list[list[Fraction]]:
        data, columns = self._data, range(self._data.ncols())
        return [[_fraction(data[i, j]) for j in columns] for i in range(data.nrows())]


def _fraction(entry: Any) -> Fraction:
    return Fraction(int(entry.p), int(entry.q))


def _integers(table: list[Any], columns: int | None) -> Any:
    """The matrix of equally long lists or tuples of plain integers, the common case; None for anything else."""
    if not all(type(row) in (list, tuple) for row in table):
        return None
    width = len(table[0]) if table else (columns or 0)
    entries = list(chain.from_iterable(table))
    if len(entries) != width * len(table) or any(len(row) != width for row in table):
        return None
    return flint.fmpq_mat(len(table), width, entries) if all(type(entry) is int for entry in entries) else None
