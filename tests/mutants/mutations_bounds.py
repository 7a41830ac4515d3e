"""Mistakes about the bound ‖f - A f'‖ <= ‖Δu‖ / σ_min(L), and about its corollary with 2δ√M in place of ‖Δu‖.

Both are stated once, for the side whose L is inverted: the corollary is about the pair with its roles exchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.mutants.mutations import Decide
from tests.mutants.mutations_pairs import with_first_set
from theory import decide, log_probabilities
from theory.arithmetic import Matrix
from theory.arithmetic.balls import balls_for
from theory.arithmetic.definite import pivots
from theory.evidence import Evidence
from theory.log_probabilities import NearPair
from theory.models import ModelPair
from theory.theorems.softmax.logit_distance_bound import differences, logit_gaps, remainder, squared

#: Is the bound kept, given L, the error and the square of ‖Δu‖ or 2δ√M?
Within = Callable[[Matrix, Sequence[Fraction], Fraction], bool]
#: The error f - A f' with another A, (contexts, M).
Error = Callable[[ModelPair], Matrix]


def _square(values: Sequence[Fraction]) -> Fraction:
    return sum((v * v for v in values), Fraction(0))


def _true_error(pair: ModelPair) -> Matrix:
    error = remainder(pair)
    assert error is not None  # an assumption says that L is invertible
    return error


def _compared(pair: ModelPair, budgets: Sequence[Fraction], within: Within, error: Error) -> Evidence:
    rows = zip(differences(pair), error(pair).tolist(), budgets, strict=True)
    return decide.count_is_zero(sum(not within(*row) for row in rows), "rows beyond the bound")


def _true_bound(l: Matrix, error: Sequence[Fraction], budget: Fraction) -> bool:
    return decide.within_sigma_min([l], l.of([error]), [budget]).holds is True


def of_logits(within: Within = _true_bound, error: Error = _true_error) -> Decide:
    """The conclusion of ``logit_distance_bound`` with another bound or another error."""
    return lambda pair: _compared(pair, squared(logit_gaps(pair)), within, error)


def of_probabilities(within: Within = _true_bound, error: Error = _true_error) -> Decide:
    """The conclusion of ``stability`` with another bound or another error."""

    def conclusion(pair: NearPair) -> Evidence:
        budgets = [4 * len(chosen) * pair.delta**2 for chosen in pair.label_pairs]
        return _compared(pair.swapped(), budgets, within, error)

    return conclusion


# Other bounds ---------------------------------------------------------------------------------------------------


def share(of_square: Fraction) -> Within:
    """The square of the bound times the given share."""
    return lambda l, error, budget: _true_bound(l, error, of_square * budget)


def largest_singular_value(l: Matrix, error: Sequence[Fraction], budget: Fraction) -> bool:
    """σ_max(L) in place of σ_min(L)."""
    if _square(error) == 0:
        return True
    return pivots(l.identity(l.shape[0]).scaled(budget / _square(error)) - l @ l.T) is not None


def frobenius(l: Matrix, error: Sequence[Fraction], budget: Fraction) -> bool:
    """‖L‖_F in place of σ_min(L)."""
    return sum(_square(row) for row in l.tolist()) * _square(error) <= budget


def without_dimension(l: Matrix, error: Sequence[Fraction], budget: Fraction) -> bool:
    """2δ in place of 2δ√M."""
    return _true_bound(l, error, budget / l.shape[1])


# Other errors ---------------------------------------------------------------------------------------------------


def _with(pair: ModelPair, build: Callable[[Matrix, Matrix], Matrix]) -> Matrix:
    """f - A f' with A built from L and L', where the dimensions allow it."""
    if pair.prime.dim != pair.star.dim:
        return pair.star.f - pair.star.f
    l, l_prime = (model.differences(pair.label_pairs[0]) for model in (pair.star, pair.prime))
    return pair.star.f - pair.prime.f @ build(l, l_prime).T


def _solved(left: Matrix, right: Matrix) -> Matrix:
    found = left.solve(right)
    assert found is not None  # an assumption says that L is invertible
    return found


def transposed(pair: ModelPair) -> Matrix:
    """Aᵀ in place of A."""
    return _with(pair, lambda l, l_prime: _solved(l.T, l_prime.T).T)


def not_transposed(pair: ModelPair) -> Matrix:
    """A = L⁻¹ L' in place of L⁻ᵀ L'ᵀ."""
    return _with(pair, _solved)


def from_the_other_side(pair: ModelPair) -> Matrix:
    """f' - A f with A = L'⁻ᵀ Lᵀ, still against σ_min(L), where the dimensions agree and L' is invertible too."""
    other = remainder(pair.swapped()) if pair.prime.dim == pair.star.dim else None
    return pair.star.f - pair.star.f if other is None else other


# Logits and log-probabilities of single labels -------------------------------------------------------------------


def of_one_label(pair: ModelPair) -> Evidence:
    """Δu from the logits of y_A alone."""
    excess = (pair.star.logits() - pair.prime.logits()).tolist()
    gaps = [[row[a] for a, _ in chosen] for row, chosen in zip(excess, pair.label_pairs, strict=True)]
    return _compared(pair, squared(gaps), _true_bound, _true_error)


def near_at_first_labels(pair: NearPair) -> Evidence:
    """The log-probabilities are compared on the first label of each pair only."""
    kernel = balls_for(pair.prime.f)(256)
    found = 0
    for compared in log_probabilities.compared_on_pairs(pair):
        firsts = {a for a, _ in pair.label_pairs[compared.context]}
        gaps = zip(compared.labels, log_probabilities.gaps(compared, kernel), strict=True)
        found += sum(y in firsts and gap.at_most(pair.delta) is False for y, gap in gaps)
    return decide.count_is_zero(found, "first labels further apart than delta")


def near_on_first_set(pair: NearPair) -> Evidence:
    """The log-probabilities are compared on the first candidate set of each context only."""
    return log_probabilities.log_probabilities_within(with_first_set(pair), pair.delta)
