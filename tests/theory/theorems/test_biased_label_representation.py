"""Labels and biases once f is aligned by an affine map: numbers by hand, and the lift to M + 1 dimensions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.theory.theorems.pools import constructed, equal_probabilities
from theory.arithmetic import matrix_type
from theory.checking import check
from theory.models import AffinelyAlignedPair, AlignedPair, Model, bias_of
from theory.theorems.softmax import biased_label_representation as module
from theory.theorems.softmax import label_representation
from theory.verdict import Status

THEOREM = module.THEOREM


def test_worked_numbers() -> None:
    spanning, witness = module.spanning_only_linearly(), module.witness()
    assert equal_probabilities(spanning)
    assert equal_probabilities(witness)
    assert spanning.star.f.rank() == 1, "it spans, but not affinely"
    verdict = check(THEOREM, spanning, without="star_spans_affinely")
    assert verdict.status is Status.COUNTEREXAMPLE
    assert verdict.conclusion[0].value == 1
    assert check(THEOREM, witness).status is Status.HOLDS


def test_the_offset_fits_the_dimension() -> None:
    pair = module.witness()
    with pytest.raises(ValueError, match=r"the offset has shape \(1, 2\): it must be \(1, 1\)"):
        replace(pair, offset=matrix_type().of([[1, 2]]))


def augmented(pair: AffinelyAlignedPair) -> AlignedPair:
    """The same logits without biases in M + 1 dimensions: (1, f), (b, g) and the matrix [[1, 0], [c, A]]."""
    models = [Model(m.f.with_ones(), bias_of(m).beside(m.g)) for m in (pair.prime, pair.star)]
    top = matrix_type().of([[1] + [0] * pair.dim])
    alignment = top.above(pair.offset.beside(pair.alignment))
    return AlignedPair(models[0], models[1], pair.candidate_sets, alignment=alignment)


def test_it_is_the_theorem_without_biases_in_one_dimension_more() -> None:
    for _, pair in constructed(THEOREM.name):
        ours, theirs = check(THEOREM, pair), check(label_representation.THEOREM, augmented(pair))
        assert ours.status is theirs.status
        no_bias, *others = theirs.assumptions
        assert no_bias.name == "no_bias"
        assert no_bias.holds
        assert [e.holds for e in ours.assumptions] == [e.holds for e in others]
