"""The mutated pieces of theorems: each is a mistake that someone could make in stating or encoding one.

A mutation of the closed form leaves the rest of the theorem alone, so the formula alone must be caught.  A mutation
that weakens an assumption drops the closed form: what must be caught is the conclusion, not a missing inverse.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from theory import decide
from theory.arithmetic import Matrix
from theory.cooccurrence import connected, in_one_component, inside_one_set, unordered
from theory.evidence import Evidence, all_of
from theory.models import CandidateSet, LabelPair, Model, ModelPair
from theory.theorem import Theorem
from theory.theorems.softmax.few_labels import FreeFunction, all_differences
from theory.theorems.softmax.linked_pairs import sees

Mutate = Callable[[Theorem[Any]], Theorem[Any]]
Decide = Callable[[Any], Evidence]
Differences = Callable[[Model, tuple[LabelPair, ...]], Matrix]


def with_closed_form(decider: Decide) -> Mutate:
    """Only the formula of the proof is replaced."""
    return lambda theorem: replace(theorem, closed_form=decider)


def with_conclusion(decider: Decide) -> Mutate:
    """Only the conclusion is replaced."""
    return lambda theorem: replace(theorem, conclusion=decider, closed_form=None)


def with_assumptions(**deciders: Decide) -> Mutate:
    """The named assumptions keep their names and are decided otherwise; the closed form goes."""

    def mutate(theorem: Theorem[Any]) -> Theorem[Any]:
        unknown = set(deciders) - {assumption.name for assumption in theorem.assumptions}
        assert not unknown, f"{theorem.name} has no assumption {unknown}"
        changed = tuple(replace(a, decide=deciders.get(a.name, a.decide)) for a in theorem.assumptions)
        return replace(theorem, assumptions=changed, closed_form=None)

    return mutate


def not_checked(_: Any) -> Evidence:
    """The assumption is forgotten: it holds of everything."""
    return decide.count_is_zero(0, "not checked")


# The alignment A = L'⁻ᵀ L*ᵀ -------------------------------------------------------------------------------------


def _sides(pair: ModelPair) -> tuple[Matrix, Matrix, Matrix]:
    """L'⁻¹, L' and L* for the pairs of the first context; called only where all assumptions hold."""
    l_prime, l_star = (model.differences(pair.label_pairs[0]) for model in (pair.prime, pair.star))
    inverse = l_prime.inverse()
    assert inverse is not None  # an assumption says so
    return inverse, l_prime, l_star


def transposed(pair: ModelPair) -> Evidence:
    """f' = Aᵀ f* instead of f' = A f*."""
    inverse, _, l_star = _sides(pair)
    return decide.vanishes(pair.prime.f - pair.star.f @ (inverse.T @ l_star.T))


def inverse_not_transposed(pair: ModelPair) -> Evidence:
    """A = L'⁻¹ L*ᵀ instead of A = L'⁻ᵀ L*ᵀ."""
    inverse, _, l_star = _sides(pair)
    return decide.vanishes(pair.prime.f - pair.star.f @ (inverse @ l_star.T).T)


def labels_aligned(pair: ModelPair) -> Evidence:
    """A aligns the labels, L' = A L*, instead of the representations."""
    inverse, l_prime, l_star = _sides(pair)
    return decide.vanishes(l_prime - inverse.T @ l_star.T @ l_star)


def about_g(pair: ModelPair) -> Evidence:
    """The conclusion about g: g' = B g* for an invertible B."""
    return decide.invertible_linear_map(pair.star.g, pair.prime.g)


# Label vectors instead of differences ---------------------------------------------------------------------------


def _vectors(model: Model, pairs: tuple[LabelPair, ...]) -> Matrix:
    """g(y_A) as columns, the subtraction forgotten."""
    return model.g.take(rows=[a for a, _ in pairs]).T


def _all_invertible(side: str, columns: Differences, pair: ModelPair) -> Evidence:
    return all_of(
        *(decide.invertible(columns(getattr(pair, side), pairs)) for pairs in dict.fromkeys(pair.label_pairs))
    )


left_vectors: Decide = partial(_all_invertible, "prime", _vectors)
right_vectors: Decide = partial(_all_invertible, "star", _vectors)


# One pair dropped -----------------------------------------------------------------------------------------------


def _one_pair_fewer(side: str, pair: ModelPair) -> Evidence:
    """M - 1 pairs are enough: the first M - 1 differences are linearly independent.  (None are needed on the line.)"""
    model: Model = getattr(pair, side)
    return all_of(
        *(
            decide.rank_is_full(model.differences(pairs[: model.dim - 1]), model.dim - 1)
            for pairs in dict.fromkeys(pair.label_pairs)
        )
    )


left_one_fewer: Decide = partial(_one_pair_fewer, "prime")
right_one_fewer: Decide = partial(_one_pair_fewer, "star")


# Candidate sets ignored -----------------------------------------------------------------------------------------


def _unseen(pair: ModelPair, contexts: range, seen: Callable[[tuple[CandidateSet, ...], LabelPair], bool]) -> Evidence:
    missing = [chosen for x in contexts for chosen in pair.label_pairs[x] if not seen(pair.candidate_sets[x], chosen)]
    return decide.count_is_zero(len(missing), "unseen label pairs")


def seen_anywhere(pair: ModelPair) -> Evidence:
    """Both labels occur at the context, in whatever candidate sets."""
    return _unseen(pair, range(pair.contexts), lambda sets, chosen: set(chosen) <= {y for one in sets for y in one})


def seen_at_first(pair: ModelPair) -> Evidence:
    """Each pair lies inside a candidate set of the first context."""
    return _unseen(pair, range(1), inside_one_set)


def joined_at_first(pair: ModelPair) -> Evidence:
    """The labels of each pair are joined by candidate sets of the first context."""
    return _unseen(pair, range(1), in_one_component)


def equal_on_first_set(pair: ModelPair) -> Evidence:
    """Equal distributions on the first candidate set of each context; the others are ignored."""
    excess = pair.prime.logits() - pair.star.logits()
    gaps = [
        excess.take(rows=[x], columns=[y]) - excess.take(rows=[x], columns=[sets[0][0]])
        for x, sets in enumerate(pair.candidate_sets)
        for y in sets[0][1:]
    ]
    return all_of(*map(decide.vanishes, gaps))


# Links ----------------------------------------------------------------------------------------------------------


def linked_without_spanning(pair: ModelPair) -> Evidence:
    """Two systems are linked as soon as one context sees both, whatever f* is there."""
    chosen = list(dict.fromkeys(map(unordered, pair.label_pairs)))
    links = [
        (s, t)
        for s in range(len(chosen))
        for t in range(s)
        if any(sees(pair, x, chosen[s]) and sees(pair, x, chosen[t]) for x in range(pair.contexts))
    ]
    return decide.count_is_zero(len(connected(range(len(chosen)), links)) - 1, "missing links")


# Few labels -----------------------------------------------------------------------------------------------------


def _few_labels(rank: Matrix, wanted: int, free: Matrix, instance: FreeFunction) -> Evidence:
    """The conclusion of ``few_labels`` with other matrices in it; ``free`` (dim, any) are the directions v."""
    model = instance.model
    not_diverse = decide.count_is_zero(int(rank.rank() >= wanted), "too many independent differences")
    if free.shape[1] == 0:
        return not_diverse
    partner = model.f + instance.h @ free.take(columns=[0]).T
    same = decide.vanishes((partner - model.f) @ all_differences(model))
    return all_of(not_diverse, same, decide.no_affine_map(model.f, partner))


def few_orthogonal_to_f(instance: FreeFunction) -> Evidence:
    """v orthogonal to all f(x) instead of all label differences."""
    differences = all_differences(instance.model)
    return _few_labels(differences, instance.model.dim, instance.model.f.null_space(), instance)


def few_vectors(instance: FreeFunction) -> Evidence:
    """Rank and null space of g instead of its differences."""
    return _few_labels(instance.model.g, instance.model.dim, instance.model.g.null_space(), instance)


def few_one_pair_fewer(instance: FreeFunction) -> Evidence:
    """No M - 1 independent differences either."""
    differences = all_differences(instance.model)
    return _few_labels(differences, instance.model.dim - 1, differences.T.null_space(), instance)


def one_label_more(instance: FreeFunction) -> Evidence:
    """K <= M + 1 is taken for few."""
    return decide.count_is_zero(max(instance.model.labels - instance.model.dim - 1, 0), "labels beyond M + 1")


def not_linear(instance: FreeFunction) -> Evidence:
    """h is not a linear function of f, where it must not be an affine one."""
    found = decide.linear_map(instance.model.f, instance.h)
    return decide.count_is_zero(int(bool(found.holds)), "a linear map exists")
