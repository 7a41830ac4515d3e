"""Exact rational matrices on SymPy (DomainMatrix over QQ): the independent kernel that replays certificates.

Slower than FLINT by far and written by other people in another language: an answer that both give is a bug of
neither.  SymPy is imported when the first matrix is built.  Where python-flint is installed SymPy would compute on
FLINT's own rationals and be no second opinion, so it is told to use Python's; :func:`kernel` says what it really uses.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Self

from theory.arithmetic.matrix import Matrix, Scalar, checked_rows

os.environ.setdefault("SYMPY_GROUND_TYPES", "python")  # read by SymPy when it is first imported


def kernel() -> str:
    """What decides here, for reports: SymPy's version and the integers it computes on."""
    import sympy
    from sympy.external.gmpy import GROUND_TYPES

    return f"SymPy {sympy.__version__} on {GROUND_TYPES} integers"


class SymbolicMatrix(Matrix):
    """A matrix of rationals held by SymPy (``DomainMatrix`` over ``QQ``, dense)."""

    __slots__ = ("_data",)

    def __init__(self, data: Any) -> None:
        self._data = data

    @classmethod
    def of(cls, rows: Iterable[Iterable[object]], columns: int | None = None) -> Self:
        from sympy import QQ
        from sympy.polys.matrices import DomainMatrix

        checked, width = checked_rows(rows, columns)
        entries = [[QQ(x.numerator, x.denominator) for x in row] for row in checked]
        return cls(DomainMatrix(entries, (len(checked), width), QQ))

    @property
    def shape(self) -> tuple[int, int]:
        return self._data.shape

    @property
    def T(self) -> Self:
        return type(self)(self._data.transpose())

    def __getitem__(self, index: tuple[int, int]) -> Any:
        return self._data[index].element

    def __matmul__(self, other: Matrix) -> Self:
        return type(self)(self._data * self._data_of(other))

    def __add__(self, other: Matrix) -> Self:
        return type(self)(self._data + self._data_of(other))

    def __sub__(self, other: Matrix) -> Self:
        return type(self)(self._data - self._data_of(other))

    def scaled(self, factor: Scalar) -> Self:
        from sympy import QQ

        return type(self)(self._data * QQ(factor.numerator, factor.denominator))

    def take(self, rows: Sequence[int] | None = None, columns: Sequence[int] | None = None) -> Self:
        n, k = self._data.shape
        rows = list(range(n) if rows is None else rows)
        columns = list(range(k) if columns is None else columns)
        if any(not 0 <= i < n for i in rows) or any(not 0 <= j < k for j in columns):
            raise IndexError(f"rows {rows} and columns {columns} are not all inside a {n} x {k} matrix")
        table = self.tolist()
        return self.of([[table[i][j] for j in columns] for i in rows], columns=len(columns))

    def beside(self, other: Matrix) -> Self:
        if self.shape[0] != other.shape[0]:
            raise ValueError(f"cannot put {self.shape[0]} rows beside {other.shape[0]} rows")
        return type(self)(self._data.hstack(self._data_of(other)))

    def echelon(self) -> tuple[Self, tuple[int, ...]]:
        reduced, pivots = self._data.rref()
        return type(self)(reduced), tuple(int(p) for p in pivots)

    def rank(self) -> int:
        return int(self._data.rank())

    def tolist(self) -> list[list[Fraction]]:
        return [[Fraction(int(x.numerator), int(x.denominator)) for x in row] for row in self._data.to_list()]
