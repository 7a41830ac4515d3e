"""Examining a conjecture: the smallest counterexample, or what was tried, and what the survivors suggest.

The statement is somebody's own; nothing is claimed beyond the instances tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

from theory.arithmetic import Matrix
from theory.catalogue import catalogue
from theory.checking import check
from theory.indeterminacy import CLASSES, Indeterminacy
from theory.loading import BadTheorem
from theory.models import ModelPair
from theory.sizes import Size, ladder
from theory.strategies.source import RandomSource
from theory.theorem import Scope, Theorem
from theory.verdict import Status, Verdict
from verification import budget
from verification.budget import bounded, checked, limit, reproducible, scope_of, usable, witness_of
from verification.generate import Tally
from verification.instances import exact, size_of
from verification.profiles import seed_for
from verification.search import Found, Widely, search, widely

TRIES_WITHOUT = 100
TRIES_BORROWED = 50
TRIES_STRONGER = 25
SURVIVORS = 200
LEAST_REACHED = 0.9


@dataclass(frozen=True, slots=True)
class Scoped:
    """How the instances of an exhaustive scope fell; ``finished`` unless it took too long to look at all of them."""

    tally: Tally
    finished: bool


@dataclass(frozen=True, slots=True)
class Examined:
    """What ``instances`` draws said: how they fell, and the counterexample if there is one.

    ``unmet`` counts, of the instances that do not meet the assumptions, the first assumption that fails.  ``borrowed``
    is what the catalogue's constructions said, tried where the theorem's own show nothing against it, since those may
    all assume what it claims.  Their instances need not meet the assumptions and are counted apart.
    """

    theorem: Theorem[Any]
    seed: int
    sizes: tuple[Size, ...]
    witness: Verdict
    found: Found | None = None
    borrowed: Widely | None = None
    tally: Tally = field(default_factory=Tally)
    unmet: Counter[str] = field(default_factory=Counter)
    scope: Scoped | None = None

    @property
    def starved(self) -> bool:
        """Did too few instances (under 90 %) meet the assumptions for the rest to mean much?"""
        return self.tally.reached < LEAST_REACHED * self.tally.looked_at


@dataclass(frozen=True, slots=True)
class Stronger:
    """How a stronger conclusion fared: on how many instances it held, failed and was undecided.

    ``found`` is a counterexample to it, where the theorem lists it and the search found one.
    """

    name: str
    holds: int
    fails: int
    undecided: int
    found: Found | None = None


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What a surviving conjecture's instances suggest: evidence for the next conjecture, not conclusions.

    ``needed`` maps each assumption to what a search for a counterexample without it said.  ``stronger`` are
    stronger conclusions: those the theorem lists, or maps of each indeterminacy class between f* and f'.
    """

    needed: dict[str, Widely]
    stronger: tuple[Stronger, ...]
    nearest: tuple[str, tuple[str, ...]] | None


def sizes_of(theorem: Theorem[Any]) -> list[Size]:
    """The sizes of the general ladder at which some construction builds, then those of the theorem's own beyond it."""
    general = [size for size in ladder() if usable(theorem, size)]
    return general + sorted(size for size in theorem.sizes if size not in general and usable(theorem, size))


def examine(theorem: Theorem[Any], instances: int, seed: int) -> Examined:
    """Look for a counterexample, smallest sizes first; where there is none count how the given number of instances,
    and those of the exhaustive scope, fall.

    Raises :class:`BadTheorem` when no construction builds at any size, and what the theorem's own code raises.
    """
    sizes = sizes_of(theorem)
    if not sizes:
        raise BadTheorem(f"{theorem.name}: none of its constructions builds at any size; see `fits` and `violates`")
    witness = witness_of(theorem)
    start = Examined(theorem, seed, tuple(sizes), _checked(theorem, witness))
    found = _searched(theorem, sizes, instances, seed)
    if found is None and start.witness.status is Status.REFUTED:
        found = Found(size_of(witness) or sizes[0], witness, start.witness)
    if found is not None and (theorem.scope is None or found.size == sizes[0]):
        return replace(start, found=found)
    scope = None if theorem.scope is None else _exhausted(theorem, theorem.scope)
    if scope is not None and scope.tally.refutation is not None:
        size, instance, verdict = scope.tally.refutation
        if found is None or (size is not None and size < found.size):
            found = Found(size or sizes[0], instance, verdict)
    if found is not None:
        return replace(start, found=found, scope=scope)
    tally, unmet, made = _counted(theorem, sizes, instances, seed)
    start = replace(start, sizes=made)
    if tally.refutation is not None:
        size, instance, verdict = tally.refutation
        assert size is not None  # drawn instances have one
        found = search(theorem, sizes=[size], tries=instances, seed=seed)
        found = found or Found(size_of(instance) or size, instance, verdict)
        return replace(start, found=found, tally=tally, unmet=unmet, scope=scope)
    borrowed = widely(theorem, None, tries=TRIES_BORROWED, seed=seed)
    return replace(start, found=borrowed.found, borrowed=borrowed, tally=tally, unmet=unmet, scope=scope)


def _searched(theorem: Theorem[Any], sizes: list[Size], instances: int, seed: int) -> Found | None:
    """The smallest counterexample of the ladder: once up to where there is one, then harder below it, then shrunk."""
    each = max(instances // len(sizes), 4)
    found, how = search(theorem, sizes=sizes, tries=each, seed=seed, shrink=False), (each, seed)
    if found is None:
        return None
    below = [size for size in sizes if size < found.size]
    smaller = search(theorem, sizes=below, tries=5 * each, seed=seed + 1, shrink=False)
    if smaller is not None:
        found, how = smaller, (5 * each, seed + 1)
    return search(theorem, sizes=[found.size], tries=how[0], seed=how[1]) or found


def _checked(theorem: Theorem[Any], instance: Any) -> Verdict:
    return checked(theorem, instance, brief=True)


def _drawn(theorem: Theorem[Any], sizes: list[Size], instances: int, seed: int) -> Iterator[tuple[Size, str, Any]]:
    """Instances of the given sizes and all constructions in turn, with both."""
    for k in range(instances):
        size = sizes[k % len(sizes)]
        building = usable(theorem, size)
        construction = building[(k // len(sizes)) % len(building)]
        drawing = seed_for(seed, theorem.name, "drawn", k)
        with reproducible(drawing):
            instance = bounded(theorem, construction).instance(RandomSource(drawing), size)
        yield size, construction.name, instance


def _counted(
    theorem: Theorem[Any], sizes: list[Size], instances: int, seed: int
) -> tuple[Tally, Counter[str], tuple[Size, ...]]:
    """How the instances fall, what those that say nothing miss first, and the sizes that they really have."""
    tally, unmet, made = Tally(), Counter[str](), set[Size]()
    for size, construction, instance in _drawn(theorem, sizes, instances, seed):
        made.add(size_of(instance) or size)
        verdict = _checked(theorem, instance)
        tally.count(verdict)
        tally.drew(construction, instance)
        if verdict.status is Status.VACUOUS:
            failed = [evidence.name for evidence in verdict.assumptions if evidence.holds is False]
            unmet[failed[0] if failed else "nontrivial"] += 1
        if verdict.status is Status.REFUTED and tally.refutation is None:
            tally.refutation = (size, instance, verdict)  # the size that it was asked for
    return tally, unmet, tuple(sorted(made))


def _exhausted(theorem: Theorem[Any], scope: Scope[Any]) -> Scoped:
    """Look at a whole scope, or at as much as the time allows; keep a refutation of the smallest size."""
    tally, start = Tally(), monotonic()
    for instance in scope_of(theorem, scope):
        if monotonic() - start >= budget.SCOPE_BUDGET:
            return Scoped(tally, finished=False)
        verdict = _checked(theorem, instance)
        tally.count(verdict)
        if verdict.status is Status.REFUTED:
            size, before = size_of(instance), tally.refutation
            if before is None or (size is not None and before[0] is not None and size < before[0]):
                tally.refutation = (size, instance, verdict)
    return Scoped(tally, finished=True)


def suggestions(theorem: Theorem[Any], seed: int) -> Suggestions:
    """Try to drop each assumption, try stronger conclusions, and name the nearest theorem of the catalogue."""
    needed = {a.name: widely(theorem, a.name, tries=TRIES_WITHOUT, seed=seed) for a in theorem.assumptions}
    return Suggestions(needed, _stronger(theorem, seed), _nearest(theorem))


def _stronger(theorem: Theorem[Any], seed: int) -> tuple[Stronger, ...]:
    """The theorem's own stronger conclusions, or else classes of maps, on the instances that reach the conclusion."""
    kinds = {} if theorem.stronger else _classes(theorem)
    counts = {name: Counter[bool | None]() for name in (*(s.name for s in theorem.stronger), *kinds)}
    for _, _, instance in _drawn(theorem, sizes_of(theorem), SURVIVORS, seed):
        if _checked(theorem, instance).status is not Status.HOLDS:
            continue
        with limit(f"{theorem.name}: a stronger conclusion, on one instance,"):
            for stronger in theorem.stronger:
                verdict = check(theorem, instance, claim=stronger.name)
                counts[stronger.name][verdict.conclusion[0].holds] += 1
            for name, kind in kinds.items():
                counts[name][kind.fit(*_representations(theorem, instance)).holds] += 1
    found = {s.name: search(theorem, claim=s.name, tries=TRIES_STRONGER, seed=seed) for s in theorem.stronger}
    return tuple(
        Stronger(name, count[True], count[False], count[None], found.get(name))
        for name, count in counts.items()
        if count.total()
    )


def _representations(theorem: Theorem[Any], instance: Any) -> tuple[Matrix, Matrix]:
    if theorem.attained is not None:
        return theorem.attained.representations(instance)
    return instance.star.f, instance.prime.f


def _classes(theorem: Theorem[Any]) -> dict[str, Indeterminacy]:
    """The classes of maps to try between two representations; none in floating point, where each would need a bound of
    its own."""
    if theorem.attained is None and not issubclass(theorem.instance_type, ModelPair):
        return {}
    return dict(CLASSES) if exact(witness_of(theorem)) else {}


def _nearest(theorem: Theorem[Any]) -> tuple[str, tuple[str, ...]] | None:
    """The theorem of the catalogue that shares most assumption names, with those shared; None when none does."""
    ours = {a.name for a in theorem.assumptions}
    best: tuple[float, str, tuple[str, ...]] | None = None
    for name, other in catalogue().items():
        theirs = {a.name for a in other.assumptions}
        shared = tuple(sorted(ours & theirs))
        likeness = len(shared) / len(ours | theirs) if ours | theirs else 0.0
        if shared and (best is None or likeness > best[0]):
            best = (likeness, name, shared)
    return None if best is None else best[1:]
