"""The logit-distance bound: numbers by hand, against NumPy, what the constructions promise, and the mutants."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tests.theory.theorems.pools import broken_promises, constructed, kill, pool, size_of
from theory import decide
from theory.arithmetic import Matrix, matrix_type
from theory.arithmetic.definite import pivots
from theory.checking import check
from theory.evidence import Evidence
from theory.models import Model, ModelPair, full_candidate_sets
from theory.records import record, restore
from theory.sizes import Size
from theory.strategies import nearby
from theory.strategies.source import RandomSource
from theory.theorem import Construction, Theorem
from theory.theorems.softmax.logit_distance_bound import (
    THEOREM,
    attained_in_the_plane,
    conclusion,
    differences,
    logit_gaps,
    never_attained,
    no_alignment_at_all,
    remainder,
    squared,
    witness,
)
from theory.verdict import Status

# By hand -----------------------------------------------------------------------------------------------------------


def test_witness() -> None:
    """f·Δg - f'·Δg' = 2 - 1, A = 1/2, f - A f' = 1/2 = 1/2 · 1."""
    pair = witness()
    assert logit_gaps(pair) == [[1]]
    assert remainder(pair) == matrix_type().of([["1/2"]])
    assert check(THEOREM, pair).status is Status.HOLDS
    assert check(THEOREM, pair, claim="never_attained").status is Status.REFUTED


def test_attained_in_the_plane() -> None:
    pair = attained_in_the_plane()
    l = np.array(differences(pair)[0].tolist(), dtype=float)
    assert np.linalg.svd(l, compute_uv=False) == pytest.approx([2, 1])
    assert logit_gaps(pair) == [[1, 0]]
    assert remainder(pair) == matrix_type().of([["3/5", "4/5"]])
    assert conclusion(pair).ratio == pytest.approx(1)
    assert check(THEOREM, pair, claim="never_attained").status is Status.REFUTED
    slack = replace(pair, star=replace(pair.star, f=matrix_type().of([["6/5", "9/5"]])))
    assert check(THEOREM, slack, claim="never_attained").status is Status.HOLDS


def test_own_pairs_without_any_map() -> None:
    pair = no_alignment_at_all()
    assert logit_gaps(pair) == [[0, 0], [0, 0]]
    assert decide.linear_map(pair.prime.f, pair.star.f).holds is False
    assert check(THEOREM, pair, without="common_pairs").status is Status.COUNTEREXAMPLE


def test_own_pairs_of_few_labels_do_no_harm() -> None:
    """K = M + 1: A does not depend on the pairs, so each context may choose its own."""
    reached = 0
    for seed in range(60):
        pair = nearby.unrelated(RandomSource(seed), Size(2, 3, 3))
        own = replace(pair, label_pairs=(((0, 1), (0, 2)), ((1, 0), (1, 2)), ((2, 1), (2, 0))))
        verdict = check(THEOREM, own, without="common_pairs")
        assert verdict.status is Status.VACUOUS
        reached += bool(verdict.conclusion)
    assert reached > 50


def test_no_bound_is_claimed_without_an_inverse() -> None:
    singular = Model.of([[1, 1]], [[0, 0], [1, 0], [2, 0]])
    for pairs in ((((1, 0), (2, 0)),), (((1, 0),),), ()):
        pair = ModelPair(singular, singular, full_candidate_sets(1, 3), pairs)
        assert check(THEOREM, pair, without="right_invertible").status is Status.VACUOUS
        assert conclusion(pair).holds is True
    assert "right_invertible" not in THEOREM.needs


def test_against_numpy() -> None:
    """σ_min ‖v‖ <= ‖Δu‖ in floating point, and the ratio; the exact answer agrees where the two are apart."""
    compared = 0
    for _, pair in constructed(THEOREM.name)[::5]:
        left_over = remainder(pair)
        biased = pair.prime.bias is not None or pair.star.bias is not None
        if left_over is None or biased or len(set(pair.label_pairs)) > 1:
            continue  # an assumption that the bound needs is broken on purpose
        l = np.array(differences(pair)[0].tolist(), dtype=float)
        errors = np.linalg.norm(np.array(left_over.tolist(), dtype=float), axis=1)
        gaps = np.linalg.norm(np.array(logit_gaps(pair), dtype=float), axis=1)
        sigma = np.linalg.svd(l, compute_uv=False)[-1]
        assert (sigma * errors <= gaps * (1 + 1e-9) + 1e-12).all()
        ratio = max((sigma * e / u for e, u in zip(errors, gaps, strict=True) if e > 0), default=0)
        assert conclusion(pair).ratio == pytest.approx(ratio)
        if abs(ratio - 1) > 1e-9:
            assert never_attained(pair).holds is True
            compared += 1
    assert compared > 50


def test_certificates_replay_in_the_other_arithmetic() -> None:
    for seed in range(5):
        pair = nearby.extremal(RandomSource(seed), Size(3, 5, 3))
        other = restore(ModelPair, record(pair), "sympy")
        assert [e.value for e in check(THEOREM, other).evidence] == [e.value for e in check(THEOREM, pair).evidence]
        assert never_attained(other).witness == never_attained(pair).witness


# Constructions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("construction", THEOREM.constructions, ids=lambda c: c.name)
def test_promise(construction: Construction[ModelPair]) -> None:
    assert broken_promises(THEOREM, construction) == []


def test_constructions_vary() -> None:
    built = [nearby.unrelated(RandomSource(seed), Size(3, 6, 4)) for seed in range(60)]
    assert {pair.prime.dim for pair in built} == {2, 3, 4}
    assert all(pair.star.dim == 3 for pair in built)
    ratios = [conclusion(nearby.extremal(RandomSource(seed), Size(3, 5, 3))).ratio for seed in range(30)]
    assert ratios == pytest.approx([1.0] * 30)
    moved = [conclusion(nearby.shaken(RandomSource(seed), Size(3, 5, 3))).ratio for seed in range(60)]
    assert any(ratio == 0 for ratio in moved)
    assert sum(0 < (ratio or 0) < 0.9 for ratio in moved) > 30


# Mutants -----------------------------------------------------------------------------------------------------------

Bound = Callable[[Matrix, Sequence[Fraction], Fraction], bool]


def square(values: Sequence[Fraction]) -> Fraction:
    return sum((v * v for v in values), Fraction(0))


def claiming(within: Bound) -> Theorem[ModelPair]:
    """Another bound in place of the theorem's, given L, the error and ‖Δu‖²."""

    def mutated(pair: ModelPair) -> Evidence:
        left_over = remainder(pair)
        assert left_over is not None
        rows = zip(differences(pair), left_over.tolist(), squared(logit_gaps(pair)), strict=True)
        return decide.count_is_zero(sum(not within(*row) for row in rows), "rows beyond the bound")

    return replace(THEOREM, conclusion=mutated, closed_form=None)


def with_error(error: Callable[[ModelPair], Matrix]) -> Theorem[ModelPair]:
    def mutated(pair: ModelPair) -> Evidence:
        return decide.within_sigma_min(differences(pair), error(pair), squared(logit_gaps(pair)))

    return replace(THEOREM, conclusion=mutated, closed_form=None)


def largest_singular_value(l: Matrix, error: Sequence[Fraction], budget: Fraction) -> bool:
    if square(error) == 0:
        return True
    level = l.identity(l.shape[0]).scaled(budget / square(error))
    return pivots(level - l @ l.T) is not None


def frobenius(l: Matrix, error: Sequence[Fraction], budget: Fraction) -> bool:
    return sum(square(row) for row in l.tolist()) * square(error) <= budget


def half(l: Matrix, error: Sequence[Fraction], budget: Fraction) -> bool:
    return decide.within_sigma_min([l], l.of([error]), [budget / 4]).holds is True


def slightly_less(l: Matrix, error: Sequence[Fraction], budget: Fraction) -> bool:
    return decide.within_sigma_min([l], l.of([error]), [budget * Fraction(999, 1000)]).holds is True


def of_one_label(pair: ModelPair) -> Evidence:
    """Δu from the logits of y_A alone."""
    excess = (pair.star.logits() - pair.prime.logits()).tolist()
    gaps = [[row[a] for a, _ in chosen] for row, chosen in zip(excess, pair.label_pairs, strict=True)]
    left_over = remainder(pair)
    assert left_over is not None
    return decide.within_sigma_min(differences(pair), left_over, squared(gaps))


def not_transposed(pair: ModelPair) -> Matrix:
    """A = L⁻¹ L' in place of L⁻ᵀ L'ᵀ, where the dimensions allow it."""
    l, l_prime = (model.differences(pair.label_pairs[0]) for model in (pair.star, pair.prime))
    if pair.prime.dim != pair.dim:
        return pair.star.f - pair.star.f
    image = l.solve(l_prime)
    assert image is not None
    return pair.star.f - pair.prime.f @ image.T


def from_the_other_side(pair: ModelPair) -> Matrix:
    """f' - A f with A = L'⁻ᵀ Lᵀ, still against σ_min(L), where L' is invertible too."""
    other = remainder(pair.swapped())
    return pair.star.f - pair.star.f if other is None else other


MUTANTS: dict[str, tuple[Theorem[ModelPair], Size]] = {
    "half the bound": (claiming(half), Size(1, 2, 1)),
    "999/1000 of its square": (claiming(slightly_less), Size(1, 2, 1)),
    "σ_max for σ_min": (claiming(largest_singular_value), Size(2, 3, 1)),
    "Frobenius norm for σ_min": (claiming(frobenius), Size(2, 3, 1)),
    "Δu of one label": (replace(THEOREM, conclusion=of_one_label, closed_form=None), Size(1, 2, 1)),
    "L⁻¹ for L⁻ᵀ": (with_error(not_transposed), Size(2, 3, 1)),
    "A from the other side": (with_error(from_the_other_side), Size(1, 2, 1)),
}


@pytest.mark.parametrize("honest", [False, True], ids=["all constructions", "without alignment, and the scope"])
@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_die(name: str, honest: bool) -> None:
    mutant, smallest = MUTANTS[name]
    dead = kill(mutant, honest)
    assert dead is not None
    assert size_of(dead) == smallest
    assert check(THEOREM, dead).status is not Status.REFUTED


@pytest.mark.parametrize("honest", [False, True], ids=["all constructions", "without alignment, and the scope"])
def test_truth_survives(honest: bool) -> None:
    verdicts = [check(THEOREM, instance, brief=True) for instance in pool(THEOREM.name, honest)]
    statuses = [verdict.status for verdict in verdicts]
    assert Status.REFUTED not in statuses
    assert statuses.count(Status.HOLDS) > 300
    ratios = [e.ratio for verdict in verdicts for e in verdict.conclusion if e.ratio is not None]
    assert math.isclose(max(ratios), 1)
