"""Logits with a bias: numbers by hand, and what the constructions promise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.theory.theorems.pools import (
    constructed,
    equal_probabilities,
    probabilities,
)
from theory.arithmetic import matrix_type
from theory.assumptions import decide_equal_distributions
from theory.checking import check
from theory.models import Model, ModelPair, bias_differences, full_candidate_sets
from theory.sizes import Size
from theory.strategies import biases, pairs
from theory.strategies.source import RandomSource
from theory.theorems.softmax.biased_logits import THEOREM, singular_right_in_the_plane, witness
from theory.verdict import Status

of = matrix_type().of


# By hand -----------------------------------------------------------------------------------------------------------


def test_witness() -> None:
    """p(1|x) = 1/(1 + e^-2) and 1/(1 + e^-3) in both models; f' = f* + 1, and f' = A f* has no solution."""
    pair = witness()
    assert equal_probabilities(pair)
    assert [probabilities(pair.prime, x, (0, 1))[1] for x in (0, 1)] == pytest.approx([0.880797, 0.952574], abs=1e-6)
    assert check(THEOREM, pair).status is Status.HOLDS
    assert check(THEOREM, pair, claim="linear").status is Status.REFUTED


def test_offset_in_the_plane() -> None:
    """L' = [[1, 1], [0, 1]] (columns), L* = 1, Δb* - Δb' = (2, 3): c = L'⁻ᵀ (2, 3) = (2, 1), A = [[1, 0], [-1, 1]]."""
    f = [[0, 0], [1, 0], [0, 1], [4, 7]]
    pair = ModelPair(
        Model.of([[2, 1], [3, 0], [2, 2], [6, 4]], [[0, 0], [1, 0], [1, 1]], [5, 5, 4]),
        Model.of(f, [[1, 1], [2, 1], [1, 2]], [0, 2, 2]),
        full_candidate_sets(4, 3),
        (((1, 0), (2, 0)),) * 4,
    )
    assert equal_probabilities(pair)
    assert check(THEOREM, pair).status is Status.HOLDS
    moved = replace(pair, star=replace(pair.star, bias=of([[0], [2], [3]])))
    assert not equal_probabilities(moved)
    assert check(THEOREM, moved).status is Status.VACUOUS


def test_worked_counterexample() -> None:
    pair = singular_right_in_the_plane()
    assert equal_probabilities(pair)
    assert check(THEOREM, pair, without="right_invertible").status is Status.COUNTEREXAMPLE


def test_equality_against_probabilities() -> None:
    answers = {True: 0, False: 0}
    for _, pair in constructed(THEOREM.name)[::7]:
        decided = decide_equal_distributions(pair).holds
        assert decided is equal_probabilities(pair)
        answers[bool(decided)] += 1
    assert min(answers.values()) > 20


def test_a_missing_bias_is_a_bias_of_zeros() -> None:
    for seed in range(40):
        pair = biases.solved(RandomSource(seed), Size(2, 4, 3))
        zeros = matrix_type().zeros(4, 1)
        prime, star = (replace(m, bias=zeros) if m.bias is None else m for m in (pair.prime, pair.star))
        filled = replace(pair, prime=prime, star=star)
        assert check(THEOREM, filled).evidence == check(THEOREM, pair).evidence


def test_without_biases_it_is_linear_identifiability() -> None:
    for seed in range(20):
        pair = pairs.solved(RandomSource(seed), Size(2, 4, 5))
        assert check(THEOREM, pair, claim="linear").status is Status.HOLDS
        moved = biases.biased(RandomSource(seed), pair)
        assert moved.prime.bias is not None
        assert equal_probabilities(moved)


# Constructions -----------------------------------------------------------------------------------------------------


def test_constructions_vary() -> None:
    built = [biases.solved(RandomSource(seed), Size(2, 5, 4)) for seed in range(80)]
    offsets = [bias_differences(p.prime, p.label_pairs[0]) - bias_differences(p.star, p.label_pairs[0]) for p in built]
    assert any(offset.is_zero() for offset in offsets)
    assert any(p.star.bias is None for p in built)
    assert any(p.prime.bias is None for p in built)
    assert sum(not offset.is_zero() for offset in offsets) > 40
    assert any(len(set(p.candidate_sets)) > 1 for p in built)
    assert {p.star.f.with_ones().rank() for p in built} >= {2, 3}
