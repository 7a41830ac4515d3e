"""Where a mutant may be killed: the small instances of a theorem, smallest first, and the line that shows one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, TypeVar

from tests.instances import size_of
from tests.mutants.mutations import Decide
from theory.arithmetic import Matrix
from theory.catalogue import find
from theory.checking import check
from theory.log_probabilities import NearPair
from theory.models import AffinelyAlignedPair, AlignedPair, Model, ModelPair
from theory.sizes import Size, ladder
from theory.strategies.scope import choices_by_context, common_choices
from theory.strategies.source import RandomSource
from theory.theorem import Scope, Theorem
from theory.theorems.softmax.few_labels import FreeFunction
from theory.theorems.softmax.unit_norm_orthogonal import NormalisedPair
from theory.verdict import Status

ALL = "all constructions"
HONEST = "constructions without alignment"
SCOPE = "exhaustive scope"
POOLS = (ALL, HONEST, SCOPE)

#: For each construction at each size.
SEEDS = range(8)

Item = TypeVar("Item")


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
        return size_of(self.found.instance)

    def __str__(self) -> str:
        return f"{shown(self.found.instance)} [{self.found.origin}; {self.refuted} fails]"


class Remembered(Generic[Item]):
    """What an iterator yields, kept as it comes: most mutants die early, and the rest is needed only by some."""

    def __init__(self, source: Iterator[Item]) -> None:
        self._source = source
        self._seen: list[Item] = []

    def __iter__(self) -> Iterator[Item]:
        position = 0
        while True:
            if position == len(self._seen):
                for item in self._source:
                    self._seen.append(item)
                    break
                else:
                    return
            yield self._seen[position]
            position += 1


@cache
def constructed(name: str) -> Remembered[Found]:
    """What the constructions build, those included that break an assumption: weakened assumptions die only there."""
    return Remembered(
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


@dataclass(frozen=True, slots=True)
class Examined:
    """An instance of a scope with what is known of it: which predicates fail is decided once for all mutants."""

    found: Found
    answers: dict[Decide, bool] = field(default_factory=dict)

    def meets(self, predicates: Iterable[Decide]) -> bool:
        """Does none of the predicates fail?  An instance says nothing about a theorem one of whose assumptions does."""
        return not any(map(self._fails, predicates))

    def _fails(self, predicate: Decide) -> bool:
        if predicate not in self.answers:
            self.answers[predicate] = predicate(self.found.instance).holds is False
        return self.answers[predicate]


@cache
def exhausted(scope: Scope[Any]) -> Remembered[Examined]:
    """The instances of a scope."""
    return Remembered(Examined(Found(x, f"scope, number {number}")) for number, x in enumerate(scope.instances()))


def _pool_of(theorem: Theorem[Any]) -> Scope[Any]:
    """The scope to search.  On pairs of models it lets every context choose its label pairs.

    That holds the scope of the theorems with common pairs: of the other instances their assumption ``common_pairs``
    disposes, unless it is mutated.
    """
    scope = find(theorem.name).scope
    assert scope is not None, f"{theorem.name} has no exhaustive scope"
    return choices_by_context if scope is common_choices else scope


def pool(theorem: Theorem[Any], where: str) -> Iterator[Found]:
    """The instances of a pool that can say something about ``theorem``, which may be mutated.

    In the scope these are the ones that meet its assumptions.  Where only the assumptions are mutated, those that meet
    the true ones as well are left out: they would refute the theorem itself, and that is looked for once and for all.
    """
    if where != SCOPE:
        yield from (found for found in constructed(theorem.name) if where == ALL or not found.aligned)
        return
    own = find(theorem.name)
    asked, true = ([assumption.decide for assumption in t.assumptions] for t in (theorem, own))
    weakened = theorem.conclusion is own.conclusion and theorem.closed_form is None and asked != true
    for examined in exhausted(_pool_of(theorem)):
        if examined.meets(asked) and not (weakened and examined.meets(true)):
            yield examined.found


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
    if isinstance(instance, NormalisedPair):
        return f"f' = {_rows(instance.prime)}; f* = {_rows(instance.star)}"
    pair: ModelPair = instance
    parts = [_model(pair.prime, "'"), _model(pair.star, "*"), f"S = {_each(pair.candidate_sets, _sets)}"]
    parts += [f"pairs = {_each(pair.label_pairs, _pairs)}"] if pair.label_pairs else []
    parts += [f"A = {_rows(pair.alignment)}"] if isinstance(pair, AlignedPair) else []
    parts += [f"c = {_rows(pair.offset)}"] if isinstance(pair, AffinelyAlignedPair) else []
    parts += [f"δ = {pair.delta}"] if isinstance(pair, NearPair) else []
    return "; ".join(parts)


def _model(model: Model, mark: str) -> str:
    bias = "" if model.bias is None else f", b{mark} = {_rows(model.bias)}"
    return f"f{mark} = {_rows(model.f)}, g{mark} = {_rows(model.g)}{bias}"


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
