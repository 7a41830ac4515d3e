"""The matrices that models are made of: one small protocol, written once, implemented by each arithmetic.

A theorem never asks which arithmetic it runs in.  It builds matrices with the operations below and hands its
questions (is this zero, is this invertible, is there a linear map) to :mod:`theory.decide`.

Implementations: :mod:`theory.arithmetic.exact` (FLINT, for generating and deciding) and
:mod:`theory.arithmetic.symbolic` (SymPy, for replaying certificates with an independent kernel).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Self

Scalar = int | Fraction

#: Rows of integers, Fractions or strings such as "-3/4": what a person writes down.
Rows = Sequence[Sequence[int | Fraction | str]]

#: How a rational is written; no exponent, since "1e999999999" is a short text and a huge number.
_RATIONAL = re.compile(r"[+-]?[0-9]+(/[0-9]+|\.[0-9]+)?")
_LONGEST = 4000


def rational(value: object) -> Fraction:
    """Return ``value`` as a Fraction; accepts integers, Fractions and strings such as ``"-3/4"``.

    Raises ``TypeError`` on floats and anything else that is not written as an exact rational, and ``ValueError`` on
    a string that does not read as one (``"1/0"``, ``"nan"``).
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, str):
        try:
            if len(value) > _LONGEST or not _RATIONAL.fullmatch(value):
                raise ValueError
            return Fraction(value)
        except (ValueError, ZeroDivisionError) as error:
            shown = value if len(value) <= 40 else f"{value[:40]}…"
            raise ValueError(f"{shown!r} is not a rational number: write it as '3', '-3/4' or '0.75'") from error
    raise TypeError(
        f"exact arithmetic takes integers, Fractions and strings such as '-3/4', not {value!r} "
        f"({type(value).__name__}): write Fraction(1, 2) or '1/2' for one half"
    )


def checked_rows(rows: Iterable[Iterable[object]], columns: int | None = None) -> tuple[list[list[Fraction]], int]:
    """Return ``rows`` as lists of Fractions, all of one length, with that length.

    ``columns`` is only needed for a matrix without rows.  Raises ``ValueError`` naming the first row of another
    length, and ``TypeError`` or ``ValueError`` naming the first entry that is not rational.
    """
    table: list[list[Fraction]] = []
    if not isinstance(rows, Iterable):
        raise TypeError(f"a matrix is a list of rows, not {rows!r} ({type(rows).__name__})")
    for i, row in enumerate(rows):
        if isinstance(row, str) or not isinstance(row, Iterable):
            raise TypeError(f"a matrix is a list of rows; row {i} is {row!r}")
        entries: list[Fraction] = []
        for j, entry in enumerate(row):
            try:
                entries.append(rational(entry))
            except (TypeError, ValueError) as error:
                raise type(error)(f"row {i}, column {j}: {error}") from error
        if table and len(entries) != len(table[0]):
            raise ValueError(
                f"row {i} has {len(entries)} entries, row 0 has {len(table[0])}: rows must be equally long"
            )
        table.append(entries)
    width = len(table[0]) if table else (columns or 0)
    return table, width


class Matrix(ABC):
    """An immutable matrix, over the rationals or in floating point.  ``shape`` is (rows, columns); either may be 0."""

    __slots__ = ()

    #: False where entries are rounded and decisions are made by error/bound.
    exact: ClassVar[bool] = True

    _data: Any

    def _data_of(self, other: Matrix) -> Any:
        """The other matrix's data; raises ``TypeError`` when it belongs to another kernel."""
        if type(other) is not type(self):
            raise TypeError(f"cannot combine a {type(self).__name__} with a {type(other).__name__}: use one arithmetic")
        return other._data

    # What each kernel provides -------------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def of(cls, rows: Iterable[Iterable[object]], columns: int | None = None) -> Self:
        """Build a matrix from rows of integers, Fractions or strings such as ``"-3/4"``."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]: ...

    @property
    @abstractmethod
    def T(self) -> Self: ...

    @abstractmethod
    def __getitem__(self, index: tuple[int, int]) -> Any:
        """One entry as the kernel's own scalar (supports ``+ - * == <``)."""

    @abstractmethod
    def __matmul__(self, other: Matrix) -> Self: ...

    @abstractmethod
    def __add__(self, other: Matrix) -> Self: ...

    @abstractmethod
    def __sub__(self, other: Matrix) -> Self: ...

    @abstractmethod
    def scaled(self, factor: Scalar) -> Self: ...

    @abstractmethod
    def take(self, rows: Sequence[int] | None = None, columns: Sequence[int] | None = None) -> Self:
        """The submatrix with the given rows and columns, in the given order (repeats allowed; None means all)."""

    @abstractmethod
    def beside(self, other: Matrix) -> Self:
        """``[self | other]``."""

    @abstractmethod
    def echelon(self) -> tuple[Self, tuple[int, ...]]:
        """The reduced row echelon form and its pivot columns."""

    @abstractmethod
    def rank(self) -> int: ...

    @abstractmethod
    def tolist(self) -> list[list[Fraction]]: ...

    # What follows from it --------------------------------------------------------------------------------------

    def above(self, other: Matrix) -> Self:
        """``self`` stacked on ``other``."""
        return self.T.beside(other.T).T

    def with_ones(self) -> Self:
        """``[1 | self]``, the matrix whose column space holds the affine functions of the rows."""
        return type(self).of([[1]] * self.shape[0], columns=1).beside(self)

    @classmethod
    def identity(cls, size: int) -> Self:
        return cls.of([[int(i == j) for j in range(size)] for i in range(size)], columns=size)

    @classmethod
    def zeros(cls, rows: int, columns: int) -> Self:
        return cls.of([[0] * columns] * rows, columns=columns)

    def solve(self, right: Matrix) -> Self | None:
        """Return one X with ``self @ X == right`` (free unknowns 0), or None when there is none."""
        unknowns = self.shape[1]
        reduced, pivots = self.beside(right).echelon()
        if any(pivot >= unknowns for pivot in pivots):
            return None
        columns = range(unknowns, unknowns + right.shape[1])
        by_unknown = {pivot: row for row, pivot in enumerate(pivots)}
        filled = reduced.take(rows=range(len(pivots)), columns=columns).above(type(self).zeros(1, right.shape[1]))
        return filled.take(rows=[by_unknown.get(unknown, len(pivots)) for unknown in range(unknowns)])

    def inverse(self) -> Self | None:
        """Return the inverse, or None when ``self`` is singular.  Raises ``ValueError`` unless square."""
        rows, columns = self.shape
        if rows != columns:
            raise ValueError(f"only a square matrix has an inverse; this one is {rows} x {columns}")
        return self.solve(self.identity(rows))

    def null_space(self) -> Self:
        """Return a basis of {v : self @ v = 0} as the columns of a (columns, nullity) matrix."""
        unknowns = self.shape[1]
        reduced, pivots = self.echelon()
        free = [column for column in range(unknowns) if column not in pivots]
        basis = [[Fraction(0)] * len(free) for _ in range(unknowns)]
        table = reduced.tolist()
        for k, column in enumerate(free):
            basis[column][k] = Fraction(1)
            for row, pivot in enumerate(pivots):
                basis[pivot][k] = -table[row][column]
        return self.of(basis, columns=len(free))

    def is_zero(self) -> bool:
        return all(entry == 0 for row in self.tolist() for entry in row)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Matrix):
            return NotImplemented
        return self.shape == other.shape and self.tolist() == other.tolist()

    def __hash__(self) -> int:
        return hash((self.shape, tuple(map(tuple, self.tolist()))))

    def __repr__(self) -> str:
        return "[" + ", ".join("[" + ", ".join(map(str, row)) + "]" for row in self.tolist()) + "]"
