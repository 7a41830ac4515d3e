"""The same expression exactly and in floating point, and how much of its error bound the latter uses."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.instances import in_arithmetic
from theory.arithmetic import Matrix, exact_matrix
from theory.arithmetic.floating import FloatMatrix
from theory.strategies.source import RandomSource, Source, choice

#: Second-order terms, which a first-order bound leaves out, where the bound is below SMALL of the value.
SLACK, SMALL = 1 + 1e-6, 1e-7


def rational_matrix(source: Source, rows: int, columns: int, grading: int = 0) -> Matrix:
    """Rationals that no float is equal to, columns scaled by powers of 10."""
    return exact_matrix(
        [
            [Fraction(source.integer(-99, 99), source.integer(1, 99)) / 10 ** (grading * j) for j in range(columns)]
            for _ in range(rows)
        ]
    )


def used(exact: Matrix, found: FloatMatrix) -> float:
    """The largest share of the bound that the true error takes."""
    assert found.shape == exact.shape == found.error.shape == found.size.shape
    assert (found.error >= 0).all()
    assert (found.size >= 0).all()
    worst = 0.0
    for i, row in enumerate(exact.tolist()):
        for j, entry in enumerate(row):
            missed = abs(Fraction(found[i, j]) - entry)
            if missed:
                bound = Fraction(float(found.error[i, j]))
                worst = max(worst, float(missed / bound) if bound else math.inf)
    return worst


Both = tuple[Matrix, FloatMatrix]


def drawn(seed: int) -> tuple[Both, Both]:
    """Two square matrices in both arithmetics, some already computed."""
    source = RandomSource(seed)
    size, grading = source.integer(1, 5), source.integer(0, 2)
    pairs: list[Both] = []
    for _ in range(2):
        exact = rational_matrix(source, size, size, grading)
        found = in_arithmetic(exact, "float")
        if choice(source, (True, False)):
            other = rational_matrix(source, size, size)
            exact, found = exact @ other, found @ in_arithmetic(other, "float")
        pairs.append((exact, found))
    return pairs[0], pairs[1]
