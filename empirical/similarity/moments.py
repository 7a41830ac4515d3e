"""Means and centred cross products of paired rows, in one pass over the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

# SciPy's BLAS alone, never NumPy's beside it: the threads of each wait busily and take the cores from the other's.
from scipy.linalg import get_blas_funcs

from empirical.errors import InputError
from empirical.similarity.sources import Source

syrk, syr, gemm, trsm = get_blas_funcs(("syrk", "syr", "gemm", "trsm"), dtype=np.float64)
(syrk32,) = get_blas_funcs(("syrk",), dtype=np.float32)

Products = Literal["float64", "float32"]

SCRATCH = 24 * 2**20
"""Bytes of rows held at once. The same for arrays and files, so both give the same bits."""


@dataclass(frozen=True, slots=True)
class Moments:
    """Of the columns of all sources side by side: ``means``, and ``gram`` of the centred columns times ``units``.

    ``rest`` is what rounding cut off the means, in units: of a mean of 1e8 it may be 1e-8.
    ``units`` are powers of two, so multiplying by them rounds nothing; they are 1 except where squares would overflow
    or underflow. ``gram`` is symmetric, both triangles filled.
    """

    rows: int
    means: np.ndarray
    rest: np.ndarray
    gram: np.ndarray
    units: np.ndarray


def rows_at_once(sources: Sequence[Source], wanted: int | None = None) -> int:
    """How many rows fill the scratch space, or ``wanted``."""
    if wanted is not None and wanted < 1:
        raise InputError(f"rows_at_once = {wanted}: at least 1 is needed")
    columns = sum(one.columns for one in sources)
    return min(sources[0].rows, wanted or max(256, SCRATCH // (8 * columns)))


def blocks(
    sources: Sequence[Source], centre: np.ndarray, units: np.ndarray, rows: int, dtype: type = np.float64
) -> Iterator[np.ndarray]:
    """Yield (rows, columns) blocks of (all sources side by side - ``centre``) * ``units``; the buffer is reused."""
    total = sources[0].rows
    buffer = np.empty((min(rows, total), len(centre)), dtype=dtype)
    plain = bool(np.all(units == 1))
    edges = np.concatenate([[0], np.cumsum([one.columns for one in sources])])
    for first in range(0, total, rows):
        last = min(total, first + rows)
        z = buffer[: last - first]
        # An infinite or a huge value shows in the sums, where it is named.
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            for one, low, high in zip(sources, edges[:-1], edges[1:], strict=True):
                for where, values in one.pieces(first, last):
                    if isinstance(where, slice):
                        # Of mixed types NumPy's subtraction is slower than a cast and a subtraction in place.
                        out = z[where, low:high]
                        if values.dtype == dtype:
                            np.subtract(values, centre[low:high].astype(dtype), out=out)
                        elif dtype is np.float64:
                            out[...] = values
                            out -= centre[low:high]
                        else:
                            np.subtract(values, centre[low:high], out=out, casting="same_kind")
                    else:
                        z[where, low:high] = values - centre[low:high]
            if not plain:
                z *= units
        yield z


def accumulate(sources: Sequence[Source], products: Products, wanted: int | None = None) -> Moments:
    """Read every source once and return the moments of their columns side by side.

    Rows are shifted by a pilot mean (of up to 16 short runs of rows spread over the data), products are summed block by
    block, and the exact mean of what is left is taken out at the end. That last subtraction loses digits only where the
    pilot was off by several standard deviations; then the data are read once more with the mean now known.

    Raises:
        InputError: a value that is not finite, or columns of too wide a range for float64.
    """
    rows = rows_at_once(sources, wanted)
    pilot, units = _pilot(sources, products)
    count = sources[0].rows
    sums, gram = _sums(sources, pilot, units, rows, products)
    shift = sums / count
    variance = np.diagonal(gram) / count - shift**2
    rounding = 64 * np.finfo(np.float64).eps * np.abs(pilot * units)
    if np.any((np.abs(shift) > rounding) & (shift**2 > 9 * np.maximum(variance, 0))):
        pilot += shift / units
        sums, gram = _sums(sources, pilot, units, rows, products)
        shift = sums / count
    means = pilot + shift / units
    gram = take_out(gram, sums, count)
    mirror(gram)
    return Moments(count, means, (pilot - means) * units + shift, gram, units)


def cross_products(sources: Sequence[Source], moments: Moments, split: int) -> np.ndarray:
    """Centred products of the first ``split`` columns with the others, read anew: for another pairing of the rows."""
    total = np.zeros((split, len(moments.means) - split), order="F")
    sums = np.zeros(len(moments.means))
    for z in blocks(sources, moments.means, moments.units, rows_at_once(sources)):
        sums += z.sum(axis=0)
        total = gemm(1.0, z.T[:split], z.T[split:], 1.0, total, trans_b=1, overwrite_c=1)
    return total - np.outer(sums[:split], sums[split:]) / moments.rows


def lower_products(rows: np.ndarray, total: np.ndarray) -> np.ndarray:
    """``total`` + rows' rows, in place, the lower triangle only; ``total`` is in column order."""
    return syrk(1.0, rows.T, 1.0, total, lower=1, overwrite_c=1)


def take_out(gram: np.ndarray, sums: np.ndarray, rows: int) -> np.ndarray:
    """``gram`` - sums sums' / rows, in place, the lower triangle only."""
    return syr(-1.0 / rows, sums, lower=1, a=gram, overwrite_a=1)


def solve_rows(lower: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """``rows`` times the inverse of ``lower``', row by row."""
    return trsm(1.0, lower, rows.T, lower=1).T


def _sums(
    sources: Sequence[Source], pilot: np.ndarray, units: np.ndarray, rows: int, products: Products
) -> tuple[np.ndarray, np.ndarray]:
    columns = len(pilot)
    sums = np.zeros(columns)
    gram = np.zeros((columns, columns), order="F")
    with np.errstate(over="ignore", invalid="ignore"):
        for z in blocks(sources, pilot, units, rows, np.float64 if products == "float64" else np.float32):
            sums += z.sum(axis=0, dtype=np.float64)
            if products == "float64":
                gram = lower_products(z, gram)
            else:
                gram += syrk32(1.0, z.T, lower=1)
    if not np.all(np.isfinite(sums)):
        _refuse(sources, np.flatnonzero(~np.isfinite(sums))[0])
    if not np.all(np.isfinite(np.diagonal(gram))):
        _refuse(sources, np.flatnonzero(~np.isfinite(np.diagonal(gram)))[0])
    return sums, gram


def _pilot(sources: Sequence[Source], products: Products) -> tuple[np.ndarray, np.ndarray]:
    """A rough mean of each column, and a power of two that keeps its squares in range."""
    total = sources[0].rows
    run = min(64, total)
    starts = np.unique(np.linspace(0, total - run, 16).astype(int))
    means, units = [], []
    safe = 2.0**20 if products == "float32" else 2.0**200
    with np.errstate(over="ignore", invalid="ignore"):
        for one in sources:
            sample = np.empty((run * len(starts), one.columns))
            for number, start in enumerate(starts):
                for where, values in one.pieces(start, start + run):
                    sample[number * run : (number + 1) * run][where] = values
            # Divided first, so that the sum of large numbers stays finite.
            mean = (sample * (1.0 / len(sample))).sum(axis=0)
            if not np.all(np.isfinite(mean)):
                one.refuse_non_finite()
                _too_wide(one, int(np.flatnonzero(~np.isfinite(mean))[0]))
            if products == "float32":
                # A pilot that is a float32 too makes the subtraction exact for rows near it.
                mean = mean.astype(np.float32).astype(np.float64)
            size = np.abs(sample - mean).max(axis=0)
            exponent = np.frexp(size)[1].astype(np.float64)
            outside = (size > 0) & ((size > safe) | (size < 1 / safe))
            means.append(mean)
            units.append(np.where(outside, np.exp2(np.clip(-exponent, -1000, 1000)), 1.0))
    return np.concatenate(means), np.concatenate(units)


def _refuse(sources: Sequence[Source], column: np.intp) -> None:
    at = int(column)
    for one in sources:
        if at < one.columns:
            one.refuse_non_finite()
            _too_wide(one, at)
        at -= one.columns


def _too_wide(one: Source, column: int) -> None:
    raise InputError(
        f"{one.name}: squares of column {column} leave the range of floating-point numbers; "
        "rescale it, or drop its outliers"
    )


def mirror(lower: np.ndarray, step: int = 256) -> None:
    """Fill the upper triangle from the lower one, block by block: no second matrix."""
    size = len(lower)
    for a in range(0, size, step):
        b = min(size, a + step)
        lower[a:b, b:] = lower[b:, a:b].T
        corner = lower[a:b, a:b]
        corner[...] = np.tril(corner) + np.tril(corner, -1).T
