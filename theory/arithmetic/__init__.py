"""Arithmetics behind one protocol: FLINT for generating and deciding, SymPy for replaying, float64 with error bounds.

Kernels load on first use: ``import theory`` works where neither is installed.
"""

from __future__ import annotations

from theory.arithmetic.matrix import Matrix, Rows, Scalar, rational

ARITHMETICS = ("flint", "sympy", "float")


def matrix_type(name: str = "flint") -> type[Matrix]:
    """Return the matrix class of the arithmetic called ``name``: ``"flint"``, ``"sympy"`` or ``"float"``.

    Raises ``ValueError`` on another name.
    """
    if name == "flint":
        from theory.arithmetic.exact import RationalMatrix

        return RationalMatrix
    if name == "sympy":
        from theory.arithmetic.symbolic import SymbolicMatrix

        return SymbolicMatrix
    if name == "float":
        from theory.arithmetic.floating import FloatMatrix

        return FloatMatrix
    raise ValueError(f"unknown arithmetic {name!r}: choose one of {', '.join(ARITHMETICS)}")


def exact_matrix(rows: Rows, arithmetic: str = "flint") -> Matrix:
    """Return an exact matrix from nested lists of integers, Fractions or strings such as ``"3/5"``."""
    return matrix_type(arithmetic).of(rows)


__all__ = ["ARITHMETICS", "Matrix", "Rows", "Scalar", "exact_matrix", "matrix_type", "rational"]
