"""Inputs whose canonical correlations are known, for each way in which a similarity measure goes wrong.

``x = Qx A`` and ``y = Qy B``: Qx has orthonormal columns orthogonal to the vector of ones, Qy = Qx C + Z S with Z
orthonormal and orthogonal to both, C and S diagonal cosines and sines.  So the canonical correlations are the diagonal
of C for every A and B of full row rank.  Products are made in long double and rounded once; what that one rounding
does to the answer no method can undo, and :attr:`Case.moved` measures it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from tests.empirical.similarity import references

Array = NDArray[np.floating]

PROMISED = 1e-10
"""The absolute error of mean CCA promised for columns of condition up to 1e8."""


@dataclass(frozen=True)
class Case:
    """One input: the correlations it was built with, the ranks, and the error allowed."""

    name: str
    x: Array
    y: Array
    ranks: tuple[int, int]
    built: Array  # the canonical correlations in exact arithmetic, before the inputs were rounded
    promised: float = PROMISED
    may_refuse: bool = False  # an InputError with its reason is as good as the number

    @cached_property
    def correlations(self) -> Array:
        """Of the inputs as rounded, by the reference."""
        return references.canonical_correlations(self.x, self.y, self.ranks)

    @property
    def mean_cca(self) -> float:
        """Of the inputs as rounded."""
        return float(self.correlations.mean())

    @property
    def moved(self) -> float:
        """How far rounding the inputs moved the mean."""
        return abs(float(self.built.mean()) - self.mean_cca)


def cosines(count: int) -> Array:
    """Prescribed correlations: distinct, none of them 0 or 1."""
    return np.linspace(0.95, 0.05, count)


def pair_of_bases(
    rng: np.random.Generator, rows: int, wide: int, narrow: int, angles: Array | None = None
) -> tuple[Array, Array]:
    """Orthonormal Qx (rows, wide) and Qy (rows, narrow), centred, with :func:`cosines` or ``angles`` between them."""
    q = references.orthonormal(references.centred(rng.standard_normal((rows, wide + narrow))))
    a = np.arccos(cosines(narrow).astype(np.longdouble)) if angles is None else angles.astype(np.longdouble)
    return q[:, :wide], q[:, :narrow] * np.cos(a) + q[:, wide:] * np.sin(a)


def mixing(rng: np.random.Generator, size: int, condition: float) -> Array:
    """A square map with singular values spread evenly on a log scale from 1 to 1 / condition."""
    u, v = (np.linalg.qr(rng.standard_normal((size, size)))[0].astype(np.longdouble) for _ in range(2))
    return (u * np.logspace(0, -np.log10(condition), size)) @ v


def _scaled(q: Array, a: Array) -> Array:
    """Rounded to float64 once, with columns of ordinary size for a representation."""
    return (q * np.sqrt(np.longdouble(len(q))) @ a).astype(np.float64)


def _conditioned(condition: float, seed: int, rows: int, d: int, other: int | None = None) -> Case:
    rng = np.random.default_rng(seed)
    other = d if other is None else other
    q_x, q_y = pair_of_bases(rng, rows, d, other)
    x, y = _scaled(q_x, mixing(rng, d, condition)), _scaled(q_y, mixing(rng, other, condition))
    return Case("", x, y, (d, other), cosines(other))


def _units(rows: int, d: int) -> Case:
    units = np.logspace(0, -8, d)
    case = _conditioned(3.0, 11, rows, d)
    return replace(case, x=case.x * units, y=case.y * units[::-1])


def _rank(rows: int, d: int) -> Case:
    rng = np.random.default_rng(12)
    q_x, q_y = pair_of_bases(rng, rows, d, d // 2)
    wide = rng.standard_normal((d // 2, d)).astype(np.longdouble)
    return Case("", _scaled(q_y, wide), _scaled(q_x, mixing(rng, d, 3.0)), (d // 2, d), cosines(d // 2))


def _both_ranks(rows: int, d: int) -> Case:
    rng = np.random.default_rng(13)
    q_x, q_y = pair_of_bases(rng, rows, d // 2, d // 4)
    x = _scaled(q_x, rng.standard_normal((d // 2, d)).astype(np.longdouble))
    y = _scaled(q_y, rng.standard_normal((d // 4, d)).astype(np.longdouble))
    return Case("", x, y, (d // 2, d // 4), cosines(d // 4))


def _twice(rows: int, d: int) -> Case:
    case = _conditioned(3.0, 14, rows, d // 2)
    return replace(case, x=np.hstack([case.x, case.x]), y=np.hstack([case.y, case.y]))


def _constant(rows: int, d: int) -> Case:
    case = _conditioned(3.0, 15, rows, d - 1)
    one = np.ones((rows, 1))
    x, y = np.hstack([case.x, 3.0 * one]), np.hstack([-0.1 * one, case.y])  # a mean of −0.1s is not quite −0.1
    return replace(case, x=x, y=y)


def _shifted(case: Case, x: float, y: float) -> Case:
    return replace(case, x=case.x + x, y=case.y + y)


def _near(rows: int, d: int) -> Case:
    """Nearly the same column space: cosines of 1 up to rounding, angles of 1e-7 to 1e-9."""
    rng = np.random.default_rng(24)
    angles = np.logspace(-7, -9, d)
    q_x, q_y = pair_of_bases(rng, rows, d, d, angles)
    x, y = _scaled(q_x, mixing(rng, d, 3.0)), _scaled(q_y, mixing(rng, d, 3.0))
    return Case("", x, y, (d, d), np.cos(angles), promised=1e-13)


def _times(case: Case, x: float, y: float) -> Case:
    return replace(case, x=case.x * x, y=case.y * y)


def _far_row(rows: int, d: int) -> Case:
    """The first row far from all others: a pilot mean taken there is 1e6 off."""
    case = _conditioned(3.0, 18, rows, d)
    x = case.x.copy()
    x[0] += 1e6
    return replace(case, x=x, built=references.canonical_correlations(x, case.y))


def _dull_start(rows: int, d: int) -> Case:
    """A tenth of the rows, all at the start, are one and the same context far from the mean."""
    case = _conditioned(3.0, 19, rows, d)
    x, y = case.x.copy(), case.y.copy()
    x[: rows // 10], y[: rows // 10] = 1e4, -1e4
    return replace(case, x=x, y=y, built=references.canonical_correlations(x, y))


def _sum_of_columns(rows: int, d: int) -> Case:
    """The last column is the sum of the others as they are stored, at a mean that leaves ten digits."""
    case = _shifted(_conditioned(3.0, 25, rows, d - 1), 1e6, -1e6)
    x, y = (np.hstack([a, a.sum(axis=1, keepdims=True)]) for a in (case.x, case.y))
    return replace(case, x=x, y=y, promised=1e-9)


def _float32(case: Case) -> Case:
    return replace(case, x=case.x.astype(np.float32), y=case.y.astype(np.float32))


MAKERS: dict[str, Callable[[int, int], Case]] = {
    "well conditioned": lambda n, d: _conditioned(3.0, 1, n, d),
    "condition 1e4": lambda n, d: _conditioned(1e4, 2, n, d),
    "condition 1e6": lambda n, d: _conditioned(1e6, 3, n, d),
    "condition 1e8": lambda n, d: _conditioned(1e8, 4, n, d),
    # QR of the whole in float64 is off by up to 1e-7 here, and eps times the condition is 2e-4.
    "condition 1e12": lambda n, d: replace(_conditioned(1e12, 5, n, d), promised=1e-6, may_refuse=True),
    "columns in units 1 … 1e-8": _units,
    "half the rank": _rank,
    "both of low rank": _both_ranks,
    "each column twice": _twice,
    "a constant column": _constant,
    "all times 1e-6": lambda n, d: _times(_conditioned(3.0, 16, n, d), 1e-6, 1e-6),
    "mean 1e8": lambda n, d: _shifted(_conditioned(3.0, 17, n, d), 1e8, -1e8),
    "float32, condition 1e4": lambda n, d: _float32(_conditioned(1e4, 2, n, d)),
    "float32, mean 1e3": lambda n, d: _float32(_shifted(_conditioned(3.0, 20, n, d), 1e3, -1e3)),
    "twice as many columns": lambda n, d: _conditioned(3.0, 21, n, d, d // 2),
    "one column against many": lambda n, d: _conditioned(3.0, 22, n, d, 1),
    "a sum of columns, mean 1e6": _sum_of_columns,
    "first row 1e6 away": _far_row,
    "starts with one context": _dull_start,
    "spaces 1e-7 apart": _near,
    "values of size 1e100": lambda n, d: _times(_conditioned(3.0, 23, n, d), 1e100, 1e-100),
}
"""The rows of the accuracy table: (rows, columns) to a case."""


@cache
def case(name: str, rows: int = 300, columns: int = 16) -> Case:
    """The case of this name, small unless told otherwise."""
    return replace(MAKERS[name](rows, columns), name=name)


def independent(seed: int, rows: int, wide: int, narrow: int) -> tuple[Array, Array]:
    """Two representations with nothing in common."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((rows, wide)), rng.standard_normal((rows, narrow))
