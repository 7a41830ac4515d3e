"""Norms whose squares neither overflow nor underflow: entries are first divided by a power of two, which is exact."""

from __future__ import annotations

import numpy as np

from theory.arithmetic.floating import Array


def unit(values: Array) -> float:
    """The power of two just below the largest |entry|; 1 where all are 0."""
    largest = float(np.abs(values).max()) if values.size else 0.0
    return float(np.ldexp(1.0, int(np.frexp(largest)[1]) - 1)) if largest else 1.0


def norm(values: Array) -> float:
    """Root of the sum of all squares; NaN where an entry is."""
    by = unit(values)
    return by * float(np.linalg.norm(values / by))


def rms(values: Array) -> float:
    """Root mean square of all entries."""
    return norm(values) / float(np.sqrt(values.size))


def row_norms(values: Array) -> Array:
    """The norm of each row, (rows,); each row has its own power of two."""
    largest = np.abs(values).max(axis=1, keepdims=True)
    by = np.where(largest > 0, np.ldexp(1.0, np.frexp(largest)[1] - 1), 1.0)
    return by[:, 0] * np.linalg.norm(values / by, axis=1)


def unexplained(residual: Array, base: Array) -> float:
    """Sum of squares of the residual over that of the base; NaN where the base is 0."""
    whole = norm(base)
    return (norm(residual) / whole) ** 2 if whole > 0 else float("nan")
