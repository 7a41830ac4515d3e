"""Searching for counterexamples: a ladder of sizes, smallest first, and at each rung Hypothesis' ``find``.

Dimensions drawn inside a strategy do not shrink through matrices, so sizes are walked outside.  The search is
deterministic; what it finds is stored as a certificate and replayed from then on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import find
from hypothesis.errors import NoSuchExample

from theory.sizes import Size, ladder
from theory.theorem import Theorem, check
from theory.verdict import Status, Verdict
from verification.certificates import Certificate, issue
from verification.generate import quiet_settings
from verification.profiles import seed_for
from verification.versions import versions

SEED = 0
TRIES = 300


@dataclass(frozen=True, slots=True)
class Found:
    """A counterexample and the size at which the ladder found it."""

    size: Size
    instance: Any
    verdict: Verdict


def search(
    theorem: Theorem[Any],
    without: str | None = None,
    sizes: Iterable[Size] | None = None,
    tries: int = TRIES,
    seed: int = SEED,
) -> Found | None:
    """Return the smallest counterexample that the ladder finds, shrunk, or None.

    ``without`` drops one assumption; None looks for a refutation of the statement itself.  Not finding one is no
    proof that there is none.  Raises ``ValueError`` for an unknown assumption.
    """
    wanted = Status.REFUTED if without is None else Status.COUNTEREXAMPLE

    def is_wanted(instance: Any) -> bool:
        return check(theorem, instance, without=without).status is wanted

    for size in ladder() if sizes is None else sizes:
        if not theorem.usable(size, without):
            continue
        strategy = theorem.instances(size, without)
        random = Random(seed_for(seed, theorem.name, without, size))
        try:
            instance = find(strategy, is_wanted, settings=quiet_settings(tries), random=random)
        except NoSuchExample:
            continue
        return Found(size, instance, check(theorem, instance, without=without))
    return None


def certify(theorem: Theorem[Any]) -> Iterator[Certificate]:
    """Yield a certificate for each needed assumption (or for a refuted statement), searched and worked by hand.

    Raises ``LookupError`` naming the assumption for which the search finds no counterexample, and ``ValueError``
    for a worked example that is none.
    """
    wanted: list[str | None] = list(theorem.needs)
    if theorem.repaired_by is not None:
        wanted.append(None)
    for without in wanted:
        found = search(theorem, without)
        if found is None:
            dropped = f"without {without!r}" if without else "to the statement"
            raise LookupError(f"{theorem.name}: the search found no counterexample {dropped}; is it needed?")
        note = f"smallest found by the ladder: {found.size}"
        yield issue(theorem, found.instance, found.verdict, note=note, origin="search", seed=SEED, versions=versions())
    for example in theorem.worked:
        instance = example.build()
        verdict = check(theorem, instance, without=example.without)
        if verdict.status not in (Status.COUNTEREXAMPLE, Status.REFUTED):
            raise ValueError(f"{theorem.name}: the worked example {example.build.__name__} is {verdict.status.name}")
        origin = example.build.__name__
        yield issue(theorem, instance, verdict, note=example.note, origin=origin, seed=None, versions=versions())
