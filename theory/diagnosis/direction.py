"""One direction, from one model's representations to the other's: predicted, fitted, and whether a map exists."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from theory import decide
from theory.arithmetic.floating import Array, FloatMatrix
from theory.best_pairs import BestPairs
from theory.diagnosis.alignment import Alignment
from theory.diagnosis.blur import Blur
from theory.diagnosis.candidates import relabelled, used
from theory.diagnosis.fitted import Fitted
from theory.diagnosis.norms import norm, unit
from theory.diagnosis.trained import TrainedModel
from theory.evidence import Evidence
from theory.models import ModelPair, full_candidate_sets
from theory.theorems.softmax import biased_logits


@dataclass(frozen=True, slots=True, eq=False)
class Direction:
    """What relates f of ``source`` to f of ``target``: f_target ≈ A f_source, + c where there are biases.

    ``predicted`` is theory's alignment from the target's best pairs, ``from_all`` that from all label differences;
    None where there is none.  ``map_exists`` is the theory's answer to "is there a linear (with biases: affine) map on
    these contexts, up to rounding", which any two representations have on too few contexts: ``told`` is False then.
    ``hidden`` says how much of f_target rounding may hide where it hides the answer (:mod:`theory.diagnosis.blur`),
    and is empty elsewhere.

    ``difference`` is ‖A - A_fitted‖ / ‖A_fitted‖ (Frobenius) of ``predicted`` and the fit, and the same for their
    values on the source's contexts; ``difference_from_all`` these two for ``from_all``; NaN without a prediction.
    ``delta`` is the largest |log p' - log p*| over the labels of the pairs, in nats, and
    ``stability_bound`` 2 δ √M / σ_min(L), in units of f_target.
    """

    source: str
    target: str
    affine: bool
    pairs: BestPairs | None
    predicted: Alignment | None
    from_all: Alignment | None
    fitted: Fitted
    map_exists: Evidence
    told: bool
    hidden: str
    difference: tuple[float, float]
    difference_from_all: tuple[float, float]
    delta: float
    stability_bound: float

    @property
    def best(self) -> Alignment | None:
        """The prediction with the smaller bound, among those about all dimensions of the target."""
        whole = [a for a in (self.predicted, self.from_all) if a is not None and a.seen == a.dim]
        return min(whole, key=lambda a: a.relative_bound, default=None)


def direct(
    names: tuple[str, str],
    models: tuple[TrainedModel, TrainedModel],
    pairs: BestPairs | None,
    alignments: tuple[Alignment | None, Alignment | None],
    fitted: Fitted,
    delta: float,
) -> Direction:
    """Put one direction together; ``names`` and ``models`` are (source, target)."""
    source, target = models
    affine = source.biased or target.biased
    predicted, from_all = alignments
    apart = [_difference(source.f, alignment, fitted, affine) for alignment in alignments]
    bound = float("nan")
    if predicted is not None:
        bound = 2 * delta * float(np.sqrt(target.dim)) / predicted.sigma_min
    evidence, hidden = _map_exists(source, target, affine, pairs)
    if hidden:
        hidden = f"{hidden} f({names[1]})"
    told = _with_offset(source, affine).rank() < source.contexts
    return Direction(
        *names, affine, pairs, predicted, from_all, fitted, evidence, told, hidden, apart[0], apart[1], delta, bound
    )  # fmt: skip


def _difference(f: Array, alignment: Alignment | None, fitted: Fitted, affine: bool) -> tuple[float, float]:
    """Of predicted and fitted map: relative to the fitted one, as matrices and as values on the rows of f."""
    if alignment is None:
        return float("nan"), float("nan")
    A, c = (fitted.A, fitted.c) if affine else (fitted.A_linear, np.zeros(len(fitted.c)))
    image = f @ A.T + c
    return _relative(alignment.A - A, A), _relative(f @ alignment.A.T + alignment.c - image, image)


def _relative(gap: Array, base: Array) -> float:
    scale = norm(base)
    return norm(gap) / scale if scale > 0 else float("nan")


def _with_offset(source: TrainedModel, affine: bool) -> FloatMatrix:
    """f, and beside it a constant for the offset: of the size of f, or a rank would depend on the unit of f."""
    matrix = source.matrix("f")
    if not affine:
        return matrix
    constant = np.full((source.contexts, 1), unit(source.f))
    return matrix.beside(FloatMatrix(constant, np.zeros_like(constant)))


def _map_exists(
    source: TrainedModel, target: TrainedModel, affine: bool, pairs: BestPairs | None
) -> tuple[Evidence, str]:
    """The theory's ``linear_map`` on the rounded arrays, judged by the residual of the predicted map if there is one.

    That residual is the one of the theorem ``biased_logits``, whose f' is the target's.  A map is said to exist only
    where neither rounding nor the best map's own error is a considerable part of the target; else the answer is
    undecided, and the text says how much rounding hides where it is rounding.
    """
    ours, theirs = _with_offset(source, affine), target.matrix("f")
    residual = None
    if pairs is not None:
        labels = used(pairs.pairs)
        residual = biased_logits.residual(
            ModelPair(
                target.as_model(labels=labels),
                source.as_model(labels=labels),
                full_candidate_sets(source.contexts, len(labels)),
                (relabelled(pairs.pairs, labels),) * source.contexts,
            )
        )
    evidence = decide.linear_map(ours, theirs, None if residual is None else lambda: residual)
    hidden = ""
    if evidence.holds is not False:
        found = Blur.of(ours, theirs, target.roundoff["f"])
        if found.hides:
            part = f"about {found.rounding:.2g} of" if math.isfinite(found.rounding) else "all of"
            hidden = f"{part} the spread of a column of"
            evidence = replace(evidence, value=math.nan, detail=f"rounding may hide {hidden} the target")
        elif evidence.holds and found.misses:
            detail = f"the best map errs by {found.error:.2g} of the spread of a column of the target"
            evidence = replace(evidence, value=math.nan, detail=detail)
    return evidence.named("map_exists"), hidden
