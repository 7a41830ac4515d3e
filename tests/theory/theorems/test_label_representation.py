"""The representation of the labels: numbers by hand, and when labels are tied together."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import pytest

from tests.theory.theorems.pools import constructed, equal_probabilities
from theory.arithmetic import matrix_type
from theory.assumptions import decide_tied
from theory.checking import check
from theory.indeterminacy import label_steps
from theory.models import AlignedPair, CandidateSets, Model, ModelPair, full_candidate_sets
from theory.sizes import Size
from theory.strategies import labels
from theory.strategies.matrices import any_matrix, invertible, representation
from theory.strategies.source import RandomSource
from theory.strategies.symmetries import transformed
from theory.theorems.softmax.label_representation import THEOREM, no_shift, not_spanning, not_tied, witness
from theory.verdict import Status

of = matrix_type().of


# By hand -----------------------------------------------------------------------------------------------------------


def test_witness() -> None:
    """f' = 2 f*, and (2 - 1) = (2 - 0) / 2; the shift is 1."""
    pair = witness()
    assert pair.alignment == of([[2]])
    assert equal_probabilities(pair)
    assert check(THEOREM, pair).status is Status.HOLDS
    assert check(THEOREM, pair, claim="no_shift").status is Status.REFUTED


@pytest.mark.parametrize(("build", "without"), [(not_spanning, "star_spans"), (not_tied, "labels_tied")])
def test_worked_counterexamples(build: Callable[[], AlignedPair], without: str) -> None:
    pair = build()
    assert pair.alignment == pair.alignment.identity(pair.dim)
    assert equal_probabilities(pair)
    assert check(THEOREM, pair, without=without).status is Status.COUNTEREXAMPLE


def test_a_in_the_plane() -> None:
    """A = [[1, 1], [0, 1]] has A⁻ᵀ = [[1, 0], [-1, 1]], which is none of A, A⁻¹ and Aᵀ."""
    f = [[1, 0], [0, 1], [2, 5]]
    pair = ModelPair(
        Model.of(f=[[1, 0], [1, 1], [7, 5]], g=[[7, 7], [8, 6], [7, 8]]),
        Model.of(f=f, g=[[0, 0], [1, 0], [0, 1]]),
        full_candidate_sets(3, 3),
    )
    aligned = labels.with_alignment(pair)
    assert aligned.alignment == of([[1, 1], [0, 1]])
    assert equal_probabilities(aligned)
    assert check(THEOREM, aligned).status is Status.HOLDS


def test_a_singular_alignment_leaves_labels_free() -> None:
    """M = 1: f* = 1, A = 0, f' = 0, g* = (0, 0) and any g'; only Aᵀ g' = g* remains."""
    sets = full_candidate_sets(1, 2)
    pair = AlignedPair(Model.of([[0]], [[0], [5]]), Model.of([[1]], [[0], [0]]), sets, alignment=of([[0]]))
    verdict = check(THEOREM, pair, without="alignment_invertible")
    assert verdict.status is Status.COUNTEREXAMPLE
    assert verdict.conclusion[0].detail == "directions not determined"
    for aligned in (instance for _, instance in constructed(THEOREM.name)):
        held = [a.evidence(aligned).holds for a in THEOREM.assumptions if a.name != "alignment_invertible"]
        if all(held):
            steps = label_steps(aligned.prime) @ aligned.alignment - label_steps(aligned.star)
            assert steps.is_zero()
            if label_steps(aligned.star).rank() == aligned.dim:
                assert aligned.alignment.inverse() is not None, "A is invertible by itself where labels span"


def test_dimensions_may_differ_and_then_nothing_is_claimed() -> None:
    pair = AlignedPair(
        Model.of([[1, 0]], [[0, 0], [1, 0]]), Model.of([[1]], [[0], [1]]), full_candidate_sets(1, 2),
        alignment=of([[1], [0]]),
    )  # fmt: skip
    assert check(THEOREM, pair).status is Status.VACUOUS
    with pytest.raises(ValueError, match=r"the alignment has shape \(1, 2\).*must be \(2, 1\)"):
        AlignedPair(pair.prime, pair.star, pair.candidate_sets, alignment=of([[1, 0]]))
    with pytest.raises(ValueError, match="are not aligned"):
        labels.with_alignment(ModelPair(Model.of([[1]], [[0], [1]]), Model.of([[0]], [[0], [1]]), (((0, 1),),)))


# Tied together -----------------------------------------------------------------------------------------------------


def naive_missing(f: list[list[Fraction]], sets: CandidateSets, count: int) -> int:
    """(K - 1) rank F - the rank of the conditions for every two labels of every candidate set, written out in full."""
    dim = len(f[0])
    rows = [
        [f[x][i] * ((y == a) - (y == b)) for y in range(count) for i in range(dim)]
        for x, at in enumerate(sets)
        for chosen in at
        for a, b in combinations(chosen, 2)
    ]
    return (count - 1) * of(f).rank() - of(rows).rank()


def test_tied_is_the_rank_of_all_conditions() -> None:
    answers: set[int] = set()
    for seed in range(150):
        source = RandomSource(seed)
        dim, count, contexts = source.integer(1, 3), source.integer(2, 5), source.integer(1, 6)
        f = representation(source, contexts, dim)
        everything = [s for k in (2, 2, 3) for s in combinations(range(count), k)] or [(0, 1)]
        sets = tuple(
            tuple(everything[source.integer(0, len(everything) - 1)] for _ in range(source.integer(1, 3)))
            for _ in range(contexts)
        )
        value = decide_tied(f, sets, count).value
        assert value == naive_missing(f.tolist(), sets, count)
        answers.add(int(value))
    assert {0, 1, 2, 3} <= answers


def test_no_context_need_join_all_labels() -> None:
    """M = 1: labels 0 and 1 at one context, 1 and 2 at the other; with f* = 0 at one of them it is not enough."""
    sets = (((0, 1),), ((1, 2),))
    assert decide_tied(of([[1], [2]]), sets, 3).holds
    assert decide_tied(of([[1], [0]]), sets, 3).value == 1
    assert decide_tied(of([[0], [0]]), sets, 3).holds, "relative to the span of f*"


def test_four_labels_in_the_plane_tied_by_six_single_pairs() -> None:
    """No two labels are joined where f* spans, and yet all are tied: 6 = M (K - 1) independent conditions."""
    sets = tuple((pair,) for pair in combinations(range(4), 2))
    f = [[1, 0], [1, 1], [1, 2], [1, 3], [1, 5], [1, -1]]
    assert decide_tied(of(f), sets, 4).holds
    star = Model.of(f=f, g=[[0, 0], [1, 2], [3, -1], [0, 4]])
    for seed in range(5):
        pair = labels.with_alignment(transformed(RandomSource(seed), ModelPair(star, star, sets)))
        assert check(THEOREM, pair).status is Status.HOLDS


def test_tied_and_spanning_are_necessary() -> None:
    """Where either fails, a d that is not constant and meets the conditions gives g' = A⁻ᵀ (g* + d)."""
    broken = 0
    for seed in range(60):
        source = RandomSource(seed)
        f = representation(source, source.integer(1, 4), 2)
        sets = tuple(((0, 1), (1, 2)) if source.integer(0, 1) else ((0, 2),) for _ in range(f.shape[0]))
        if decide_tied(f, sets, 3).holds and f.rank() == 2:
            continue
        rows = [
            [v * ((y == b) - (y == a)) for y in (1, 2) for v in row]
            for row, at in zip(f.tolist(), sets, strict=True)
            for a, b in at
        ]
        free = of(rows).null_space()  # (d(1), d(2)) with d(0) = 0
        d = of([[0, 0], *(free.take(rows=[2 * k, 2 * k + 1], columns=[0]).T.tolist()[0] for k in range(2))])
        g_star, alignment = any_matrix(source, 3, 2), invertible(source, 2)
        inverse = alignment.inverse()
        assert inverse is not None
        prime = Model(f @ alignment.T, (g_star + d) @ inverse)
        pair = AlignedPair(prime, Model(f, g_star), sets, alignment=alignment)
        failing = [a.name for a in THEOREM.assumptions if a.evidence(pair).holds is not True]
        assert set(failing) <= {"star_spans", "labels_tied"}
        assert failing
        assert THEOREM.conclusion(pair).holds is False
        broken += 1
    assert broken > 15


# Constructions -----------------------------------------------------------------------------------------------------


def test_constructions_vary() -> None:
    """Few labels and many, labels all alike, contexts that join some labels only, and g' that needs its shift."""
    built = [labels.solved_by_label(RandomSource(seed), Size(2, 4, 4)) for seed in range(60)]
    assert any(label_steps(pair.star).rank() < 2 for pair in built)
    partial = [p for p in built if any(len({y for s in sets for y in s}) < 4 for sets in p.candidate_sets)]
    assert len(partial) > 10
    assert any(no_shift(pair).holds is False for pair in built)
