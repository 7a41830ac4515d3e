"""Each model by itself: how many dimensions its representations and its label differences have, and its best pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from theory.arithmetic.floating import RANK_ACCEPT, RANK_REJECT, Array, FloatMatrix
from theory.best_pairs import BestPairs, best_pairs
from theory.diagnosis.norms import norm
from theory.diagnosis.trained import TrainedModel, centred


@dataclass(frozen=True, slots=True)
class NumericalRank:
    """The rank of a matrix with rounded entries, by the rule of :func:`theory.decide.rank_is_full`.

    A singular value counts as nonzero above 10 times the ``tolerance`` (how far rounding can move it), as zero below
    the tolerance; ``undecided`` counts those in between.  ``sigma_min`` is the last of the ``dim`` singular values, 0
    where there are fewer; the margin is the smallest singular value that counts, over the tolerance.
    """

    rank: int
    undecided: int
    dim: int
    sigma_max: float
    sigma_min: float
    tolerance: float
    margin: float

    @property
    def full(self) -> bool | None:
        """Is the rank ``dim``?  None where a singular value is undecided."""
        if self.rank == self.dim:
            return True
        return None if self.rank + self.undecided == self.dim else False

    def __str__(self) -> str:
        unsure = f" to {self.rank + self.undecided}, undecided" if self.undecided else ""
        return f"{self.rank}{unsure} of {self.dim}"

    @classmethod
    def of(cls, matrix: FloatMatrix) -> NumericalRank:
        dim = matrix.shape[1]
        values, tolerance = matrix.singular_values(), matrix.uncertainty()
        nonzero = int((tolerance <= RANK_ACCEPT * values).sum()) if values[0] > 0 else 0
        zero = int((tolerance > RANK_REJECT * values).sum()) if values[0] > 0 else len(values)
        last = float(values[-1]) if len(values) == dim else 0.0
        margin = float(values[nonzero - 1]) / tolerance if nonzero and tolerance else np.inf
        return cls(nonzero, len(values) - nonzero - zero, dim, float(values[0]), last, tolerance, margin)


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """One model.  All ranks are of centred matrices: of f over contexts, of g (and [g | bias]) over labels.

    ``spread`` is the root mean square distance of f(x) from the mean f, in units of f.  ``label_differences``,
    ``with_bias`` and ``best`` are None where there is nothing to compute them from, and ``no_pairs`` then says why
    there are no M label pairs with an invertible L.
    """

    name: str
    contexts: int
    labels: int
    dim: int
    biased: bool
    spread: float
    f: NumericalRank
    label_differences: NumericalRank | None
    with_bias: NumericalRank | None
    best: BestPairs | None
    no_pairs: str

    @property
    def few_labels(self) -> bool:
        """K <= M: no M label pairs can be diverse (theorem few_labels)."""
        return 0 < self.labels <= self.dim


def spread(f: Array) -> float:
    """Root mean square distance of the rows from their mean."""
    return norm(f - f.mean(axis=0)) / float(np.sqrt(len(f)))


def summarise(model: TrainedModel, name: str, among: Sequence[int] | None) -> ModelSummary:
    """``among`` are the labels that pairs may be chosen from; None for all."""
    labels = with_bias = best = None
    no_pairs = "" if model.g is not None else "g is missing"
    if model.g is not None:
        g = model.matrix("g")
        labels = NumericalRank.of(centred(g))
        if model.biased:
            with_bias = NumericalRank.of(centred(g.beside(model.matrix("bias"))))
        best, no_pairs = chosen_pairs([model.g], among)
    return ModelSummary(
        name, model.contexts, model.labels, model.dim, model.biased, spread(model.f),
        NumericalRank.of(centred(model.matrix("f"))), labels, with_bias, best, no_pairs,
    )  # fmt: skip


def chosen_pairs(sides: Sequence[Array], among: Sequence[int] | None) -> tuple[BestPairs | None, str]:
    """The best pairs that serve all sides (labels, dim), from the given labels if they suffice; or the reason for none.

    Where the labels that all contexts can choose from do not suffice, pairs come from all labels: the bound holds for
    them, and the assumption ``pairs_seen`` fails, which is then reported.
    """
    dims = {side.shape[1] for side in sides}
    if len(dims) > 1:
        return None, f"the dimensions differ ({', '.join(map(str, sorted(dims)))}), so no pairs make L' and L* square"
    labels, dim = sides[0].shape
    if labels <= dim:
        return None, f"K = {labels} labels have at most {labels - 1} independent differences, M = {dim} are needed"
    reason = ""
    for choice in [among, None] if among is not None else [None]:
        cut = [side if choice is None else side[list(choice)] for side in sides]
        try:
            found = best_pairs(cut[0], cut[1] if len(cut) > 1 else None)
        except ValueError as error:
            reason = str(error)
            continue
        if choice is None:
            return found, ""
        named = tuple((choice[a], choice[b]) for a, b in found.pairs)
        return BestPairs(named, found.sigma_min, found.condition), ""
    return None, reason
