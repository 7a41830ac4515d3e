"""Where a mutant may be killed: the small instances of a theorem, smallest first, and the line that shows one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.mutants.mutations import Decide
from theory.arithmetic import Matrix
from theory.catalogue import catalogue, find
from theory.models import Model, ModelPair
from theory.sizes import Size, ladder
from theory.strategies.scope import choices_by_context, common_choices
from theory.strategies.source import RandomSource
from theory.theorem import Scope, Standing, Theorem, check
from theory.theorems.softmax.few_labels import FreeFunction
from theory.verdict import Status

ALL = "all constructions"
HONEST = "constructions without alignment"
SCOPE = "exhaustive scope"
POOLS = (ALL, HONEST, SCOPE)

#: For each construction at each size.
SEEDS = range(12)


@dataclass(frozen=True, slots=True)
class Found:
    """An instance, where it comes from, and whether its construction used the alignment."""

    instance: Any
    origin: str
    aligned: bool = False


@dataclass(frozen=True, slots=True)
class Kill:
    """The instance that kills a mutant, and the part of the mutated theorem that it refutes."""

    found: Found
    refuted: str

    @property
    def size(self) -> Size:
        instance = self.found.instance
        model = instance.model if isinstance(instance, FreeFunction) else instance.star
        return Size(model.dim, model.labels, model.contexts)

    def __str__(self) -> str:
        return f"{shown(self.found.instance)} [{self.found.origin}; {self.refuted} fails]"


@cache
def constructed(name: str) -> tuple[Found, ...]:
    """What the constructions build, those included that break an assumption: weakened assumptions die only there."""
    return tuple(
        Found(
            construction.build(RandomSource(seed), size),
            f"{construction.name}, seed {seed}",
            construction.uses_alignment,
        )
        for size in ladder(2)
        for construction in find(name).constructions
        if construction.fits(size)
        for seed in SEEDS
    )


@cache
def exhausted(scope: Scope[Any]) -> tuple[tuple[Found, frozenset[Decide]], ...]:
    """The instances of a scope, each with the predicates of established theorems that fail on it.

    Decided once for all theorems and mutants: an instance says nothing about a theorem one of whose assumptions
    fails, so it need not be examined again.
    """
    decided: list[tuple[Found, frozenset[Decide]]] = []
    predicates: dict[Decide, None] | None = None
    for number, instance in enumerate(scope.instances()):
        if predicates is None:
            predicates = dict.fromkeys(
                assumption.decide
                for theorem in catalogue().values()
                if theorem.standing is Standing.ESTABLISHED and isinstance(instance, theorem.instance_type)
                for assumption in theorem.assumptions
            )
        failing = frozenset(predicate for predicate in predicates if predicate(instance).holds is False)
        decided.append((Found(instance, f"scope, number {number}"), failing))
    return tuple(decided)


def pool(theorem: Theorem[Any], where: str) -> Iterator[Found]:
    """The instances of a pool that can say something about ``theorem``, which may be mutated.

    On pairs of models the exhaustive scope lets every context choose its label pairs.  It holds the scope of the
    theorems with common pairs: of the others, their assumption ``common_pairs`` disposes unless it is mutated.
    """
    if where != SCOPE:
        yield from (found for found in constructed(theorem.name) if where == ALL or not found.aligned)
        return
    scope = find(theorem.name).scope
    assert scope is not None, f"{theorem.name} has no exhaustive scope"
    asked = {assumption.decide for assumption in theorem.assumptions}
    for found, failing in exhausted(choices_by_context if scope is common_choices else scope):
        if failing.isdisjoint(asked):
            yield found


def kill(mutated: Theorem[Any], where: str) -> Kill | None:
    """The first instance of a pool that refutes the mutated theorem.

    A mutant that raises is not dead: the error is passed on.
    """
    for found in pool(mutated, where):
        if check(mutated, found.instance, brief=True).status is Status.REFUTED:
            conclusion = check(mutated, found.instance).conclusion
            return Kill(found, next(evidence.name for evidence in conclusion if evidence.holds is False))
    return None


def shown(instance: Any) -> str:
    """One line with every number of the instance: primes first, vectors as tuples."""
    if isinstance(instance, FreeFunction):
        return f"f = {_rows(instance.model.f)}; g = {_rows(instance.model.g)}; h = {_rows(instance.h)}"
    pair: ModelPair = instance
    models = (
        f"f' = {_rows(pair.prime.f)}, g' = {_rows(pair.prime.g)}; f* = {_rows(pair.star.f)}, g* = {_rows(pair.star.g)}"
    )
    return f"{models}; S = {_each(pair.candidate_sets, _sets)}; pairs = {_each(pair.label_pairs, _pairs)}"


def _rows(matrix: Matrix) -> str:
    rows = matrix.tolist()
    if matrix.shape[1] == 1:
        return "(" + ", ".join(str(row[0]) for row in rows) + ")"
    return " ".join("(" + ",".join(map(str, row)) + ")" for row in rows)


def _each(by_context: tuple[Any, ...], text: Callable[[Any], str]) -> str:
    """Context by context, or once when all are the same."""
    texts = [text(item) for item in by_context]
    return texts[0] if len(set(texts)) == 1 else " | ".join(texts)


def _sets(sets: tuple[tuple[int, ...], ...]) -> str:
    return " ".join("{" + ",".join(map(str, sorted(chosen))) + "}" for chosen in sets)


def _pairs(pairs: tuple[tuple[int, int], ...]) -> str:
    return " ".join(f"{a}-{b}" for a, b in pairs)


def in_arithmetic(instance: Any, arithmetic: str) -> Any:
    """The same instance in another kernel."""
    if isinstance(instance, FreeFunction):
        model = _model(instance.model, arithmetic)
        return FreeFunction(model, type(model.f).of(instance.h.tolist()))
    prime, star = _model(instance.prime, arithmetic), _model(instance.star, arithmetic)
    return ModelPair(prime, star, instance.candidate_sets, instance.label_pairs)


def _model(model: Model, arithmetic: str) -> Model:
    return Model.of(model.f.tolist(), model.g.tolist(), arithmetic=arithmetic)
