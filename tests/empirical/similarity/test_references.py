"""The reference formulas against exact arithmetic, and the cases against what they were built with."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from tests.empirical.similarity import references
from tests.empirical.similarity.cases import MAKERS, case

SMALL = np.random.default_rng(0).integers(-5, 6, (9, 5)).astype(float)
X, Y = SMALL[:, :2], SMALL[:, 2:]


def test_canonical_correlations_in_50_digits() -> None:
    """They solve Cxx⁻¹Cxy Cyy⁻¹Cyx v = ρ²v, here in 50 digits."""
    with mpmath.workdps(50):
        a, b = (mpmath.matrix((m - m.mean(axis=0)).tolist()) for m in (X * 9, Y * 9))  # means of 9 rows: integers
        product = mpmath.inverse(a.T * a) * (a.T * b) * mpmath.inverse(b.T * b) * (b.T * a)
        squares = mpmath.eig(product, left=False, right=False)
        exact = sorted((float(mpmath.sqrt(mpmath.re(s))) for s in squares), reverse=True)
    assert references.canonical_correlations(X, Y) == pytest.approx(exact, abs=1e-14)
    assert np.cos(references.principal_angles(X, Y)) == pytest.approx(exact, abs=1e-14)


def test_linear_map_in_fractions() -> None:
    """R² on one column: the determinant form, det of the joint Gram over the product."""

    def determinant(m: list[list[Fraction]]) -> Fraction:
        if len(m) == 1:
            return m[0][0]
        return sum(
            ((-1) ** j * m[0][j] * determinant([row[:j] + row[j + 1 :] for row in m[1:]]) for j in range(len(m))),
            Fraction(0),
        )

    columns = [[Fraction(int(v)) - Fraction(int(c.sum()), 9) for v in c] for c in SMALL[:, :3].T]
    gram = [[sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0)) for b in columns] for a in columns]
    unexplained = determinant(gram) / (determinant([row[:2] for row in gram[:2]]) * gram[2][2])
    assert references.linear_map(X, Y[:, :1]) == pytest.approx(float(1 - unexplained), abs=1e-15)
    assert references.mean_cca(X, Y[:, :1]) == pytest.approx(float(1 - unexplained) ** 0.5, abs=1e-15)


def test_unbiased_hsic_is_the_mean_over_quadruples() -> None:
    k, l = ([[Fraction(int(p @ q)) for q in m] for p in m] for m in (X, Y))
    exact = references.hsic_by_loops(k, l)
    fast = references.unbiased_hsic(*(np.asarray(m @ m.T, np.longdouble) for m in (X, Y)))
    assert float(fast) == pytest.approx(float(exact), rel=1e-14)
    a, b = (np.asarray(m - m.mean(axis=0), np.longdouble) for m in (X, Y))
    assert float(references.unbiased_hsic(a @ a.T, b @ b.T)) == pytest.approx(float(exact), rel=1e-14)


def test_biased_cka_by_columns_and_by_kernels() -> None:
    assert references.kernel_cka(X, Y) == pytest.approx(references.linear_cka(X, Y), rel=1e-13)


def test_procrustes_is_the_least_over_rotations() -> None:
    """In two dimensions, over 20,000 angles with and without a reflection."""
    x, y = X, Y[:, :2]
    a, b = (m - m.mean(axis=0) for m in (x, y))
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    angles = np.linspace(0, 2 * np.pi, 20_001)
    c, s = np.cos(angles), np.sin(angles)
    rotations = np.array([[c, -s], [s, c]]), np.array([[c, s], [s, -c]])
    best = min(float(((a[:, :, None] - np.einsum("ij,jkt->ikt", b, q)) ** 2).sum((0, 1)).min()) for q in rotations)
    assert references.procrustes(x, y) == pytest.approx(best, abs=1e-7)
    wide = np.hstack([x, x[:, :1] * y[:, :1]])
    assert references.procrustes(wide, y) == pytest.approx(references.procrustes(y, wide), abs=1e-14)


@pytest.mark.parametrize("name", MAKERS)
def test_cases_are_what_they_were_built_to_be(name: str) -> None:
    """One rounding of the inputs moves the mean by little, unless the inputs have few digits."""
    few_digits = {"condition 1e12": 1e-7, "float32, condition 1e4": 1e-5, "float32, mean 1e3": 1e-5, "mean 1e8": 1e-9}
    assert case(name).moved < few_digits.get(name, 1e-11)
