"""Normalised representations: the threshold M(M+1)/2 from both sides, what the constructions promise."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.mutants import mutations_norms as norms
from tests.mutants.mutations import Decide, with_assumptions
from theory import decide
from theory.arithmetic import matrix_type
from theory.checking import check
from theory.sizes import Size, ladder
from theory.strategies import spheres
from theory.strategies.source import RandomSource
from theory.theorem import Construction
from theory.theorems.softmax.unit_norm_orthogonal import (
    THEOREM,
    NormalisedPair,
    coordinate_products,
    excess_norms,
    one_point_fewer,
)
from theory.verdict import Status

SEEDS = range(12)
SIZES = [*(size for size in ladder(3) if size.labels == 2), *THEOREM.sizes[-5:]]
MEETING = [c for c in THEOREM.constructions if c.violates is None]
of = matrix_type().of


def named(constructions: Any) -> list[Any]:
    return [pytest.param(c, id=c.name) for c in constructions]


# The threshold ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dim", [2, 3, 4])
@pytest.mark.parametrize("construction", named(MEETING))
def test_at_the_count_the_map_is_orthogonal(construction: Construction[NormalisedPair], dim: int) -> None:
    count = {2: 3, 3: 6, 4: 10}[dim]
    for seed in SEEDS:
        pair = construction.build(RandomSource(seed), Size(dim, 2, count))
        assert pair.star.shape == (count, dim)
        verdict = check(THEOREM, pair)
        assert verdict.status is Status.HOLDS, verdict.describe()
        assert [e.name for e in verdict.conclusion] == ["conclusion", "closed_form"]


@pytest.mark.parametrize("dim", [2, 3, 4])
def test_one_point_below_it_is_not(dim: int) -> None:
    pair = one_point_fewer(dim)
    count = {2: 2, 3: 5, 4: 9}[dim]
    assert pair.star.shape == (count, dim)
    assert coordinate_products(pair.star).rank() == count, "no point is wasted: only one dimension is missing"
    verdict = check(THEOREM, pair, without="quadric_rank")
    assert verdict.status is Status.COUNTEREXAMPLE, verdict.describe()
    evidence = {e.name: e for e in verdict.evidence}
    expected = [[Fraction(int(i == j)) for j in range(dim)] for i in range(dim)]
    expected[0][1], expected[1][1] = Fraction(3, 5), Fraction(4, 5)
    assert evidence["aligned"].witness["A"] == of(expected), "the points span, so this A is the only one"
    null = evidence["quadric_rank"].witness["null_vector"]
    assert null == of([[int(k == 1)] for k in range(dim * (dim + 1) // 2)]), "the quadric f_1 f_2 = 0"
    assert evidence["conclusion"].value == Fraction(3, 5)


@pytest.mark.parametrize("dim", [2, 3, 4])
def test_the_missing_point_leaves_the_sphere(dim: int) -> None:
    pair = one_point_fewer(dim)
    point = of([[Fraction(3, 5), Fraction(4, 5), *[0] * (dim - 2)]])
    A = decide.linear_map(pair.star, pair.prime).witness["A"]
    longer = NormalisedPair(pair.prime.above(point @ A.T), pair.star.above(point))
    verdict = check(THEOREM, longer)
    assert [e.name for e in verdict.assumptions if not e.holds] == ["left_unit_norms"]
    assert excess_norms(longer.prime).tolist()[-1] == [Fraction(72, 125)]


def test_opposite_points_count_once() -> None:
    """Points and their opposites, however many, stay at the rank of the points."""
    pair = one_point_fewer(3)
    doubled = NormalisedPair(pair.prime.above(pair.prime.scaled(-1)), pair.star.above(pair.star.scaled(-1)))
    assert doubled.star.shape[0] == 10
    assert check(THEOREM, doubled, without="quadric_rank").status is Status.COUNTEREXAMPLE


# Constructions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("construction", named(THEOREM.constructions))
def test_promise(construction: Construction[NormalisedPair]) -> None:
    statuses = set()
    for size in filter(construction.fits, SIZES):
        for seed in range(6):
            pair = construction.build(RandomSource(seed), size)
            assert pair.star.shape == (size.contexts, size.dim)
            broken = [a.name for a in THEOREM.assumptions if not a.evidence(pair).holds]
            assert broken == ([construction.violates] if construction.violates else []), (size, seed)
            statuses.add(check(THEOREM, pair, without=construction.violates).status)
    expected = {Status.HOLDS} if construction.violates is None else {Status.COUNTEREXAMPLE}
    assert statuses - {Status.VACUOUS} == expected
    assert construction.violates is not None or Status.VACUOUS not in statuses


def test_rigid_points_are_not_always_the_same() -> None:
    size = Size(3, 2, 6)
    points = [spheres.two_frames(RandomSource(seed), size)[1] for seed in SEEDS]
    assert len({f @ f.T for f in points}) == len(SEEDS)


def test_shapes_must_agree() -> None:
    with pytest.raises(ValueError, match="f' is \\(1, 2\\) and f\\* is \\(1, 1\\)"):
        NormalisedPair(of([[1, 0]]), of([[1]]))
    with pytest.raises(ValueError, match="at least one context and one dimension"):
        NormalisedPair(of([], columns=2), of([], columns=2))


@pytest.mark.parametrize("weaker", [norms.one_below, norms.spans])
@pytest.mark.parametrize("dim", [2, 3, 4])
def test_the_rank_cannot_be_one_less_in_any_dimension(weaker: Decide, dim: int) -> None:
    mutated = with_assumptions(quadric_rank=weaker)(THEOREM)
    assert check(mutated, one_point_fewer(dim)).status is Status.REFUTED
