"""Slow, obvious formulas of the similarity measures, to hold the fast ones to.

Orthonormal bases come from pivoted Gram-Schmidt run twice, in ``numpy.longdouble`` (64 bits of mantissa on x86, 53
where the platform has no more), so a condition of 1e12 still leaves six digits.  Nothing here forms a Gram matrix and
inverts it, and nothing is streamed.  ``test_references.py`` holds these to exact rational arithmetic.

``ranks`` is always given by the caller, who built the input: no reference decides a numerical rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]
LongArray = NDArray[np.longdouble]


def centred(x: Array) -> LongArray:
    """The columns less their means, in long double."""
    long = np.asarray(x, np.longdouble)
    return long - long.mean(axis=0)


def orthonormal(x: LongArray, rank: int | None = None) -> LongArray:
    """An orthonormal basis of the column space: pivoted Gram-Schmidt, each column orthogonalised twice.

    Columns are scaled to length 1 first, which does not change their span.
    """
    count = x.shape[1] if rank is None else rank
    length = np.sqrt((x * x).sum(axis=0))
    rest = x[:, length > 0] / length[length > 0]
    basis = np.zeros((len(x), count), np.longdouble)
    for k in range(count):
        lengths = (rest * rest).sum(axis=0)
        q = rest[:, int(np.argmax(lengths))]
        for _ in range(2):
            q = q - basis[:, :k] @ (basis[:, :k].T @ q)
            q = q / np.sqrt(q @ q)
        basis[:, k] = q
        rest = rest - np.outer(q, q @ rest)
    return basis


def bases(x: Array, y: Array, ranks: tuple[int, int] | None = None) -> tuple[LongArray, LongArray]:
    """Orthonormal bases of both centred column spaces."""
    rank_x, rank_y = ranks or (None, None)
    return orthonormal(centred(x), rank_x), orthonormal(centred(y), rank_y)


def canonical_correlations(x: Array, y: Array, ranks: tuple[int, int] | None = None) -> Array:
    """All min(rank) of them, largest first: the singular values of Qx'Qy (Björck and Golub 1973, recalled)."""
    q_x, q_y = bases(x, y, ranks)
    return np.linalg.svd((q_x.T @ q_y).astype(np.float64), compute_uv=False)


def mean_cca(x: Array, y: Array, ranks: tuple[int, int] | None = None) -> float:
    """The mean of the canonical correlations."""
    return float(canonical_correlations(x, y, ranks).mean())


def principal_angles(x: Array, y: Array, ranks: tuple[int, int] | None = None) -> Array:
    """Smallest first, in radians; from the sine below 45 degrees and from the cosine above."""
    q_x, q_y = bases(x, y, ranks)
    if q_x.shape[1] < q_y.shape[1]:
        q_x, q_y = q_y, q_x
    cosines = np.linalg.svd((q_x.T @ q_y).astype(np.float64), compute_uv=False)
    sines = np.linalg.svd((q_y - q_x @ (q_x.T @ q_y)).astype(np.float64), compute_uv=False)[::-1]
    small = np.arcsin(np.clip(sines, 0.0, 1.0))
    return np.where(small < np.pi / 4, small, np.arccos(np.clip(cosines, 0.0, 1.0)))


def kept(x: Array, variance: float) -> int:
    """How many principal components reach the share of the variance (squared singular values)."""
    s = np.linalg.svd(centred(x).astype(np.float64), compute_uv=False)
    share = np.cumsum(s * s) / (s * s).sum()
    return int(np.argmax(share >= variance)) + 1


def svcca(x: Array, y: Array, variance: float = 0.99) -> float:
    """Mean canonical correlation of the leading components with this share of the variance (Raghu et al. 2017)."""
    return svcca_components(x, y, (kept(x, variance), kept(y, variance)))


def svcca_components(x: Array, y: Array, components: tuple[int, int]) -> float:
    """The same with the number of components given for each side."""
    u_x, u_y = (
        np.linalg.svd(centred(a).astype(np.float64), full_matrices=False)[0][:, :k]
        for a, k in zip((x, y), components, strict=True)
    )
    return float(np.linalg.svd(u_x.T @ u_y, compute_uv=False).mean())


def pwcca(x: Array, y: Array, ranks: tuple[int, int] | None = None) -> float:
    """Σ αᵢρᵢ / Σ αᵢ with αᵢ = Σⱼ |⟨hᵢ, xⱼ⟩|, hᵢ the canonical variates of x (Morcos et al. 2018, recalled)."""
    q_x, q_y = bases(x, y, ranks)
    u, correlations, _ = np.linalg.svd((q_x.T @ q_y).astype(np.float64), full_matrices=False)
    neurons = centred(x)
    top, bottom = np.longdouble(0), np.longdouble(0)
    for i, correlation in enumerate(correlations):
        variate = q_x @ u[:, i].astype(np.longdouble)
        weight = np.longdouble(0)
        for j in range(neurons.shape[1]):
            weight += abs(variate @ neurons[:, j])
        top += weight * correlation
        bottom += weight
    return float(top / bottom)


def linear_cka(x: Array, y: Array) -> float:
    """Biased linear CKA (Kornblith et al. 2019): ‖X'Y‖² / (‖X'X‖ ‖Y'Y‖), columns centred, in long double."""
    a, b = centred(x), centred(y)

    def squares(m: LongArray) -> np.longdouble:
        return (m * m).sum()

    return float(squares(a.T @ b) / np.sqrt(squares(a.T @ a) * squares(b.T @ b)))


def kernel_cka(x: Array, y: Array) -> float:
    """Biased linear CKA by n x n kernels: HSIC = tr(KHLH) (Gretton et al. 2005), normalised."""
    n = len(x)
    h = np.eye(n) - 1.0 / n
    k, l = (np.asarray(a, np.float64) @ np.asarray(a, np.float64).T for a in (x, y))

    def hsic(p: Array, q: Array) -> float:
        return float(np.trace(p @ h @ q @ h))

    return hsic(k, l) / float(np.sqrt(hsic(k, k) * hsic(l, l)))


def unbiased_hsic(k: LongArray, l: LongArray) -> np.longdouble:
    """The unbiased estimator from two n x n kernels (Song et al. 2012, equation 5, recalled)."""
    n = len(k)
    k, l = k.copy(), l.copy()
    np.fill_diagonal(k, 0)
    np.fill_diagonal(l, 0)
    trace = (k * l.T).sum()
    sums = k.sum() * l.sum() / ((n - 1) * (n - 2))
    mixed = (k.sum(axis=0) @ l.sum(axis=1)) * 2 / (n - 2)
    return (trace + sums - mixed) / (n * (n - 3))


def unbiased_cka(x: Array, y: Array) -> float:
    """Linear CKA from the unbiased estimator.  Centring first does not change it, and keeps the digits."""
    a, b = centred(x), centred(y)
    k, l = a @ a.T, b @ b.T
    return float(unbiased_hsic(k, l) / np.sqrt(unbiased_hsic(k, k) * unbiased_hsic(l, l)))


def hsic_by_loops(k: Sequence[Sequence[Fraction]], l: Sequence[Sequence[Fraction]]) -> Fraction:
    """The mean over all ordered quadruples of different rows of the HSIC kernel, from its definition, exactly."""
    total, count = Fraction(0), 0
    for i, j, q, r in permutations(range(len(k)), 4):
        total += k[i][j] * (l[i][j] + l[q][r] - 2 * l[i][q])
        count += 1
    return total / count


def procrustes(x: Array, y: Array) -> float:
    """min ‖X/‖X‖ − (Y/‖Y‖)Q‖² over Q with orthonormal rows, Y the narrower side (it is symmetric)."""
    if y.shape[1] > x.shape[1]:
        x, y = y, x
    a, b = centred(x), centred(y)
    a, b = a / np.sqrt((a * a).sum()), b / np.sqrt((b * b).sum())
    u, _, vt = np.linalg.svd((b.T @ a).astype(np.float64), full_matrices=False)
    difference = a - b @ (u @ vt)
    return float((difference * difference).sum())


def linear_map(x: Array, y: Array, ranks: tuple[int, int] | None = None) -> float:
    """In-sample R² of all columns of y together, from x and an intercept."""
    q_x = orthonormal(centred(x), ranks[0] if ranks else None)
    b = centred(y)
    rest = b - q_x @ (q_x.T @ b)
    return float(1 - (rest * rest).sum() / (b * b).sum())
