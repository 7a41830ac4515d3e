"""The alignment that theory predicts from the labels, with its bound; with biases and for any dimensions.

Take a matrix D that turns labels into differences: the incidence of M label pairs, or the centring of all labels.
Put G = D g*, G' = D g', β = D (b' - b*), and Δu(x) = D (u*(x) - u'(x)) for the logits u = f·g + b.  Then
G f*(x) - G' f'(x) - β = Δu(x), so with B = G⁺, A = B G' and c = B β

    P f*(x) - A f'(x) - c = B Δu(x),    ‖P f*(x) - A f'(x) - c‖ <= ‖Δu(x)‖ / σ_r(G),

P the projection on the span of the rows of G and r its dimension; P = 1 where the differences span R^M.  For M pairs
G is Lᵀ and A = L*⁻ᵀ L'ᵀ, as in the theorem ``logit_distance_bound``; a bias enters Δu and gives the offset
c = L*⁻ᵀ (Δb' - Δb*), which is the one of ``biased_logits``.  With the centring A = G*⁺ G', the least-squares fit of all
label differences.

*Rounding.*  For any matrix B whatever, P f* - A f' - c = (P - B G) f* + B Δu with A = B G' and c = B β.  So the
computed B stands for itself, and its defect P - B G, computed too, says what it may add, up to what rounding makes of
an inverse.  All else is the running error of the matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from theory import decide
from theory.arithmetic.floating import Array, FloatMatrix, U
from theory.diagnosis.candidates import relabelled, used
from theory.diagnosis.distances import Distances
from theory.diagnosis.norms import norm as size
from theory.diagnosis.norms import rms, row_norms, unexplained
from theory.diagnosis.ranks import spread
from theory.diagnosis.trained import Chosen, TrainedModel, centred
from theory.models import LabelPair, bias_differences


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """f_target(x) ≈ A f_source(x) + c as theory predicts it, with error and bound per context, in units of f_target.

    ``differences`` says of which label differences it was computed; ``seen`` of the target's ``dim`` dimensions are
    seen by them, and where fewer, error and bound are about that part of f_target.  ``A`` (dim, source dim), ``c``
    (dim,); ``sigma_min`` is the smallest nonzero singular value of the target's differences.  ``gap`` is ‖Δu(x)‖,
    ``error`` ‖f_target(x) - A f_source(x) - c‖, ``bound`` gap / sigma_min, ``allowance`` how far rounding can carry
    error above bound; all (contexts,).  ``spread`` is the root mean square distance of the (seen) target from its mean.
    """

    differences: str
    seen: int
    dim: int
    A: Array
    c: Array
    sigma_min: float
    gap: Array
    error: Array
    bound: Array
    allowance: Array
    spread: float
    held_out_r2: float

    @property
    def violated(self) -> int:
        """Contexts whose error exceeds bound and allowance: 0, unless the program or its input is at fault."""
        return int((~(self.error <= self.bound + self.allowance)).sum())  # so that NaN is no bound kept

    @property
    def largest_ratio(self) -> float:
        """The largest error / bound where rounding is below 1 % of the bound; NaN where it is nowhere."""
        told = self.allowance < 0.01 * self.bound
        return float((self.error[told] / self.bound[told]).max()) if told.any() else float("nan")

    @property
    def median_slack(self) -> float:
        """The median of bound / error where rounding is below 1 % of the bound; NaN where it is nowhere."""
        told = (self.allowance < 0.01 * self.bound) & (self.error > 0)
        return float(np.median(self.bound[told] / self.error[told])) if told.any() else float("nan")

    @property
    def relative_error(self) -> float:
        """Root mean square error over the spread of the target.  1 is what the constant mean would do."""
        return _over(rms(self.error), self.spread)

    @property
    def relative_bound(self) -> float:
        """Root mean square bound, with its allowance, over the spread of the target."""
        return _over(rms(self.bound + self.allowance), self.spread)

    @property
    def informative(self) -> bool:
        """Does theory exclude that A f + c does no better than the constant mean?"""
        return self.relative_bound < 1

    @property
    def word(self) -> str:
        """What the bound is worth, in one word."""
        return "violated" if self.violated else "informative" if self.informative else "vacuous"

    @property
    def words(self) -> str:
        """What the bound is worth."""
        if self.violated:
            return f"bound violated at {self.violated} contexts: an error in the program or in its input"
        if self.informative:
            return f"informative: at most {self.relative_bound:.2g} of the spread"
        return f"vacuous: {self.relative_bound:.3g} times the spread, no better than the constant mean is promised"


def _over(value: float, scale: float) -> float:
    return value / scale if scale > 0 else (0.0 if value == 0 else float("inf"))


def from_pairs(
    source: TrainedModel, target: TrainedModel, pairs: Sequence[LabelPair], held_out: Chosen
) -> Alignment | None:
    """From M label pairs; None where rounding does not tell the target's L from a singular matrix."""
    first, second = ([pair[i] for pair in pairs] for i in (0, 1))

    def stepped(model: TrainedModel, name: str) -> FloatMatrix:
        whole = model.matrix(name, stored=True)
        return whole.take(rows=first) - whole.take(rows=second)

    g, g_source = stepped(target, "g"), stepped(source, "g")
    beta = FloatMatrix(np.zeros((len(pairs), 1)))
    if source.bias is not None:
        beta = beta + stepped(source, "bias")
    if target.bias is not None:
        beta = beta - stepped(target, "bias")
    inverse = g.inverse()
    if inverse is None:
        return None
    # Logits are compared on the pairs directly, so that Δu is not computed as Lᵀ f - L'ᵀ f'.
    gap = _logit_steps(target, first, second) - _logit_steps(source, first, second)
    norm = row_norms(gap.value)
    rounding = row_norms(gap.error) + 64 * U * norm
    return _built(
        f"{len(pairs)} pairs", source, target, inverse.value, np.eye(target.dim), g, g_source, beta, target.dim,
        (norm, rounding), held_out,
    )  # fmt: skip


def predicted_map(
    source: TrainedModel, target: TrainedModel, pairs: Sequence[LabelPair]
) -> tuple[FloatMatrix, FloatMatrix] | None:
    """A and c (dim, 1) from M label pairs, with the error that the rounding of the arrays' type leaves in them."""
    sides = [model.as_model(contexts=[0], labels=used(pairs)) for model in (source, target)]
    chosen = relabelled(pairs, used(pairs))
    l_source, l_target = (side.differences(chosen) for side in sides)
    if l_target.shape[0] != l_target.shape[1] or decide.invertible(l_target).holds is not True:
        return None
    offset = bias_differences(sides[0], chosen) - bias_differences(sides[1], chosen)
    solved = l_target.T.solve(offset.beside(l_source.T))
    assert isinstance(solved, FloatMatrix)  # L is invertible
    return solved.take(columns=range(1, source.dim + 1)), solved.take(columns=[0])


def _logit_steps(model: TrainedModel, first: Sequence[int], second: Sequence[int]) -> FloatMatrix:
    labels = sorted({*first, *second})
    place = {y: i for i, y in enumerate(labels)}
    logits = model.as_model(labels=labels, stored=True).logits()
    assert isinstance(logits, FloatMatrix)  # its parts are
    return logits.take(columns=[place[y] for y in first]) - logits.take(columns=[place[y] for y in second])


def from_all_labels(
    source: TrainedModel, target: TrainedModel, distances: Distances, rank: int, held_out: Chosen
) -> Alignment | None:
    """From all label differences, of which the target has ``rank``; None where there are none or gaps are unknown."""
    if rank == 0 or distances.excess is None or distances.excess_error is None:
        return None
    g, g_source = (centred(model.matrix("g", stored=True)) for model in (target, source))
    left, values, right = np.linalg.svd(g.value, full_matrices=False)
    b = (right[:rank].T / values[:rank]) @ left[:, :rank].T
    seen = np.eye(target.dim) if rank == target.dim else right[:rank].T @ right[:rank]
    beta = centred(FloatMatrix((source.biases() - target.biases())[:, None]))
    gaps = (distances.excess, distances.excess_error)
    return _built(
        f"all {source.labels} labels", source, target, b, seen, g, g_source, beta, rank, gaps, held_out
    )  # fmt: skip


def _built(
    differences: str,
    source: TrainedModel,
    target: TrainedModel,
    b: Array,
    seen: Array,
    g: FloatMatrix,
    g_source: FloatMatrix,
    beta: FloatMatrix,
    rank: int,
    gap: tuple[Array, Array],
    held_out: Chosen,
) -> Alignment:
    """The alignment of a computed B, with ``seen`` the projection P and ``gap`` the norms of Δu and their rounding."""
    values = g.singular_values()
    sigma = float(values[rank - 1])
    moved = size(g.error) + max(g.shape) * U * float(values[0])
    B = FloatMatrix(b, np.zeros_like(b))
    projection = FloatMatrix(seen, np.zeros_like(seen))
    f_target, f_source = target.matrix("f", stored=True), source.matrix("f", stored=True)
    A, c = B @ g_source, B @ beta
    wanted = f_target if rank == target.dim else f_target @ projection
    left = wanted - (f_source @ A.T + FloatMatrix(np.ones((source.contexts, 1)), np.zeros((source.contexts, 1))) @ c.T)
    defect = projection - B @ g
    norm, norm_error = gap
    error = row_norms(left.value)
    # What an inverse or a pseudo-inverse may be off by: were the defect larger, B would be wrong, not rounded.
    most = 10 * max(g.shape) * U * size(b) * size(g.value)
    off = min(size(defect.value) + size(defect.error), most)
    left_over = max(sigma - moved, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        steeper = np.divide(sigma, left_over) * (1 + most)  # ‖B‖ σ, which is 1 but for rounding
        bound = norm / sigma
        rounding = row_norms(left.error) + (target.dim + 2) * U * error
        rounding += off * row_norms(f_target.value)
        parts = (norm_error / sigma, steeper), (bound, steeper - 1)  # steeper may be infinite, and 0 of it is 0
        allowance = rounding + sum(np.where(part > 0, part * by, 0.0) for part, by in parts)
    return Alignment(
        differences, rank, target.dim, A.value, c.value[:, 0], sigma, norm, error, bound, allowance,
        spread(wanted.value), _r2(wanted.value, error, held_out),
    )  # fmt: skip


def _r2(target: Array, error: Array, held_out: Chosen) -> float:
    """The share of the target's squares, about the mean of the other rows, that is predicted on the held-out rows."""
    return 1 - unexplained(error[held_out], target[held_out] - target[~held_out].mean(axis=0))
