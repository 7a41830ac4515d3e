"""The exhaustive scope holds what it says: every small pair of models with equal distributions, and no other.

A scope that silently skipped instances would turn "all of them" into an empty phrase.  Here all pairs of models are
listed without any reduction, compared logit by logit in plain integers, and matched with the scope up to the
symmetries it names: signed permutations of each model's coordinates, and the order of the contexts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations, product
from random import Random

import pytest

from theory.assumptions import decide_equal_distributions
from theory.catalogue import catalogue, find
from theory.models import CandidateSets, LabelPairs, Model
from theory.strategies.scope import choices_by_context, common_choices, equal_models, small_models

Rows = tuple[tuple[int, ...], ...]
Plain = tuple[Rows, Rows]  # f and g
Shape = tuple[int, int, int]  # M, K, n

#: All that a context can have with three labels on the line, written out again: not imported from the scope.
ON_THE_LINE = (((0, 1, 2),), ((0, 1),), ((0, 2),), ((1, 2),), ((0, 1), (1, 2)))
SMALL: list[Shape] = [(1, 2, 1), (1, 2, 2), (1, 3, 1), (1, 3, 2), (2, 2, 1), (2, 2, 2), (2, 3, 1)]
LARGEST: Shape = (2, 3, 2)
PINNED: dict[str, dict[Shape, int]] = {
    "common": {(1, 2, 1): 11, (1, 2, 2): 44, (1, 3, 1): 978, (1, 3, 2): 9693, (2, 3, 1): 3315, (2, 3, 2): 27627},
    "by context": {(1, 2, 1): 11, (1, 2, 2): 44, (1, 3, 1): 978, (1, 3, 2): 25248, (2, 3, 1): 3315, (2, 3, 2): 55254},
}
SCOPES = {"common": common_choices, "by context": choices_by_context}


def plain_models(dim: int, labels: int, contexts: int) -> Iterator[Plain]:
    """Every f with entries -1, 0, 1, every such g with g(0) = 0."""
    vectors = list(product((-1, 0, 1), repeat=dim))
    for f in product(vectors, repeat=contexts):
        for g in product(vectors, repeat=labels - 1):
            yield f, ((0,) * dim, *g)


def differences(model: Plain, sets: CandidateSets) -> tuple[int, ...]:
    """f(x)·(g(y) - g(z)) for any two labels of any candidate set of any context."""
    f, g = model
    return tuple(
        sum(v * (a - b) for v, a, b in zip(f[x], g[y], g[z], strict=True))
        for x, at_x in enumerate(sets)
        for chosen in at_x
        for y, z in combinations(chosen, 2)
    )


@cache
def reduced(model: Plain) -> Plain:
    """The model up to permuting and reflecting coordinates."""
    f, g = model
    columns = sorted(max(c, tuple(-v for v in c)) for c in zip(*f, *g, strict=True))
    rows = tuple(zip(*columns, strict=True))
    return rows[: len(f)], rows[len(f) :]


def plain(model: Model) -> Plain:
    f, g = (tuple(tuple(int(v) for v in row) for row in matrix.tolist()) for matrix in (model.f, model.g))
    return f, g


def sets_of(dim: int, labels: int, contexts: int) -> list[CandidateSets]:
    """What the scope says: full candidate sets, and on the line with three labels every choice for each context."""
    if (dim, labels) == (1, 3):
        return list(product(ON_THE_LINE, repeat=contexts))
    return [((tuple(range(labels)),),) * contexts]


def choices_of(dim: int, labels: int, contexts: int, common: bool) -> Iterator[LabelPairs]:
    """Every choice of M different label pairs, at each context or once for all."""
    systems = list(combinations(combinations(range(labels), 2), dim))
    for chosen in product(systems, repeat=contexts):
        if not common or len(set(chosen)) == 1:
            yield chosen


def equal_pairs(shape: Shape, sets: CandidateSets) -> Iterator[tuple[Plain, Plain]]:
    """Every two models whose distributions are equal, found by comparing each model with each."""
    seen = [(differences(model, sets), reduced(model)) for model in plain_models(*shape)]
    for ours, prime in seen:
        for theirs, star in seen:
            if ours == theirs:
                yield prime, star


def in_some_order(prime: Plain, star: Plain, sets: CandidateSets, pairs: LabelPairs) -> tuple[object, ...]:
    """The instance up to the order of its contexts; each order has its own reduced models."""
    orders = permutations(range(len(sets)))
    return min(
        (
            reduced((tuple(prime[0][x] for x in order), prime[1])),
            reduced((tuple(star[0][x] for x in order), star[1])),
            tuple(sets[x] for x in order),
            tuple(pairs[x] for x in order),
        )
        for order in orders
    )


@pytest.fixture(scope="module")
def equal() -> dict[tuple[Shape, CandidateSets], set[tuple[Plain, Plain]]]:
    return {(shape, sets): set(equal_pairs(shape, sets)) for shape in SMALL for sets in sets_of(*shape)}


Equal = dict[tuple[Shape, CandidateSets], set[tuple[Plain, Plain]]]


@pytest.mark.parametrize("shape", SMALL, ids=str)
def test_equal_models_are_all_and_only(shape: Shape, equal: Equal) -> None:
    models = small_models(*shape)
    assert len(models) == len({reduced(plain(model)) for model in models})
    assert {reduced(plain(model)) for model in models} == {reduced(model) for model in plain_models(*shape)}
    for sets in sets_of(*shape):
        listed = [(reduced(plain(prime)), reduced(plain(star))) for prime, star in equal_models(models, sets)]
        assert len(set(listed)) == len(listed)
        assert set(listed) == equal[shape, sets]


@pytest.mark.parametrize("name", SCOPES)
def test_scope_is_all_and_only(name: str, equal: Equal) -> None:
    listed: dict[Shape, set[tuple[object, ...]]] = defaultdict(set)
    for pair in SCOPES[name].instances():
        shape = (pair.dim, pair.labels, pair.contexts)
        if shape != LARGEST:
            models = reduced(plain(pair.prime)), reduced(plain(pair.star))
            listed[shape].add(in_some_order(*models, pair.candidate_sets, pair.label_pairs))
    for shape in SMALL:
        expected = {
            in_some_order(*models, sets, pairs)
            for sets in sets_of(*shape)
            for models in equal[shape, sets]
            for pairs in choices_of(*shape, common=name == "common")
        }
        assert listed[shape] == expected


def test_largest_size_by_sampling() -> None:
    """M = 2, K = 3, n = 2 has 43 million pairs: for some models, every partner is looked for in the scope."""
    (sets,) = sets_of(*LARGEST)
    listed = {
        (reduced(plain(prime)), reduced(plain(star))) for prime, star in equal_models(small_models(*LARGEST), sets)
    }
    everything = [(differences(model, sets), reduced(model)) for model in plain_models(*LARGEST)]
    for ours, prime in Random(0).sample(everything, 40):
        partners = {star for theirs, star in everything if theirs == ours}
        assert partners == {star for first, star in listed if first == prime}


@pytest.mark.parametrize("name", SCOPES)
def test_every_pair_of_models_comes_with_every_choice(name: str) -> None:
    pairs = [p for p in SCOPES[name].instances() if (p.dim, p.labels, p.contexts) == LARGEST]
    counts = Counter((id(pair.prime), id(pair.star)) for pair in pairs)
    models = {id(pair.prime) for pair in pairs}
    systems = 3  # two of the three pairs of labels
    assert set(counts.values()) == {systems if name == "common" else systems * (systems + 1) // 2}
    assert len(models) == len(small_models(*LARGEST))


@pytest.mark.parametrize("name", SCOPES)
def test_sizes_are_pinned(name: str) -> None:
    """A scope that shrinks or grows by accident is noticed; a change on purpose changes these numbers."""
    counted = Counter((pair.dim, pair.labels, pair.contexts) for pair in SCOPES[name].instances())
    assert counted == PINNED[name]
    assert sum(counted.values()) == {"common": 41668, "by context": 84850}[name]


@pytest.mark.parametrize("name", SCOPES)
def test_instances_differ(name: str) -> None:
    pairs = list(SCOPES[name].instances())  # keeps the models alive, so that each has its own id
    seen = {(id(pair.prime), id(pair.star), pair.candidate_sets, pair.label_pairs) for pair in pairs}
    assert len(seen) == len(pairs)
    assert all(decide_equal_distributions(pair).holds for pair in pairs[::17])


def test_theorems_use_the_scope_of_their_quantifier() -> None:
    """Pairs common to all contexts are chosen once; theorems that let contexts choose are given every choice."""
    users: dict[str, set[str]] = {name: set() for name in SCOPES}
    for theorem in catalogue().values():
        assert theorem.scope is not None, theorem.name
        assert theorem.scope.description.startswith("every "), theorem.name
        for name, scope in SCOPES.items():
            if theorem.scope is scope:
                users[name].add(theorem.name)
                common = any(assumption.name == "common_pairs" for assumption in theorem.assumptions)
                assert common is (name == "common"), theorem.name
                assert "{-1, 0, 1}" in scope.description
    assert users == {
        "common": {"linear_identifiability", "one_sided_diversity"},
        "by context": {"linked_pairs", "chained_pairs", "pairs_may_depend_on_the_context"},
    }


def test_scope_of_few_labels_is_every_model_with_every_function() -> None:
    scope = find("few_labels").scope
    assert scope is not None
    listed = [
        (plain(instance.model), tuple(int(row[0]) for row in instance.h.tolist())) for instance in scope.instances()
    ]
    expected = {
        (reduced(model), h)
        for dim, contexts in product((1, 2), (1, 2, 3))
        for model in plain_models(dim, 2, contexts)
        for h in product((-1, 0, 1), repeat=contexts)
    }
    assert len(set(listed)) == len(listed) == 25485
    assert {(reduced(model), h) for model, h in listed} == expected
