"""Mistakes about the representations of labels, g' = A⁻ᵀ g* up to a shift, with and without biases."""

from __future__ import annotations

from collections.abc import Callable

from tests.mutants.mutations import Decide
from theory import decide
from theory.arithmetic import Matrix
from theory.evidence import Evidence, all_of
from theory.indeterminacy import label_steps
from theory.models import AffinelyAlignedPair, AlignedPair
from theory.theorems.softmax.biased_label_representation import bias_steps, biases_compensate

#: The matrix B of g' = B g*, from A.
OfA = Callable[[Matrix], Matrix]


def _inverse(matrix: Matrix) -> Matrix:
    inverse = matrix.inverse()
    assert inverse is not None  # an assumption says so
    return inverse


def labels_by(matrix: OfA) -> Decide:
    """g'(y) - g'(0) = B (g*(y) - g*(0)) with another B."""

    def conclusion(pair: AlignedPair) -> Evidence:
        return decide.vanishes(label_steps(pair.prime) - label_steps(pair.star) @ matrix(pair.alignment).T)

    return conclusion


def with_biases(labels: Decide) -> Decide:
    """The claim about labels, and the true one about biases."""

    def conclusion(pair: AffinelyAlignedPair) -> Evidence:
        return all_of(labels(pair), biases_compensate(pair))

    return conclusion


def inverse_transposed(A: Matrix) -> Matrix:
    """The true B = A⁻ᵀ."""
    return _inverse(A).T


by_a = labels_by(lambda A: A)
by_transpose = labels_by(lambda A: A.T)
by_inverse = labels_by(_inverse)


def representations(pair: AlignedPair) -> Evidence:
    """f'(x) - f'(0) = A⁻ᵀ (f*(x) - f*(0)): A⁻ᵀ applied to the representations."""
    ours, theirs = (_steps(f) for f in (pair.prime.f, pair.star.f))
    return decide.vanishes(ours - theirs @ _inverse(pair.alignment))


def _steps(f: Matrix) -> Matrix:
    return f - f.take(rows=[0] * f.shape[0])


def biases_by(sign: int, of_star: bool) -> Decide:
    """b' = b* ± c·g with g of either model; the truth is - c·g'."""

    def conclusion(pair: AffinelyAlignedPair) -> Evidence:
        steps = label_steps(pair.star if of_star else pair.prime) @ pair.offset
        return decide.vanishes(bias_steps(pair.prime) - bias_steps(pair.star) - steps.scaled(sign))

    return conclusion


sign_flipped = biases_by(1, of_star=False)
labels_of_star = biases_by(-1, of_star=True)


def linear_spanning(pair: AffinelyAlignedPair) -> Evidence:
    """rank F* = M in place of rank[1 | F*] = M + 1."""
    return decide.rank_is_full(pair.star.f, pair.dim)
