"""Points in general position, for tests that must tell a map from every other by its image."""

from __future__ import annotations

from theory.arithmetic import Matrix, matrix_type
from theory.strategies.matrices import any_matrix, entries, invertible
from theory.strategies.source import RandomSource


def spanning(seed: int, dim: int) -> Matrix:
    """dim + 2 points that span affinely, so that one point, or more, is determined by the others."""
    source = RandomSource(seed)
    frame = matrix_type().zeros(1, dim).above(invertible(source, dim)).above(any_matrix(source, 1, dim))
    return frame + matrix_type().of([entries(source, 1, dim)[0]] * (dim + 2))
