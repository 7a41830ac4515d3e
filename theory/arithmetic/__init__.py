"""Exact arithmetics behind one protocol: FLINT for generating and deciding, SymPy for replaying.

Kernels load on first use: ``import theory`` works where neither is installed.
"""

from __future__ import annotations

from theory.arithmetic.matrix import Matrix, Rows, Scalar, rational

ARITHMETICS = ("flint", "sympy")


def matrix_type(name: str = "flint") -> type[Matrix]:
    """Return the matrix class of the arithmetic called ``name``, ``"flint"`` or ``"sympy"``.

    Raises ``ValueError`` on another name.
    """
    if name == "flint":
        from theory.arithmetic.exact import RationalMatrix

        return RationalMatrix
    if name == "sympy":
        from theory.arithmetic.symbolic import SymbolicMatrix

        return SymbolicMatrix
    raise ValueError(f"unknown arithmetic {name!r}: choose one of {', '.join(ARITHMETICS)}")


__all__ = ["ARITHMETICS", "Matrix", "Rows", "Scalar", "matrix_type", "rational"]
