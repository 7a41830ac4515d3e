"""Orthonormal coordinates of the column space of each side, from cross products where safe, else from QR."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from empirical.similarity.gram import EPS, first, refined
from empirical.similarity.joint import Joint
from empirical.similarity.rank import MARGIN, arithmetic_noise, decide, margin
from empirical.similarity.results import Rank


@dataclass(frozen=True, slots=True)
class Basis:
    """Columns ``basis`` are orthonormal: the kept directions of one side in the coordinates of the joint Q."""

    basis: np.ndarray
    rank: Rank


class Whitened:
    """Two sides in orthonormal coordinates: from cross products, from refined ones, or (``exact``) from QR.

    ``sides`` are those whose coordinates are needed: a map from x to y needs none of y.
    """

    def __init__(self, pair: Joint, *, centred: bool = True, sides: tuple[int, ...] = (0, 1)):
        self.pair, self.centred = pair, centred
        firsts = {at: first(pair, at, centred) for at in sides}
        chosen = {at: one for at, one in firsts.items() if one is not None}
        self.exact = len(chosen) < len(sides)
        self.refined = None if self.exact or all(one.fine for one in chosen.values()) else refined(pair, centred)
        self.bases = {at: basis(pair, at, centred) for at in sides} if self.exact else {}
        self.ranks_of = {at: one.rank for at, one in (self.bases or chosen).items()}
        if self.refined is None:
            self.lowers = {at: one.lower for at, one in chosen.items()}
        else:
            self.lowers = {at: linalg.cholesky(self._block(at, at), lower=True) for at in chosen}

    def _block(self, i: int, j: int) -> np.ndarray:
        if self.refined is None:
            return self.pair.block(i, j, self.centred)
        return self.refined.block(self.pair.number(i), self.pair.number(j))

    def _triangle(self, at: int) -> np.ndarray | None:
        return None if self.refined is None else self.refined.triangles[self.pair.number(at)]

    def rank(self, at: int) -> Rank:
        """The numerical rank of side ``at``."""
        return self.ranks_of[at]

    @property
    def ranks(self) -> tuple[Rank, Rank]:
        """Of both sides."""
        return self.rank(0), self.rank(1)

    @property
    def how(self) -> str:
        """Where the coordinates come from, for a convention."""
        if self.exact:
            return "from QR in float64"
        if self.refined is not None:
            return "from cross products refined in float64"
        return f"from cross products in {self.pair.products}"

    def error(self) -> float:
        """A bound on how far rounding moves a number between 0 and 1 computed from here."""
        size = sum(self.pair.dims)
        if self.exact or self.refined is not None:
            return 64 * size * EPS["float64"]
        return 4 * EPS[self.pair.products] * max(rank.condition for rank in self.ranks_of.values()) ** 2

    def cross(self) -> np.ndarray:
        """Qx' Qy, shape (rank x, rank y): its singular values are the canonical correlations."""
        if self.exact:
            return self.bases[0].basis.T @ self.bases[1].basis
        half = linalg.solve_triangular(self.lowers[0], self._block(0, 1), lower=True)
        return linalg.solve_triangular(self.lowers[1], half.T, lower=True).T

    def project(self, onto: int, of: int) -> np.ndarray:
        """Q' Z, shape (rank, live columns): Z the columns of ``of`` by their relative norms, Q of ``onto``."""
        weights = self.pair.side(of, self.centred).weights
        if self.exact:
            return self.bases[onto].basis.T @ (scaled_triangle(self.pair, of, self.centred) * weights)
        half = linalg.solve_triangular(self.lowers[onto], self._block(onto, of), lower=True)
        triangle = self._triangle(of)
        return (half if triangle is None else half @ triangle.T) * weights

    def directions(self, at: int, coordinates: np.ndarray) -> np.ndarray:
        """W (columns of side ``at``, k) such that its centred rows, times their units and W, are Q ``coordinates``."""
        if self.exact:
            return solve(self.pair, at, self.bases[at].basis @ coordinates)
        inner = linalg.solve_triangular(self.lowers[at], coordinates, lower=True, trans=1)
        triangle = self._triangle(at)
        if triangle is not None:
            inner = linalg.solve_triangular(triangle, inner, lower=True, trans=1)
        return spread(self.pair, at, inner)


def solve(pair: Joint, at: int, vectors: np.ndarray) -> np.ndarray:
    """The combinations of side ``at`` (columns, k) that give ``vectors`` in its span, in coordinates of the joint Q."""
    rank = basis(pair, at, True).rank
    inner = linalg.pinv(scaled_triangle(pair, at, True), rtol=_cut(rank)) @ vectors
    return spread(pair, at, inner)


def spread(pair: Joint, at: int, inner: np.ndarray) -> np.ndarray:
    """Coefficients of unit-norm live columns as coefficients of all columns times their units."""
    side = pair.side(at)
    whole = np.zeros((pair.dims[at], inner.shape[1]))
    whole[side.live - pair.columns(at)[0]] = inner / side.norms[:, None]
    return whole


def _cut(rank: Rank) -> float:
    """A relative cut between the kept and the dropped singular values, exact zeros and all."""
    if rank.largest_dropped is None:
        return rank.smallest_kept / 10
    return float(np.sqrt(rank.smallest_kept * max(rank.largest_dropped, rank.smallest_kept * 1e-6)))


def scaled_triangle(pair: Joint, at: int, centred: bool) -> np.ndarray:
    """The live columns of one side, of unit norm, in the coordinates of the joint Q."""
    side = pair.side(at, centred)
    # Rows below the last column of this side are 0.
    return pair.triangle(centred)[:, side.live] / side.norms


def basis(pair: Joint, at: int, centred: bool) -> Basis:
    """Side ``at`` from the QR factorisation of all columns.

    Raises:
        InputError: the numerical rank is not decided.
    """
    return pair.once(("basis", pair.number(at), centred), lambda: _basis(pair, at, centred))


def _basis(pair: Joint, at: int, centred: bool) -> Basis:
    side = pair.side(at, centred)
    q, r = np.linalg.qr(scaled_triangle(pair, at, centred))
    u, singular, vt = linalg.svd(r, full_matrices=False, overwrite_a=True)
    largest = singular[0]
    noise = np.linalg.norm(vt * side.noise, axis=1) / largest
    tolerance = MARGIN * (arithmetic_noise(pair.rows, len(side.live)) + noise)
    constant = len(pair.columns(at)) > len(side.live)
    above = margin(side.source.eps)
    rank = decide(singular / largest, tolerance, pair.dims[at], side.source.name, dropped_columns=constant, above=above)
    # Of full rank, Q itself: it is orthonormal to rounding, and no small singular vector is needed.
    return Basis(q if rank.value == len(singular) else q @ u[:, : rank.value], rank)
