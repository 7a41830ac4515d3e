"""Exhaustive small scopes of aligned pairs and of models with biases, reduced by the symmetries of the plain scope."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from theory import decide
from theory.arithmetic import matrix_type
from theory.models import AffinelyAlignedPair, AlignedPair, Model, ModelPair, full_candidate_sets
from theory.strategies.scope import (
    _ENTRIES,
    _sizes_and_sets,
    equal_models,
    small_models,
)
from theory.strategies.symmetries import translated
from theory.theorem import Scope


def _aligned() -> Iterator[AlignedPair]:
    for dim, labels, candidate_sets in _sizes_and_sets():
        for prime, star in equal_models(small_models(dim, labels, len(candidate_sets)), candidate_sets):
            found = decide.linear_map(star.f, prime.f)
            if found.holds:
                for entry in (0, 1):
                    shifted = translated(prime, [entry] * dim)
                    yield AlignedPair(shifted, star, candidate_sets, alignment=found.witness["A"])


#: Every small pair of models that one matrix aligns, with that matrix.
aligned_pairs: Scope[AlignedPair] = Scope(
    "every pair of models with equal distributions and f' = A f* for some A, entries in {-1, 0, 1}, M <= 2, K <= 3, "
    "n <= 2, up to symmetry, with full candidate sets (for M = 1 also every candidate set at every context), one such "
    "A (the only one where f* spans), and g' as it is or moved by (1, …, 1)",
    _aligned,
)


def biased_models(labels: int, contexts: int) -> list[Model]:
    """Every model with M = 1, entries in {-1, 0, 1} and g(0) = b(0) = 0, up to reflection."""
    biases = [[[0], *([entry] for entry in rest)] for rest in product(_ENTRIES, repeat=labels - 1)]
    return [
        Model(model.f, model.g, matrix_type().of(bias))
        for model in small_models(1, labels, contexts)
        for bias in biases
    ]


def _biased() -> Iterator[ModelPair]:
    for labels, contexts in ((2, 1), (2, 2), (2, 3), (3, 1), (3, 2)):
        candidate_sets = full_candidate_sets(contexts, labels)
        for prime, star in equal_models(biased_models(labels, contexts), candidate_sets):
            for chosen in combinations(range(labels), 2):
                yield ModelPair(prime, star, candidate_sets, ((chosen,),) * contexts)


def _affinely_aligned() -> Iterator[AffinelyAlignedPair]:
    for labels, contexts in ((2, 1), (2, 2), (2, 3), (3, 1), (3, 2)):
        candidate_sets = full_candidate_sets(contexts, labels)
        for prime, star in equal_models(biased_models(labels, contexts), candidate_sets):
            solved = star.f.with_ones().solve(prime.f)
            if solved is not None:
                A, c = solved.take(rows=[1]).T, solved.take(rows=[0]).T
                for entry in (0, 1):
                    shifted = translated(prime, [entry])
                    yield AffinelyAlignedPair(shifted, star, candidate_sets, alignment=A, offset=c)


#: Every small pair of models with biases on the line, the label pair chosen once for all contexts.
biased_pairs: Scope[ModelPair] = Scope(
    "every pair of models with biases and equal distributions, entries in {-1, 0, 1}, M = 1, K = 2 with n <= 3 and "
    "K = 3 with n <= 2, up to symmetry, with full candidate sets and every label pair, the same at every context",
    _biased,
)

#: Every small pair of models with biases on the line that one affine map aligns, with that map.
affinely_aligned_pairs: Scope[AffinelyAlignedPair] = Scope(
    "every pair of models with biases, equal distributions and f' = A f* + c for some A and c, entries in {-1, 0, 1}, "
    "M = 1, K = 2 with n <= 3 and K = 3 with n <= 2, up to symmetry, with full candidate sets, one such A and c (the "
    "only ones where f* spans affinely), and g' as it is or moved by 1",
    _affinely_aligned,
)
