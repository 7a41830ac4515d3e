"""QR of columns too nearly dependent for their cross products, in one more pass over the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import get_lapack_funcs

from empirical.similarity.moments import blocks

if TYPE_CHECKING:
    from empirical.similarity.moments import Moments
    from empirical.similarity.sources import Source

(tpqrt,) = get_lapack_funcs(("tpqrt",), dtype=np.float64)

PANEL = 32
"""Columns factored at a time inside LAPACK's tpqrt."""


def triangle(sources: Sequence[Source], moments: Moments, centred: bool) -> np.ndarray:
    """R (columns, columns), upper triangular, of the QR factorisation of all columns side by side, times their units.

    Householder reflections take in one block of rows after the other (LAPACK's tpqrt, a triangle on a rectangle), so
    the error is that of rounding the data a few times, column by column, whatever the condition; cross products
    square the condition. Less scratch space than for products, because each block is copied into column order.
    """
    columns = len(moments.means)
    # A mean rounded to float64 leaves a rest, which a nearly dependent direction may magnify: so a column of ones comes
    # first, and what follows is orthogonal to it.
    ones = 1 if centred else 0
    size = columns + ones
    rows = max(64, min(sources[0].rows, 8 * 2**20 // (8 * size)))
    centre = moments.means if centred else np.zeros(columns)
    r = np.zeros((size, size), order="F")
    for z in blocks(sources, centre, moments.units, rows):
        block = np.ones((len(z), size), order="F")
        block[:, ones:] = z
        r, _, _, info = tpqrt(0, min(PANEL, size), r, block, overwrite_a=1, overwrite_b=1)
        if info:
            raise RuntimeError(f"LAPACK's dtpqrt says {info}: a mistake in this package")
    return r[ones:, ones:]
