"""The least cross-entropy of an m-dimensional head over *all* encoders, and over affine ones, without any network.

The data are N rows with their exact label probabilities p (N, C), so CE - H is the mean of KL(p_i || softmax(W h_i +
beta)).  For a head (W, beta) the best h_i of each row is found by itself: it solves the moment matching
Wᵀ softmax(W h + beta) = Wᵀ p_i, a smooth convex problem with one solution where the centred W has full column rank
and p_i > 0.  Only the head is left to minimise over, by L-BFGS from many starting points.

That last problem is not convex: the value is an upper bound of the infimum, and equal to it as far as the starts
found it.  A reconstruction from the abstract of the supervised paper (statement 2.4.2); the derivation is ours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from empirical.errors import InputError

#: Newton steps at most, and the furthest that one may move the difference of two logits.
NEWTON_STEPS, FURTHEST = 200, 4.0
#: Rows that starting points are screened on, how many different minima go on from there, and what makes them differ.
FEW, KEPT, APART = 128, 12, 1e-4


@dataclass(frozen=True, slots=True)
class Optimum:
    """``gap`` is CE - H in nats; ``h`` (N, m), ``W`` (C, m), ``beta`` (C,).  ``gaps`` are of all starts, rising."""

    gap: float
    h: np.ndarray
    W: np.ndarray
    beta: np.ndarray
    gaps: tuple[float, ...]


def kl(p: np.ndarray, logits: np.ndarray) -> np.ndarray:
    """KL(p || softmax(logits)) of each row, in nats (N,); p must be positive."""
    return (p * (np.log(p) - special.log_softmax(logits, axis=1))).sum(axis=1)


def match_moments(p: np.ndarray, W: np.ndarray, beta: np.ndarray, start: np.ndarray) -> np.ndarray:
    """The best h (N, m) of every row for a head, by damped Newton steps from ``start`` (N, m)."""
    wanted, h = p @ W, start.copy()

    def value(h: np.ndarray) -> np.ndarray:
        return special.logsumexp(h @ W.T + beta, axis=1) - (h * wanted).sum(axis=1)

    now = value(h)
    for _ in range(NEWTON_STEPS):
        q = special.softmax(h @ W.T + beta, axis=1)
        mean = q @ W
        gradient = mean - wanted
        hessian = np.einsum("nc,ci,cj->nij", q, W, W, optimize=True) - mean[:, :, None] * mean[:, None, :]
        # Far from the solution the Hessian may vanish; the addition does so too, but only at the solution.
        floor = 1e-6 * np.linalg.norm(gradient, axis=1) + 1e-300
        hessian += floor[:, None, None] * np.eye(W.shape[1])
        step = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        decrement = (gradient * step).sum(axis=1)
        # Steps that move some logit far leave the region in which the Hessian says anything.
        length = 1 / np.maximum(1.0, np.ptp(step @ W.T, axis=1) / FURTHEST)
        worse = np.ones(len(h), dtype=bool)
        for _ in range(30):
            after = value(h - length[:, None] * step)
            worse = after > now - 1e-4 * length * decrement + 1e-15 * (1 + np.abs(now))
            if not worse.any():
                break
            length[worse] /= 2
        else:
            length[worse] = 0.0  # no way down: at the solution, up to rounding
        h = h - length[:, None] * step
        now = value(h)
        if decrement.max() < 1e-20:
            break
    return h


def best_encoder(p: np.ndarray, m: int, *, starts: int, seed: int = 0) -> Optimum:
    """The least CE - H of any encoder into m dimensions on these rows, as far as ``starts`` random heads find it.

    With many rows the starts go as far as they can on the first few, and the best *different* minima found there go on
    to all: the least on a few rows need not be the least on all.
    Raises ``InputError`` for probabilities that are not positive or do not add up to one.
    """
    p = _probabilities(p)
    classes, rng = p.shape[1], np.random.default_rng(seed)
    tried = [np.concatenate([rng.normal(size=classes * m), np.log(p).mean(axis=0)]) for _ in range(starts)]
    if len(p) > 2 * FEW:
        few = sorted((_descend(p[:FEW], m, head) for head in tried), key=lambda one: one.gap)
        different = [one for i, one in enumerate(few) if i == 0 or one.gap > few[i - 1].gap + APART]
        tried = [np.concatenate([one.W.ravel(), one.beta]) for one in different[:KEPT]]
    return _best([_descend(p, m, head) for head in tried])


def _descend(p: np.ndarray, m: int, start: np.ndarray) -> Optimum:
    """From one head, W and beta in a row, to the nearest minimum."""
    classes = p.shape[1]
    matched = np.zeros((len(p), m))

    def solved(flat: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        nonlocal matched
        W, beta = flat[:-classes].reshape(classes, m), flat[-classes:]
        # Only the span of the centred W counts, and with orthonormal columns the rows are solved in good condition.
        q, r = np.linalg.qr(W - W.mean(axis=0))
        matched = match_moments(p, q, beta, matched)
        return W, beta, np.linalg.solve(r, matched.T).T, matched @ q.T + beta

    def objective(flat: np.ndarray) -> tuple[float, np.ndarray]:
        _, _, h, logits = solved(flat)
        error = (special.softmax(logits, axis=1) - p) / len(p)
        # h is optimal, so its own derivative vanishes (envelope theorem).
        return float(kl(p, logits).mean()), np.concatenate([(error.T @ h).ravel(), error.sum(axis=0)])

    W, beta, h, logits = solved(_minimise(objective, start))
    return Optimum(float(kl(p, logits).mean()), h, W, beta, ())


def best_affine_encoder(p: np.ndarray, z: np.ndarray, m: int, *, starts: int, seed: int = 0) -> Optimum:
    """The least CE - H of encoders h = z M into m dimensions, z (N, d); an offset of h is one of the head's bias.

    Raises ``InputError`` as ``best_encoder``.
    """
    p = _probabilities(p)
    (rows, classes), d, rng = p.shape, z.shape[1], np.random.default_rng(seed)

    def parts(flat: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return flat[: d * m].reshape(d, m), flat[d * m : -classes].reshape(classes, m), flat[-classes:]

    def objective(flat: np.ndarray) -> tuple[float, np.ndarray]:
        M, W, beta = parts(flat)
        logits = z @ M @ W.T + beta
        error = (special.softmax(logits, axis=1) - p) / rows
        pieces = (z.T @ error @ W).ravel(), (error.T @ (z @ M)).ravel(), error.sum(axis=0)
        return float(kl(p, logits).mean()), np.concatenate(pieces)

    found = []
    for _ in range(starts):
        first = np.concatenate([rng.normal(size=(d + classes) * m) / np.sqrt(d), np.log(p).mean(axis=0)])
        M, W, beta = parts(_minimise(objective, first))
        found.append(Optimum(float(kl(p, z @ M @ W.T + beta).mean()), z @ M, W, beta, ()))
    return _best(found)


def squared_residual(y: np.ndarray, m: int) -> float:
    """The least mean of |y_i - W h_i - beta|² over all encoders into m dimensions (Eckart and Young): an affine one.

    y (N, C) are noise-free labels.
    """
    values = np.linalg.svd(y - y.mean(axis=0), compute_uv=False)
    return float(np.square(values[m:]).sum() / len(y))


def _minimise(objective: object, start: np.ndarray) -> np.ndarray:
    options = {"maxiter": 2000, "maxfun": 4000, "ftol": 1e-15, "gtol": 1e-9, "maxcor": 30}
    return optimize.minimize(objective, start, jac=True, method="L-BFGS-B", options=options).x


def _best(found: list[Optimum]) -> Optimum:
    best = min(found, key=lambda one: one.gap)
    return Optimum(best.gap, best.h, best.W, best.beta, tuple(sorted(one.gap for one in found)))


def _probabilities(p: np.ndarray) -> np.ndarray:
    p = np.asarray(p, dtype=np.float64)
    if p.ndim != 2 or not (p > 0).all() or not np.allclose(p.sum(axis=1), 1, atol=1e-6):
        raise InputError(
            f"p, of shape {p.shape}, must hold a row of positive probabilities that add up to 1 for each z"
        )
    return p / p.sum(axis=1, keepdims=True)
