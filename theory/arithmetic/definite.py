"""Definiteness of symmetric rational matrices, decided exactly: how bounds by singular values are compared.

With q = u / e for rationals u and e > 0, the bound σ_min(L)² e <= u says λ_min(L Lᵀ) <= q, that is, L Lᵀ - q is not
positive definite; and σ_min(L)² e < u says that it is not even positive semidefinite.  No root is taken.
"""

from __future__ import annotations

from fractions import Fraction

from theory.arithmetic.matrix import Matrix, Scalar

Pivots = tuple[Fraction, ...]


def pivots(matrix: Matrix) -> Pivots | None:
    """The pivots D >= 0 of ``matrix`` = L D Lᵀ (L unit lower triangular), or None when it is not positive semidefinite.

    The matrix is positive definite exactly when all are positive.  Raises ``ValueError`` when it is not symmetric.
    """
    if not matrix.exact:
        raise TypeError("definiteness is decided for exact matrices only")
    rows, columns = matrix.shape
    if rows != columns or not (matrix - matrix.T).is_zero():
        raise ValueError(
            f"definiteness is asked of symmetric matrices; this {rows} x {columns} matrix is not symmetric"
        )
    found: list[Fraction] = []
    rest = matrix
    while rest.shape[0]:
        others = range(1, rest.shape[0])
        (pivot,) = rest.take(rows=[0], columns=[0]).tolist()[0]
        beyond = rest.take(rows=[0], columns=others)
        if pivot < 0 or (pivot == 0 and not beyond.is_zero()):
            return None
        found.append(pivot)
        rest = rest.take(rows=others, columns=others)
        if pivot != 0:
            rest = rest - (beyond.T @ beyond).scaled(1 / pivot)
    return tuple(found)


def gram_beyond(matrix: Matrix, level: Scalar) -> Matrix:
    """L Lᵀ - ``level`` for L = ``matrix``: positive definite exactly when σ_min(L)² > ``level``."""
    return matrix @ matrix.T - matrix.identity(matrix.shape[0]).scaled(level)


def smallest_singular_value(matrix: Matrix) -> tuple[float, Fraction]:
    """The smallest of the singular values (as many as rows), as a float times an exact scale.

    For reports: decisions use :func:`pivots`.  The scale, the largest entry, keeps entries of any size within float64.
    """
    import numpy as np

    table = matrix.tolist()
    scale = max((abs(entry) for row in table for entry in row), default=Fraction(0))
    if scale == 0 or matrix.shape[1] < matrix.shape[0]:
        return 0.0, Fraction(1)
    values = np.linalg.svd([[float(entry / scale) for entry in row] for row in table], compute_uv=False)
    return float(values[-1]), scale
