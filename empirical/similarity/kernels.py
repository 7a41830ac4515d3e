"""Measures of the centred columns as they are: CKA, RV and Procrustes. None of them fits or inverts anything."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from empirical.errors import InputError
from empirical.similarity.checks import PLENTY, singular_values, unit_interval
from empirical.similarity.gram import EPS
from empirical.similarity.joint import Joint, pair_of
from empirical.similarity.moments import blocks, gemm, rows_at_once
from empirical.similarity.results import Invariance, Measurement
from empirical.similarity.sources import Source, SourceLike

Side = SourceLike | Source

CANCELLED = 1e-4
"""Where the unbiased HSIC is a smaller share than this of the terms it is the difference of, a warning says so."""

CKA_BIAS = "even unrelated sides are well above 0; use linear_cka with unbiased=True, or permutation_test"


def linear_cka(x: Side | Joint, y: Side | None = None, *, unbiased: bool = False) -> Measurement:
    """Linear centred kernel alignment (Kornblith et al., 2019; recalled).

    Biased: |X'Y|^2 / (|X'X| |Y'Y|), Frobenius norms of centred X (rows, d1) and Y (rows, d2); well above 0 for
    unrelated sides when there are few rows. Unbiased: each of the three replaced by the unbiased estimate of HSIC
    (Song et al., 2012; Nguyen et al., 2021; recalled), about 0 for unrelated sides, so it may be slightly negative. Its
    n x n kernel matrices are not formed: with centred columns K 1 = 0, so with k_i = |x_i|^2, l_i = |y_i|^2

        n(n - 3) HSIC = |X'Y|^2 - n/(n - 2) sum_i k_i l_i + sum_i k_i sum_i l_i / ((n - 1)(n - 2)),

    and the squared row norms cost one light second pass.

    Raises:
        InputError: bad sources; constant input; unbiased with fewer than 4 rows, or where one row holds all the
            variance.
    """
    pair = pair_of(x, y)
    if unbiased:
        value, warnings = _unbiased(pair)
        convention = (
            "columns centred; HSIC estimated without bias, diagonal left out (divisor n(n - 3)); may be negative"
        )
    else:
        value, warnings = _biased(pair), _few_rows(pair, CKA_BIAS)
        convention = "columns centred; |X'Y|^2 / (|X'X| |Y'Y|), Frobenius; biased upward in few rows"
    return _measurement(pair, "unbiased linear CKA" if unbiased else "linear CKA", value, convention, warnings)


def rv(x: Side | Joint, y: Side | None = None) -> Measurement:
    """The RV coefficient (Robert and Escoufier, 1976; recalled): on centred columns the same as biased linear CKA.

    Raises:
        InputError: as `linear_cka`.
    """
    pair = pair_of(x, y)
    convention = "columns centred; tr(Sxy Syx) / sqrt(tr(Sxx^2) tr(Syy^2)): the same number as biased linear CKA"
    return _measurement(pair, "RV", _biased(pair), convention, _few_rows(pair, CKA_BIAS))


def procrustes_distance(x: Side | Joint, y: Side | None = None) -> Measurement:
    """Squared orthogonal Procrustes distance, 0 to 2 (Schönemann, 1966; Ding et al., 2021; recalled).

    min |X - Y Q|^2 over orthogonal Q = 2 - 2 |X'Y|_*, X and Y centred and scaled to Frobenius norm 1, |.|_* the sum of
    singular values; the narrower side is padded with columns of 0. Squared, because the root of a difference near 0
    would have 8 digits only; its root is a metric.

    Raises:
        InputError: bad sources; constant input.
    """
    pair = pair_of(x, y)
    total = float(singular_values(weighted(pair, 0, 1)).sum())
    error = 64 * EPS[pair.products] * np.sqrt(sum(pair.dims))
    value = 2 - 2 * float(unit_interval(total, float(error)))
    convention = (
        "columns centred, each side scaled to Frobenius norm 1; min |X - Y Q|^2 over orthogonal Q, squared, 0 to 2"
    )
    return _measurement(
        pair,
        "Procrustes distance",
        value,
        convention,
        _few_rows(pair, "a rotation brings even unrelated rows close; judge it by held_out"),
    )


def weighted(pair: Joint, first: int, second: int) -> np.ndarray:
    """X'Y of the live centred columns as they are, each side of Frobenius norm 1; shape (live, live)."""
    block = pair.block(first, second)
    for at, axis in ((first, 0), (second, 1)):
        weights = pair.side(at).weights
        block *= np.expand_dims(weights / np.linalg.norm(weights), 1 - axis)
    return block


def squared_norms(pair: Joint) -> Iterator[np.ndarray]:
    """Yield (rows, 2) blocks of squared norms of the centred rows, each side of Frobenius norm 1, in a second pass."""
    chosen = [pair.sources[pair.number(at)] for at in (0, 1)]
    columns = np.concatenate([pair.columns(at) for at in (0, 1)])
    squares = np.zeros((len(columns), 2), order="F")
    for at, shift in ((0, 0), (1, pair.dims[0])):
        side = pair.side(at)
        factor = side.weights / np.linalg.norm(side.weights) / side.norms
        squares[side.live - pair.columns(at)[0] + shift, at] = factor**2
    means, units = pair.moments.means[columns], pair.moments.units[columns]
    for z in blocks(chosen, means, units, rows_at_once(chosen)):
        z *= z
        yield gemm(1.0, z.T, squares, trans_a=1)  # of SciPy's BLAS, as all large products here


def hsic(pair: Joint) -> tuple[float, float, float]:
    """n(n - 3) times the unbiased HSIC of x with y, x with x and y with y, each side of Frobenius norm 1.

    Raises:
        InputError: fewer than 4 rows.
    """
    rows = pair.rows
    if rows < 4:
        raise InputError(f"{rows} rows: the unbiased HSIC divides by n(n - 3), so it needs at least 4")
    products = np.zeros((2, 2))
    for norms in squared_norms(pair):
        products += np.einsum("ra,rb->ab", norms, norms)

    def estimate(a: int, b: int) -> float:
        square = float((weighted(pair, a, b) ** 2).sum())
        return square - rows / (rows - 2) * float(products[a, b]) + 1 / ((rows - 1) * (rows - 2))

    return estimate(0, 1), estimate(0, 0), estimate(1, 1)


def _unbiased(pair: Joint) -> tuple[float, tuple[str, ...]]:
    xy, xx, yy = hsic(pair)
    rounding = 64 * EPS[pair.products]
    for name, value in (("x", xx), ("y", yy)):
        if value <= rounding:
            raise InputError(
                f"{name}: the unbiased HSIC with itself is 0 up to rounding: one row holds all the variance; "
                "more rows are needed"
            )
    # |xy|^2 <= xx yy: these are inner products of U-centred kernels.
    value = xy / float(np.sqrt(xx * yy))
    error = rounding / min(xx, yy)
    warnings = ()
    if min(xx, yy) < CANCELLED:
        warnings = (
            f"a few rows hold nearly all the variance: HSIC is a difference that cancels to {min(xx, yy):.1g} of its "
            f"terms, and rounding alone may change the value by {error:.1g}",
        )
    return float(np.sign(value)) * float(unit_interval(abs(value), error)), warnings


def _biased(pair: Joint) -> float:
    # Not np.linalg.norm: its dot product wakes the threads of NumPy's BLAS, which then take the cores from SciPy's.
    xy, xx, yy = (float(np.square(weighted(pair, a, b)).sum()) for a, b in ((0, 1), (0, 0), (1, 1)))
    return float(unit_interval(xy / np.sqrt(xx * yy), 64 * EPS[pair.products] * max(pair.dims)))


def _few_rows(pair: Joint, consequence: str) -> tuple[str, ...]:
    columns = sum(pair.dims)
    return () if pair.rows >= PLENTY * columns else (f"{pair.rows} rows for {columns} columns: {consequence}",)


def _measurement(pair: Joint, measure: str, value: float, convention: str, warnings: tuple[str, ...]) -> Measurement:
    return Measurement(
        measure=measure,
        value=value,
        rows=pair.rows,
        dims=(pair.dims[0], pair.dims[1]),
        convention=f"{convention}; in-sample; from cross products in {pair.products}",
        invariance=Invariance.ORTHOGONAL_AND_SCALE,
        warnings=warnings,
    )
