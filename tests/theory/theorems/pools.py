"""What the tests of a theorem share: probabilities from their definition, promises, and where mutants may be killed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

from theory.catalogue import find
from theory.checking import check
from theory.models import Model, ModelPair
from theory.sizes import Size, ladder
from theory.strategies.source import RandomSource
from theory.theorem import Construction, Theorem
from theory.verdict import Status


class NearestToZero:
    """Returns the value nearest to 0, which is what Hypothesis shrinks every draw to."""

    def integer(self, low: int, high: int) -> int:
        return max(low, min(high, 0))


def broken_promises(theorem: Theorem[Any], construction: Construction[Any]) -> list[tuple[Size, list[str]]]:
    """Where the construction does not break exactly what it says, over small sizes, the theorem's own, and seeds."""
    found: list[tuple[Size, list[str]]] = []
    built = 0
    for size in dict.fromkeys([*ladder(2), *theorem.sizes]):
        if construction.fits(size):
            for source in (NearestToZero(), RandomSource(0), RandomSource(1), RandomSource(2)):
                instance = construction.build(source, size)
                assert (instance.dim, instance.labels, instance.contexts) == (size.dim, size.labels, size.contexts)
                broken = [a.name for a in theorem.assumptions if a.evidence(instance).holds is not True]
                built += 1
                if broken != ([] if construction.violates is None else [construction.violates]):
                    found.append((size, broken))
    assert built > 20
    return found


@cache
def constructed(name: str) -> tuple[tuple[bool, Any], ...]:
    """What the constructions of a theorem build, with whether each used the alignment."""
    return tuple(
        (construction.uses_alignment, construction.build(RandomSource(seed), size))
        for size in ladder(2)
        for construction in find(name).constructions
        if construction.fits(size)
        for seed in range(6)
    )


@cache
def exhausted(name: str) -> tuple[Any, ...]:
    scope = find(name).scope
    assert scope is not None
    return tuple(scope.instances())


def pool(name: str, honest: bool) -> Iterator[Any]:
    """All constructed instances, or those built without the alignment and then the exhaustive scope."""
    yield from (instance for aligned, instance in constructed(name) if not (honest and aligned))
    if honest:
        yield from exhausted(name)


def kill(mutant: Theorem[Any], honest: bool) -> Any | None:
    """The first instance of the pool of the theorem of that name that refutes the mutant."""
    for instance in pool(mutant.name, honest):
        if check(mutant, instance, brief=True).status is Status.REFUTED:
            return instance
    return None


def size_of(instance: ModelPair) -> Size:
    return Size(instance.dim, instance.labels, instance.contexts)


def probabilities(model: Model, context: int, candidates: tuple[int, ...]) -> list[float]:
    """p(y | x, S) for y in S, from the definition, in floating point."""
    f = [float(v) for v in model.f.tolist()[context]]
    bias = [0.0] * model.labels if model.bias is None else [float(row[0]) for row in model.bias.tolist()]
    logits = [sum(a * float(b) for a, b in zip(f, model.g.tolist()[y], strict=True)) + bias[y] for y in candidates]
    odds = [math.exp(logit - max(logits)) for logit in logits]
    return [part / sum(odds) for part in odds]


def equal_probabilities(pair: ModelPair) -> bool:
    return all(
        math.isclose(ours, theirs, rel_tol=1e-9)
        for x, sets in enumerate(pair.candidate_sets)
        for chosen in sets
        for ours, theirs in zip(probabilities(pair.prime, x, chosen), probabilities(pair.star, x, chosen), strict=True)
    )
