"""The order of the indeterminacy classes: each holds the next smaller ones and more."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.theory.points import spanning
from theory.arithmetic import matrix_type
from theory.catalogue import catalogue
from theory.indeterminacy import CLASSES, EXTENDED_LINEAR, Element, Indeterminacy, smaller_than
from theory.models import Model
from theory.sizes import Size
from theory.strategies import displaced, pairs
from theory.strategies.matrices import any_matrix, invertible, of_rank, representation
from theory.strategies.source import RandomSource
from theory.strategies.symmetries import gauged, translated

of = matrix_type().of
SEEDS = range(12)
DIMS = (1, 2, 3, 4)
#: Every class with each next smaller one.
STEPS = [
    pytest.param(kind, CLASSES[smaller], id=f"{name} > {smaller}")
    for name, kind in CLASSES.items()
    for smaller in kind.smaller
]


@pytest.mark.parametrize(("kind", "smaller"), STEPS)
def test_a_smaller_class_is_contained(kind: Indeterminacy, smaller: Indeterminacy) -> None:
    for dim in DIMS:
        for seed in SEEDS:
            source = RandomSource(seed)
            element = smaller.sample(source, dim)
            assert kind.contains(element).holds
            f = representation(source, source.integer(1, dim + 2), dim)
            target = element(f) if seed % 2 else any_matrix(source, *f.shape)
            assert kind.fit(f, target).holds or not smaller.fit(f, target).holds


@pytest.mark.parametrize(("kind", "smaller"), STEPS)
@pytest.mark.parametrize("dim", [2, 3])
def test_and_refuses_some_element(kind: Indeterminacy, smaller: Indeterminacy, dim: int) -> None:
    refused = 0
    for seed in range(30):
        element, f = kind.sample(RandomSource(seed), dim), spanning(seed, dim)
        outside = smaller.contains(element).holds is False
        assert (smaller.fit(f, element(f)).holds is False) is outside
        refused += outside
    assert refused > 5


def test_every_chain_ends_at_the_identity() -> None:
    assert all(name == kind.name and kind.statement.startswith("v -> ") for name, kind in CLASSES.items())
    assert str(CLASSES["permutation_scaling"]).startswith("permutation scaling: v -> P D v")
    for kind in CLASSES.values():
        seen = [kind.name]
        while CLASSES[seen[-1]].smaller:
            seen.append(CLASSES[seen[-1]].smaller[0])
            assert len(seen) <= len(CLASSES), "no class is smaller than itself"
        assert seen[-1] == "identity"


def test_the_smaller_classes_as_claims() -> None:
    claims = smaller_than(CLASSES["linear"], pairs.representations)
    assert [claim.name for claim in claims] == ["orthogonal", "permutation_scaling"]
    for claim in claims:
        assert str(CLASSES[claim.name]) in claim.statement
        for seed in SEEDS:
            pair = pairs.attaining(RandomSource(seed), Size(2, 4, 4), CLASSES[claim.name].sample(RandomSource(seed), 2))
            assert claim.conclusion(pair).holds
    sheared = pairs.attaining_spanning(RandomSource(0), Size(2, 4, 4), Element(of([[1, 1], [0, 1]])))
    assert [claim.conclusion(sheared).holds for claim in claims] == [False, False]


def test_tight_theorems_claim_every_smaller_class() -> None:
    tight = [theorem for theorem in catalogue().values() if theorem.attained is not None]
    assert len(tight) >= 5
    for theorem in tight:
        assert theorem.attained is not None
        assert {s.name for s in theorem.stronger} >= set(theorem.attained.indeterminacy.smaller), theorem.name


# Without diversity -------------------------------------------------------------------------------------------------


def test_extended_linear_holds_the_linear_maps() -> None:
    """A gauge and a translation of g are of the class, with T the gauge itself, for labels of any rank."""
    for seed in SEEDS:
        source = RandomSource(seed)
        star = displaced.factored(source, Size(3, 4, 5)).star
        gauge = invertible(source, 3)
        prime = translated(gauged(star, gauge), [1, -2, 3])
        assert EXTENDED_LINEAR.fit(star, prime).holds
        assert CLASSES["linear"].fit(star.f, prime.f).holds


def test_linear_refuses_what_extended_linear_accepts() -> None:
    """The part of f that no label difference sees is free; with diversity nothing is, and the classes are one."""
    assert EXTENDED_LINEAR.smaller == ("linear",)
    refused = 0
    for seed in range(30):
        source = RandomSource(seed)
        star = displaced.factored(source, Size(3, 3, 5)).star
        prime = EXTENDED_LINEAR.sample(source, star, 3)
        assert EXTENDED_LINEAR.fit(star, prime).holds
        refused += CLASSES["linear"].fit(star.f, prime.f).holds is False
        pair = pairs.solved(source, Size(3, 5, 5))
        assert EXTENDED_LINEAR.fit(pair.star, pair.prime).holds
        assert CLASSES["linear"].fit(pair.star.f, pair.prime.f).holds
    assert refused > 10


def test_extended_linear_refuses_a_moved_seen_part() -> None:
    refused = 0
    for seed in SEEDS:
        source = RandomSource(seed)
        f, steps = of_rank(source, 5, 3, 2), of_rank(source, 3, 3, 2)
        star = Model(f, matrix_type().zeros(1, 3).above(steps))
        prime = EXTENDED_LINEAR.sample(source, star, 4)
        unseen = prime.differences([(1, 0), (2, 0), (3, 0)]).T.null_space().take(columns=[0]).T
        tiny = Fraction(1, 10**30)
        for along, free in ((unseen, True), (prime.differences([(1, 0), (2, 0)]).T, False)):
            contexts = of([[tiny if x == 0 else 0] for x in range(5)]) @ of([[1] * along.shape[0]])
            moved = Model(prime.f + contexts @ along, prime.g)
            holds = EXTENDED_LINEAR.fit(star, moved).holds
            assert holds or not free, "a move that no label sees changes nothing"
            refused += holds is False
    assert refused > 5
