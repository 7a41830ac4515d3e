"""Constructions keep their promises: what they build meets every assumption, or breaks exactly the one they name.

Nothing is filtered, so a construction that broke its promise would silently turn a check into one about nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.instances import size_of
from tests.theory.sources import NearestToZero, Recording
from theory.catalogue import catalogue
from theory.checking import check
from theory.sizes import Size, ladder
from theory.strategies.source import LARGEST, RandomSource
from theory.theorem import Construction, Standing, Theorem
from theory.verdict import Status

SEEDS = range(3)
THEOREMS = list(catalogue().values())
CASES = [
    pytest.param(theorem, construction, id=f"{theorem.name}: {construction.name}")
    for theorem in THEOREMS
    for construction in theorem.constructions
]


def sizes(theorem: Theorem[Any], construction: Construction[Any]) -> Iterator[Size]:
    """Every small size that the construction fits, and the larger ones of the theorem's own ladder."""
    small = list(ladder(3))
    yield from (size for size in small if construction.fits(size))
    yield from (size for size in theorem.sizes if size not in small and construction.fits(size))


@pytest.mark.parametrize(("theorem", "construction"), CASES)
def test_promise(theorem: Theorem[Any], construction: Construction[Any]) -> None:
    fitted = list(sizes(theorem, construction))
    assert fitted
    for size in fitted:
        for seed in SEEDS:
            instance = construction.build(RandomSource(seed), size)
            broken = [a.name for a in theorem.assumptions if a.evidence(instance).holds is not True]
            assert broken == ([] if construction.violates is None else [construction.violates]), (size, seed)


@pytest.mark.parametrize(("theorem", "construction"), CASES)
def test_simplest_draw(theorem: Theorem[Any], construction: Construction[Any]) -> None:
    """What Hypothesis shrinks to builds at every size and keeps the promise too."""
    for size in sizes(theorem, construction):
        instance = construction.build(NearestToZero(), size)
        assert isinstance(instance, theorem.instance_type)
        broken = [a.name for a in theorem.assumptions if a.evidence(instance).holds is not True]
        assert broken == ([] if construction.violates is None else [construction.violates]), size


@pytest.mark.parametrize(("theorem", "construction"), CASES)
def test_size_is_the_size_asked_for(theorem: Theorem[Any], construction: Construction[Any]) -> None:
    for size in sizes(theorem, construction):
        instance = construction.build(RandomSource(0), size)
        assert size_of(instance) == size


@pytest.mark.parametrize(("theorem", "construction"), CASES)
def test_draws_are_small_and_repeatable(theorem: Theorem[Any], construction: Construction[Any]) -> None:
    for size in list(sizes(theorem, construction))[-6:]:
        sources = [Recording(7), Recording(7)]
        first, second = (construction.build(source, size) for source in sources)
        assert first == second
        assert sources[0].asked == sources[1].asked
        assert sources[0].asked, "a construction that draws nothing builds one instance only"
        assert all(-LARGEST <= low <= high <= LARGEST for low, high in sources[0].asked)


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_every_rung_of_the_ladder_is_used(theorem: Theorem[Any]) -> None:
    for size in theorem.sizes:
        assert theorem.usable(size), f"no construction meets all assumptions at {size}"
    for construction in theorem.constructions:  # searches without an assumption climb the general ladder
        rungs = theorem.sizes if construction.violates is None else (*theorem.sizes, *ladder(3))
        assert any(construction.fits(size) for size in rungs), construction.name
    for name in theorem.needs:
        assert any(c.violates == name for c in theorem.constructions), name
    assert len({c.name for c in theorem.constructions}) == len(theorem.constructions)
    assert len(set(theorem.sizes)) == len(theorem.sizes)


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_not_only_aligned_pairs(theorem: Theorem[Any]) -> None:
    """Pairs made by the alignment whose existence is claimed test the arithmetic, not the theorem."""
    honest = [c for c in theorem.constructions if c.violates is None and not c.uses_alignment]
    wanted = 2 if theorem.standing is Standing.ESTABLISHED else 1
    assert len(honest) >= wanted


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_conclusion_where_all_assumptions_hold(theorem: Theorem[Any]) -> None:
    """Established: it holds on each.  Refuted: the first construction refutes it, the others may or may not."""
    found: set[Status] = set()
    for size in theorem.sizes:
        for construction in theorem.usable(size):
            found |= {check(theorem, construction.build(RandomSource(seed), size)).status for seed in SEEDS}
    assert found <= {Status.HOLDS, Status.REFUTED}
    assert (Status.REFUTED in found) is (theorem.standing is Standing.REFUTED)


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_every_needed_assumption_is_broken_with_consequences(theorem: Theorem[Any]) -> None:
    """Some instance that breaks only this assumption breaks the conclusion: a search can find the counterexample."""
    for name in theorem.needs:
        statuses = (
            check(theorem, construction.build(RandomSource(seed), size), without=name).status
            for size in (*theorem.sizes[:6], *ladder(2))
            for construction in theorem.usable(size, without=name)
            for seed in range(4)
        )
        assert any(status is Status.COUNTEREXAMPLE for status in statuses), name


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_constructions_can_be_chosen(theorem: Theorem[Any]) -> None:
    size = theorem.sizes[-1]
    for construction in theorem.usable(size):
        assert theorem.usable(size, among=[construction]) == [construction]
    with pytest.raises(ValueError, match=f"{theorem.name} has no assumption 'typo'"):
        theorem.usable(size, without="typo")
