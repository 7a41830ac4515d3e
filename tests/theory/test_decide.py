"""The deciders against their definitions, worked out another way, and their witnesses checked by hand.

Whether an invertible A with target = source Aᵀ exists is worked out here without ranks: all solutions of the linear
system are written with symbols, and some solution is invertible iff the determinant is not the zero polynomial.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import sympy

from theory import decide
from theory.arithmetic import Matrix, matrix_type
from theory.evidence import Evidence
from theory.strategies.matrices import any_matrix, entries, invertible, of_rank
from theory.strategies.source import RandomSource, Source

FLINT, SYMPY = matrix_type("flint"), matrix_type("sympy")


def numbers(matrix: Matrix) -> sympy.Matrix:
    rows, columns = matrix.shape
    return sympy.Matrix(rows, columns, [sympy.Rational(*x.as_integer_ratio()) for row in matrix.tolist() for x in row])


def every_map(source: Matrix, target: Matrix) -> sympy.Matrix | None:
    """All A with target = source Aᵀ, with symbols for what is free; None when there is none."""
    free = sympy.symbols(f"a:{source.shape[1] * target.shape[1]}")
    unknown = sympy.Matrix(target.shape[1], source.shape[1], free)
    equations = list(numbers(source) * unknown.T - numbers(target))
    solutions: list[Any] = list(sympy.linsolve(equations, *free))
    return unknown.subs(list(zip(free, solutions[0], strict=True))) if solutions else None


def related(seed: int) -> tuple[Matrix, Matrix]:
    """Two small matrices with as many rows: unrelated, one mapped to the other, or differing in one entry."""
    source = RandomSource(seed)
    rows, dim = source.integer(1, 4), source.integer(1, 3)
    first = of_rank(source, rows, dim, source.integer(0, min(rows, dim)))
    return first, _partner(source, first, source.integer(0, 4))


def _partner(source: Source, first: Matrix, kind: int) -> Matrix:
    rows, dim = first.shape
    if kind == 0:
        return any_matrix(source, rows, source.integer(1, 3))
    if kind == 1:
        return first @ invertible(source, dim)
    if kind == 2:
        return first @ any_matrix(source, dim, dim)
    if kind == 3:
        return FLINT.of(entries(source, rows, dim, 1))
    nudge = [[0] * dim for _ in range(rows)]
    nudge[source.integer(0, rows - 1)][source.integer(0, dim - 1)] = 1
    return first @ invertible(source, dim) + FLINT.of(nudge)


def check_relation(relation: Matrix, source: Matrix, target: Matrix) -> None:
    """The vector w with w source = 0 and w target != 0 shows that no map takes source to target."""
    assert relation.shape == (1, source.shape[0])
    assert (relation @ source).is_zero()
    assert not (relation @ target).is_zero()


def test_linear_maps_by_definition() -> None:
    answers = {True: 0, False: 0}
    for seed in range(150):
        source, target = related(seed)
        evidence = decide.linear_map(source, target)
        assert evidence.holds is (every_map(source, target) is not None), seed
        assert evidence.exact
        if evidence.holds:
            assert source @ evidence.witness["A"].T == target
            assert evidence.witness["A"].shape == (target.shape[1], source.shape[1])
        else:
            check_relation(evidence.witness["relation"], source, target)
        answers[bool(evidence.holds)] += 1
    assert min(answers.values()) > 20


def test_invertible_linear_maps_by_definition() -> None:
    reasons: dict[str, int] = {}
    for seed in range(200):
        source, target = related(seed)
        evidence = decide.invertible_linear_map(source, target)
        maps = every_map(source, target)
        square = source.shape[1] == target.shape[1]
        exists = maps is not None and square and sympy.expand(maps.det(method="berkowitz")) != 0
        assert evidence.holds is exists, seed
        witness: dict[str, Any] = dict(evidence.witness)
        reason = next(iter(witness))
        reasons[reason] = reasons.get(reason, 0) + 1
        if reason == "A":
            assert source @ witness["A"].T == target
            assert witness["A"].inverse() is not None
        elif reason == "relation":
            check_relation(witness["relation"], source, target)
        elif reason == "relation_of_target":
            check_relation(witness["relation_of_target"], target, source)
        else:
            assert witness["dimensions"] == (source.shape[1], target.shape[1])
            assert not square
    assert set(reasons) == {"A", "relation", "relation_of_target", "dimensions"}


def test_both_kernels_decide_alike() -> None:
    for seed in range(60):
        exact = related(seed)
        symbolic = tuple(SYMPY.of(m.tolist(), columns=m.shape[1]) for m in exact)
        for question in (decide.linear_map, decide.invertible_linear_map, decide.affine_map, decide.no_affine_map):
            answers = [question(*exact), question(*symbolic)]
            assert answers[0] == answers[1]
            assert answers[0].witness == answers[1].witness


def test_invertible_map_known_cases() -> None:
    e1 = FLINT.of([[1, 0]])
    assert decide.invertible_linear_map(e1, FLINT.of([[0, 1]])).holds is True
    assert decide.invertible_linear_map(e1, FLINT.of([[0, 0]])).value == 1  # A exists, but none that is invertible
    assert decide.linear_map(e1, FLINT.of([[0, 0]])).holds is True
    assert decide.invertible_linear_map(FLINT.zeros(2, 2), FLINT.zeros(2, 2)).holds is True
    assert decide.invertible_linear_map(FLINT.of([[1]]), FLINT.of([[1, 0]])).value == 1  # dimensions differ
    assert decide.invertible_linear_map(FLINT.of([[1], [1]]), FLINT.of([[1], [2]])).value == 2


def test_a_is_completed_where_the_source_does_not_span() -> None:
    """The completion works at every rank, and A is forced exactly on the span."""
    for seed in range(80):
        draw = RandomSource(seed)
        rows, dim = draw.integer(1, 4), draw.integer(1, 4)
        source = of_rank(draw, rows, dim, draw.integer(0, min(rows, dim)))
        target = source @ invertible(draw, dim)
        found = decide.invertible_linear_map(source, target).witness["A"]
        assert found.shape == (dim, dim)
        assert found.rank() == dim
        assert source @ found.T == target


def test_affine_maps_by_definition() -> None:
    answers = {True: 0, False: 0}
    for seed in range(150):
        source, target = related(seed)
        ones = FLINT.of([[1]] * source.shape[0])
        shifted = target + ones @ FLINT.of([[seed % 3] * target.shape[1]])
        yes, no = decide.affine_map(source, shifted), decide.no_affine_map(source, shifted)
        assert yes.holds is (every_map(ones.beside(source), shifted) is not None)
        assert no.holds is not yes.holds
        assert no.value in (0, 1)
        if yes.holds:
            a = yes.witness["A"]
            offset, linear = a.take(columns=[0]), a.take(columns=range(1, a.shape[1]))
            assert ones @ offset.T + source @ linear.T == shifted
            assert no.witness["A"] == a
        else:
            check_relation(no.witness["relation"], source.with_ones(), shifted)
        answers[bool(yes.holds)] += 1
    assert min(answers.values()) > 10


def test_affine_is_more_than_linear() -> None:
    source, target = FLINT.of([[1], [2]]), FLINT.of([[2], [3]])
    assert decide.linear_map(source, target).holds is False
    assert decide.affine_map(source, target).holds is True
    assert decide.no_affine_map(source, FLINT.of([[2], [5]])).holds is False
    assert decide.no_affine_map(FLINT.of([[1], [1]]), target).holds is True


def minors_rank(matrix: Matrix) -> int:
    """The rank by its definition with determinants."""
    rows, columns = matrix.shape
    whole = numbers(matrix)
    for size in range(min(rows, columns), 0, -1):
        for r in combinations(range(rows), size):
            for c in combinations(range(columns), size):
                if whole.extract(list(r), list(c)).det() != 0:
                    return size
    return 0


def check_rank_witness(evidence: Evidence, matrix: Matrix) -> None:
    if "null_vector" in evidence.witness:
        vector = evidence.witness["null_vector"]
        assert vector.shape == (matrix.shape[1], 1)
        assert not vector.is_zero()
        assert (matrix @ vector).is_zero()
        return
    pivots = evidence.witness["pivots"]
    assert evidence.witness["rank"] == len(pivots)
    assert matrix.take(columns=pivots).rank() == len(pivots)
    assert evidence.holds or len(pivots) == matrix.shape[1]  # full column rank: no vector is sent to zero


def test_ranks_by_minors() -> None:
    for seed in range(60):
        matrix = related(seed)[1]
        rank = minors_rank(matrix)
        for wanted in range(4):
            evidence = decide.rank_is_full(matrix, wanted)
            assert evidence.value == max(wanted - rank, 0)
            assert evidence.holds is (rank >= wanted)
            check_rank_witness(evidence, matrix)
        square = matrix.shape[0] == matrix.shape[1]
        answer = decide.invertible(matrix)
        assert answer.holds is (square and rank == matrix.shape[0])
        assert answer.value == max(matrix.shape) - rank
        check_rank_witness(answer, matrix)


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (0, 1)])
def test_only_square_matrices_are_invertible(shape: tuple[int, int]) -> None:
    assert decide.invertible(of_rank(RandomSource(0), *shape, min(shape))).holds is False


def test_vanishes() -> None:
    assert decide.vanishes(FLINT.zeros(2, 3)) == Evidence("", 0, "largest entry of the residual")
    assert decide.vanishes(FLINT.zeros(0, 3)).holds is True
    evidence = decide.vanishes(FLINT.of([[1, "-7/2"], [3, 2]]), "gap")
    assert (evidence.value, evidence.detail, evidence.holds) == (Fraction(7, 2), "gap", False)
    assert evidence.witness == {"row": 0, "column": 1}
    assert decide.vanishes(SYMPY.of([[1, "-7/2"], [3, 2]]), "gap") == evidence


def test_counts_and_facts() -> None:
    missing = decide.count_is_zero(2, "missing", first=(0, 1))
    assert (missing.holds, missing.value, missing.witness) == (False, 2, {"first": (0, 1)})
    assert decide.count_is_zero(0, "missing").holds is True
    assert decide.true_or_false(True, "fact").holds is True
    assert decide.true_or_false(False, "fact", why=1).witness == {"why": 1}


@pytest.mark.parametrize("answer", [math.nan, 1, 0, None, "no", decide.count_is_zero(0, "fact")], ids=repr)
def test_true_or_false_takes_nothing_else(answer: Any) -> None:
    """NaN, and evidence of any kind, would pass for true."""
    with pytest.raises(TypeError, match="true_or_false takes True or False, not "):
        decide.true_or_false(answer, "fact")


def test_true_or_false_of_numpy() -> None:
    assert decide.true_or_false(np.array([1.0])[0] > 0, "fact").holds is True
    assert decide.true_or_false(np.array([1.0])[0] > 1, "fact").holds is False
