"""Mistakes about logits with a bias: in the formula A = L'⁻ᵀ L*ᵀ, c = L'⁻ᵀ (Δb* - Δb')."""

from __future__ import annotations

from collections.abc import Callable

from tests.mutants.mutations import Decide
from theory import decide
from theory.arithmetic import Matrix
from theory.evidence import Evidence
from theory.models import ModelPair, bias_differences

#: A from L' and L*, and the vector of which c is L'⁻ᵀ times, from Δb' and Δb*.
Alignment = Callable[[Matrix, Matrix], Matrix]
Offset = Callable[[Matrix, Matrix], Matrix]


def _inverse(matrix: Matrix) -> Matrix:
    inverse = matrix.inverse()
    assert inverse is not None  # an assumption says so
    return inverse


def true_alignment(l_prime: Matrix, l_star: Matrix) -> Matrix:
    return _inverse(l_prime).T @ l_star.T


def true_offset(b_prime: Matrix, b_star: Matrix) -> Matrix:
    return b_star - b_prime


def formula(alignment: Alignment = true_alignment, offset: Offset = true_offset) -> Decide:
    """f' = A f* + c with another A or another c, from the pairs of the first context."""

    def closed_form(pair: ModelPair) -> Evidence:
        chosen = pair.label_pairs[0]
        l_prime, l_star = pair.prime.differences(chosen), pair.star.differences(chosen)
        steps = offset(bias_differences(pair.prime, chosen), bias_differences(pair.star, chosen))
        c = _inverse(l_prime).T @ steps
        return decide.vanishes(pair.prime.f - pair.star.f.with_ones() @ c.beside(alignment(l_prime, l_star)).T)

    return closed_form


transposed = formula(lambda l_prime, l_star: true_alignment(l_prime, l_star).T)
inverse_not_transposed = formula(lambda l_prime, l_star: _inverse(l_prime) @ l_star.T)
sides_exchanged = formula(lambda l_prime, l_star: _inverse(l_star).T @ l_prime.T)
no_offset = formula(offset=lambda b_prime, b_star: b_star - b_star)
one_bias = formula(offset=lambda b_prime, b_star: b_star)
sign_flipped = formula(offset=lambda b_prime, b_star: b_prime - b_star)
