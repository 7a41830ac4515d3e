"""Searching for counterexamples: a ladder of sizes, smallest first, and at each rung Hypothesis' ``find``.

Dimensions drawn inside a strategy do not shrink through matrices, so sizes are walked outside.  The search is
deterministic; what it finds is stored as a certificate and replayed from then on.

``verification.search(theorem, without=...)`` is the function of this module: see :class:`_Callable`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from types import ModuleType
from typing import Any

from hypothesis import find, settings
from hypothesis.errors import NoSuchExample

from theory.catalogue import catalogue
from theory.display import table
from theory.paste import pasted
from theory.sizes import Size, ladder
from theory.strategies.source import RandomSource, Source, built_by
from theory.theorem import Construction, PredicateError, Theorem
from theory.verdict import Status, Verdict
from verification.budget import bounded, built, checked, fitting, reproducible, usable, witness_of
from verification.certificates import Certificate, issue
from verification.generate import quiet_settings
from verification.instances import exact, in_floating_point, size_of
from verification.profiles import seed_for
from verification.versions import versions

SEED = 0
TRIES = 300
_OWN_SIZES = 6


@dataclass(frozen=True, slots=True)
class Found:
    """A counterexample, its size (of one that does not say its own, that of the rung) and how it was built."""

    size: Size
    instance: Any
    verdict: Verdict
    construction: str = ""

    @property
    def source(self) -> str:
        """The instance as Python source to paste, with its imports."""
        return pasted(self.instance)

    def __repr__(self) -> str:
        return f"<Found a counterexample to {self.verdict.about} at {self.size}: {self.instance!r}>"

    def _repr_html_(self) -> str:
        rows = [(e.name, e.answer, e.measured, e.shown) for e in self.verdict.evidence]
        title = f"A counterexample to {self.verdict.about} at {self.size}"
        return table(title, rows, ("", "answer", "decided by", "witness"), repr(self.instance))


def search(
    theorem: Theorem[Any],
    without: str | None = None,
    claim: str | None = None,
    sizes: Iterable[Size] | None = None,
    tries: int = TRIES,
    seed: int = SEED,
    shrink: bool = True,
) -> Found | None:
    """Return the smallest counterexample that the ladder finds, shrunk unless told otherwise, or None.

    ``without`` drops one assumption; ``claim`` looks for a refutation of a stronger conclusion, and both None for a
    refutation of the statement itself.  Instances are built by the theorem's own constructions that break ``without``,
    or, where it has none, by those of the catalogue: see :func:`search_widely`.  Not finding one is no proof that there
    is none.  Raises ``ValueError`` for an unknown assumption or claim.
    """
    if without is not None and claim is None and not any(c.violates == without for c in theorem.constructions):
        return search_widely(theorem, without, tries=tries, seed=seed, sizes=sizes)
    if claim is not None:
        theorem.claimed(claim)
    wanted = Status.REFUTED if without is None else Status.COUNTEREXAMPLE

    def is_wanted(instance: Any) -> bool:
        return checked(theorem, instance, without=without, claim=claim).status is wanted

    for size in ladder() if sizes is None else sizes:
        building = usable(theorem, size, without)
        random = Random(seed_for(seed, theorem.name, without, claim, size))
        named = _found(theorem, building, size, is_wanted, quiet_settings(tries, shrink), random)
        if named is not None:
            return _as_found(theorem, named, size, without, claim)
    return None


def _as_found(
    theorem: Theorem[Any], named: tuple[str, Any], size: Size, without: str | None, claim: str | None = None
) -> Found:
    """The counterexample with its own size: a construction may build another than it was asked for."""
    construction, instance = named
    verdict = checked(theorem, instance, without=without, claim=claim)
    return Found(size_of(instance) or size, instance, verdict, construction)


def _found(
    theorem: Theorem[Any],
    building: list[Construction[Any]],
    size: Size,
    is_wanted: Callable[[Any], bool],
    settings_: settings,
    random: Random,
) -> tuple[str, Any] | None:
    """An instance of one size that is wanted, with the name of its construction, or None."""
    if not building:
        return None
    strategy = built_by([bounded(theorem, construction) for construction in building], size)
    try:
        return find(strategy, lambda named: is_wanted(named[1]), settings=settings_, random=random)
    except NoSuchExample:
        return None


def search_widely(
    theorem: Theorem[Any],
    without: str,
    tries: int = TRIES,
    seed: int = SEED,
    sizes: Iterable[Size] | None = None,
) -> Found | None:
    """As :func:`search`, with constructions of the whole catalogue that build instances of the theorem's type.

    First those that break an assumption called ``without``, then all, whatever they break.  Unless told otherwise it
    climbs up to M = 2, and then the theorem's smallest sizes.  Instances on which a predicate raises do not count,
    since it was not written for them.
    """
    return widely(theorem, without, tries, seed, sizes).found


@dataclass(frozen=True, slots=True)
class Widely:
    """What a search with the constructions of the catalogue said.

    ``decided`` counts the instances that met the assumptions in force, so that the conclusion was decided, ``raised``
    those on which it raised instead; ``error`` is what it raised first.
    """

    found: Found | None
    decided: int
    raised: int
    error: str


def widely(
    theorem: Theorem[Any],
    without: str | None,
    tries: int = TRIES,
    seed: int = SEED,
    sizes: Iterable[Size] | None = None,
) -> Widely:
    """As :func:`search_widely`, with what else was seen.

    Without a dropped assumption it looks for a refutation of the statement, with the catalogue's constructions only:
    the theorem's own may assume what it claims.
    """
    if without is not None:
        theorem.assumed(without)
    borrowed = _borrowed(theorem)
    candidates = borrowed if without is None else [*theorem.constructions, *borrowed]
    if sizes is None:
        sizes = [*ladder(2), *sorted(size for size in theorem.sizes if size not in set(ladder(2)))[:_OWN_SIZES]]
    sizes = list(sizes)
    wanted = Status.REFUTED if without is None else Status.COUNTEREXAMPLE
    assumed = {assumption.name for assumption in theorem.assumptions}
    decided, errors = 0, list[str]()

    def is_wanted(instance: Any) -> bool:
        nonlocal decided
        try:
            verdict = checked(theorem, instance, without=without, brief=True)
        except PredicateError as error:
            if error.predicate not in assumed:
                errors.append(str(error))
            return False
        decided += bool(verdict.conclusion)
        return verdict.status is wanted

    found = None
    first = [c for c in candidates if c.violates == without]
    for among in (first, candidates) if without is not None else (candidates,):
        for size in sizes if found is None else ():
            building = fitting(theorem, among, size)
            seeded = seed_for(seed, theorem.name, without, None, size)
            drawn = _drawn(theorem, building, size, is_wanted, tries, seeded)
            if drawn is not None:
                shrunk = _found(theorem, building, size, is_wanted, quiet_settings(tries), Random(seeded))
                found = _as_found(theorem, shrunk or drawn, size, without)
                break
    return Widely(found, decided, len(errors), errors[0] if errors else "")


def _drawn(
    theorem: Theorem[Any],
    building: list[Construction[Any]],
    size: Size,
    is_wanted: Callable[[Any], bool],
    tries: int,
    seed: int,
) -> tuple[str, Any] | None:
    """An instance that is wanted among those drawn from the constructions in turn, with the name of its construction.

    Much quicker than :func:`_found` where there is nothing to find.
    """
    source = RandomSource(seed)
    for k in range(tries if building else 0):
        construction = building[k % len(building)]
        with reproducible(seed + k):
            instance = bounded(theorem, construction).instance(source, size)
        if is_wanted(instance):
            return construction.name, instance
    return None


def _borrowed(theorem: Theorem[Any]) -> list[Construction[Any]]:
    """The catalogue's constructions of instances of the theorem's type, in its arithmetic, each once."""
    floats = not exact(witness_of(theorem))
    own = {construction.build for construction in theorem.constructions}
    found = {
        construction.build: replace(construction, build=_rounding(construction)) if floats else construction
        for other in catalogue().values()
        if other.instance_type is theorem.instance_type
        for construction in other.constructions
        if construction.build not in own
    }
    return list(found.values())


def _rounding(construction: Construction[Any]) -> Callable[[Source, Size], Any]:
    def build(source: Source, size: Size) -> Any:
        return in_floating_point(construction.build(source, size))

    return build


def certify(theorem: Theorem[Any]) -> Iterator[Certificate]:
    """Yield a certificate for each needed assumption (or for a refuted statement), searched and worked by hand.

    Where the theorem's own constructions give none the search goes on with those of the whole catalogue.

    Raises ``LookupError`` naming the assumption for which the search finds no counterexample, and ``ValueError``
    for a worked example that is none.
    """
    for without, claim in theorem.certifiable():
        found = search(theorem, without, claim)
        if found is None and any((w.without, w.claim) == (without, claim) for w in theorem.worked):
            continue
        if found is None and without is not None:
            found = search_widely(theorem, without)
        if found is None:
            what = f"without {without!r}; is it needed?" if without else f"to {claim or 'the statement'}"
            raise LookupError(f"{theorem.name}: the search found no counterexample {what}")
        note = f"smallest found by the ladder: {found.size}"
        yield issue(theorem, found.instance, found.verdict, note=note, origin="search", seed=SEED, versions=versions())
    for example in theorem.worked:
        rule = "It must build one instance"
        instance = built(theorem, f"the worked example {example.build.__name__}", rule, example.build)
        verdict = checked(theorem, instance, without=example.without, claim=example.claim)
        if verdict.status not in (Status.COUNTEREXAMPLE, Status.REFUTED):
            raise ValueError(f"{theorem.name}: the worked example {example.build.__name__} is {verdict.status.name}")
        origin = example.build.__name__
        yield issue(theorem, instance, verdict, note=example.note, origin=origin, seed=None, versions=versions())


class _Callable(ModuleType):
    """This module, callable as its function: a package has one attribute for a module and a function of one name."""

    def __call__(self, *args: Any, **kwargs: Any) -> Found | None:
        return search(*args, **kwargs)


sys.modules[__name__].__class__ = _Callable
