"""Pseudo-inverses and orthogonal projections of rational matrices: rational themselves, by a rank factorisation.

Orthonormal bases of a rational subspace need square roots; the projection onto it does not.  So statements about
subspaces are decided by projections, in whichever arithmetic the matrix belongs to.
"""

from __future__ import annotations

from typing import TypeVar

from theory.arithmetic.matrix import Matrix

AnyMatrix = TypeVar("AnyMatrix", bound=Matrix)


def rank_factors(matrix: AnyMatrix) -> tuple[AnyMatrix, AnyMatrix]:
    """Return C (rows, r) and R (r, columns), both of full rank r, with matrix = C R.

    C holds the pivot columns, R the rows of the echelon form that are not zero.
    """
    reduced, pivots = matrix.echelon()
    return matrix.take(columns=pivots), reduced.take(rows=range(len(pivots)))


def pseudo_inverse(matrix: AnyMatrix) -> AnyMatrix:
    """Return the Moore-Penrose inverse (columns, rows): Rᵀ (Cᵀ matrix Rᵀ)⁻¹ Cᵀ for matrix = C R (MacDuffee)."""
    left, right = rank_factors(matrix)
    if right.shape[0] == 0:
        return matrix.zeros(matrix.shape[1], matrix.shape[0])
    middle = (left.T @ matrix @ right.T).solve(left.T)
    assert middle is not None  # Cᵀ C R Rᵀ is invertible: C and R have full rank
    return right.T @ middle


def projection(rows: AnyMatrix) -> AnyMatrix:
    """Return the orthogonal projection onto the span of the rows, a symmetric (columns, columns) matrix."""
    basis = rank_factors(rows)[1]
    if basis.shape[0] == 0:
        return rows.zeros(rows.shape[1], rows.shape[1])
    coordinates = (basis @ basis.T).solve(basis)
    assert coordinates is not None  # the rows of the basis are linearly independent
    return basis.T @ coordinates
