"""Leading principal components of each side, whitened: what SVCCA compares."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from empirical.errors import InputError
from empirical.similarity.gram import EPS, WANTED
from empirical.similarity.joint import Joint
from empirical.similarity.whitening import basis, scaled_triangle, solve, spread

TIED = 1e-8
"""Eigenvalues closer than this, relative to the largest, do not say which component to keep."""


class Components:
    """``counts`` components of each side; ``gaps`` to the next eigenvalue, relative to the largest.

    ``vectors`` are (live columns, k) combinations of weighted unit columns with orthonormal results, or, if ``exact``,
    (columns of all, k) orthonormal in the coordinates of the joint Q.
    """

    def __init__(self, pair: Joint, chosen: list[tuple[int, float, np.ndarray | None]]) -> None:
        self.pair = pair
        self.counts = tuple(count for count, _, _ in chosen)
        self.gaps = tuple(gap for _, gap, _ in chosen)
        vectors = [one for _, _, one in chosen if one is not None]
        self.exact = len(vectors) < len(chosen)
        self.vectors = [_from_qr(pair, at, count) for at, count in enumerate(self.counts)] if self.exact else vectors

    def error(self) -> float:
        """A bound on how far rounding moves a canonical correlation computed from here."""
        return 64 * EPS["float64"] * sum(self.pair.dims) if self.exact else 4 * WANTED[self.pair.products]

    def cross(self) -> np.ndarray:
        """Products of the whitened components of x with those of y, shape ``counts``."""
        left, right = self.vectors
        if self.exact:
            return left.T @ right
        block = self.pair.block(0, 1)
        block *= self.pair.side(0).weights[:, None]
        block *= self.pair.side(1).weights
        return left.T @ block @ right

    def directions(self, at: int, coordinates: np.ndarray) -> np.ndarray:
        """As `Whitened.directions`, from coordinates among the components."""
        vectors = self.vectors[at] @ coordinates
        if self.exact:
            return solve(self.pair, at, vectors)
        return spread(self.pair, at, vectors * self.pair.side(at).weights[:, None])


def components_of(pair: Joint, variance: float | None, components: int | None) -> Components:
    """The leading components of both sides: as many as hold a share of the variance (0.99 by default), or a number.

    Raises:
        InputError: both are given, or one is out of range; fewer than k1 + k2 + 2 rows.
    """
    if variance is not None and components is not None:
        raise InputError("give variance or components, not both")
    if components is None:
        variance = 0.99 if variance is None else variance
        if not 0 < variance <= 1:
            raise InputError(f"variance = {variance}: a share of the total variance, 0 < share <= 1, is needed")
    elif isinstance(components, bool) or not isinstance(components, (int, np.integer)) or components < 1:
        raise InputError(f"components = {components}: a whole number of at least 1 is needed")
    chosen = [_leading(pair, at, variance, components) for at in (0, 1)]
    counts = [count for count, _, _ in chosen]
    if pair.rows < sum(counts) + 2:
        raise InputError(
            f"{pair.rows} rows are too few for {counts[0]} and {counts[1]} components: at least {sum(counts) + 2} are "
            "needed; keep fewer components"
        )
    return Components(pair, chosen)


def _leading(
    pair: Joint, at: int, variance: float | None, components: int | None
) -> tuple[int, float, np.ndarray | None]:
    """How many, the gap after them, and their whitened directions if the cross products are good enough."""
    values, vectors = pair.once(("eigen", pair.number(at)), lambda: _eigen(pair, at))
    eps = EPS[pair.products]
    if components is None:
        assert variance is not None
        shares = np.cumsum(values) / values.sum()
        # A share that is met up to rounding is met: variance = 1 keeps no direction of pure rounding.
        count = int(np.argmax(shares >= variance * (1 - 8 * eps * len(values)))) + 1
    else:
        count = int(components)
    if count > len(values):
        name = pair.side(at).source.name
        raise InputError(f"components = {count}: {name} has {len(values)} columns that vary; ask for at most that many")
    gap = float((values[count - 1] - values[count]) / values[0]) if count < len(values) else 1.0
    if eps * values[0] > WANTED[pair.products] * values[count - 1]:
        return count, gap, None
    return count, gap, vectors[:, :count] / np.sqrt(values[:count])


def _eigen(pair: Joint, at: int) -> tuple[np.ndarray, np.ndarray]:
    weights = pair.side(at).weights
    covariance = pair.block(at, at)
    covariance *= weights[:, None]
    covariance *= weights
    values, vectors = linalg.eigh(covariance, overwrite_a=True, check_finite=False)
    return np.maximum(values[::-1], 0), vectors[:, ::-1]


def _from_qr(pair: Joint, at: int, count: int) -> np.ndarray:
    kept = basis(pair, at, True)
    if count > kept.rank.value:
        name = pair.side(at).source.name
        raise InputError(
            f"components = {count}: {name} has numerical rank {kept.rank.value}; ask for at most that many"
        )
    scaled = scaled_triangle(pair, at, True) * pair.side(at).weights
    u, _, _ = linalg.svd(kept.basis.T @ scaled, full_matrices=False)
    return kept.basis @ u[:, :count]
