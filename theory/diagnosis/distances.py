"""How far the distributions of two models are apart: one pass over the contexts, a block of logits at a time.

With d(y) = log p'(y) - log p*(y), KL(p' || p*) = Σ p' d = Σ (p' d - p' + p*), and no term of the latter is negative, so
nothing cancels where the distributions are close; for |d| < 1 a term is p' (d + expm1(-d)).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from theory import decide
from theory.arithmetic.floating import Array, FloatMatrix, U
from theory.diagnosis.candidates import Candidates, blocks
from theory.diagnosis.norms import norm, row_norms
from theory.diagnosis.trained import Numbers, TrainedModel
from theory.evidence import Evidence
from theory.models import Model

#: Logits in one block; about twenty arrays of this size are alive at once.
BLOCK = 400_000


@dataclass(frozen=True, slots=True, eq=False)
class Distances:
    """Per context, from the logits of both models on its candidate sets; arrays (contexts,).

    ``kl_forward`` is KL(p' || p*) and ``kl_backward`` KL(p* || p'), in nats, means over the candidate sets.
    ``log_ratio`` is the largest |log p'(y) - log p*(y)|, in nats.  ``centred`` is the root mean square over labels
    of the difference of centred logits.  ``disagreement`` is the largest disagreement between logit differences.
    ``equal`` is the answer of the theory's predicate ``equal_distributions``.  ``watched`` holds, by name, the largest
    |log p' - log p*| over some labels only.

    ``excess`` is the norm of the centred difference of the logits over all labels, with its rounding
    ``excess_error``; None where the candidate sets are not full.
    """

    kl_forward: Array
    kl_backward: Array
    log_ratio: Array
    centred: Array
    disagreement: Array
    watched: Mapping[str, Array]
    equal: Evidence
    excess: Array | None
    excess_error: Array | None


class Gaps:
    """What decides ``equal_distributions``, block by block, as :func:`theory.decide.constant_on` does at once.

    The theory asks whether the gaps to the first candidate vanish, all entries in one matrix.  Of that matrix only the
    entry with the largest error/bound and the norms of bounds and sizes enter; two entries carry all of them.
    """

    def __init__(self) -> None:
        self.worst = (0.0, 0.0, 0.0)
        self.ratio = -1.0
        self.bounds = self.sizes = 0.0

    def add(self, excess: FloatMatrix) -> None:
        """``excess`` (contexts, candidates): logits' - logits* on one candidate set."""
        gap = np.abs(excess.value[:, 1:] - excess.value[:, :1])
        bound = excess.error[:, 1:] + excess.error[:, :1]
        size = np.maximum(excess.size[:, 1:], excess.size[:, :1])
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(gap == 0, 0.0, gap / bound)
        at = np.unravel_index(int(ratios.argmax()), ratios.shape)
        if ratios[at] > self.ratio:
            self.ratio, self.worst = float(ratios[at]), (float(gap[at]), float(bound[at]), float(size[at]))
        self.bounds += float(np.square(bound).sum())
        self.sizes += float(np.square(size).sum())

    def evidence(self) -> Evidence:
        gap, bound, size = self.worst
        rest = [np.sqrt(max(total - part * part, 0.0)) for total, part in ((self.bounds, bound), (self.sizes, size))]
        both = FloatMatrix(np.array([[gap, 0.0]]), np.array([[bound, rest[0]]]), np.array([[size, rest[1]]]))
        return decide.vanishes(both, "largest disagreement between logit differences").named("equal_distributions")


def divergence(log_p: Array, log_q: Array) -> Array:
    """KL(p || q) of each row of log-probabilities, in nats, without cancellation."""
    gap, p = log_p - log_q, np.exp(log_p)
    small = np.abs(gap) < 1
    near = p * (gap + np.expm1(-np.where(small, gap, 0.0)))
    return np.where(small, near, p * gap - p + np.exp(log_q)).sum(axis=1)


def centred_rows(values: Array) -> Array:
    """Each row minus its mean: what is left of logits when constants, which no distribution shows, are removed."""
    return values - values.mean(axis=1, keepdims=True)


def measure(
    prime: TrainedModel, star: TrainedModel, candidates: Candidates, watch: Mapping[str, Sequence[int]]
) -> Distances:
    """All distances of two models with g on the same contexts and labels."""
    n = prime.contexts
    forward, backward, ratio, squares, apart = (np.zeros(n) for _ in range(5))
    watched = {name: np.zeros(n) for name in watch}
    excess_norm, excess_error = (np.zeros(n), np.zeros(n)) if candidates.full else (None, None)
    gaps = Gaps()
    for group in candidates.groups:
        for chosen in group.sets:
            whole = chosen == tuple(range(prime.labels))
            sides = [model.as_model(labels=None if whole else chosen) for model in (prime, star)]
            # Columns of the watched labels inside this candidate set.
            columns = {name: np.flatnonzero(np.isin(chosen, list(labels))) for name, labels in watch.items()}
            for rows in blocks(group.contexts, max(1, BLOCK // len(chosen))):
                u_prime, u_star = (_logits(side, rows) for side in sides)
                excess = u_prime - u_star
                gaps.add(excess)
                log_p, log_q = _log_softmax(u_prime.value), _log_softmax(u_star.value)
                forward[rows] += divergence(log_p, log_q) / len(group.sets)
                backward[rows] += divergence(log_q, log_p) / len(group.sets)
                gap = np.abs(log_p - log_q)
                ratio[rows] = np.maximum(ratio[rows], gap.max(axis=1))
                for name, inside in columns.items():
                    if len(inside):
                        watched[name][rows] = np.maximum(watched[name][rows], gap[:, inside].max(axis=1))
                left = centred_rows(excess.value)
                squares[rows] += np.square(left).mean(axis=1) / len(group.sets)
                apart[rows] = np.maximum(apart[rows], np.ptp(excess.value, axis=1))
                if excess_norm is not None and excess_error is not None:
                    excess_norm[rows] = row_norms(left)
                    own = sum(_rounding(model, rows) for model in (prime, star))
                    # Pairwise sums of K < 2^40 terms for mean and norm: 64 roundings each.
                    excess_error[rows] = own + 128 * U * row_norms(excess.value)
    return Distances(
        forward, backward, ratio, np.sqrt(squares), apart, watched, gaps.evidence(), excess_norm, excess_error
    )


def _log_softmax(logits: Array) -> Array:
    return logits - np.asarray(logsumexp(logits, axis=1, keepdims=True))


def _logits(model: Model, rows: Numbers) -> FloatMatrix:
    logits = Model(model.f.take(rows=rows.tolist()), model.g, model.bias).logits()
    assert isinstance(logits, FloatMatrix)  # its parts are
    return logits


def _rounding(model: TrainedModel, rows: Numbers) -> Array:
    """How far rounding can move the row of logits at each context, as a norm: dim + 4 roundings of ‖f(x)‖ ‖G‖ + ‖b‖.

    The arrays themselves count as exact here: |f(x)|·|g(y)| <= ‖f(x)‖ ‖g(y)‖, summed over labels in the square.
    """
    assert model.g is not None  # distances are asked for models with labels
    scale = row_norms(model.f[rows]) * norm(model.g) + norm(model.biases())
    return np.asarray((model.dim + 4) * U * scale)
