"""The scopes of single theorems hold what they say: listed again in plain integers, or counted, without a reduction."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest

from tests.instances import size_of
from theory.assumptions import decide_equal_distributions, decide_no_bias
from theory.catalogue import find
from theory.models import Model, ModelPair, bias_of
from theory.theorems.softmax.stability import decide_near

ENTRIES = (-1, 0, 1)
#: A model on the line as f, g and b, each a tuple.
Plain = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
PINNED = {
    "biased_logits": 10427,
    "biased_label_representation": 6844,
    "extended_linear": 3724,
    "label_representation": 19506,
    "logit_distance_bound": 5937,
    "stability": 5937,
    "unit_norm_orthogonal": 99920,
}


@cache
def listed(name: str) -> tuple[Any, ...]:
    scope = find(name).scope
    assert scope is not None
    return tuple(scope.instances())


def reflected(model: Plain) -> Plain:
    """The model or its mirror image, whichever is larger: reflecting the line changes no logit."""
    f, g, b = model
    return max(model, (tuple(-v for v in f), tuple(-v for v in g), b))


def plain(model: Model) -> Plain:
    f, g, b = (tuple(int(row[0]) for row in m.tolist()) for m in (model.f, model.g, bias_of(model)))
    return f, g, b


def equal_biased_models(labels: int, contexts: int) -> Iterator[tuple[Plain, Plain]]:
    """Every two models on the line with entries -1, 0, 1, g(0) = b(0) = 0 and equal logit differences."""
    seen: defaultdict[tuple[int, ...], list[Plain]] = defaultdict(list)
    for f in product(ENTRIES, repeat=contexts):
        for g in product(ENTRIES, repeat=labels - 1):
            for b in product(ENTRIES, repeat=labels - 1):
                logits = tuple(v * w + a for v in f for w, a in zip(g, b, strict=True))
                seen[logits].append((f, (0, *g), (0, *b)))
    for group in seen.values():
        yield from product(group, group)


BIASED_SIZES = [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2)]


def test_biased_pairs_are_all_and_only() -> None:
    found = Counter((plain(p.prime), plain(p.star), p.label_pairs) for p in listed("biased_logits"))
    expected = {
        (reflected(prime), reflected(star), ((chosen,),) * contexts)
        for labels, contexts in BIASED_SIZES
        for prime, star in equal_biased_models(labels, contexts)
        for chosen in combinations(range(labels), 2)
    }
    assert set(found.values()) == {1}
    assert {(reflected(prime), reflected(star), chosen) for prime, star, chosen in found} == expected
    assert len(found) == len(expected)


def affine(prime: Plain, star: Plain) -> bool:
    """Is f' an affine function of f*?  Slopes between any two contexts agree."""
    steps = [(p - q, s - t) for (p, s), (q, t) in combinations(zip(prime[0], star[0], strict=True), 2)]
    return all(a * d == b * c for (a, c), (b, d) in combinations(steps, 2)) and all(s or not p for p, s in steps)


def test_affinely_aligned_pairs_are_all_and_only() -> None:
    found: Counter[tuple[Plain, Plain]] = Counter()
    for pair in listed("biased_label_representation"):
        image = pair.star.f @ pair.alignment.T + type(pair.star.f).of([[1]] * pair.contexts) @ pair.offset.T
        assert image == pair.prime.f
        f, g, b = plain(pair.prime)
        found[reflected((f, tuple(v - g[0] for v in g), b)), reflected(plain(pair.star))] += 1
    expected = {
        (reflected(prime), reflected(star))
        for labels, contexts in BIASED_SIZES
        for prime, star in equal_biased_models(labels, contexts)
        if affine(prime, star)
    }
    assert set(found) == expected
    assert set(found.values()) == {2}, "g' as it is, and moved by 1"


def test_aligned_pairs_on_the_line_are_all_and_only() -> None:
    """With full candidate sets: two models without biases, f' a multiple of f*, g' as it is or moved by 1."""
    found: Counter[tuple[Plain, Plain]] = Counter()
    for pair in listed("label_representation"):
        if pair.dim == 1 and all(sets == (tuple(range(pair.labels)),) for sets in pair.candidate_sets):
            assert pair.star.f @ pair.alignment.T == pair.prime.f
            f, g, b = plain(pair.prime)
            found[reflected((f, tuple(v - g[0] for v in g), b)), reflected(plain(pair.star))] += 1
    expected = {
        (reflected(prime), reflected(star))
        for labels, contexts in ((2, 1), (2, 2), (3, 1), (3, 2))
        for prime, star in equal_biased_models(labels, contexts)
        if not any(prime[2] + star[2]) and linear(prime, star)
    }
    assert set(found) == expected
    assert set(found.values()) == {2}


def linear(prime: Plain, star: Plain) -> bool:
    """Is f' a multiple of f*?"""
    points = list(zip(prime[0], star[0], strict=True))
    return all(a * d == b * c for (a, c), (b, d) in combinations(points, 2)) and all(s or not p for p, s in points)


def test_any_distributions_are_all_pairs_of_models() -> None:
    """For each choice of pairs: every starred model with an invertible L*, with every other model."""
    shapes: defaultdict[tuple[Any, ...], list[ModelPair]] = defaultdict(list)
    for pair in listed("logit_distance_bound"):
        shapes[pair.dim, pair.labels, pair.label_pairs].append(pair)
        assert pair.star.differences(pair.label_pairs[0]).inverse() is not None
    assert len(shapes) == 4
    for pairs in shapes.values():
        stars, primes = ({getattr(pair, side) for pair in pairs} for side in ("star", "prime"))
        assert len({(pair.star, pair.prime) for pair in pairs}) == len(pairs) == len(stars) * len(primes)
        assert stars == {model for model in primes if model.differences(pairs[0].label_pairs[0]).inverse() is not None}


def test_stability_takes_the_least_delta() -> None:
    """The pairs of the bound with roles exchanged; δ is a multiple of 1/4 that holds, and the next smaller does not."""
    bound = Counter((pair.star, pair.prime) for pair in listed("logit_distance_bound"))
    found = listed("stability")
    assert Counter((pair.prime, pair.star) for pair in found) == bound
    for pair in found[::37]:
        assert (4 * pair.delta).denominator == 1
        assert decide_near(pair).holds
        if pair.delta > 0:
            smaller = type(pair).of(pair, pair.delta - Fraction(1, 4))
            assert decide_near(smaller).holds is False


def test_normalised_pairs_are_counted() -> None:
    """f* up to order and signs, f' with every sign: multisets of the points of a half circle, times all f'."""
    counted = Counter((size_of(pair).dim, size_of(pair).contexts) for pair in listed("unit_norm_orthogonal"))
    assert counted == {(1, 1): 2 * 4, (1, 2): 3 * 4**2, (2, 1): 6 * 12, (2, 2): 21 * 12**2, (2, 3): 56 * 12**3}


@pytest.mark.parametrize("name", PINNED)
def test_scopes_are_pinned_and_instances_differ(name: str) -> None:
    """A scope that shrinks or grows by accident is noticed; a change on purpose changes these numbers."""
    instances = listed(name)
    assert len(instances) == PINNED[name]
    if name != "unit_norm_orthogonal":
        assert len(set(instances[::3])) == len(instances[::3])
        for pair in instances[::17]:
            assert decide_no_bias(pair).holds or name.startswith("biased")
            if name not in ("logit_distance_bound", "stability"):
                assert decide_equal_distributions(pair).holds
