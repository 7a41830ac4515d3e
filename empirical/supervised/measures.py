"""Numbers of one trained encoder, on rows that it was not trained on; float64 on the host.

h (N, m) is the representation, W (C, m) and beta (C,) the head, z (N, d) the latents, p (N, C) the exact label
probabilities.  All affine maps are fitted on one half of the rows and judged on the other, both ways.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from empirical.errors import InputError

#: Singular values of the centred head below this share of the largest count as zero.  W is stored in float32.
RANK_TOLERANCE = 1e-5


@dataclass(frozen=True, slots=True)
class Measured:
    """One encoder.

    ``gap`` is CE - H in nats, ``error`` the mean of |P(W h + beta - log p)|².  R²: ``linear`` of h from z, ``row`` of
    the part of h in the row space of PW, ``back`` of z from that part, ``permuted`` of h from z with its rows shuffled.
    ``null`` is the share of the variance of h that lies in the null space of PW, and ``free`` the share of what is left
    of that after the best affine map of z.  ``violated`` counts rows whose logit error is above the bound of
    ``error_bound``, ``used`` is the mean error over the mean bound.  ``singular`` are the singular values of PW.
    """

    gap: float
    error: float
    linear: float
    row: float
    back: float
    permuted: float
    null: float
    free: float
    violated: int
    used: float
    rank: int
    singular: tuple[float, ...]


def measured(h: np.ndarray, W: np.ndarray, beta: np.ndarray, z: np.ndarray, logs: np.ndarray) -> Measured:
    """Measure an encoder against the exact log-probabilities ``logs`` (N, C).  Raises ``InputError`` on NaN."""
    h, W, beta, z, logs = (np.asarray(part, dtype=np.float64) for part in (h, W, beta, z, logs))
    if not all(np.isfinite(part).all() for part in (h, W, beta, z, logs)):
        raise InputError("an encoder or its data hold values that are not finite; diverged members must be left out")
    logs = special.log_softmax(logs, axis=1)
    delta = h @ W.T + beta - logs
    divergence, variance, bound = error_bound(np.exp(logs), delta)
    in_row, in_null, singular = split(h, W)
    spread = _squared(h - h.mean(axis=0))
    shuffled = np.random.default_rng(1).permutation(len(h))
    return Measured(
        gap=float(divergence.mean()),
        error=_squared(delta - delta.mean(axis=1, keepdims=True)) / len(h),
        linear=held_out_r2(z, h),
        row=held_out_r2(z, in_row),
        back=held_out_r2(in_row, z),
        permuted=held_out_r2(z[shuffled], h),
        null=_squared(in_null - in_null.mean(axis=0)) / spread,
        free=_squared(residuals(z, in_null)) / spread,
        violated=int((~(variance <= bound * (1 + 1e-9) + 1e-13)).sum()),  # so that NaN is no bound kept
        used=float(variance.mean() / bound.mean()),
        rank=in_row.shape[1],
        singular=tuple(singular.tolist()),
    )


def error_bound(p: np.ndarray, delta: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """KL(p || softmax(log p + delta)), Var_p(delta), and the bound 2 e^(2B) KL of the latter, of each row (N,).

    B is half the range of delta, so |delta| <= B after a shift, which no softmax sees.  KL = integral over t in [0, 1]
    of (1 - t) Var_(p_t)(delta) with p_t ~ p exp(t delta), p_t >= p exp(-2 t B), so KL >= e^(-2B) Var_p(delta) / 2.  The
    reconstruction states it with e^(4B); this constant is smaller and its proof, just given, is ours.
    """
    centred = delta - (p * delta).sum(axis=1, keepdims=True)
    variance = (p * np.square(centred)).sum(axis=1)
    # log E exp(centred), in a form that does not cancel where delta is small: the mean of centred is 0.
    divergence = np.log1p((p * (np.expm1(centred) - centred)).sum(axis=1))
    return divergence, variance, 2 * np.exp(np.ptp(delta, axis=1)) * divergence


def split(h: np.ndarray, W: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coordinates of h in the row space of PW (N, rank) and in its null space (N, m - rank); its singular values."""
    _, singular, vt = np.linalg.svd(W - W.mean(axis=0))
    rank = int((singular > RANK_TOLERANCE * singular[0]).sum())
    return h @ vt[:rank].T, h @ vt[rank:].T, singular


def residuals(source: np.ndarray, target: np.ndarray, seed: int = 0) -> np.ndarray:
    """``target`` (N, k) minus its best affine map of ``source`` (N, d), fitted on the half that a row is not in."""
    order = np.random.default_rng(seed).permutation(len(source))
    halves = order[: len(order) // 2], order[len(order) // 2 :]
    with_ones = np.column_stack([source, np.ones(len(source))])
    left = np.empty_like(target)
    for fit, judge in (halves, halves[::-1]):
        left[judge] = target[judge] - with_ones[judge] @ np.linalg.lstsq(with_ones[fit], target[fit], rcond=None)[0]
    return left


def held_out_r2(source: np.ndarray, target: np.ndarray) -> float:
    """R² of ``target`` from an affine map of ``source``, all columns together, judged on rows it was not fitted on."""
    return float(1 - _squared(residuals(source, target)) / _squared(target - target.mean(axis=0)))


def _squared(values: np.ndarray) -> float:
    return float(np.square(values).sum())
