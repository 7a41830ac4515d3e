"""Made-up theorems, true and false, to see that the checks can fail.  All are about the pairs of Theorem 1.

They claim no more than they need: what is tight and what is stable are tests of their own.

The predicates are functions of this module because statements are digested by their source.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from theory import decide
from theory.catalogue import find
from theory.evidence import Evidence
from theory.indeterminacy import CLASSES, smaller_than
from theory.models import Model, ModelPair, full_candidate_sets
from theory.sizes import Size
from theory.strategies import pairs
from theory.strategies.spectra import conditioned
from theory.theorem import Assumption, Attained, Construction, Standing, Theorem
from verification.profiles import Profile

#: Enough for a made-up theorem, whose ladder ends early.
TINY = Profile("tiny", instances=40, max_dim=2, seed=0)


def always(_: Any) -> Evidence:
    """Holds of everything."""
    return decide.count_is_zero(0, "always")


def not_a_number(_: Any) -> Evidence:
    """Says nothing: NaN supports neither side."""
    return Evidence("", math.nan, "not a number", accept=1, reject=2)


def between_its_levels(_: Any) -> Evidence:
    """Says nothing: above what is accepted, not above what is rejected."""
    return Evidence("", 1.5, "a defect", accept=1, reject=2)


def half_of_its_bound(_: Any) -> Evidence:
    """Inexact and accepted, with half of the error that the bound allows."""
    return Evidence("", 0.5e-9, "a defect", accept=1e-9, reject=1e-6)


def same_representations(pair: ModelPair) -> Evidence:
    """f' = f*: false, since A need not be the identity."""
    return decide.vanishes(pair.prime.f - pair.star.f)


def transposed_closed_form(pair: ModelPair) -> Evidence:
    """f'(x) = Aᵀ f*(x): true where M = 1, false from M = 2 on."""
    chosen = pair.label_pairs[0]
    inverse = pair.prime.differences(chosen).inverse()
    assert inverse is not None  # an assumption says so
    alignment = inverse.T @ pair.star.differences(chosen).T
    return decide.vanishes(pair.prime.f - pair.star.f @ alignment)


def decide_first_positive(pair: ModelPair) -> Evidence:
    """The first entry of f' is positive."""
    return decide.true_or_false(pair.prime.f[0, 0] > 0, "the first entry of f' is positive")


def bad_witness() -> ModelPair:
    """L' is 0: both labels have the same g'."""
    return ModelPair(
        Model.of(f=[[1]], g=[[0], [0]]), Model.of(f=[[1]], g=[[0], [0]]), full_candidate_sets(1, 2), (((1, 0),),)
    )


def far_away() -> ModelPair:
    """M = 1: f' = 2000 and f* = 1, further apart than what is generated."""
    return ModelPair(
        Model.of(f=[[2000]], g=[[0], [1]]), Model.of(f=[[1]], g=[[0], [2000]]), full_candidate_sets(1, 2), (((1, 0),),)
    )


def not_far_away(pair: ModelPair) -> Evidence:
    """Every entry of f' is below 1000: false, but of no generated instance of dimension 1."""
    largest = max(abs(entry) for row in pair.prime.f.tolist() for entry in row)
    return decide.count_is_zero(int(largest >= 1000), "an entry is 1000 or more")


TRUE: Theorem[ModelPair] = replace(
    find("linear_identifiability"),
    name="made_up",
    title="Made up",
    sizes=(Size(1, 2, 1), Size(1, 3, 2), Size(2, 3, 2)),
    scope=None,
    worked=(),
    needs=(),
    stronger=(),
    attained=None,
    spectra=None,
)
#: Also claimed to be tight, and examined in floating point.
TIGHT: Theorem[ModelPair] = replace(
    TRUE,
    attained=Attained(CLASSES["linear"], pairs.attaining, pairs.representations),
    stronger=smaller_than(CLASSES["linear"], pairs.representations),
)
STABLE: Theorem[ModelPair] = replace(TRUE, spectra=conditioned)
FALSE: Theorem[ModelPair] = replace(TRUE, conclusion=same_representations, closed_form=None)
REFUTED: Theorem[ModelPair] = replace(FALSE, standing=Standing.REFUTED, repaired_by="extended_linear")


def assuming(*more: Assumption[ModelPair]) -> Theorem[ModelPair]:
    """The true theorem with further assumptions, which its constructions do not care for."""
    return replace(TRUE, assumptions=(*TRUE.assumptions, *more))


def _at_the_smallest_size(size: Size) -> bool:
    return size == Size(1, 2, 1)


def _solved(source: Any, size: Size) -> ModelPair:
    return TRUE.constructions[0].build(source, size)


#: An assumption that the conclusion does not need: what breaks it (each pair whose f' starts at 0 or below) still
#: meets the conclusion.
NOT_NEEDED: Theorem[ModelPair] = replace(
    assuming(Assumption("first_positive", "the first entry of f' is positive", decide_first_positive)),
    constructions=(
        *TRUE.constructions,
        Construction("of any sign", _solved, violates="first_positive", fits=_at_the_smallest_size),
    ),
    needs=("first_positive",),
)
