"""What two trained models have in common, measured on rows that no one trained on; float64 on the host.

Maps are fitted on one half of the rows and judged on the other, in both directions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from theory.diagnosis import TrainedModel, diagnose
from theory.diagnosis.direction import Direction


@dataclass(frozen=True, slots=True)
class Agreement:
    """Numbers of one pair of models; where there are two directions, the worse of both.

    ``correlations`` are held-out canonical correlations, largest first, ``permuted`` their mean with the rows of one
    side shuffled.  ``r2`` is that of the fitted linear map.  ``kl`` is KL(p* || p') of the second model from the first,
    in nats.  ``alignment_ratio`` is the root mean square of (A - A_fitted) f over that of the bound, ``bound_ratio``
    the largest error over the bound of any row; both NaN where theory predicts no alignment of all dimensions, as is
    ``sigma_min`` of the best difference matrix, with its ``condition``.  ``error`` and ``bound`` are root mean squares
    over the spread of f.  ``violated`` counts rows whose error exceeds the bound by more than rounding; NaN where there
    is no bound, which keeps nothing and breaks nothing.
    """

    correlations: tuple[float, ...]
    permuted: float
    r2: float
    kl: float
    sigma_min: float
    condition: float
    alignment_ratio: float
    bound_ratio: float
    error: float
    bound: float
    violated: float
    summary: str

    @property
    def cca(self) -> float:
        return float(np.mean(self.correlations))


def held_out_correlations(x: np.ndarray, y: np.ndarray, seed: int = 0) -> np.ndarray:
    """Canonical directions of x and y (rows, dims) from one half of the rows; their correlations on the other half.

    The mean over both ways of taking the halves, (min dims,).  Unlike in-sample ones they can be negative.  Not
    ``similarity.held_out``, which refuses a rank that rounding does not decide: here a direction that a network does
    not use must count as 0, and the run go on.
    """
    order = np.random.default_rng(seed).permutation(len(x))
    first, second = order[: len(x) // 2], order[len(x) // 2 :]
    found = []
    for fit, test in ((first, second), (second, first)):
        means = x[fit].mean(axis=0), y[fit].mean(axis=0)
        (qx, rx), (qy, ry) = np.linalg.qr(x[fit] - means[0]), np.linalg.qr(y[fit] - means[1])
        u, _, vt = np.linalg.svd(qx.T @ qy, full_matrices=False)
        a = (x[test] - means[0]) @ np.linalg.lstsq(rx, u, rcond=None)[0]
        b = (y[test] - means[1]) @ np.linalg.lstsq(ry, vt.T, rcond=None)[0]
        a, b = a - a.mean(axis=0), b - b.mean(axis=0)
        sizes = np.sqrt(np.square(a).sum(axis=0) * np.square(b).sum(axis=0))
        # A constant direction has no correlation; it counts as 0, what chance does.
        found.append(np.divide((a * b).sum(axis=0), sizes, out=np.zeros_like(sizes), where=sizes > 0))
    return np.mean(found, axis=0)


def agreement(star: TrainedModel, prime: TrainedModel, names: tuple[str, str] = ("first", "second")) -> Agreement:
    """Compare two models (contexts, dim) on the same rows and labels."""
    found = diagnose(prime, star, names=(names[1], names[0]))
    shuffled = np.random.default_rng(1).permutation(star.contexts)
    best = min((d.pairs for d in found.directions if d.pairs), key=lambda p: p.sigma_min[0], default=None)
    ratios = [_alignment_ratio(d, m) for d, m in zip(found.directions, (prime, star), strict=True)]
    told = [d.predicted for d in found.directions if d.predicted is not None]
    assert found.distances is not None  # both models have a g
    return Agreement(
        tuple(held_out_correlations(star.f, prime.f).tolist()),
        float(held_out_correlations(star.f, prime.f[shuffled]).mean()),
        min(d.fitted.affine_r2 for d in found.directions),
        float(found.distances.kl_backward.mean()),
        best.sigma_min[0] if best else np.nan,
        best.condition[0] if best else np.nan,
        float(np.max(ratios)),
        worst(a.largest_ratio for a in told),
        worst(a.relative_error for a in told),
        worst(a.relative_bound for a in told),
        float(sum(a.violated for a in told)) if told else np.nan,
        str(found.judgement),
    )


def _alignment_ratio(direction: Direction, source: TrainedModel) -> float:
    if direction.predicted is None:
        return np.nan
    apart = source.f @ (direction.predicted.A - direction.fitted.A_linear).T
    allowed = direction.predicted.bound + direction.predicted.allowance
    return float(np.sqrt(np.square(apart).sum(axis=1).mean() / np.square(allowed).mean()))


def worst(values: Iterable[float]) -> float:
    """The largest of those that exist; NaN where none does."""
    known = [value for value in values if not np.isnan(value)]
    return float(max(known, default=np.nan))
