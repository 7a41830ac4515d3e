"""Floating-point matrices that carry a first-order bound on their own error.

Every entry comes with a bound on how far rounding, of the data and of each operation since, can have moved it, to
first order in the unit roundoff (running error analysis; Higham, *Accuracy and Stability of Numerical Algorithms*,
2nd ed. 2002, section 3.3).  So a theorem written once over :class:`~theory.arithmetic.matrix.Matrix` runs in floating
point as it stands: a residual arrives at :mod:`theory.decide` with the bound derived from the very formula that
produced it, and is judged as error/bound, never by a bare tolerance.

Each entry also carries ``size``, the magnitude of what was last compared or added to give it.  Where the bound is not
small against it, agreement would mean nothing, and the decision says "undecided".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np

from theory.arithmetic.matrix import Matrix, Scalar

#: Unit roundoff of float64.
U = float(np.finfo(np.float64).eps) / 2

#: An error/bound up to ACCEPT holds, above REJECT fails, and is undecided in between.  The bounds are bounds to first
#: order, so 1 is the natural level; on true statements ratios stay below it up to condition number 1e12 (docs).
ACCEPT = 1.0
REJECT = 100.0

#: A singular value counts as nonzero when rounding can move it by at most this share, as zero when by all of it.
RANK_ACCEPT = 0.1
RANK_REJECT = 1.0

Array = np.ndarray[Any, np.dtype[np.floating[Any]]]


class FloatMatrix(Matrix):
    """A float64 matrix with an entrywise error bound and the size of the terms behind each entry, all one shape."""

    __slots__ = ("error", "size", "value")
    exact: ClassVar[bool] = False

    def __init__(self, value: Array, error: Array | None = None, size: Array | None = None) -> None:
        """Data without ``error`` counts as rounded once: error = U |value|.

        Raises ``ValueError`` naming the first entry that is NaN or infinite.
        """
        value = np.array(value, dtype=np.float64, ndmin=2)
        if not np.isfinite(value).all():
            i, j = np.argwhere(~np.isfinite(value))[0]
            raise ValueError(f"row {i}, column {j} is {value[i, j]}: every entry must be a finite number")
        self.value = value
        self.error = U * np.abs(value) if error is None else error
        self.size = np.abs(value) if size is None else size

    @property
    def _data(self) -> Any:
        return self

    @classmethod
    def of(cls, rows: Iterable[Iterable[object]], columns: int | None = None) -> Self:
        if not isinstance(rows, Iterable):
            raise TypeError(f"a matrix is a list of rows, not {rows!r} ({type(rows).__name__})")
        table = [_numbers(i, row) for i, row in enumerate(rows)]
        width = len(table[0]) if table else (columns or 0)
        for i, row in enumerate(table):
            if len(row) != width:
                raise ValueError(f"row {i} has {len(row)} entries, row 0 has {width}: rows must be equally long")
        return cls(np.array(table, dtype=np.float64).reshape(len(table), width))

    @classmethod
    def identity(cls, size: int) -> Self:
        return cls(np.eye(size), np.zeros((size, size)))

    @classmethod
    def zeros(cls, rows: int, columns: int) -> Self:
        return cls(np.zeros((rows, columns)))

    @property
    def shape(self) -> tuple[int, int]:
        return self.value.shape[0], self.value.shape[1]

    @property
    def T(self) -> Self:
        return type(self)(self.value.T, self.error.T, self.size.T)

    def __getitem__(self, index: tuple[int, int]) -> float:
        return float(self.value[index])

    def __matmul__(self, other: Matrix) -> Self:
        b: FloatMatrix = self._data_of(other)
        rounding = (self.shape[1] + 1) * U * (np.abs(self.value) @ np.abs(b.value))
        error = np.abs(self.value) @ b.error + self.error @ np.abs(b.value) + rounding
        return type(self)(self.value @ b.value, error)

    def __add__(self, other: Matrix) -> Self:
        b: FloatMatrix = self._data_of(other)
        return self._combined(self.value + b.value, b)

    def __sub__(self, other: Matrix) -> Self:
        b: FloatMatrix = self._data_of(other)
        return self._combined(self.value - b.value, b)

    def _combined(self, value: Array, other: FloatMatrix) -> Self:
        error = self.error + other.error + U * np.abs(value)
        return type(self)(value, error, np.maximum(self.size, other.size))

    def scaled(self, factor: Scalar) -> Self:
        by = float(factor)
        return type(self)(by * self.value, abs(by) * (self.error + 2 * U * np.abs(self.value)), abs(by) * self.size)

    def take(self, rows: Sequence[int] | None = None, columns: Sequence[int] | None = None) -> Self:
        i = np.arange(self.shape[0]) if rows is None else np.array(rows, dtype=np.intp)
        j = np.arange(self.shape[1]) if columns is None else np.array(columns, dtype=np.intp)
        cut = np.ix_(i, j)
        return type(self)(self.value[cut], self.error[cut], self.size[cut])

    def beside(self, other: Matrix) -> Self:
        b: FloatMatrix = self._data_of(other)
        return type(self)(
            np.hstack([self.value, b.value]), np.hstack([self.error, b.error]), np.hstack([self.size, b.size])
        )

    def echelon(self) -> tuple[Self, tuple[int, ...]]:
        raise TypeError("a row echelon form depends discontinuously on its matrix: in floating point use rank or solve")

    def singular_values(self) -> Array:
        return np.asarray(np.linalg.svd(self.value, compute_uv=False), dtype=np.float64)

    def uncertainty(self) -> float:
        """How far rounding can move a singular value: the Frobenius norm of the error, and the SVD's own error."""
        largest = float(self.singular_values()[0]) if min(self.shape) else 0.0
        return float(np.linalg.norm(self.error)) + max(self.shape) * U * largest

    def rank(self) -> int:
        """The number of singular values above the uncertainty; see :func:`theory.decide.rank_is_full` to decide one."""
        return int((self.singular_values() > self.uncertainty()).sum()) if min(self.shape) else 0

    def inverse(self) -> Self | None:
        """The inverse with its first-order error, or None when rounding cannot tell the matrix from a singular one."""
        rows, columns = self.shape
        if rows != columns:
            raise ValueError(f"only a square matrix has an inverse; this one is {rows} x {columns}")
        if self.rank() < rows:
            return None
        value = np.asarray(np.linalg.inv(self.value), dtype=np.float64)
        # Elimination is backward stable in norm, not entry by entry: rounding may move even an entry that is 0.
        moved = self.error + 3 * rows * U * float(np.linalg.norm(self.value))
        return type(self)(value, np.abs(value) @ moved @ np.abs(value))

    def solve(self, right: Matrix) -> Self | None:
        """One least-squares X with its first-order error, or None when its residual shows that no solution exists."""
        b: FloatMatrix = self._data_of(right)
        largest = float(self.singular_values()[0]) if min(self.shape) else 0.0
        inverse = np.linalg.pinv(self.value, rcond=self.uncertainty() / largest if largest else 0.0)
        if self.shape[0] == self.shape[1] == self.rank():
            value = np.linalg.solve(self.value, b.value)  # backward stable, as the pseudo-inverse is not
        else:
            value = np.linalg.lstsq(self.value, b.value, rcond=self.uncertainty() / largest if largest else None)[0]
        # Backward stable in norm, column by column of the right-hand side.
        size = np.linalg.norm(self.value) * np.linalg.norm(value, axis=0) + np.linalg.norm(b.value, axis=0)
        moved = self.error @ np.abs(value) + b.error + 3 * max(self.shape) * U * size
        if (np.abs(self.value @ value - b.value) > REJECT * moved).any():
            return None
        return type(self)(value, np.abs(inverse) @ moved)

    def null_space(self) -> Self:
        _, _, right = np.linalg.svd(self.value, full_matrices=True)
        return type(self)(right[self.rank() :].T)

    def is_zero(self) -> bool:
        return not self.value.any()

    def tolist(self) -> list[list[Any]]:
        return self.value.tolist()

    def __repr__(self) -> str:
        return np.array2string(self.value, separator=", ").replace("\n", "")


def _numbers(i: int, row: object) -> list[float]:
    if isinstance(row, str) or not isinstance(row, Iterable):
        raise TypeError(f"a matrix is a list of rows; row {i} is {row!r}")
    found: list[float] = []
    for j, entry in enumerate(row):
        try:
            found.append(_number(entry))
        except (TypeError, ValueError, OverflowError, ZeroDivisionError):
            raise ValueError(
                f"row {i}, column {j}: {entry!r} is not a number: write it as 0.75, '3/4' or '0x1.8p-1'"
            ) from None
    return found


def _number(entry: object) -> float:
    if isinstance(entry, str):
        return float.fromhex(entry) if "x" in entry else float(Fraction(entry))
    return float(entry)  # type: ignore[arg-type]
