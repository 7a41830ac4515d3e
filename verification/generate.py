"""The check *holds*: a theorem examined on generated instances, size by size from the smallest."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded

from theory.sizes import Size
from theory.strategies.source import built_by
from theory.theorem import Theorem
from theory.verdict import Status, Verdict
from verification.budget import SCOPE_BUDGET, bounded, checked, limit, scope_of, usable
from verification.instances import size_of
from verification.profiles import seed_for


@dataclass(slots=True)
class Tally:
    """Counts of statuses, error/bound of each conclusion that has a bound, and the smallest refutation met."""

    statuses: Counter[Status] = field(default_factory=Counter)
    constructions: Counter[str] = field(default_factory=Counter)
    ratios: list[float] = field(default_factory=list)
    different: set[Any] = field(default_factory=set)
    refutation: tuple[Size | None, Any, Verdict] | None = None

    @property
    def looked_at(self) -> int:
        return self.statuses.total()

    @property
    def reached(self) -> int:
        """Instances that met every assumption, so that the conclusion was decided."""
        return self.statuses[Status.HOLDS] + self.statuses[Status.REFUTED]

    def drew(self, construction: str, instance: Any) -> None:
        """Count an instance that a construction built.  Instances are kept, as different ones can have one hash."""
        self.constructions[construction] += 1
        try:
            self.different.add(instance)
        except TypeError:  # a field that has no hash, such as a list
            self.different.add(repr(instance))

    def count(self, verdict: Verdict) -> None:
        self.statuses[verdict.status] += 1
        for evidence in verdict.conclusion:
            ratio = evidence.ratio
            if not evidence.exact and evidence.accept > 0:
                ratio = float(evidence.value) / float(evidence.accept)
            if ratio is not None and math.isfinite(ratio):
                self.ratios.append(ratio)


class _Refuted(Exception):
    """Raised inside Hypothesis so that it shrinks the instance."""


def quiet_settings(instances: int, shrink: bool = True) -> settings:
    """Hypothesis settings for a run that depends on its seed only: no database, no deadline, no health checks."""
    return settings(
        max_examples=instances,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
        suppress_health_check=tuple(HealthCheck),  # pyright: ignore[reportArgumentType]
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
        print_blob=False,
    )


def generate(theorem: Theorem[Any], shares: Iterable[tuple[Size, int]], seed: int, shrink: bool) -> Tally:
    """Examine ``theorem`` on generated instances of each size.

    With ``shrink`` the run stops at the first refutation and shrinks it; without, refutations are counted, as they
    are expected of a statement refuted as stated.
    """
    tally = Tally()
    for size, instances in shares:
        if instances:
            _at_size(theorem, size, instances, seed_for(seed, theorem.name, size), shrink, tally)
        if shrink and tally.refutation is not None:
            break
    return tally


def _at_size(theorem: Theorem[Any], size: Size, instances: int, seed: int, shrink: bool, tally: Tally) -> None:
    building = usable(theorem, size)
    if not building:
        raise ValueError(f"{theorem.name}: no construction fits {size}, which is on its ladder of sizes")

    @seeded(seed)
    @quiet_settings(instances)
    @given(built_by([bounded(theorem, construction) for construction in building], size))
    def examine(named: tuple[str, Any]) -> None:
        construction, instance = named
        verdict = checked(theorem, instance)
        shrinking = shrink and tally.refutation is not None
        if not shrinking:
            tally.drew(construction, instance)
            tally.count(verdict)
        if verdict.status is Status.REFUTED:
            if shrink or tally.refutation is None:
                tally.refutation = (size_of(instance) or size, instance, verdict)
            if shrink:
                raise _Refuted

    with suppress(_Refuted):
        examine()


def exhaust(theorem: Theorem[Any]) -> Tally | None:
    """Examine every instance of the theorem's small scope; None when it has none."""
    if theorem.scope is None:
        return None
    tally = Tally()
    with limit(f"{theorem.name}: its exhaustive scope", SCOPE_BUDGET):
        _count_all(theorem, scope_of(theorem, theorem.scope), tally)
    return tally


def _count_all(theorem: Theorem[Any], instances: Iterable[Any], tally: Tally) -> None:
    for instance in instances:
        verdict = checked(theorem, instance, brief=True)
        tally.count(verdict)
        if verdict.status is Status.REFUTED and tally.refutation is None:
            tally.refutation = (None, instance, verdict)
