"""What is fitted on some rows and judged on others: directions, maps and rotations, and how each is scored.

Every score is a function of sums over rows of statistics of two small projections, ``left`` of x and ``right`` of y. So
a bootstrap needs weighted sums of those statistics, and a permutation the sum of left_i . right_p(i): no refit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from empirical.errors import InputError
from empirical.similarity.checks import enough_rows
from empirical.similarity.joint import Joint
from empirical.similarity.kernels import weighted
from empirical.similarity.principal import components_of
from empirical.similarity.whitening import Whitened


@dataclass(frozen=True, slots=True)
class Fit(ABC):
    """``left`` (d1, k) and ``right`` (d2, k), or (d2,) where columns are only scaled, of centred rows in units."""

    left: np.ndarray
    right: np.ndarray
    weights: np.ndarray  # of the k pairs of directions; sums to 1

    def project(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Both projections of centred rows."""
        return x @ self.left, y * self.right if self.right.ndim == 1 else y @ self.right

    @abstractmethod
    def statistics(self, p: np.ndarray, t: np.ndarray) -> np.ndarray:
        """Statistics of each row, (rows, s)."""

    @abstractmethod
    def score(self, sums: np.ndarray) -> np.ndarray:
        """The measure, from sums (..., s) of the statistics over rows."""

    @abstractmethod
    def parts(self, sums: np.ndarray) -> np.ndarray:
        """Its parts, (parts,)."""

    @abstractmethod
    def paired(self, sums: np.ndarray) -> tuple[float, np.ndarray]:
        """c and a such that the measure is c + sum_i (a * p_i) . t_i, for any pairing of the same rows."""


class Correlation(Fit):
    """Weighted mean of the correlations of paired directions; 0 for a direction that does not vary."""

    __slots__ = ()

    def statistics(self, p: np.ndarray, t: np.ndarray) -> np.ndarray:
        return np.hstack([np.ones((len(p), 1)), p, t, p * p, t * t, p * t])

    def _moments(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        rows, rest = sums[..., :1], sums[..., 1:]
        p, t, pp, tt, pt = np.split(rest, 5, axis=-1)
        scale = np.sqrt(np.maximum(pp - p * p / rows, 0) * np.maximum(tt - t * t / rows, 0))
        return rows, p, t, pt, scale

    def _correlations(self, sums: np.ndarray) -> np.ndarray:
        rows, p, t, pt, scale = self._moments(sums)
        return np.clip(np.divide(pt - p * t / rows, scale, out=np.zeros_like(pt), where=scale > 0), -1, 1)

    def score(self, sums: np.ndarray) -> np.ndarray:
        return self._correlations(sums) @ self.weights

    def parts(self, sums: np.ndarray) -> np.ndarray:
        return self._correlations(sums)

    def paired(self, sums: np.ndarray) -> tuple[float, np.ndarray]:
        rows, p, t, _, scale = self._moments(sums)
        a = np.divide(self.weights, scale, out=np.zeros_like(scale), where=scale > 0)
        return -float((a * p * t / rows).sum()), a


class Explained(Fit):
    """R² = 1 - sum |t - p|^2 / sum |t|^2, about the mean of the rows of the fit; may be negative."""

    __slots__ = ()

    def statistics(self, p: np.ndarray, t: np.ndarray) -> np.ndarray:
        return np.stack([((t - p) ** 2).sum(axis=1), (t * t).sum(axis=1), (p * p).sum(axis=1)], axis=1)

    def score(self, sums: np.ndarray) -> np.ndarray:
        return 1 - sums[..., 0] / sums[..., 1]

    def parts(self, sums: np.ndarray) -> np.ndarray:
        return np.atleast_1d(self.score(sums))

    def paired(self, sums: np.ndarray) -> tuple[float, np.ndarray]:
        return -float(sums[2] / sums[1]), np.full(self.left.shape[1], 2 / float(sums[1]))


class Distance(Fit):
    """Squared distance 2 - 2 <p, t> / (|p| |t|) after the rotation of the fit."""

    __slots__ = ()

    def statistics(self, p: np.ndarray, t: np.ndarray) -> np.ndarray:
        return np.stack([(p * t).sum(axis=1), (t * t).sum(axis=1), (p * p).sum(axis=1)], axis=1)

    def score(self, sums: np.ndarray) -> np.ndarray:
        return 2 - 2 * sums[..., 0] / np.sqrt(sums[..., 1] * sums[..., 2])

    def parts(self, sums: np.ndarray) -> np.ndarray:
        return np.atleast_1d(self.score(sums))

    def paired(self, sums: np.ndarray) -> tuple[float, np.ndarray]:
        return 2.0, np.full(self.left.shape[1], -2 / float(np.sqrt(sums[1] * sums[2])))


def fit(pair: Joint, measure: str, options: dict[str, object]) -> Fit:
    """Fit ``measure`` on the rows of ``pair``.

    Raises:
        InputError: a measure without a fit, options it does not take, or rows it cannot be fitted on.
    """
    allowed = {"SVCCA": {"variance", "components"}}.get(measure, set())
    if set(options) - allowed:
        raise InputError(f"{measure} does not take {', '.join(sorted(set(options) - allowed))} here")
    if measure in ("mean CCA", "PWCCA"):
        white = Whitened(pair)
        enough_rows(pair.rows, white.ranks, (white.rank(0).value, white.rank(1).value))
        left, _, right = linalg.svd(white.cross(), full_matrices=False)
        weights = np.ones(left.shape[1])
        if measure == "PWCCA":
            weights = np.abs(left.T @ white.project(0, 0)).sum(axis=1)
        return Correlation(white.directions(0, left), white.directions(1, right.T), weights / weights.sum())
    if measure == "SVCCA":
        chosen = components_of(pair, options.get("variance"), options.get("components"))  # type: ignore[arg-type]
        left, _, right = linalg.svd(chosen.cross(), full_matrices=False)
        count = left.shape[1]
        return Correlation(chosen.directions(0, left), chosen.directions(1, right.T), np.full(count, 1 / count))
    if measure == "linear map":
        white = Whitened(pair, sides=(0,))
        if pair.rows < white.rank(0).value + 2:
            raise InputError(f"{pair.rows} rows to fit on are too few for a map from {white.rank(0).value} directions")
        predicted = np.zeros((white.rank(0).value, pair.dims[1]))
        predicted[:, pair.side(1).live - pair.columns(1)[0]] = white.project(0, 1)
        return Explained(white.directions(0, predicted), _scales(pair, 1), np.ones(1))
    if measure == "Procrustes distance":
        u, singular, vt = linalg.svd(weighted(pair, 0, 1), full_matrices=True)
        live = [pair.side(at).live - pair.columns(at)[0] for at in (0, 1)]
        common, width = len(singular), pair.dims[1]
        # Where x has more columns, y is filled up with zeros: a rotation loses nothing of x.
        beyond = u[:, len(live[1]) :]
        rotation = np.zeros((pair.dims[0], width + beyond.shape[1]))
        rotation[np.ix_(live[0], live[1])] = u[:, :common] @ vt[:common]
        rotation[live[0], width:] = beyond
        right = _scales(pair, 1)
        if beyond.shape[1]:
            right = np.hstack([np.diag(right), np.zeros((width, beyond.shape[1]))])
        return Distance(_scales(pair, 0)[:, None] * rotation, right, np.ones(1))
    raise InputError(
        f"measure = {measure!r}: held_out fits 'mean CCA', 'SVCCA', 'PWCCA', 'linear map' or 'Procrustes distance'; "
        "CKA and RV fit nothing: use bootstrap and permutation_test"
    )


def _scales(pair: Joint, at: int) -> np.ndarray:
    """What makes the columns in units the columns as they are, up to one scale."""
    side = pair.side(at)
    scales = np.zeros(pair.dims[at])
    scales[side.live - pair.columns(at)[0]] = side.weights / side.norms
    return scales
