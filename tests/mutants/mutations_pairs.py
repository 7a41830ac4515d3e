"""Mistakes about pairs of models: in the alignment, the label pairs, the candidate sets and the links between pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from tests.mutants.mutations import Decide
from theory import decide
from theory.arithmetic import Matrix
from theory.assumptions import decide_equal_distributions
from theory.cooccurrence import components, connected, in_one_component, inside_one_set, unordered
from theory.evidence import Evidence, all_of
from theory.indeterminacy import CLASSES
from theory.models import CandidateSet, LabelPair, Model, ModelPair
from theory.theorems.softmax.linked_pairs import sees

Pair = TypeVar("Pair", bound=ModelPair)
Differences = Callable[[Model, tuple[LabelPair, ...]], Matrix]

# The alignment A = L'⁻ᵀ L*ᵀ -------------------------------------------------------------------------------------


def sides(pair: ModelPair) -> tuple[Matrix, Matrix]:
    """L' and L* for the pairs of the first context."""
    l_prime, l_star = (model.differences(pair.label_pairs[0]) for model in (pair.prime, pair.star))
    return l_prime, l_star


def _is_image(pair: ModelPair, left: Matrix, right: Matrix, then: Matrix | None = None) -> Evidence:
    """Is f' = (``then``) X at every context, X solved for from left X = right?  A singular ``left`` fails.

    Solving in place of inverting keeps the error bounds of floating point those of the formula itself.
    """
    regular = decide.invertible(left)
    if regular.holds is not True:
        return regular
    image = left.solve(right)
    assert image is not None  # the left side is invertible
    return decide.vanishes(pair.prime.f - (image if then is None else then @ image).T)


def transposed(pair: ModelPair) -> Evidence:
    """f' = Aᵀ f* instead of f' = A f*."""
    l_prime, l_star = sides(pair)
    return _is_image(pair, l_prime, pair.star.f.T, then=l_star)


def inverse_not_transposed(pair: ModelPair) -> Evidence:
    """A = L'⁻¹ L*ᵀ instead of A = L'⁻ᵀ L*ᵀ."""
    l_prime, l_star = sides(pair)
    return _is_image(pair, l_prime, l_star.T @ pair.star.f.T)


def sides_exchanged(pair: ModelPair) -> Evidence:
    """A = L*⁻ᵀ L'ᵀ instead of A = L'⁻ᵀ L*ᵀ."""
    l_prime, l_star = sides(pair)
    return _is_image(pair, l_star.T, l_prime.T @ pair.star.f.T)


def by_vectors(pair: ModelPair) -> Evidence:
    """A = G'⁻ᵀ G*ᵀ from the g(y_A) themselves, the subtraction forgotten."""
    g_prime, g_star = (vectors(model, pair.label_pairs[0]) for model in (pair.prime, pair.star))
    return _is_image(pair, g_prime.T, g_star.T @ pair.star.f.T)


def labels_aligned(pair: ModelPair) -> Evidence:
    """A aligns the labels, L' = A L*, instead of the representations."""
    l_prime, l_star = sides(pair)
    image = l_prime.T.solve(l_star.T @ l_star)
    assert image is not None  # an assumption says that L' is invertible
    return decide.vanishes(l_prime - image)


def about_g(pair: ModelPair) -> Evidence:
    """The conclusion about g: g' = B g* for an invertible B."""
    return decide.invertible_linear_map(pair.star.g, pair.prime.g)


def orthogonal(pair: ModelPair) -> Evidence:
    """f' = O f* for an orthogonal O: the inner products of the representations agree."""
    return CLASSES["orthogonal"].fit(pair.star.f, pair.prime.f)


# Label vectors instead of differences ---------------------------------------------------------------------------


def vectors(model: Model, pairs: tuple[LabelPair, ...]) -> Matrix:
    """g(y_A) as columns, the subtraction forgotten."""
    return model.g.take(rows=[a for a, _ in pairs]).T


def _all_invertible(side: str, columns: Differences, pair: ModelPair) -> Evidence:
    return all_of(
        *(decide.invertible(columns(getattr(pair, side), pairs)) for pairs in dict.fromkeys(pair.label_pairs))
    )


left_vectors: Decide = partial(_all_invertible, "prime", vectors)
right_vectors: Decide = partial(_all_invertible, "star", vectors)


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


def all_joined_at_first(pair: ModelPair) -> Evidence:
    """The first context joins all labels; the others are not looked at."""
    alone = tuple((y,) for y in range(pair.labels))
    return decide.count_is_zero(len(components((*alone, *pair.candidate_sets[0]))) - 1, "missing joins")


def all_occur_at_each(pair: ModelPair) -> Evidence:
    """Every label is a candidate at every context, joined to the others or not."""
    missing = [set(range(pair.labels)) - {y for chosen in sets for y in chosen} for sets in pair.candidate_sets]
    return decide.count_is_zero(sum(map(len, missing)), "labels that are no candidates")


def all_occur(pair: ModelPair) -> Evidence:
    """Every label is a candidate somewhere, joined to the others or not."""
    occurring = {y for sets in pair.candidate_sets for chosen in sets for y in chosen}
    return decide.count_is_zero(pair.labels - len(occurring), "labels that never occur")


def with_first_set(pair: Pair) -> Pair:
    """The pair with the first candidate set of each context alone."""
    return replace(pair, candidate_sets=tuple(sets[:1] for sets in pair.candidate_sets))


def equal_on_first_set(pair: ModelPair) -> Evidence:
    """Equal distributions on the first candidate set of each context; the others are ignored."""
    return decide_equal_distributions(with_first_set(pair))


def equal_without_bias(pair: ModelPair) -> Evidence:
    """Equality of the distributions with logits f·g; the biases are ignored."""
    prime, star = (replace(model, bias=None) for model in (pair.prime, pair.star))
    return decide_equal_distributions(replace(pair, prime=prime, star=star))


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
