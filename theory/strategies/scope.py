"""The exhaustive small scope: every pair of small models with equal distributions, up to symmetry.

Models have entries in {-1, 0, 1} and g(0) = 0 (a translation of g changes nothing).  A model is kept once for each
class under permuting and reflecting the coordinates of the representation, which changes no predicate, and contexts
are taken in one order where both orders say the same.  Models are grouped by the logit differences that the candidate
sets let one see; two models have equal distributions exactly when they are in one group, so every such pair is met
and no other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product

from theory.arithmetic import matrix_type
from theory.cooccurrence import components
from theory.models import CandidateSets, LabelPairs, Model, ModelPair, full_candidate_sets
from theory.theorem import Scope

_ENTRIES = (-1, 0, 1)
#: What a context can have as candidate sets when there are three labels: one set, or two that overlap.
_SETS_OF_THREE = (((0, 1, 2),), ((0, 1),), ((0, 2),), ((1, 2),), ((0, 1), (1, 2)))

_DESCRIPTION = (
    "every pair of models with equal distributions, entries in {-1, 0, 1} and g(0) = 0, M <= 2, K <= 3, n <= 2, up to "
    "symmetry, with full candidate sets (for M = 1 also every single candidate set at every context, and two that "
    "overlap) and every choice of M label pairs"
)


def small_models(dim: int, labels: int, contexts: int) -> list[Model]:
    """Every model with entries in {-1, 0, 1} and g(0) = 0, up to permuting and reflecting coordinates."""
    kernel = matrix_type()
    columns = sorted(
        {max(c, tuple(-v for v in c)) for c in product(_ENTRIES, repeat=contexts + labels - 1)},
        reverse=True,
    )
    models: list[Model] = []
    for chosen in combinations_with_replacement(columns, dim):
        f = kernel.of([[c[x] for c in chosen] for x in range(contexts)])
        g = kernel.of([[0] * dim, *([c[contexts + y] for c in chosen] for y in range(labels - 1))])
        models.append(Model(f, g))
    return models


def equal_models(models: list[Model], candidate_sets: CandidateSets) -> Iterator[tuple[Model, Model]]:
    """Every ordered pair among ``models`` with equal distributions on the given candidate sets."""
    groups: defaultdict[tuple[object, ...], list[Model]] = defaultdict(list)
    for model in models:
        logits = model.logits().tolist()
        seen = tuple(
            logits[x][y] - logits[x][part[0]]
            for x, sets in enumerate(candidate_sets)
            for part in components(sets)
            for y in part[1:]
        )
        groups[seen].append(model)
    for group in groups.values():
        yield from product(group, group)


def _sizes_and_sets() -> Iterator[tuple[int, int, CandidateSets]]:
    for dim, labels, contexts in product((1, 2), (2, 3), (1, 2)):
        if dim == 1 and labels == 3:
            for sets in combinations_with_replacement(_SETS_OF_THREE, contexts):
                yield dim, labels, sets
        else:
            yield dim, labels, full_candidate_sets(contexts, labels)


def _choices(dim: int, labels: int, candidate_sets: CandidateSets, common: bool) -> list[LabelPairs]:
    """The choices of M label pairs; contexts with the same candidate sets may be exchanged, so once up to that."""
    contexts = len(candidate_sets)
    systems = list(combinations(combinations(range(labels), 2), dim))
    if common:
        return [(system,) * contexts for system in systems]
    if len(set(candidate_sets)) == 1:
        return list(combinations_with_replacement(systems, contexts))
    return list(product(systems, repeat=contexts))


def _small_pairs(common: bool) -> Iterator[ModelPair]:
    for dim, labels, candidate_sets in _sizes_and_sets():
        choices = _choices(dim, labels, candidate_sets, common)
        for prime, star in equal_models(small_models(dim, labels, len(candidate_sets)), candidate_sets):
            for pairs in choices:
                yield ModelPair(prime, star, candidate_sets, pairs)


def _common() -> Iterator[ModelPair]:
    return _small_pairs(common=True)


def _by_context() -> Iterator[ModelPair]:
    return _small_pairs(common=False)


#: Every small pair of models, the label pairs chosen once for all contexts.
common_choices: Scope[ModelPair] = Scope(_DESCRIPTION + ", the same at every context", _common)

#: Every small pair of models, the label pairs chosen separately at each context.
choices_by_context: Scope[ModelPair] = Scope(_DESCRIPTION + ", separately at each context", _by_context)


def _any_distributions() -> Iterator[ModelPair]:
    pairs_of_two = ((1, 0), (2, 1))
    for dim, labels, pairs in ((1, 2, ((1, 0),)), (1, 3, ((1, 0),)), (1, 3, ((2, 1),)), (2, 3, pairs_of_two)):
        models = small_models(dim, labels, 1)
        for star in (model for model in models if model.differences(pairs).rank() == dim):
            for prime in models:
                yield ModelPair(prime, star, full_candidate_sets(1, labels), (pairs,))


#: Every two small models, of equal distributions or not, at one context, on pairs with an invertible L*.
any_distributions: Scope[ModelPair] = Scope(
    "every two models, of equal distributions or not, with entries in {-1, 0, 1}, M <= 2, K <= 3, n = 1, up to "
    "symmetry, whose L* is invertible for the pairs (1, 0) or (2, 1), for M = 2 both",
    _any_distributions,
)
