"""Constructions do not live in a corner of the setting: over a few seeds every kind of instance appears.

A strategy that only ever drew spanning f*, full candidate sets or one tree of pairs would pass every other test and
leave most of a theorem unexamined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import pytest

from theory.catalogue import catalogue
from theory.cooccurrence import components, inside_one_set, unordered
from theory.models import Model, ModelPair
from theory.sizes import Size
from theory.strategies import pairs, systems, violations
from theory.strategies.layouts import forest, placed
from theory.strategies.matrices import any_matrix, invertible, of_rank, representation, singular
from theory.strategies.source import RandomSource, Source, choice, shuffled
from theory.strategies.symmetries import reordered
from theory.theorem import Standing
from theory.theorems.softmax.linked_pairs import decide_linked, sees

Kind = Callable[[ModelPair], bool]


def used_labels(pair: ModelPair, context: int) -> set[int]:
    return {y for chosen in pair.candidate_sets[context] for y in chosen}


def trees(pair: ModelPair) -> tuple[tuple[int, ...], ...]:
    return components(tuple(tuple(chosen) for chosen in pair.label_pairs[0]))


KINDS: dict[str, Kind] = {
    "f* of full rank": lambda p: p.star.f.rank() == min(p.star.f.shape),
    "f* of deficient rank": lambda p: 0 < p.star.f.rank() < min(p.star.f.shape),
    "f* zero at some context": lambda p: any(not any(row) for row in p.star.f.tolist()),
    "one candidate set a context": lambda p: all(len(sets) == 1 for sets in p.candidate_sets),
    "several candidate sets a context": lambda p: any(len(sets) > 1 for sets in p.candidate_sets),
    "candidate sets that overlap": lambda p: any(len(components(sets)) < len(sets) for sets in p.candidate_sets),
    "candidate sets apart": lambda p: any(len(components(sets)) > 1 for sets in p.candidate_sets),
    "other candidate sets at another context": lambda p: len(set(p.candidate_sets)) > 1,
    "pairs in one tree": lambda p: len(trees(p)) == 1,
    "pairs in disjoint trees": lambda p: len(trees(p)) > 1,
    "a label seen at some contexts only": lambda p: any(
        0 < sum(y in used_labels(p, x) for x in range(p.contexts)) < p.contexts for y in range(p.labels)
    ),
    "a label in no pair": lambda p: len({y for pair in p.label_pairs[0] for y in pair}) < p.labels,
    "entries that are no integers": lambda p: any(v.denominator > 1 for row in p.prime.f.tolist() for v in row),
    "g' that is no image of g*": lambda p: p.prime.g.beside(p.star.g.with_ones()).rank() > p.star.g.with_ones().rank(),
}


def share(kind: Kind, built: Iterable[ModelPair]) -> float:
    answers = Counter(kind(pair) for pair in built)
    return answers[True] / answers.total()


@pytest.mark.parametrize("kind", KINDS)
def test_solved_pairs_are_of_every_kind(kind: str) -> None:
    built = [pairs.solved(RandomSource(seed), Size(2, 5, 4)) for seed in range(200)]
    assert share(KINDS[kind], built) > 0.04


@pytest.mark.parametrize("build", [pairs.transformed, pairs.solved_with_singular_right, violations.unequal])
@pytest.mark.parametrize("kind", ["several candidate sets a context", "pairs in disjoint trees", "pairs in one tree"])
def test_other_constructions_vary_too(build: Callable[[Source, Size], ModelPair], kind: str) -> None:
    assert share(KINDS[kind], [build(RandomSource(seed), Size(2, 5, 4)) for seed in range(100)]) > 0.04


def test_spanning_constructions_span_both_sides() -> None:
    for build in (pairs.solved_spanning, pairs.factored, pairs.transformed_spanning, pairs.aligned_spanning):
        for seed in range(20):
            pair = build(RandomSource(seed), Size(3, 5, 4))
            assert pair.star.f.rank() == pair.prime.f.rank() == 3


@pytest.mark.parametrize(("size", "count"), [(Size(1, 3, 2), 2), (Size(2, 5, 7), 3), (Size(2, 4, 3), 2)])
def test_linked_systems_need_their_links(size: Size, count: int) -> None:
    """Several systems at once, and no context is superfluous: where none sees two of them, the links are missing."""
    for seed in range(20):
        pair = systems.linked_systems(RandomSource(seed), size)
        chosen = {unordered(system) for system in pair.label_pairs}
        assert len(chosen) == count
        assert decide_linked(pair).holds is True
        apart = [x for x in range(size.contexts) if sum(sees(pair, x, system) for system in chosen) == 1]
        if apart:
            without = reordered(pair, apart)
            assert decide_linked(without).holds is (len({unordered(s) for s in without.label_pairs}) == 1)


def test_own_pairs_inside_sets_and_chains_by_paths() -> None:
    by_path = 0
    for seed in range(40):
        for build in (systems.own_pairs_seen, systems.chained_systems_seen):
            pair = build(RandomSource(seed), Size(2, 5, 4))
            for x, chosen in enumerate(pair.label_pairs):
                assert all(inside_one_set(pair.candidate_sets[x], p) for p in chosen)
        pair = systems.separate_systems(RandomSource(seed), Size(2, 5, 4))
        by_path += any(
            not inside_one_set(pair.candidate_sets[x], p) for x, chosen in enumerate(pair.label_pairs) for p in chosen
        )
    assert by_path > 0


def test_established_theorems_reach_the_boundary() -> None:
    """K = M + 1 labels are the fewest with which diversity is possible; n = M contexts the fewest that span."""
    for theorem in catalogue().values():
        if theorem.standing is Standing.ESTABLISHED and theorem.instance_type is ModelPair:
            assert any(size.labels == size.dim + 1 and theorem.usable(size) for size in theorem.sizes), theorem.name
            assert any(size.contexts > size.dim for size in theorem.sizes)
            assert {size.dim for size in theorem.sizes} >= {1, 2, 3, 4}
    few = catalogue()["few_labels"]
    assert any(size.labels == size.dim and few.usable(size) for size in few.sizes)


def test_matrices_are_what_they_are_called() -> None:
    for seed in range(60):
        source = RandomSource(seed)
        rows, columns = source.integer(1, 5), source.integer(1, 5)
        rank = source.integer(0, min(rows, columns))
        built = of_rank(source, rows, columns, rank)
        assert (built.shape, built.rank()) == ((rows, columns), rank)
        assert invertible(source, columns).inverse() is not None
        assert singular(source, columns).rank() < columns
        assert any_matrix(source, rows, columns).shape == representation(source, rows, columns).shape == (rows, columns)
    with pytest.raises(ValueError, match="a 2 x 3 matrix cannot have rank 3"):
        of_rank(RandomSource(0), 2, 3, 3)


def test_invertible_matrices_and_ranks_vary() -> None:
    built = {invertible(RandomSource(seed), 2) for seed in range(200)}
    assert len(built) > 100
    assert any(m[0, 0] == 0 for m in built)
    assert any(m[0, 1] != 0 and m[1, 0] != 0 for m in built)
    assert {singular(RandomSource(seed), 3).rank() for seed in range(60)} == {0, 1, 2}
    assert {representation(RandomSource(seed), 3, 2).rank() for seed in range(100)} == {0, 1, 2}


def test_forests_place_their_differences() -> None:
    counts: Counter[int] = Counter()
    for seed in range(100):
        source = RandomSource(seed)
        edges = source.integer(1, 4)
        layout = forest(source, edges, edges + source.integer(1, 3))
        counts[len(layout.trees)] += 1
        assert len(layout.edges) == edges
        assert layout.trees == components(layout.edges)
        wanted = any_matrix(source, 2, edges)
        g = placed(source, layout, wanted)
        assert Model(any_matrix(source, 1, 2), g).differences(layout.edges) == wanted
    assert set(counts) >= {1, 2, 3}


def test_choices_and_orders_are_fair_enough() -> None:
    source = RandomSource(0)
    picked = Counter(choice(source, "abc") for _ in range(300))
    orders = Counter(tuple(shuffled(source, range(3))) for _ in range(600))
    assert set(picked) == set("abc")
    assert min(picked.values()) > 60
    assert len(orders) == 6
    assert min(orders.values()) > 50
