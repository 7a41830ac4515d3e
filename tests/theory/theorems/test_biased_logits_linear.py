"""Theorem 1 with biases and no offset: refuted by hand, and exactly where the offset cannot be absorbed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.theory.theorems.pools import constructed, equal_probabilities
from theory.arithmetic import matrix_type
from theory.checking import check
from theory.models import Model, ModelPair, bias_differences, full_candidate_sets
from theory.theorems.softmax import biased_logits
from theory.theorems.softmax.biased_logits_linear import THEOREM, absorbed_bias, zero_representation
from theory.verdict import Status


@pytest.mark.parametrize("build", [absorbed_bias, zero_representation])
def test_worked_refutations(build: Callable[[], ModelPair]) -> None:
    pair = build()
    assert equal_probabilities(pair)
    assert check(THEOREM, pair).status is Status.REFUTED
    assert check(biased_logits.THEOREM, pair).status is Status.HOLDS


def test_logits_by_hand() -> None:
    pair = absorbed_bias()
    of = matrix_type().of
    assert pair.prime.logits() == pair.star.logits() == of([[0, 2], [0, 3]])


def test_a_singular_matrix_may_absorb_the_offset() -> None:
    """f* = 1, f' = 0 = f* - 1: A = 0 relates them, so this refutes the claim of an *invertible* A only."""
    pair = ModelPair(
        Model.of([[0]], [[0], [1]], [0, 1]), Model.of([[1]], [[0], [1]]), full_candidate_sets(1, 2), (((1, 0),),)
    )
    assert equal_probabilities(pair)
    assert check(THEOREM, pair).status is Status.HOLDS
    assert check(biased_logits.THEOREM, pair, claim="linear").status is Status.REFUTED


def test_refuted_exactly_where_the_offset_is_outside_the_columns() -> None:
    """c != 0, and no combination of the columns of F* is constant."""
    statuses = {Status.HOLDS: 0, Status.REFUTED: 0}
    for _, pair in constructed(THEOREM.name):
        chosen = pair.label_pairs[0]
        offset = bias_differences(pair.star, chosen) - bias_differences(pair.prime, chosen)
        constant = pair.star.f.with_ones().rank() == pair.star.f.rank()
        status = check(THEOREM, pair).status
        assert (status is Status.REFUTED) is (not offset.is_zero() and not constant)
        statuses[status] += 1
    assert min(statuses.values()) > 50
